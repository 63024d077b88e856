"""A permission that can't be taken to the letter is for the owner alone, and says so."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.permissions import (
    OWNER_ONLY,
    PUBLIC,
    VISIBILITIES,
    Permission,
    dump_permission,
    is_subject,
    parse_permission,
)
from lobes.domain.verbs import VERBS

SLUGS = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,8}", fullmatch=True)
SUBJECTS = st.one_of(st.just("all"), SLUGS.map("user:{}".format), SLUGS.map("group:{}".format))
GRANTS = st.dictionaries(st.sampled_from(sorted(VERBS)), st.frozensets(SUBJECTS, max_size=3))


@given(st.sampled_from(VISIBILITIES), GRANTS)
def test_a_permission_reads_back_as_it_was_stored(visibility: str, grants: dict) -> None:  # type: ignore[type-arg]
    permission = Permission(visibility, tuple(sorted(grants.items())))  # type: ignore[arg-type]
    assert parse_permission(dump_permission(permission)) == permission
    for verb in VERBS:
        assert permission.subjects(verb) == grants.get(verb, frozenset())


def test_nothing_stored_is_public_and_sound() -> None:
    assert parse_permission(None) == PUBLIC
    assert (PUBLIC.visibility, PUBLIC.grants, PUBLIC.sound) == ("public", (), True)


BROKEN = [
    "",
    " ",
    "{}",
    "null",
    "[]",
    '"public"',
    "1",
    "{",
    '{"visibility": "pubic"}',
    '{"visibility": "Public"}',
    '{"visibility": "public "}',
    '{"visibility": null}',
    '{"visibility": true}',
    '{"visibility": ["public"]}',
    '{"grants": {}}',
    '{"visibility": "public", "owner": "me"}',
    '{"visibility": "public", "grants": null}',
    '{"visibility": "public", "grants": []}',
    '{"visibility": "public", "grants": {"fly": []}}',
    '{"visibility": "public", "grants": {"Read_meta": []}}',
    '{"visibility": "public", "grants": {"read_meta": "all"}}',
    '{"visibility": "public", "grants": {"read_meta": {"all": true}}}',
    '{"visibility": "public", "grants": {"read_meta": [1]}}',
    '{"visibility": "public", "grants": {"read_meta": [null]}}',
    '{"visibility": "public", "grants": {"read_meta": ["everyone"]}}',
    '{"visibility": "public", "grants": {"read_meta": ["user:"]}}',
    '{"visibility": "public", "grants": {"read_meta": ["user:Ann"]}}',
    '{"visibility": "private", "visibility": "public"}',
    '{"visibility": "public", "grants": {"read_meta": [], "read_meta": ["all"]}}',
    '{"visibility": "public", "grants": {}} x',
    '{"visibility": NaN}',
    "[" * 100_000,
    "1" * 1_000_000,
    "\ud800",
    "\0",
]


@pytest.mark.parametrize("stored", BROKEN, ids=range(len(BROKEN)))
def test_what_is_broken_is_for_the_owner_alone_and_flagged(stored: str) -> None:
    """AZ-01, PA-18, PA-20"""
    assert parse_permission(stored) == OWNER_ONLY
    assert (OWNER_ONLY.visibility, OWNER_ONLY.sound) == ("private", False)
    assert not any(OWNER_ONLY.subjects(verb) for verb in VERBS)


@given(st.text(max_size=60))
def test_no_text_makes_the_parser_fail_or_turn_public(stored: str) -> None:
    assert parse_permission(stored) == OWNER_ONLY


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["public", "all", "visibility"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["visibility", "grants", "read_meta"]), inner, max_size=2)
    ),
    max_leaves=6,
)


@given(json_values)
def test_only_a_named_visibility_is_ever_sound(value: object) -> None:
    got = parse_permission(json.dumps(value))
    if got.sound:
        assert isinstance(value, dict)
        assert value["visibility"] == got.visibility


@pytest.mark.parametrize(
    "text", ["", "ALL", "all ", "user", "user:", "users:ann", "user:ann:b", "group: x", "user:a/b"]
)
def test_a_subject_is_named_to_the_letter(text: str) -> None:
    assert not is_subject(text)
    assert not is_subject(None)
    assert all(is_subject(one) for one in ("all", "user:ann", "group:core"))
