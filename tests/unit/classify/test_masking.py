"""What anybody sees in the place of a secret."""

from __future__ import annotations

from tests.unit.classify.labelled import AWS, GITHUB, KEY, PASSWORD, PERSONAL, SECRETS

from lobes.classify.masking import masked
from lobes.classify.scan import scan


def test_every_secret_is_hidden_by_its_name_and_nothing_else_is() -> None:
    for sample in SECRETS:
        shown = masked(sample.text)
        assert f"[{sample.detector} hidden]" in shown
        assert not sample.secret or sample.secret not in shown
        assert shown.count("\n") == sample.text.count("\n")
    for sample in PERSONAL:
        assert masked(sample.text) == sample.text


def test_what_is_masked_is_masked_once() -> None:
    for sample in SECRETS:
        once = masked(sample.text)
        assert masked(once) == once


def test_a_text_of_a_file_without_findings_is_not_looked_at() -> None:
    assert masked(f"x {AWS}", kept=()) == f"x {AWS}"


def test_a_part_that_was_cut_out_of_a_key_is_hidden_whole() -> None:
    text = f"# Key\n\n{KEY}\n\nThe end."
    kept = [one.kept for one in scan(text)]
    lines = text.split("\n")
    part = "\n".join(lines[4:7])
    assert masked(part, first_line=5, kept=kept) == "\n".join(["[private-key hidden]"] * 3)
    assert masked("The end.", first_line=12, kept=kept) == "The end."
    assert masked("\n".join(lines[2:]), first_line=3, kept=kept).endswith("\n\nThe end.")


def test_two_secrets_on_a_line_leave_the_words_between_them() -> None:
    assert masked(f"a {AWS} and {GITHUB}, password: {PASSWORD}") == (
        "a [aws-access-key hidden] and [github-token hidden], password: [password hidden]"
    )
