"""What a save would do, in sentences: what is alike is told once."""

from __future__ import annotations

import pytest

from lobes.tui.values import Change
from lobes.tui.views.saving import ASKS, NOW, sentences


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            [Change("loss", "Notidian", ASKS), Change("loss", "Writing", ASKS)],
            ["Initech no longer draws on Notidian, Writing by itself; it asks each time"],
        ),
        (
            [Change("loss", "Core", "muted"), Change("loss", "Writing", "closed")],
            [
                "Initech no longer draws on Core: muted",
                "Initech no longer draws on Writing: closed",
            ],
        ),
        (
            [Change("weaker", "Internal", "0.60 → 0.40, now through #consulting")],
            ["Internal counts less: 0.60 → 0.40, through #consulting"],
        ),
        (
            [Change("stronger", "Core", "0.40 → 0.60, now sibling")],
            ["Core counts more: 0.40 → 0.60, sibling"],
        ),
        (
            [
                Change("gain", "Globex", "draws on Initech"),
                Change("gain", "Health", "draws on Initech"),
            ],
            ["Globex, Health draw on Initech"],
        ),
        (
            [Change("loss", "Globex", "no longer draws on Initech")],
            ["Globex no longer draws on Initech"],
        ),
        ([Change("gain", "Core", f"{NOW}sibling")], ["Initech now draws on Core, sibling"]),
    ],
)
def test_changes_become_sentences(changes: list[Change], told: list[str]) -> None:
    assert [text for _, text in sentences(changes, "Initech")] == told


def test_two_lobes_that_count_less_by_the_same_are_told_apart() -> None:
    less = [Change("weaker", name, "0.60 → 0.40, now subscribed") for name in ("Core", "Writing")]
    assert len(list(sentences(less, "Initech"))) == 2
