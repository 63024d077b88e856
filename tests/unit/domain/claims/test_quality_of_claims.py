"""The floor of the quality on the tuning half: a change of the rules may not fall below it."""

from __future__ import annotations

import pytest

from claim_pairs import HALVES, LABELS, Label, pairs, relation, tally

FLOORS: dict[Label, tuple[float, float]] = {
    "contradiction": (0.97, 0.93),
    "succession": (0.97, 0.94),
    "duplicate": (0.84, 0.96),
    "rewrite": (0.60, 0.38),
    "related": (0.70, 0.85),
}
"""Least precision and recall: below what is measured by about one pair."""


@pytest.mark.parametrize("label", LABELS)
def test_precision_and_recall_stay_above_the_floor(label: Label) -> None:
    counted = tally(pairs("tuning"))
    precision, recall = FLOORS[label]
    assert counted.precision(label) >= precision
    assert counted.recall(label) >= recall


def test_the_set_is_large_labelled_and_split_once() -> None:
    every = pairs()
    assert len(every) >= 300
    assert len({one.id for one in every}) == len(every)
    assert len({(one.old.statement, one.new.statement) for one in every}) == len(every)
    assert sum(len(pairs(half)) for half in HALVES) == len(every)
    for half in HALVES:
        for label in LABELS:
            assert tally(pairs(half)).of(label) >= 20


def test_no_rewrite_and_no_copy_is_called_a_contradiction() -> None:
    wrong = [
        one.id
        for one in pairs("tuning")
        if one.label in ("duplicate", "rewrite") and relation(one).is_conflict
    ]
    assert wrong == []
