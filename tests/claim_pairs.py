"""The labelled pairs of statements, their two halves, and what the detector makes of them.

They were labelled before there was a detector. The lexicon and the rules were worked out on the
tuning half alone; which half a pair is in is a matter of its id.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

from lobes.domain.claims import Claim, Relation, Verdict, compare

Label = Literal["contradiction", "succession", "duplicate", "rewrite", "related"]
LABELS: tuple[Label, ...] = get_args(Label)
Half = Literal["tuning", "test"]
HALVES: tuple[Half, ...] = get_args(Half)
FILE = Path(__file__).parent / "data" / "claims.jsonl"

READ_AS: dict[Verdict, Label] = {
    "contradicts": "contradiction",
    "succeeds": "succession",
    "repeat": "duplicate",
    "near_duplicate": "duplicate",
    "merge_candidate": "rewrite",
    "related": "related",
    "unrelated": "related",
}


@dataclass(frozen=True, slots=True)
class Pair:
    id: str
    label: Label
    old: Claim
    new: Claim

    @property
    def half(self) -> Half:
        return "test" if hashlib.sha256(self.id.encode()).digest()[0] % 2 else "tuning"


def pairs(half: Half | None = None) -> list[Pair]:
    """Those of a half, or all, in the order of the file."""
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    read = [Pair(row["id"], row["label"], _claim(row, "old"), _claim(row, "new")) for row in rows]
    return [one for one in read if half in (None, one.half)]


def _claim(row: dict[str, str], side: str) -> Claim:
    def day(end: str) -> datetime | None:
        text = row.get(f"{side}_{end}")
        return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None

    kind = row.get(f"{side}_kind", "context")
    return Claim(side, row[side], kind, valid_from=day("from"), valid_to=day("to"))


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each label was read as each."""

    counts: Counter[tuple[Label, Label]]

    def precision(self, label: Label) -> float:
        """Of what is read so, the part that is so."""
        return self._part(label, sum(self.counts[other, label] for other in LABELS))

    def recall(self, label: Label) -> float:
        """Of what is so, the part that is read so."""
        return self._part(label, self.of(label))

    def of(self, label: Label) -> int:
        return sum(self.counts[label, other] for other in LABELS)

    def _part(self, label: Label, whole: int) -> float:
        return self.counts[label, label] / whole if whole else 0.0


def tally(read: Sequence[Pair]) -> Tally:
    return Tally(Counter((one.label, READ_AS[relation(one).verdict]) for one in read))


def relation(pair: Pair) -> Relation:
    return compare(pair.new, pair.old)
