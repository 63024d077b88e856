"""The port between the faces and the index engine: values, one Protocol, two transports.

`engine.client.Client` speaks it over a socket to the engine process; `engine.inline.Inline` runs
the same index inside the caller, for tests and scripts. Replies hold ids, hashes and scores,
never a text: whoever reaches the socket learns nothing that a pack says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

DEPTH = 51
"""How many hits each leg gives to the fusion: K + 1 of `engine.fuse`."""

Degraded = Literal["words_only", "meaning_behind", "rebuilding"]
EngineState = Literal["loading", "ready", "indexing", "rebuilding", "draining", "failed", "off"]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Search exactly `lobes` (addresses such as `space/prj_x`); an empty tuple finds nothing.

    `without` names, lobe by lobe, documents that count as if they had never been there.
    """

    query: str
    lobes: tuple[str, ...]
    depth: int = DEPTH
    without: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


@dataclass(frozen=True, slots=True)
class Candidate:
    """One hit by id: the core checks it against the store before its text is loaded.

    `score` is fused and lies in 0..1; `words` and `meaning` are the 1-based ranks in the two
    legs (None: not in that leg); `bm25` and `cosine` are the legs' own scores, 0 where absent.
    """

    id: str
    content_hash: str
    lobe: str
    score: float
    words: int | None
    meaning: int | None
    bm25: float
    cosine: float


@dataclass(frozen=True, slots=True)
class SearchReply:
    """`candidates` best first; `words_found`, `meaning_found`: the lengths of the two legs."""

    candidates: tuple[Candidate, ...]
    degraded: tuple[Degraded, ...] = ()
    words_found: int = 0
    meaning_found: int = 0


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """A hint that something under `root` may have changed; `paths` are relative, at most 200.

    An empty `paths` means: look at the whole root again.
    """

    space: str
    root: str
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """What `lobes status` shows. Counts are passages; `seq` is the last outbox row applied.

    `words_total` is what the store holds while a long outbox is followed. `rate` is passages a
    second over the last seconds, 0 while none is embedded. `fragments` is the number of data files
    of the lobe that has most. Embedding that was cancelled is `ready` with vectors that lack.
    """

    state: EngineState
    pid: int = 0
    build: str = ""
    seq: int = 0
    words_done: int = 0
    words_total: int = 0
    vectors_done: int = 0
    vectors_total: int = 0
    rate: float = 0.0
    fragments: int = 0
    lobes: int = 0
    watching: int = 0
    model: str = ""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WatchRoot:
    """A folder to watch for a Space; `path` is absolute."""

    space: str
    path: str


@dataclass(frozen=True, slots=True)
class Waited:
    """Whether what was waited for is there, and the state at that moment."""

    reached: bool
    status: EngineStatus


class Engine(Protocol):
    """What a face may ask. Every call may raise `Unavailable` with what to do."""

    def search(self, request: SearchRequest) -> SearchReply:
        """The best candidates of exactly the given lobes."""
        ...

    def notify(self) -> None:
        """The outbox grew. Best effort, never starts an engine, never raises."""
        ...

    def status(self) -> EngineStatus:
        """The state; `off` when no engine runs (asking starts none)."""
        ...

    def wait_words(self, seq: int, *, seconds: float) -> Waited:
        """Wait until the words of outbox row `seq` are searchable."""
        ...

    def wait_vectors(self, *, seconds: float) -> Waited:
        """Wait until no passage waits for its vector."""
        ...

    def cancel(self) -> None:
        """Stop embedding after the current batch until the next notify."""
        ...

    def rebuild(self, lobes: Sequence[str] = ()) -> None:
        """Throw the index of these lobes (none given: all) away and make it again."""
        ...

    def watch(self, roots: Sequence[WatchRoot]) -> None:
        """Watch exactly these roots for this caller, until it disconnects."""
        ...

    def next_event(self, *, seconds: float) -> WatchEvent | None:
        """The next hint for this caller's roots, or None when none came in time."""
        ...

    def prewarm(self) -> None:
        """Start the engine and its heavy imports in the background. Never raises."""
        ...

    def stop(self) -> bool:
        """Ask a running engine to drain and end; whether one was running."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...
