"""The same index inside the caller, and the order in which its one thread works."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from engine_home import Home, add_document, ready, until

from lobes.domain.errors import Unavailable
from lobes.engine.inline import Inline
from lobes.engine.protocol import (
    Degraded,
    EngineStatus,
    SearchReply,
    SearchRequest,
    WatchEvent,
    WatchRoot,
)


@pytest.fixture
def inline(home: Home) -> Iterator[Inline]:
    with Inline(home.place) as engine:
        yield engine


def test_inline_answers_as_the_engine_process_does(home: Home, inline: Inline) -> None:
    for name in ("bridge", "tower", "tunnel"):
        seq = add_document(home.place.store, name, f"A {name} is built of steel and stone.")
    request = SearchRequest("steel tower", ("space/prj_one",))
    assert inline.status().state == "off"
    assert inline.wait_words(seq, seconds=20).reached
    assert inline.wait_vectors(seconds=30).reached
    here = inline.search(request)
    assert here.candidates
    assert inline.status().vectors_done == 3
    assert inline.stop()
    face = home.face()
    assert face.wait_vectors(seconds=30).reached
    assert face.search(request) == here


def test_two_engines_on_one_home_are_refused(home: Home, inline: Inline) -> None:
    home.started()
    with pytest.raises(Unavailable) as caught:
        inline.wait_words(0, seconds=1)
    assert caught.value.reason == "engine_runs"
    assert home.face().stop()
    inline.wait_words(0, seconds=1)
    with Inline(home.place) as second, pytest.raises(Unavailable):
        second.wait_words(0, seconds=1)


def test_a_home_that_was_removed_is_not_made_again(home: Home, inline: Inline) -> None:
    shutil.rmtree(home.folder)
    with pytest.raises(Unavailable) as caught:
        inline.wait_words(0, seconds=1)
    assert caught.value.reason == "store"
    assert not home.folder.exists()


def test_inline_watches_by_the_same_watcher(home: Home, inline: Inline, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    inline.watch([WatchRoot("prj_one", str(root))])
    (root / "a.md").write_text("a", encoding="utf-8")
    assert inline.next_event(seconds=5) == WatchEvent("prj_one", str(root), ("a.md",))


def test_a_rebuild_brings_words_and_vectors_back(home: Home, inline: Inline) -> None:
    seq = add_document(home.place.store, "bridge", "The suspension bridge sways.")
    assert inline.wait_words(seq, seconds=20).reached
    assert inline.wait_vectors(seconds=30).reached
    before = inline.search(SearchRequest("bridge", ("space/prj_one",)))
    inline.rebuild()
    assert inline.wait_vectors(seconds=30).reached
    assert inline.search(SearchRequest("bridge", ("space/prj_one",))) == before


class Scripted:
    """An index of which the test decides when a step ends, and what goes wrong."""

    def __init__(self, *, waiting: int = 0, model: str = "m") -> None:
        self.steps: list[str] = []
        self.waiting = waiting
        self.model = model
        self.trouble: Exception | None = None
        self.degraded: tuple[Degraded, ...] = ()
        self.go = threading.Semaphore(0)
        self.embedding = threading.Event()

    def load(self) -> None:
        return

    def search(self, request: SearchRequest) -> SearchReply:
        return SearchReply((), self.degraded)

    def apply_outbox(
        self, *, stop: Callable[[], bool] = bool, progressed: Callable[[], None] = bool
    ) -> int:
        if self.trouble is not None:
            raise self.trouble
        self.steps.append("words")
        return 0

    def embed_pending(self, *, limit: int, stop: Callable[[], bool] = bool) -> int:
        if not self.waiting or stop():
            return 0
        self.embedding.set()
        self.go.acquire()
        self.waiting -= 1
        self.steps.append("vectors")
        return 1

    def reconcile(self) -> int:
        return 0

    def rebuild(self, lobes: Sequence[str] = ()) -> None:
        self.steps.append(f"rebuild {','.join(lobes)}")

    def status(self) -> EngineStatus:
        return EngineStatus("ready", vectors_total=self.waiting, model=self.model)

    def warm(self, *, stop: Callable[[], bool] = bool) -> None:
        return

    def maintain(self) -> None:
        return

    def close(self) -> None:
        self.steps.append("closed")


Scripts = Callable[[Scripted], Inline]


@pytest.fixture
def scripted(home: Home) -> Iterator[Scripts]:
    started: list[tuple[Inline, Scripted]] = []

    def begin(index: Scripted) -> Inline:
        engine = Inline(home.place, index=lambda _: index)
        started.append((engine, index))
        engine.prewarm()
        return engine

    yield begin
    for engine, index in started:
        index.go.release(100)
        engine.close()


def test_words_come_between_two_batches_of_vectors(scripted: Scripts) -> None:
    index = Scripted(waiting=3)
    engine = scripted(index)
    assert index.embedding.wait(5)
    before = index.steps.count("words")
    engine.notify()
    index.go.release()
    until(lambda: index.steps.count("words") > before)
    assert index.steps.index("vectors") < len(index.steps) - 1
    assert index.steps[index.steps.index("vectors") + 1] == "words"


def test_cancel_stops_embedding_until_the_next_notify(scripted: Scripts) -> None:
    index = Scripted(waiting=3)
    engine = scripted(index)
    assert index.embedding.wait(5)
    engine.cancel()
    index.go.release(100)
    assert not engine.wait_vectors(seconds=20).reached
    until(lambda: index.waiting == 2)
    engine.notify()
    assert engine.wait_vectors(seconds=20).reached
    assert index.waiting == 0


def test_who_waits_for_vectors_is_told_at_once_that_embedding_is_paused(scripted: Scripts) -> None:
    index = Scripted(waiting=3)
    engine = scripted(index)
    assert index.embedding.wait(5)
    waited: list[bool] = []
    waiting = threading.Thread(
        target=lambda: waited.append(engine.wait_vectors(seconds=60).reached)
    )
    waiting.start()
    engine.cancel()
    waiting.join(10)
    assert waited == [False]
    assert not engine.wait_vectors(seconds=60).reached
    assert index.waiting == 3


def test_a_cancelled_engine_is_ready_with_vectors_that_lack_and_no_rate(
    home: Home, inline: Inline
) -> None:
    inline.prewarm()
    until(lambda: inline.status().state == "ready")
    inline.cancel()
    seq = add_document(home.place.store, "bridge", "The suspension bridge sways.")
    assert inline.wait_words(seq, seconds=20).reached
    waited = inline.wait_vectors(seconds=60)
    assert not waited.reached
    assert waited.status.state == "ready"
    assert (waited.status.vectors_done, waited.status.vectors_total) == (0, 1)
    assert waited.status.rate == 0
    inline.notify()
    assert inline.wait_vectors(seconds=30).reached


def test_the_rate_is_that_of_the_last_seconds_while_passages_wait(scripted: Scripts) -> None:
    index = Scripted(waiting=5)
    engine = scripted(index)
    assert index.embedding.wait(5)
    assert engine.status().rate == 0
    index.go.release(2)
    until(lambda: engine.status().rate > 0)
    index.go.release(100)
    assert engine.wait_vectors(seconds=20).reached
    assert engine.status().rate == 0


def test_without_a_model_nobody_waits_for_vectors(scripted: Scripts) -> None:
    engine = scripted(Scripted(waiting=3, model=""))
    waited = engine.wait_vectors(seconds=60)
    assert not waited.reached


def test_damage_that_a_search_meets_is_mended_without_a_commit(scripted: Scripts) -> None:
    index = Scripted()
    engine = scripted(index)
    assert engine.wait_vectors(seconds=20).reached
    before = index.steps.count("words")
    index.degraded = ("rebuilding",)
    engine.search(SearchRequest("steel", ("space/prj_one",)))
    until(lambda: index.steps.count("words") > before)


def test_trouble_is_said_without_quoting_and_tried_again(scripted: Scripts) -> None:
    index = Scripted()
    index.trouble = ValueError("the text of a pack")
    engine = scripted(index)
    until(lambda: engine.status().problems)
    (problem,) = engine.status().problems
    assert "ValueError" in problem
    assert "pack" not in problem
    index.trouble = Unavailable("The store can't be read now.", hint="Try again.")
    until(lambda: "The store can't be read now. Try again." in engine.status().problems)
    index.trouble = None
    until(lambda: not engine.status().problems)


def test_stop_ends_after_the_batch_and_closes_the_index(scripted: Scripts) -> None:
    index = Scripted(waiting=3)
    engine = scripted(index)
    assert index.embedding.wait(5)
    stopping = threading.Thread(target=engine.stop)
    stopping.start()
    index.go.release()
    stopping.join(10)
    assert not stopping.is_alive()
    assert index.steps[-1] == "closed"
    assert index.waiting == 2
    assert engine.status().state == "off"


@pytest.mark.slow
def test_a_started_process_and_an_inline_engine_share_one_lock(home: Home, inline: Inline) -> None:
    inline.wait_words(0, seconds=1)
    with pytest.raises(Unavailable):
        ready(home.face())
