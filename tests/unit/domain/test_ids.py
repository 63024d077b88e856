"""Ids are parsed to the letter, so that two spellings never name one thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.errors import Invalid
from lobes.domain.ids import (
    LOBE_KINDS,
    LobeAddress,
    derived_id,
    is_slug,
    is_ulid,
    parse_address,
    parse_slug,
)

ULID = "01J00000000000000000000001"
SLUGS = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,62}", fullmatch=True)
NO_SLUGS = [
    "",
    "Ann",
    "ann ",
    " ann",
    "ann\n",
    "-ann",
    "_ann",
    "a" * 64,
    "аnn",
    "ann\u0301",
    "ａｎｎ",
    "١",
    "a b",
    "a/b",
    "a.b",
    "..",
    "a\0",
    "ﬁn",
    "ı",
]


@pytest.mark.parametrize("text", NO_SLUGS)
def test_a_look_alike_is_refused(text: str) -> None:
    """AZ-10"""
    assert not is_slug(text)
    with pytest.raises(Invalid) as refused:
        parse_slug(text, what="person")
    assert refused.value.reason == "bad_id"
    assert text == "" or text not in refused.value.message + refused.value.hint


@given(st.text(max_size=70))
def test_only_slugs_pass_and_they_pass_unchanged(text: str) -> None:
    letters = set("abcdefghijklmnopqrstuvwxyz0123456789_-")
    wanted = 1 <= len(text) <= 63 and set(text) <= letters and text[0] not in "_-"
    assert is_slug(text) is wanted


@given(SLUGS)
def test_a_slug_is_taken_as_it_stands(text: str) -> None:
    assert parse_slug(text) == text


@pytest.mark.parametrize("value", [None, 1, True, b"ann", ["ann"], 1.0])
def test_what_is_no_text_is_no_id(value: object) -> None:
    assert not is_slug(value)
    assert not is_ulid(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ULID[:-1],
        ULID + "0",
        "8" + ULID[1:],
        ULID.lower(),
        ULID[:-1] + "I",
        ULID + "\n",
        " " + ULID,
    ],
)
def test_a_near_ulid_is_refused(text: str) -> None:
    assert not is_ulid(text)
    assert is_ulid(ULID)


@given(st.sampled_from(LOBE_KINDS), SLUGS)
def test_an_address_reads_back_as_written(kind: str, name: str) -> None:
    text = f"{kind}/{ULID if kind == 'guest' else name}"
    assert str(parse_address(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "space",
        "space/",
        "/x",
        "Space/x",
        "space/x/y",
        "space//x",
        "space/x ",
        "space:x",
        "guest/ann",
        f"guest/{ULID.lower()}",
        "doc/x",
        "space/../x",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_address(text)


def test_a_space_may_have_a_name_that_looks_like_a_ulid_never_the_reverse() -> None:
    assert parse_address("space/01") == LobeAddress("space", "01")
    with pytest.raises(Invalid):
        parse_address("guest/01")


@given(st.lists(st.text(max_size=5), max_size=4))
def test_a_derived_id_is_a_ulid_and_the_same_again(parts: list[str]) -> None:
    assert is_ulid(derived_id(*parts))
    assert derived_id(*parts) == derived_id(*parts)


def test_where_one_part_ends_makes_a_difference() -> None:
    """DU-13 for ids."""
    made = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("", "abc"), ("a", "b", "c"), ()]
    assert len({derived_id(*parts) for parts in made}) == len(made)


def test_a_lone_surrogate_can_be_hashed() -> None:
    """TE-11"""
    assert is_ulid(derived_id("\ud800"))
