"""Large lobes are scanned by codes; what they answer is what comparing every vector answers.

The limit from which a lobe is large is lowered, so that everything happens within a few passages.
One slow case measures recall at the real limit.
"""

from __future__ import annotations

import os
import random
import sqlite3
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Barrier, current_thread, main_thread

import numpy as np
import pytest
from numpy.typing import NDArray

from index_world import BagOfWords, World, embed_all, find, settle
from lobes.engine import coded
from lobes.engine.analyse import analyse
from lobes.engine.coded import Large
from lobes.engine.index import Index
from lobes.engine.lobe import Lobe
from lobes.engine.meaning import Meaning, meaning_leg
from lobes.engine.postings import Entry
from lobes.engine.protocol import SearchReply
from lobes.engine.vectors import Matrix, Row, halves

WORDS = ("heron", "crane", "harbour", "ledger", "zephyr", "mill", "oats", "quay", "rope", "tide")
QUERIES = ("heron harbour", "ledger", "zephyr mill oats", "quay rope tide crane")
HELD = 30
"""Passages a lobe at the start, far above the lowered limit."""


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coded, "CODED_ABOVE", 10)
    monkeypatch.setattr(coded, "TAIL_MOST", 4)
    monkeypatch.setattr(coded, "PARTS_MOST", 3)


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path / "store.db")
    draw = random.Random(3)
    for space in ("large", "other"):
        made.put_all(space, {f"{n}.md": text(draw) for n in range(HELD)})
    made.put_all("small", {f"{n}.md": text(draw) for n in range(5)})
    return made


@pytest.fixture
def index(tmp_path: Path, world: World) -> Iterator[Index]:
    made = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    settle(made)
    yield made
    made.close()


def text(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=8))


def answers(index: Index, *, depth: int = 51) -> list[SearchReply]:
    return [find(index, query, "large", "other", "small", depth=depth) for query in QUERIES]


def follow(index: Index) -> None:
    index.apply_outbox()
    embed_all(index)


