"""The floor of the quality on the tuning half: a change of the rules may not fall below it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from claim_pairs import FILE, HALVES, LABELS, Label, pairs, relation, tally
from lobes.domain.claims import Claim, compare, group

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


def test_plain_pairs_are_told_apart() -> None:
    """Short pairs beside the labelled set, of which half look like a conflict and are none."""
    lines = FILE.with_name("plain_claims.jsonl").read_text(encoding="utf-8").splitlines()
    missed: list[str] = []
    invented: list[str] = []
    for row in map(json.loads, lines):
        found = compare(Claim("new", row["new"]), Claim("old", row["old"]))
        verdict = {"contradicts": "contradiction", "succeeds": "succession"}.get(
            found.verdict, "neither"
        )
        if verdict != row["is"]:
            (invented if row["is"] == "neither" else missed).append(row["new"])
    assert len(lines) > 100
    assert len(missed) <= 7, missed
    assert len(invented) <= 1, invented


def test_the_verdicts_are_those_that_were_written_down() -> None:
    """Making it faster changes no verdict, no cause and no place: of each pair, both ways, and of
    the groups of all of them. Whoever changes the rules writes the new digest down."""
    labelled = pairs()
    said = [(one.id, compare(one.new, one.old), compare(one.old, one.new)) for one in labelled]
    claims = [claim for one in labelled for claim in (one.new, one.old)]
    grouped = group(replace(one, id=f"{n:05}") for n, one in enumerate(claims))
    told = [hashlib.sha256(repr(one).encode()).hexdigest()[:16] for one in (said, grouped)]
    assert told == ["e9673897f879ff28", "722a8c25ad3a29b3"]
