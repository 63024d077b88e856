"""What holds for any two statements, however odd."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claim_pairs import pairs
from lobes.domain.claims import Claim, compare, content_hash, group, neighbours, subject_of
from lobes.domain.claims.canonical import canonical
from lobes.domain.claims.words import content, content_of, words

_SAID = sorted({one.old.statement for one in pairs()} | {one.new.statement for one in pairs()})
_WORDS = sorted({word for text in _SAID for word in text.split()})
_PLAIN = st.lists(st.sampled_from(_WORDS), max_size=14).map(" ".join)
_ANY = st.text(max_size=200) | st.sampled_from(_SAID) | _PLAIN
_ODD = (
    "one", "One approval", "one's", "cannot", "isn't", "v2.1", "3rd", "60s", "12.5.2026", "部署",
)  # fmt: skip
_SYMMETRIC = {"repeat", "near_duplicate", "merge_candidate", "related", "unrelated"}


@given(_ANY, _ANY)
@settings(max_examples=300, deadline=None)
def test_any_two_texts_are_compared_and_conflicts_are_mutual(one: str, other: str) -> None:
    there = compare(Claim("a", one), Claim("b", other))
    back = compare(Claim("b", other), Claim("a", one))
    assert 0.0 <= there.score <= 1.0
    assert there.score == back.score
    if there.verdict == "contradicts":
        assert back.is_conflict
    if there.verdict in _SYMMETRIC and back.verdict in _SYMMETRIC:
        assert there.verdict == back.verdict
    for text, spans in ((one, there.new), (other, there.old)):
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
        assert list(spans) == sorted(spans)


@given(_ANY | st.lists(st.sampled_from(_ODD), max_size=8).map(" ".join))
@settings(max_examples=300, deadline=None)
def test_words_without_their_places_are_the_same_words(text: str) -> None:
    plain = canonical(text).text
    assert content_of(plain) == content(words(plain))


@given(_ANY)
@settings(max_examples=200, deadline=None)
def test_a_text_repeats_itself_and_contradicts_itself_never(text: str) -> None:
    assert compare(Claim("a", text), Claim("b", text)).verdict == "repeat"
    assert content_hash(text) == content_hash(f"  {text}\u200b ")
    assert subject_of(text) == subject_of(text)


@given(st.lists(_ANY, max_size=12), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_groups_are_disjoint_and_near_their_representative(
    texts: list[str], drawn: random.Random
) -> None:
    made = {f"{number:02}": Claim(f"{number:02}", text) for number, text in enumerate(texts)}
    found = group(made.values())
    shuffled = list(made.values())
    drawn.shuffle(shuffled)
    assert group(shuffled) == found
    members = [name for one in found for name in one.members]
    assert len(members) == len(set(members))
    for one in found:
        assert one.members[0] == one.representative
        for name in one.members[1:]:
            relation = compare(made[name], made[one.representative])
            assert relation.verdict in ("repeat", "near_duplicate")
    near = neighbours(Claim("x", "Use tabs."), made.values())
    assert [one.id for one in near] == list(dict.fromkeys(one.id for one in near))


@pytest.mark.parametrize(
    "piece",
    ['"', "a-", "\u0301", "e\u0301", "not ", "1,", ", it is not ", "no more than ", "`", " ",
     ">\n", "if , ", "\u202e", "不", "は", "\u1100\u1161", "use x, never y; ", "A.", "𠀀"],
)  # fmt: skip
def test_a_megabyte_costs_no_more_than_what_is_read(piece: str) -> None:
    """Linear in the length: a quadratic way would take hours."""
    long = piece * (1_000_000 // len(piece))
    started = time.process_time()
    compare(Claim("a", long), Claim("b", f"x {long}"))
    subject_of(long)
    assert time.process_time() - started < 20
