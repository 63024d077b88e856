"""What the detectors find, and what they leave alone."""

from __future__ import annotations

import socket
import time

import pytest
from tests.unit.classify.labelled import (
    AWS,
    GITHUB,
    KEY,
    ORDINARY,
    PASSWORD,
    PERSONAL,
    SECRETS,
    SLACK,
    STRIPE,
    Sample,
    encoded,
    lines,
)

from lobes.classify.scan import MOST, scan


@pytest.mark.parametrize("sample", [*SECRETS, *PERSONAL], ids=lambda one: one.text[:24])
def test_what_is_there_is_found_by_name(sample: Sample) -> None:
    """AG-08."""
    found = scan(sample.text)
    assert [one.detector.name for one in found] == [sample.detector]
    if sample.secret:
        assert sample.secret in sample.text[found[0].start : found[0].end]


@pytest.mark.parametrize(
    "unseen", ["\u200b", "\x01", "\x7f", "\x85", "\u2028", "\u2800", "\ufff9", "\U000e0041"]
)
def test_a_key_is_found_whatever_unseen_stands_in_it_or_behind_it(unseen: str) -> None:
    """AG-08, with every kind of character that nobody sees."""
    for text in (f"use {GITHUB[:12]}{unseen}{GITHUB[12:]} now", f"use {GITHUB}{unseen}now"):
        (found,) = scan(text)
        assert text[found.start : found.end].replace(unseen, "") == GITHUB


@pytest.mark.parametrize("text", ORDINARY, ids=lambda one: one[:24])
def test_ordinary_text_is_left_alone(text: str) -> None:
    """AG-09."""
    assert [(one.detector.name, text[one.start : one.end]) for one in scan(text)] == []


def test_a_secret_on_the_next_line_is_not_the_next_word() -> None:
    text = f"The token {GITHUB}\nwas taken back in 2024."
    (found,) = scan(text)
    assert text[found.start : found.end] == GITHUB


def test_lines_and_marks_tell_a_finding_without_its_text() -> None:
    first, again = scan(f"a\n\n{KEY}\n"), scan(f"{KEY}\n")
    assert [(one.first_line, one.last_line) for one in (*first, *again)] == [(3, 10), (1, 8)]
    assert first[0].known_as == again[0].known_as
    assert scan(f"password: {PASSWORD}x1")[0].mark != scan(f"password: {PASSWORD}")[0].mark
    assert PASSWORD not in repr(scan(f"password: {PASSWORD}"))


def test_what_is_found_is_found_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the classifier asked the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert [one.detector.name for one in scan(f"{AWS} {STRIPE} {SLACK}")] == [
        "aws-access-key",
        "stripe-key",
        "slack-token",
    ]


def test_ten_thousand_hits_are_counted_no_further_than_needed() -> None:
    assert len(scan(f"password: {PASSWORD}\n" * 10_000)) == MOST


@pytest.mark.parametrize("text", ["İ" * 500, "ſ\u212a token: x", "\ud800password: x", "", "\0" * 9])
def test_letters_that_change_their_size_move_no_span(text: str) -> None:
    assert scan(text) == ()
    (found,) = scan(f"{text}\n{AWS}")
    assert f"{text}\n{AWS}"[found.start : found.end] == AWS


HEAVY = (
    "password: ",
    "key=",
    "a-",
    "://a:",
    "1 ",
    "-----BEGIN PRIVATE KEY-----\n",
    "eyJ",
    "tokentoken",
    "sk-",
    "A" * 50 + "\n",
    "\u200b",
    "= ",
    ">\n",
    "glpat-a",
    "\\_a",
    "a**a",
    "a<!-- ",
    "&#95;",
    "%5Fa",
    "\uff3f\uff41",
    "ghp%5F" + "A" * 30 + "\n",
    "A1b2" * 10 + "\n",
    "0a1b2c3d" * 5 + "\n",
    "SECRET=a\n",
)


def nested(layers: int) -> str:
    text = GITHUB
    for _ in range(layers):
        text = lines(encoded(text), 20)
    return text


def test_no_text_takes_longer_than_its_length_explains() -> None:
    """Texts made to have a pattern go back over them again and again, or to be opened for ever."""
    for piece in (*HEAVY, nested(10), f"{nested(13)} "):
        started = time.process_time()
        scan(piece * (200_000 // len(piece)))
        assert time.process_time() - started < 2, piece
