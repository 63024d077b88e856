"""What was given counts as used: how often a memory helps, and when it last did.

It changes nothing that is decided upon: no version, no hash, no rank and no row of the index.
"""

from __future__ import annotations

from collections.abc import Iterable

from lobes.services.hits import Hit
from lobes.services.installation import Installation
from lobes.store.uses import note_uses


def count_given(lobes: Installation, hits: Iterable[Hit]) -> None:
    """The memories among these answers were given to whoever asked."""
    count_uses(lobes, (hit.id for hit in hits if hit.memory is not None))


def count_uses(lobes: Installation, ids: Iterable[str]) -> None:
    """These memories were given whole."""
    note_uses(lobes.folders.store, ids, lobes.clock())
