"""What a search says of itself in text: where something may be missing, that is told."""

from __future__ import annotations

import pytest

from lobes.cli import search
from lobes.engine.protocol import Degraded
from lobes.services.search import Answer


@pytest.mark.parametrize(
    ("degraded", "told"),
    [
        ((), ["Nothing found in 0 lobes."]),
        (("rebuilding",), ["Nothing found in 0 lobes.", "The index is being made"]),
        (("words_only",), ["Nothing found in 0 lobes.", "Searched by words only."]),
    ],
)
def test_an_answer_that_may_miss_something_says_so(
    degraded: tuple[Degraded, ...], told: list[str]
) -> None:
    answer = Answer("prj_a", (), (), False, (), degraded, 0, 0, 1.0)
    lines = list(search._lines(answer, explain=False))
    assert len(lines) == len(told)
    assert all(line.startswith(begin) for line, begin in zip(lines, told, strict=True))
