"""The fusion: bounds, order and the signs that it listens to."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from lobes.engine.fuse import W_MAX, Background, fuse, meaning_weight

legs = st.dictionaries(
    st.sampled_from([f"id{n}" for n in range(120)]), st.floats(0.01, 20), max_size=120
).map(lambda found: sorted(found.items(), key=lambda hit: (-hit[1], hit[0])))
clear = Background(mean=0.05, deviation=0.1, count=1000)


@given(words=legs, meaning=legs)
def test_every_hit_once_with_a_score_between_0_and_1(
    words: list[tuple[str, float]], meaning: list[tuple[str, float]]
) -> None:
    found = fuse(words, meaning, clear)
    assert {id for id, _ in found} == {id for id, _ in (*words, *meaning)}
    assert len({id for id, _ in found}) == len(found)
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 and math.isfinite(score) for score in scores)


@given(words=legs, meaning=legs)
def test_a_deeper_search_continues_the_list(
    words: list[tuple[str, float]], meaning: list[tuple[str, float]]
) -> None:
    short = [id for id, _ in fuse(words[:51], meaning[:51], clear)]
    deep = [id for id, _ in fuse(words, meaning, clear)]
    assert deep[: len(short)] == short


def test_one_leg_alone_keeps_its_order() -> None:
    hits = [("a", 3.0), ("b", 2.0), ("c", 1.0)]
    assert [id for id, _ in fuse(hits, [], clear)] == ["a", "b", "c"]
    assert [id for id, _ in fuse([], hits, clear)] == ["a", "b", "c"]
    assert fuse([], [], clear) == []


def test_meaning_weighs_more_the_further_its_best_stands_out() -> None:
    words = [("a", 3.0), ("b", 2.9), ("c", 2.8)]
    far = meaning_weight(words, [("x", 0.70), ("y", 0.5), ("z", 0.4)], clear)
    near = meaning_weight(words, [("x", 0.40), ("y", 0.3), ("z", 0.2)], clear)
    assert 0 < near < far <= W_MAX


def test_a_foreign_query_is_left_to_the_words() -> None:
    hits = [("a", 0.7), ("b", 0.5)]
    foreign = Background(mean=0.05, deviation=0.1, count=1000, pieces_a_word=2.2)
    assert meaning_weight(hits, hits, foreign) == 0


def test_nonsense_that_no_word_matches_scores_near_zero() -> None:
    hits = [("a", 0.21), ("b", 0.20), ("c", 0.12)]
    lost = Background(mean=0.05, deviation=0.1, count=1000, pieces_a_word=4.0)
    assert fuse([], hits, lost) == [("a", 0.0), ("b", 0.0), ("c", 0.0)]


def test_without_words_the_score_is_how_far_meaning_can_be_trusted() -> None:
    hits = [("a", 0.70), ("b", 0.5), ("c", 0.4)]
    faint = [("a", 0.22), ("b", 0.2), ("c", 0.1)]
    assert fuse([], hits, clear)[0] == ("a", W_MAX)
    assert fuse([], faint, clear)[0][1] < W_MAX / 3
    assert [id for id, _ in fuse([], faint, clear)] == ["a", "b", "c"]
