"""A real store with packs, and a small deterministic embedder, for tests of the index."""

from __future__ import annotations

import hashlib
import sqlite3
import struct
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lobes.domain.ids import derived_id
from lobes.engine.chunk import Chunked, chunk
from lobes.engine.embed import Embedder
from lobes.engine.index import Index
from lobes.engine.protocol import SearchReply, SearchRequest
from lobes.store.migrate import STEPS, build

NOW = "2026-01-01T00:00:00Z"


class BagOfWords:
    """Vectors of hashed words: equal words are near, the same on every machine."""

    def __init__(self, id: str = "bag-of-words", dim: int = 24) -> None:
        self.id = id
        self.dim = dim
        self.is_local = True
        self.embedded: list[str] = []

    def load(self) -> None:
        """Nothing to load."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded.extend(texts)
        return np.array([self.embed_query(text) for text in texts], np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        made = np.full(self.dim, 0.01, np.float32)
        for word in text.lower().split():
            digest = hashlib.sha256(word.encode("utf-8", "replace")).digest()
            made[digest[0] % self.dim] += 1 + digest[1] / 256
        return made / np.float32(np.linalg.norm(made))

    def pieces(self, text: str) -> int:
        return len(text.split())


class World:
    """Writes documents as the services do: passages and outbox row in one commit."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with closing(self._open()) as store, store:
            build(store, STEPS)
            store.execute("INSERT INTO person VALUES ('ada', 'Ada', 1, ?)", (NOW,))

    def _open(self) -> sqlite3.Connection:
        store = sqlite3.connect(self.path)
        store.execute("PRAGMA foreign_keys = ON")
        return store

    def add_space(self, space: str) -> str:
        with closing(self._open()) as store, store:
            store.execute(
                "INSERT OR IGNORE INTO space (id, kind, name, status, owner, root, lobe_config,"
                " created, updated) VALUES (?, 'project', ?, 'active', 'ada', ?, '{}', ?, ?)",
                (space, space, f"packs/{space}", NOW, NOW),
            )
        return f"space/{space}"

    def put(self, space: str, path: str, text: str) -> Chunked:
        """Save a note; its passages as they are in the store now."""
        return self.put_all(space, {path: text})[path]

    def put_all(self, space: str, texts: dict[str, str]) -> dict[str, Chunked]:
        lobe = self.add_space(space)
        made: dict[str, Chunked] = {}
        with closing(self._open()) as store, store:
            for path, text in texts.items():
                document = derived_id(space, path)
                found = made[path] = chunk(text, path=path, document_id=document)
                digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
                store.execute(
                    "INSERT INTO document (id, space, path, title, content_hash, size, mtime_ns,"
                    " tokens, indexed) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT (id) DO"
                    " UPDATE SET title = excluded.title, content_hash = excluded.content_hash",
                    (document, space, path, found.title, digest, len(text), found.tokens, NOW),
                )
                store.execute("DELETE FROM passage WHERE document = ?", (document,))
                store.executemany(
                    "INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        (p.id, document, p.ordinal, p.heading, p.text, p.first_line, p.last_line,
                         p.tokens, p.content_hash)
                        for p in found.passages
                    ],
                )  # fmt: skip
                self._queue(store, "upsert", "document", document, lobe, digest)
        return made

    def remove(self, space: str, path: str) -> None:
        document = derived_id(space, path)
        with closing(self._open()) as store, store:
            store.execute("DELETE FROM document WHERE id = ?", (document,))
            self._queue(store, "delete", "document", document, f"space/{space}", "")

    def drop(self, space: str) -> None:
        with closing(self._open()) as store, store:
            store.execute("DELETE FROM space WHERE id = ?", (space,))
            self._queue(store, "delete", "lobe", f"space/{space}", f"space/{space}", "")

    def trim_outbox(self, seq: int) -> None:
        with closing(self._open()) as store, store:
            store.execute("DELETE FROM outbox WHERE seq <= ?", (seq,))

    def _queue(
        self, store: sqlite3.Connection, op: str, kind: str, id: str, lobe: str, digest: str
    ) -> None:
        store.execute(
            "INSERT INTO outbox (op, kind, id, lobe, content_hash) VALUES (?, ?, ?, ?, ?)",
            (op, kind, id, lobe, digest),
        )


def embed_all(index: Index) -> int:
    """Embed until nothing waits; how many got a vector."""
    total = 0
    while done := index.embed_pending(limit=64):
        total += done
    return total


def settle(index: Index) -> None:
    """Words and vectors as the store has them."""
    index.load()
    index.apply_outbox()
    embed_all(index)


def find(
    index: Index,
    query: str,
    *spaces: str,
    depth: int = 51,
    without: Mapping[str, Iterable[str]] | None = None,
) -> SearchReply:
    """The reply over these Spaces; `without` names paths by Space that don't count."""
    lobes = tuple(f"space/{space}" for space in spaces)
    gone = {
        f"space/{space}": tuple(derived_id(space, path) for path in paths)
        for space, paths in (without or {}).items()
    }
    return index.search(SearchRequest(query=query, lobes=lobes, depth=depth, without=gone))


def packed(reply: SearchReply) -> tuple[object, ...]:
    """Everything that a caller could see, scores as their bytes."""
    return (
        reply.words_found,
        reply.meaning_found,
        reply.degraded,
        tuple(
            (c.id, c.lobe, c.words, c.meaning, struct.pack("<3d", c.score, c.bm25, c.cosine))
            for c in reply.candidates
        ),
    )


def settled(folder: Path, world: World, embedder: Embedder) -> Index:
    """An index of the world, as `settle` leaves it."""
    index = Index(folder, world.path, embedder=embedder)
    index.load()
    index.apply_outbox()
    embed_all(index)
    return index
