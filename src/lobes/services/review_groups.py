"""Variants of one claim among what waits, so that they are one decision."""

from __future__ import annotations

from collections.abc import Sequence

from lobes.domain.claims import Claim, group
from lobes.domain.ids import LobeAddress
from lobes.services.review_queue import Item


def groups(items: Sequence[Item]) -> tuple[tuple[str, ...], ...]:
    """The groups among these items, by id, the oldest first in each; none of one alone.

    Only lobes in which something was marked as a near copy when it came are looked at. 10,000 of
    one lobe take a second, so a face asks for it beside the list, not before it.
    """
    marked = {one.row.lobe for one in items if "near_copy" in one.brakes}
    claims: dict[LobeAddress, list[Claim]] = {lobe: [] for lobe in marked}
    for one in items:
        if one.row.lobe in claims:
            claims[one.row.lobe].append(_claim(one))
    return tuple(found.members for some in claims.values() for found in group(some))


def _claim(one: Item) -> Claim:
    row = one.row
    return Claim(row.id, row.statement, row.kind, row.subject, row.valid_from, row.valid_to)
