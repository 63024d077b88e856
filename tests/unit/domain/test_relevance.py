"""Freshness and evidence: the formulas, their ends, and that both only go one way."""

from __future__ import annotations

from datetime import date, timedelta
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.memories import Author, Kind
from lobes.domain.relevance import (
    AGED_KEEPS,
    AUTHORITY,
    HALF_LIFE,
    evidence,
    freshness,
    is_stale,
    staleness,
)

TODAY = date(2026, 11, 30)
KINDS = st.sampled_from(get_args(Kind))
AUTHORS = st.sampled_from(get_args(Author))


def test_every_kind_and_author_has_its_value() -> None:
    assert set(HALF_LIFE) == set(get_args(Kind))
    assert set(AUTHORITY) == set(get_args(Author))
    assert (min(HALF_LIFE.values()), max(HALF_LIFE.values())) == (14, 180)


def test_half_of_it_is_stale_after_its_half_life() -> None:
    for kind, days in HALF_LIFE.items():
        since = TODAY - timedelta(days=days)
        assert staleness(kind, since=since, as_of=TODAY) == 0.5
        assert staleness(kind, since=TODAY - timedelta(days=2 * days), as_of=TODAY) == 0.75
        assert freshness(kind, since=since, as_of=TODAY) == 0.75
        assert is_stale(kind, since=since, as_of=TODAY)
        assert not is_stale(kind, since=since + timedelta(days=1), as_of=TODAY)


@given(KINDS, st.integers(-400, 40_000))
def test_freshness_falls_with_age_and_is_never_lost(kind: Kind, days: int) -> None:
    fresh = freshness(kind, since=TODAY - timedelta(days=days), as_of=TODAY)
    older = freshness(kind, since=TODAY - timedelta(days=days + 30), as_of=TODAY)
    assert 1.0 >= fresh >= older >= AGED_KEEPS
    assert days > 0 or fresh == 1.0
    assert fresh == round(fresh, 4)


def test_what_the_person_said_themselves_is_worth_all_of_it() -> None:
    said = evidence("user", is_external=False, confidence=None, corroborations=0, contradictions=0)
    assert said == 1.0
    doubted = evidence("user", is_external=False, confidence=0.5, corroborations=2,
                       contradictions=1)  # fmt: skip
    assert doubted == round(0.5 * 1.2 / 1.5, 4)


@given(AUTHORS, st.booleans(), st.none() | st.floats(0, 1), st.integers(0, 50), st.integers(0, 9))
def test_evidence_rises_with_what_speaks_for_it_and_falls_with_what_contradicts(
    author: Author, is_external: bool, confidence: float | None, speak: int, against: int
) -> None:
    def of(speak: int, against: int) -> float:
        return evidence(author, is_external=is_external, confidence=confidence,
                        corroborations=speak, contradictions=against)  # fmt: skip

    assert 0 <= of(speak, against + 1) <= of(speak, against) <= of(speak + 1, against) <= 1
    assert of(10, against) == of(10 + speak, against)
