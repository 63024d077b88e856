"""The index: one folder a lobe, words and meaning, following the store by its outbox."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from lobes.domain.errors import Unavailable
from lobes.engine.embed import Embedder
from lobes.engine.protocol import EngineStatus, SearchReply, SearchRequest


def never() -> bool:
    """The stop signal of a caller that waits for the end."""
    return False


class Index:
    """Owns one index folder. `search` and `status` may run beside every other method."""

    def __init__(
        self, folder: Path, store: Path, *, embedder: Embedder | None = None, threads: int = 1
    ) -> None:
        self._folder = folder
        self._store = store
        self._embedder = embedder
        self._threads = threads

    def load(self) -> None:
        """Import what is heavy, verify the model, warm up; until then search answers by words."""

    def search(self, request: SearchRequest) -> SearchReply:
        """The best candidates of exactly the given lobes."""
        raise Unavailable("The index is not there yet.", reason="index")

    def apply_outbox(self, *, stop: Callable[[], bool] = never) -> int:
        """Follow the outbox to its head (words); the last sequence number applied."""
        raise Unavailable("The index is not there yet.", reason="index")

    def embed_pending(self, *, limit: int, stop: Callable[[], bool] = never) -> int:
        """Embed one small batch; how many passages got their vector, 0 when none waits."""
        raise Unavailable("The index is not there yet.", reason="index")

    def reconcile(self) -> int:
        """Compare every lobe with the store and repair; how many documents differed."""
        raise Unavailable("The index is not there yet.", reason="index")

    def rebuild(self, lobes: Sequence[str] = ()) -> None:
        """Throw the index of these lobes (none given: all) away and make its words again."""

    def status(self) -> EngineStatus:
        """Counts from memory; `pid`, `build` and `watching` are the caller's to fill."""
        raise Unavailable("The index is not there yet.", reason="index")

    def maintain(self) -> None:
        """Compact tables of many fragments and close idle handles."""

    def close(self) -> None:
        """Write what is buffered and let go of every file."""
