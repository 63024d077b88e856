"""The one place that puts an index together, for the engine process and for the inline engine."""

from __future__ import annotations

import os

from lobes.engine.endpoint import EnginePlace
from lobes.engine.worker import Indexing


def index_of(place: EnginePlace) -> Indexing:
    """The index of a home, not loaded yet: nothing heavy is imported.

    Embedding leaves one core free: with all of them a search beside it took three times as long,
    and the batches were no faster.
    """
    from lobes.engine.index import Index

    return Index(place.folder, place.store, threads=max(1, (os.cpu_count() or 1) - 1))
