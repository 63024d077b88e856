"""The rate that the status shows."""

from __future__ import annotations

import pytest

from lobes.engine.rate import WINDOW_SECONDS, Rate


def test_the_rate_covers_the_pauses_between_steps() -> None:
    rate = Rate()
    rate.add(64, begun=100.0, ended=101.0)
    rate.add(64, begun=102.0, ended=103.0)
    assert rate.at(103.5) == pytest.approx(128 / 3)


def test_steps_of_long_ago_count_no_more() -> None:
    rate = Rate()
    rate.add(1000, begun=0.0, ended=1.0)
    rate.add(10, begun=20.0, ended=21.0)
    assert rate.at(21.0) == pytest.approx(10)
    assert rate.at(21.0 + WINDOW_SECONDS + 0.1) == 0
    assert Rate().at(5.0) == 0
