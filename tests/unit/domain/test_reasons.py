"""Every code has its sentence, every sentence its code, and names are data in them."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.access.authorize import Reason as Why
from lobes.access.resolve import Code
from lobes.domain.pack_edits import StaleEdit
from lobes.domain.reasons import REASONS, remedy, sentence, would_change
from lobes.domain.reviewing import Held, Stale

REVIEWING = set(get_args(Stale)) | set(get_args(Held)) | {"not_inherited"}
EDITS = set(get_args(StaleEdit)) | {"not_taken", "nothing_changes", "bad_head"}
CODES = set(get_args(Why)) | set(get_args(Code)) | {"no_presence"} | REVIEWING | EDITS
names = st.sampled_from(
    ["{a}", "{b}", "{by}", "{0}", "{a.__class__}", "%s", "[b]x[/b]", "\0a\0", "}{"]
)


def test_every_code_has_a_sentence_and_no_sentence_lacks_its_code() -> None:
    assert set(REASONS) == CODES


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_sentence_is_complete_and_leaves_no_place_open(code: str) -> None:
    said = sentence(code, a="Alpha", b="Beta", by="Gamma")
    assert re.fullmatch(r"[A-Z].*\.", said)
    assert not re.search(r"[{}\0]", said + would_change(code, a="Alpha", b="Beta", by="Gamma"))
    assert set(re.findall(r"{(\w+)}", REASONS[code].sentence + REASONS[code].change)) <= {
        "a",
        "b",
        "by",
    }


@pytest.mark.parametrize("code", sorted(CODES))
@given(a=names | st.text(max_size=8), b=names | st.text(max_size=8), by=names)
def test_a_name_with_braces_or_markup_is_data(code: str, a: str, b: str, by: str) -> None:
    """TE-01, TE-02: what is put in stands there exactly, and is not filled in again."""
    filled = {"a": a, "b": b, "by": by}
    pattern = REASONS[code].sentence
    wanted = re.sub(r"{(a|by|b)}", lambda found: filled[found.group(1)], pattern)
    assert sentence(code, a=a, b=b, by=by) == wanted


@pytest.mark.parametrize("code", sorted(get_args(Why)))
def test_what_would_change_a_refusal_is_a_phrase_in_its_column_and_a_sentence_as_a_hint(
    code: str,
) -> None:
    change = REASONS[code].change
    assert re.fullmatch(r"([a-z].*[^.])?", change)
    assert re.fullmatch(r"([A-Z].*[^.]\.)?", remedy(code))
    said = "" if "{" in change or not change else f"{change}."
    assert remedy(code).lower() == said.lower()


def test_what_decided_falls_back_to_the_thing_itself() -> None:
    assert sentence("subscribed", a="Alpha", b="Beta") == "Alpha subscribes to Beta."


def test_an_unknown_code_reads_as_undecided() -> None:
    assert sentence("never heard of") == REASONS["internal_error"].sentence
    assert would_change("never heard of") == REASONS["internal_error"].change


def test_what_hides_a_thing_names_nothing() -> None:
    """The answer for what may not be known tells neither names nor a way in."""
    for code in ("not_found", "unknown_verb", "internal_error"):
        assert "{" not in REASONS[code].sentence + REASONS[code].change
    assert REASONS["not_found"].change == ""
