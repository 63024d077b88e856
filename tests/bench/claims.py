"""How well contradictions, successions and copies are told apart, and what it costs.

The tuning half is what the rules were worked out on, so its figures say what they can express; the
test half says what to expect.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable

from tests.bench.rows import Figure, median, ms
from tests.claim_pairs import HALVES, LABELS, Half, Label, Pair, Tally, pairs, relation, tally

from lobes.domain.claims import MERGE, Claim, group, neighbours

GROUP = "Conflicts and duplicates"
PROPOSALS = 10_000
_PRECISION, _RECALL = 0.9, 0.7
_GROUP_SECONDS = 2.0
_ONE_HAND = "; the pairs and the rules are of one hand, so expect less of other people's statements"
_WORDS = ("orders", "search", "mail", "ledger", "billing", "reports", "fleet", "audit", "canary")


def measure() -> Iterable[Figure]:
    for half in HALVES:
        read = pairs(half)
        counted = tally(read)
        for label in LABELS:
            yield _quality(half, label, counted, read)
    yield _grouping()
    yield _neighbours()


def _quality(half: Half, label: Label, counted: Tally, read: list[Pair]) -> Figure:
    precision, recall = counted.precision(label), counted.recall(label)
    aimed = half == "test" and label == "contradiction"
    others = ", ".join(
        f"{counted.counts[label, other]} as {other}"
        for other in LABELS
        if counted.counts[label, other]
    )
    return Figure(
        GROUP,
        f"{half} half: {label}, {counted.of(label)} of {len(read)} pairs",
        f"precision {precision:.2f}, recall {recall:.2f}",
        f"≥ {_PRECISION:g} at ≥ {_RECALL:g}" if aimed else "",
        _reference(read) if label == "contradiction" else "",
        met=precision >= _PRECISION and recall >= _RECALL if aimed else None,
        note=f"read: {others}{_ONE_HAND if aimed else ''}",
    )


def _reference(read: list[Pair]) -> str:
    """What likeness alone would make of the contradictions."""
    scores = [relation(one).score for one in read if one.label == "contradiction"]
    alike = sum(score >= MERGE for score in scores)
    return f"by likeness alone {alike} of {len(scores)} are copies to be merged"


def _grouping() -> Figure:
    proposals = _proposals()
    started = time.process_time()
    found = group(proposals)
    took = time.process_time() - started
    inside = sum(len(one.members) for one in found)
    return Figure(
        GROUP,
        f"{PROPOSALS:,} proposals, variants of the statements of the pairs, are grouped",
        f"CPU {took:.2f} s",
        f"≤ {_GROUP_SECONDS:g} s CPU",
        met=took <= _GROUP_SECONDS,
        note=f"{inside:,} of them in {len(found):,} groups",
    )


def _neighbours() -> Figure:
    others = _proposals()[:50]
    took: list[float] = []
    for pair in pairs():
        started = time.process_time()
        neighbours(pair.new, others)
        took.append(time.process_time() - started)
    return Figure(
        GROUP, "neighbours of a proposal among 50 that search found", f"CPU {ms(median(took))}", ""
    )


def _proposals() -> list[Claim]:
    """As a careless agent makes them: a word more, another order, another word, a serial number."""
    drawn = random.Random(7)
    statements = [one.old.statement for one in pairs()]
    made: list[Claim] = []
    for number in range(PROPOSALS):
        said = drawn.choice(statements).split(" ")
        match number % 4:
            case 0:
                said += ["in", drawn.choice(_WORDS)]
            case 1:
                drawn.shuffle(said)
            case 2:
                said[drawn.randrange(len(said))] = drawn.choice(_WORDS)
            case _:
                said.insert(0, f"{drawn.choice(_WORDS)}-{number % 700}")
        made.append(Claim(f"{number:05}", " ".join(said)))
    return made
