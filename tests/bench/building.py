"""Homes of many Spaces and 100,000 passages, written through the unit of work and indexed for real.

The passages are cut from the documents of `corpus`. Their vectors come from a hash of the text, so
that building takes a minute and not twenty; words, fusion, files and queries are the real ones.
`python -m tests.bench.building FOLDER STORE BATCH` is the process that builds an index.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import astuple, dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.corpus import real_documents
from tests.bench.homes import fresh_folders

from lobes.bootstrap import open_installation
from lobes.config.folders import Folders
from lobes.domain.documents import PassageRow, StoredDocument
from lobes.domain.ids import Slug, derived_id
from lobes.domain.lobes import LobeConfig, parse_subscription
from lobes.domain.spaces import Space
from lobes.engine.chunk import chunk
from lobes.engine.index import Index
from lobes.engine.minilm import DIM, ID, MiniLm
from lobes.engine.worker import BATCH
from lobes.services.installation import Installation
from lobes.services.space_adding import AddOptions, add_space
from lobes.store.read import connect, rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PASSAGES = 100_000
BIG_BATCH = 8192
"""For more passages than that: what a batch costs beside the model would take an hour."""
SPACES_A_COMMIT = 500
_REAL_TEXTS = 64
_WORD = re.compile(r"[A-Za-z]{3,}")


@dataclass(frozen=True, slots=True)
class Built:
    """`peak`: the most bytes that were resident while the index was made, in `seconds`."""

    folders: Folders
    spaces: tuple[str, ...]
    passages: int
    peak: int
    seconds: float


@cache
def built_home(spaces: int, passages: int = PASSAGES) -> Built:
    """A home of `spaces` Spaces that share the passages evenly; kept until this process ends."""
    folders = _kept_folders()
    with open_installation(folders, environ={}) as lobes:
        ids = add_spaces(lobes, [LobeConfig()] * spaces)
        _fill(lobes, ids, passages // spaces)
    started = time.perf_counter()
    folders.index.mkdir(mode=0o700, parents=True, exist_ok=True)
    batch = BATCH if passages <= PASSAGES else BIG_BATCH
    words = [
        sys.executable,
        "-m",
        __spec__.name,
        str(folders.index),
        str(folders.store),
        f"{batch}",
    ]
    root = Path(__file__).parents[2]
    ran = subprocess.run(words, check=True, stdout=subprocess.PIPE, cwd=root)
    found = json.loads(ran.stdout)
    assert found["passages"] == passages // spaces * spaces, found
    seconds = time.perf_counter() - started
    return Built(folders, ids, found["passages"], found["peak"], seconds)


@cache
def many_spaces(count: int) -> tuple[Folders, tuple[str, ...]]:
    """A home of `count` Spaces without documents, their lobes set in all ways; kept likewise."""
    folders = _kept_folders()
    with open_installation(folders, environ={}) as lobes:
        return folders, add_spaces(lobes, configs(count))


def _kept_folders() -> Folders:
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(fresh_folders())


def configs(count: int) -> list[LobeConfig]:
    """Half of them as they come, the others private, Ask first, Closed, tagged or turned away.

    The first one asks: it subscribes to a tag and to a Space, excludes one and mutes one.
    """
    first = LobeConfig(
        subscriptions=(parse_subscription("tag:craft"), parse_subscription("space:prj_00007")),
        excluded_from=("prj_00009",),
        muted=("space/prj_00011",),
    )
    kinds = (
        LobeConfig(is_private=True),
        LobeConfig(cross_space="ask"),
        LobeConfig(cross_space="deny", tags=("craft",)),
        LobeConfig(tags=("craft", "law")),
        LobeConfig(excluded_from=("prj_00000",)),
    )
    others = [LobeConfig() if n % 2 else kinds[n // 2 % len(kinds)] for n in range(1, count)]
    return [first, *others]


def add_spaces(lobes: Installation, configs: Sequence[LobeConfig]) -> tuple[str, ...]:
    """A Space for each config: the first by the service, the others like it, without a folder."""
    ids = tuple(f"prj_{number:05}" for number in range(len(configs)))
    folder = lobes.folders.spaces / ids[0]
    folder.mkdir(parents=True, exist_ok=True)
    me = lobes.owner_at("cli", is_present=True)
    add_space(lobes, me, folder, AddOptions(id=ids[0], kind="project", name=ids[0]))
    with lobes.database().begin() as unit:
        first = unit.spaces.get(ids[0])
        assert first is not None
        unit.spaces.save(replace(first, lobe=configs[0]))
        unit.commit()
    pairs = list(zip(ids, configs, strict=True))
    for start in range(1, len(ids), SPACES_A_COMMIT):
        with lobes.database().begin() as unit:
            for id, config in pairs[start : start + SPACES_A_COMMIT]:
                unit.spaces.add(_like(first, lobes, id, config))
            unit.commit()
    return ids


def _like(first: Space, lobes: Installation, id: str, config: LobeConfig) -> Space:
    root = str(lobes.folders.spaces / id)
    return replace(
        first, id=Slug(id), name=id, root=root, root_device="", root_inode="", lobe=config
    )


def _fill(lobes: Installation, spaces: Sequence[str], passages: int) -> None:
    texts = _endless()
    for space in spaces:
        left = passages
        with lobes.database().begin() as unit:
            while left:
                path, text = next(texts)
                document, cut = _document(space, path, text)
                unit.documents.put(document, cut[:left])
                left -= len(cut[:left])
            unit.commit()


def _endless() -> Iterator[tuple[str, str]]:
    """Documents and, once they are used up, the same ones again under other names."""
    documents = real_documents()
    random.Random(7).shuffle(documents)
    number = 0
    while True:
        path = documents[number % len(documents)]
        yield f"doc{number:06}.md", path.read_text(encoding="utf-8", errors="replace")
        number += 1


def _document(space: str, path: str, text: str) -> tuple[StoredDocument, list[PassageRow]]:
    id = derived_id("document", space, path)
    cut = chunk(text, path=path, document_id=id)
    raw = text.encode()
    digest = hashlib.sha256(raw).hexdigest()
    document = StoredDocument(id, space, path, "", cut.title, digest, len(raw), 0, cut.tokens)
    return document, [PassageRow(*astuple(one)) for one in cut.passages]


def questions(folders: Folders, count: int) -> list[str]:
    """Four to nine words in a row, from passages all over the store; the same ones each time."""
    pick = random.Random(11)
    store = connect(folders.store)
    try:
        most = rows(store, "SELECT max(rowid) FROM passage")[0][0]
        found: list[str] = []
        while len(found) < count:
            sql = "SELECT text FROM passage WHERE rowid >= ? ORDER BY rowid LIMIT 1"
            words = _WORD.findall(rows(store, sql, (pick.randint(1, most),))[0][0])
            length = pick.randint(4, 9)
            if len(words) > length:
                start = pick.randrange(len(words) - length)
                found.append(" ".join(words[start : start + length]))
        return found
    finally:
        store.close()


class Hashed:
    """The shipped model, but a document's vector is drawn from a hash of its text.

    The first texts also run through the model, so that its buffers are there as they would be.
    """

    id = ID
    dim = DIM
    is_local = True

    def __init__(self) -> None:
        self._model = MiniLm()
        self._real = _REAL_TEXTS

    def load(self) -> None:
        self._model.load()

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        if self._real > 0:
            self._model.embed_documents(texts[: self._real])
            self._real -= len(texts)
        made = np.empty((len(texts), DIM), dtype=np.float32)
        for place, text in enumerate(texts):
            seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8])
            made[place] = np.random.default_rng(seed).standard_normal(DIM, dtype=np.float32)
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._model.embed_query(text)

    def pieces(self, text: str) -> int:
        return self._model.pieces(text)


def build(folder: Path, store: Path, *, batch: int) -> dict[str, int]:
    """What the engine's thread does for a new index, in this process."""
    index = Index(folder, store, embedder=Hashed())
    index.load()
    index.apply_outbox()
    while index.embed_pending(limit=batch):
        pass
    index.maintain()
    passages = index.status().vectors_done
    index.close()
    return {"passages": passages, "peak": _peak()}


def _peak() -> int:
    """Bytes. Not from `getrusage`: there a parent's peak shines through."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"^VmHWM:\s+(\d+) kB$", status, flags=re.M)
    assert found is not None
    return int(found[1]) * 1024


if __name__ == "__main__":
    made = build(Path(sys.argv[1]), Path(sys.argv[2]), batch=int(sys.argv[3]))
    print(json.dumps(made), flush=True)
    os._exit(0)
