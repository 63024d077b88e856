"""How a level comes about: upgrade-only, and what a person set by hand."""

from __future__ import annotations

import itertools

import pytest

from lobes.domain.sensitivity import (
    LEVELS,
    Detector,
    Finding,
    Level,
    Setting,
    effective,
    is_stricter,
    parse_level,
    strictest,
)

IBAN = Detector("iban", "restricted", "finance")
TOKEN = Detector("github-token", "confidential", "credentials")


def hit(detector: Detector, mark: str = "aa") -> Finding:
    return Finding(detector, 0, 5, 1, 1, mark)


@pytest.mark.parametrize(
    ("given", "findings", "level"),
    [
        (None, (), "internal"),
        ("public", (), "public"),
        ("public", (hit(IBAN),), "restricted"),
        ("confidential", (hit(IBAN),), "confidential"),
        (None, (hit(IBAN), hit(TOKEN)), "confidential"),
    ],
)
def test_a_new_text(given: Level | None, findings: tuple[Finding, ...], level: Level) -> None:
    assert effective(None, given=given, findings=findings) == level


def test_a_look_at_a_text_never_lowers_its_level() -> None:
    for before, given, found in itertools.product(
        LEVELS, (None, *LEVELS), ((), (hit(IBAN),), (hit(TOKEN),))
    ):
        after = effective(before, given=given, findings=found)
        assert not is_stricter(before, after), (before, given, found)


def test_what_a_person_lowered_stays_so_until_something_new_is_found() -> None:
    known = frozenset({hit(IBAN).known_as})
    setting = Setting("internal", "me", "a made-up account", "2026", accepted=known)
    assert effective("internal", given=None, findings=(hit(IBAN),), setting=setting) == "internal"
    again = (hit(IBAN), hit(IBAN, "bb"))
    assert effective("internal", given=None, findings=again, setting=setting) == "restricted"
    assert effective("internal", given=None, findings=(hit(TOKEN),), setting=setting) == (
        "confidential"
    )


def test_what_the_file_said_when_it_was_lowered_counts_no_more_and_what_it_says_since_does() -> (
    None
):
    setting = Setting("internal", "me", "old heading", "2026", given="restricted")
    assert effective("internal", given="restricted", findings=(), setting=setting) == "internal"
    assert effective("internal", given="confidential", findings=(), setting=setting) == (
        "confidential"
    )


def test_levels_are_named_to_the_letter() -> None:
    assert [parse_level(one) for one in ("internal", "Internal", " internal", "", None, 3)] == [
        "internal",
        *[None] * 5,
    ]
    assert strictest() == "internal"
    assert strictest("public", None) == "public"