def exact(world: World, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[SearchReply]:
    """The same questions to an index that compares every vector."""
    with monkeypatch.context() as patch:
        patch.setattr(coded, "CODED_ABOVE", 10**9)
        index = Index(folder / f"exact{random.random()}", world.path, embedder=BagOfWords())
        settle(index)
        try:
            return answers(index)
        finally:
            index.close()


def is_coded(index: Index, space: str) -> bool:
    lobe = index._lobes().get(f"space/{space}")
    assert lobe is not None
    return isinstance(lobe.matrix(), Large)


def assert_same(found: Sequence[SearchReply], expected: Sequence[SearchReply]) -> None:
    """The same passages in the same order, scores equal but for the order of summing."""
    for one, other in zip(found, expected, strict=True):
        assert [hit.id for hit in one.candidates] == [hit.id for hit in other.candidates]
        scores = [(hit.score, hit.cosine) for hit in one.candidates]
        assert scores == [
            pytest.approx((hit.score, hit.cosine), abs=1e-6) for hit in other.candidates
        ]
        assert one.degraded == other.degraded == ()


@pytest.mark.usefixtures("lowered")
def test_large_lobes_answer_as_an_exact_search_does(
    index: Index, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (is_coded(index, "large"), is_coded(index, "small")) == (True, False)
    assert_same(answers(index), exact(world, tmp_path, monkeypatch))


@pytest.mark.usefixtures("lowered")
def test_what_is_saved_is_found_and_what_is_gone_stays_gone(
    index: Index, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through a tail, new parts, a reading anew, and back below the limit."""
    answers(index)
    draw = random.Random(9)
    for number in range(12):
        world.put("large", f"new{number}.md", f"heron {text(draw)}")
        world.remove("large", f"{number}.md" if number % 3 else f"new{number}.md")
        world.put("other", f"{number}.md", text(draw))
        follow(index)
        found = answers(index)
        assert is_coded(index, "large")
        if number % 6 == 5:
            assert_same(found, exact(world, tmp_path, monkeypatch))
    for number in range(HELD):
        world.remove("large", f"{number}.md")
    follow(index)
    assert not is_coded(index, "large")
    assert_same(answers(index), exact(world, tmp_path, monkeypatch))


@pytest.mark.usefixtures("lowered")
def test_a_large_lobe_that_grew_answers_byte_for_byte_as_a_new_one(
    index: Index, world: World, tmp_path: Path
) -> None:
    answers(index)
    draw = random.Random(5)
    for number in range(7):
        world.put("large", f"{number}.md", text(draw))
        world.put("small", f"grown{number}.md", text(draw))
        follow(index)
        answers(index)
    assert is_coded(index, "small")
    again = Index(tmp_path / "again", world.path, embedder=BagOfWords())
    settle(again)
    assert answers(index) == answers(again)
    again.close()


@pytest.mark.usefixtures("lowered")
def test_passages_of_the_same_text_all_tie_in_a_large_lobe(index: Index, world: World) -> None:
    """The scan can rule none of them out."""
    world.put_all("large", {f"same{n}.md": "# Same\n\nheron harbour" for n in range(100)})
    follow(index)
    shallow, deep = (find(index, "heron harbour", "large", depth=depth) for depth in (51, 130))
    nearest = max(hit.cosine for hit in deep.candidates)
    assert sum(hit.cosine == nearest for hit in deep.candidates) == 100
    best = [hit.id for hit in deep.candidates if hit.meaning and hit.meaning <= 51]
    assert {hit.id for hit in shallow.candidates if hit.meaning} == set(best)


@pytest.mark.usefixtures("lowered")
def test_several_large_lobes_are_read_side_by_side_and_a_small_one_is_not(
    index: Index, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answers(index)
    both, load, alone = Barrier(2, timeout=20), Lobe._load, set[str]()

    def held(lobe: Lobe, words: sqlite3.Connection) -> Matrix | Large:
        if current_thread() is main_thread():
            alone.add(lobe.address)
        else:
            both.wait()
        return load(lobe, words)

    monkeypatch.setattr(Lobe, "_load", held)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    for lobe in index._lobes():
        lobe.forget_matrix()
    assert answers(index) == expected
    assert alone == {"space/small"}


@pytest.mark.usefixtures("lowered")
def test_nothing_of_a_scan_stays_on_the_disk(index: Index, tmp_path: Path) -> None:
    lobe = tmp_path / "index" / "lobes" / "space-large"
    index.maintain()
    before = {path.name for path in lobe.iterdir()}
    answers(index)
    assert is_coded(index, "large")
    assert {path.name for path in lobe.iterdir()} - before <= {"lex.db-wal", "lex.db-shm"}


@pytest.mark.usefixtures("lowered")
def test_without_room_for_the_rows_they_stay_in_memory(
    index: Index, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*, dir: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("lobes.engine.coded.tempfile.TemporaryFile", full)
        found = answers(index)
    assert_same(found, exact(world, tmp_path, monkeypatch))


def test_a_runtime_without_the_scan_searches_exactly(
    index: Index, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = exact(world, tmp_path, monkeypatch)
    monkeypatch.setattr(coded, "CODED_ABOVE", 10)
    monkeypatch.setattr(coded, "can_scan", lambda dim: False)
    assert answers(index) == expected
    world.put("large", "new.md", "heron harbour")
    follow(index)
    assert not is_coded(index, "large")


# At the real limit -------------------------------------------------------------------------------

DIM = 384
COUNT = 60_000


def drawn(kind: str) -> NDArray[np.float32]:
    """Without any order (the hardest), or around 500 centres, as texts are."""
    draw = np.random.default_rng(17)
    rows = draw.standard_normal((COUNT, DIM), dtype=np.float32)
    if kind == "clustered":
        centres = draw.standard_normal((500, DIM), dtype=np.float32)
        rows = centres[draw.integers(0, 500, COUNT)] + 0.7 * rows
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ["drawn", "clustered"])
def test_recall_at_sixty_thousand_is_whole(tmp_path: Path, kind: str) -> None:
    """Every one of the 51 nearest, and the statistics of an exact search."""
    rows = drawn(kind)
    lobe = Lobe("space/large", tmp_path / "lobe", model="drawn", dim=DIM, step=lambda _: None)
    lobe.open()
    nothing = analyse("a")
    ids = [f"{number:026}" for number in range(COUNT)]
    lobe.replace(
        {id: "hash" for id in ids}, [Entry(id, id, "hash", id.encode(), nothing) for id in ids]
    )
    stored = halves(rows)
    lobe.add([Row(id, id.encode(), one) for id, one in zip(ids, stored, strict=True)])
    lobe.flush()
    held = lobe.matrix()
    assert isinstance(held, Large)
    assert held.size < COUNT * DIM * 1.3
    table = np.frombuffer(b"".join(stored), "<f2").reshape(COUNT, DIM).astype(np.float32)
    for number in range(20):
        query = table[number * 1000] + 0.05 * np.float32(number % 4) * table[number + 7]
        query /= np.linalg.norm(query)
        tracemalloc.start()
        found = meaning_leg([lobe], query, 51)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        compare(found, table, query)
        assert peak < 40_000_000


def compare(found: Meaning, table: NDArray[np.float32], query: NDArray[np.float32]) -> None:
    cosines = table.astype(np.float64) @ query.astype(np.float64)
    best = np.sort(cosines)[::-1][:51]
    assert [hit.score for hit in found.hits] == pytest.approx(best.tolist(), abs=1e-6)
    assert [hit.score for hit in found.hits] == pytest.approx(
        [cosines[int(hit.id)] for hit in found.hits], abs=1e-6
    )
    assert len({hit.id for hit in found.hits}) == 51
    assert (found.mean, found.deviation, found.count) == pytest.approx(
        (cosines.mean(), cosines.std(), len(table)), abs=1e-8
    )


def test_a_lobe_of_the_usual_size_is_never_coded(index: Index) -> None:
    lobe = index._lobes().get("space/large")
    assert lobe is not None
    assert isinstance(lobe.matrix(), Matrix)
