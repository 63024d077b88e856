"""The one place that puts an index together, for the engine process and for the inline engine."""

from __future__ import annotations

import os

from lobes.engine.endpoint import EnginePlace
from lobes.engine.worker import Indexing


def index_of(place: EnginePlace) -> Indexing:
    """The index of a home, not loaded yet: nothing heavy is imported.

    Each text is embedded alone by one thread, on all cores, at the low priority of the indexing:
    1.5 × the passages of a loop over batches, and a search beside it stays quick.
    """
    from lobes.engine.index import Index

    return Index(place.folder, place.store, threads=os.cpu_count() or 1)
