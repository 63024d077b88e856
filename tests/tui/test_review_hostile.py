"""Hostile bytes in what an agent proposes: shown as text on every part of Review, nothing moved."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from tests.tui.sample_review import HISTORY, NEAR, READERS, REPLACED, FixedReview, memory
from tests.tui.test_hostile import ALL, clean

from lobes.domain.memories import Provenance

SIZES = ((80, 24), (160, 50))
LONGEST = 4_000
"""Characters of a statement: more is refused before anybody sees it."""


def poisoned(text: str) -> FixedReview:
    """The same text in every field that holds data."""
    part = text[:LONGEST]
    where = Provenance(part, part, part, part, evidence=(part, part))
    one = memory("1", part, subject=part, provenance=where, waits_for=("conflict",))
    beside = tuple(replace(b, memory=replace(b.memory, statement=part)) for b in NEAR)
    old = replace(REPLACED, statement=part)
    review = FixedReview(memories={one.id: one})
    review.changes[one.id] = {
        "replaced": old,
        "neighbours": beside,
        "also_retire": (old,),
        "stale": "conflict_since",
        "stale_by": replace(old, id="other"),
        "readers": replace(READERS, people=(part, part)),
        "history": tuple(replace(h, actor=part, reason=part) for h in HISTORY),
    }
    return review


@pytest.mark.parametrize("text", ALL, ids=lambda t: ascii(t[:12]))
@pytest.mark.parametrize(
    "size", [SIZES[0], *(pytest.param(one, marks=pytest.mark.slow) for one in SIZES[1:])]
)
async def test_hostile_text_stays_text_in_review(text: str, size: tuple[int, int]) -> None:
    """TE-01, TE-02, TE-04, TE-05, TE-07, TE-10, TE-11, TE-12."""
    source = FixedSource(reviewed=poisoned(text))
    app = make(source)
    async with running(app, size) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: source.count("inspect") > 0)
        for keys in (["u"], ["tab", "G"], ["s"], ["escape", "a"], ["escape", "H"]):
            await pilot.press(*keys)
            await settled(pilot)
            clean(frame(app), size)
        assert app.is_running
        assert source.review().decided == []
