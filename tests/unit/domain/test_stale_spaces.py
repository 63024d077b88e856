"""Spaces by themselves: what follows from their own values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from lobes.domain.spaces import is_stale


@pytest.mark.parametrize(
    ("days_ago", "every", "stale"),
    [(8, 7, True), (7, 7, False), (8, None, False), (None, 7, False)],
)
def test_a_space_is_stale_after_the_days_of_its_review(
    days_ago: int | None, every: int | None, stale: bool
) -> None:
    now = datetime(2026, 1, 31, tzinfo=UTC)
    changed = None if days_ago is None else now - timedelta(days=days_ago)
    assert is_stale(changed=changed, every_days=every, now=now) is stale
