"""A million passages in ten lobes: a search through the services, recall, memory and the building.

Measured only when it is named (`python -m tests.bench million`): building takes ten minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import psutil
from numpy.typing import NDArray
from tests.bench.asking import asked
from tests.bench.building import Built, built_home, questions
from tests.bench.homes import open_home
from tests.bench.rows import Figure
from tests.bench.timing import Stopwatch

from lobes.engine.folder import lobe_folder
from lobes.engine.minilm import DIM, ID, MiniLm
from lobes.engine.protocol import Engine, SearchReply, SearchRequest
from lobes.engine.vectors import VectorTable, matrix

GROUP = "A million passages"
PASSAGES = 1_000_000
LOBES = 10
MOST = 0.120
RECALL = 0.95
QUESTIONS = 50
AT = 10
_ROUNDING = 1e-6
_WHAT = f"{PASSAGES:,} passages, {LOBES} lobes"
_ROOM = 512
"""Candidates asked for: all that both legs found among them."""


def measure() -> Iterator[Figure]:
    built = built_home(LOBES, PASSAGES)
    yield asked(built, MOST, group=GROUP)
    yield from _recall(built)
    note = f"in {built.seconds:,.0f} s; vectors drawn by hash"
    yield Figure(
        GROUP, f"the process that builds the index, {_WHAT}", _mib(built.peak), "", note=note
    )


def _recall(built: Built) -> Iterator[Figure]:
    """Of the ten nearest passages by comparing every vector, how many a search finds.

    Passages of the same text are equally near, so the cosines are compared, not the ids.
    """
    texts = questions(built.folders, QUESTIONS)
    model = MiniLm()
    queries = np.array([model.embed_query(text) for text in texts])
    lobes = [f"space/{space}" for space in built.spaces]
    nearest = np.empty((QUESTIONS, 0), np.float32)
    with open_home(built.folders) as (home, _):
        for count, address in enumerate(lobes, start=1):
            both = np.hstack([nearest, _cosines(built, address, queries)])
            nearest = np.partition(both, -AT, axis=1)[:, -AT:]
            if count not in (1, 3, LOBES):
                continue
            watch = Stopwatch()
            shares: list[float] = []
            for text, least in zip(texts, nearest.min(axis=1).tolist(), strict=True):
                request = SearchRequest(query=text, lobes=tuple(lobes[:count]), depth=_ROOM)
                found: list[float] = []
                watch.time(partial(_by_meaning, home.engine.search, request, found))
                shares.append(sum(cosine >= least - _ROUNDING for cosine in found[:AT]) / AT)
            recall = sum(shares) / QUESTIONS
            what = f"recall@{AT} by meaning, {count} of {LOBES} lobes allowed"
            yield Figure(
                GROUP, f"{what}, {QUESTIONS} questions", f"{recall:.3f}, least {min(shares):.2f}",
                f"≥ {RECALL}", "comparing every vector: 1", recall >= RECALL,
                f"the engine's search, {_ROOM} deep: {watch}",
            )  # fmt: skip
        yield _steady(home.engine)


def _by_meaning(
    ask: Callable[[SearchRequest], SearchReply], request: SearchRequest, found: list[float]
) -> None:
    """The cosines of what was found by meaning, in its order; each passage once."""
    hits = {hit.id: hit for hit in ask(request).candidates if hit.meaning is not None}
    found += [hit.cosine for hit in sorted(hits.values(), key=lambda hit: hit.meaning or 0)]


def _cosines(built: Built, address: str, queries: NDArray[np.float32]) -> NDArray[np.float32]:
    folder = lobe_folder(built.folders.index, address)
    assert folder is not None
    stored = VectorTable(folder, model=ID, dim=DIM).read()
    assert len(stored) == built.passages // len(built.spaces)
    held = matrix({id: vector for id, (_, vector) in stored.items()}, dim=DIM)
    return queries @ held.data.T


def _steady(engine: Engine) -> Figure:
    memory = psutil.Process(engine.status().pid).memory_info()
    note = f"{_mib(memory.shared)} of it are files that the system may let go of"
    return Figure(GROUP, f"engine after that, {_WHAT}", _mib(memory.rss), "", note=note)


def _mib(size: int) -> str:
    return f"{size / 2**20:,.0f} MiB"
