"""How the index follows the store: outbox rows, repairs, and one batch of vectors at a time.

Every step may be repeated: words go by document and hash, vectors by the key of their text. What
was acknowledged as applied is on the disk before the cursor says so.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from lobes.domain.passages import OutboxRow, StoredPassage
from lobes.engine.analyse import analyse
from lobes.engine.embed import Embedder
from lobes.engine.lobe import Lobe
from lobes.engine.postings import Entry
from lobes.engine.shelf import Shelf
from lobes.engine.texts import embed_key, embedded_texts, heading_line
from lobes.engine.vectors import Row, halves
from lobes.store import read

DOCUMENTS_A_COMMIT = 400
BUFFERED_ROWS = 512
"""Vectors are written in groups: a fragment for each small batch would slow every search."""

Wanted = Mapping[str, Mapping[str, str]]
"""Lobe address → document id → content hash (empty: the document is gone)."""

Progressed = Callable[[], None]
"""Called after each commit of words."""


def apply_rows(
    shelf: Shelf,
    store: sqlite3.Connection,
    rows: Sequence[OutboxRow],
    *,
    model: str,
    progressed: Progressed,
) -> None:
    """Bring everything that `rows` name to the state that the store has now."""
    wanted: dict[str, dict[str, str]] = defaultdict(dict)
    lobes: set[str] = set()
    for row in rows:
        if row.kind == "lobe":
            lobes.add(row.lobe)
        else:
            wanted[row.lobe][row.id] = row.content_hash if row.op == "upsert" else ""
    apply_documents(shelf, store, wanted, model=model, progressed=progressed)
    _drop_empty(shelf, store, wanted)
    if lobes:
        counts = read.lobes_with_passages(store)
        for address in sorted(lobes):
            if address in counts:
                repair(shelf, store, address, counts[address], model=model, progressed=progressed)
            else:
                shelf.drop(address)


def _drop_empty(shelf: Shelf, store: sqlite3.Connection, addresses: Iterable[str]) -> None:
    """A lobe whose last document left goes with its folder: free pages and old versions of its
    tables would keep what was in it."""
    for address in addresses:
        lobe = shelf.get(address)
        is_empty = lobe is not None and not lobe.damaged and not lobe.stats.count
        if is_empty and not read.documents_of(store, address):
            shelf.drop(address)


def apply_documents(
    shelf: Shelf, store: sqlite3.Connection, wanted: Wanted, *, model: str, progressed: Progressed
) -> None:
    """Make the words of these documents what the store says, a bounded number per commit."""
    for address in sorted(wanted):
        documents = wanted[address]
        for some in _slices(list(documents), DOCUMENTS_A_COMMIT):
            entries: dict[str, list[Entry]] = {address: []}
            for passage, text in embedded_texts(read.passages_of(store, some)):
                entries.setdefault(passage.lobe, []).append(_entry(passage, text, model=model))
            for lobe_address, own in entries.items():
                if lobe_address != address:
                    # Moved there: a row of that lobe's own brings what is gone from this one.
                    own = [entry for entry in own if documents[entry.document]]
                    if not own:
                        continue
                lobe = shelf.make(lobe_address)
                if lobe is None or lobe.damaged:
                    continue
                here = {id: documents[id] for id in some} if lobe_address == address else {}
                there = {e.document: documents[e.document] for e in own}
                lobe.replace(here | there, own)
            progressed()


def _entry(passage: StoredPassage, text: str, *, model: str) -> Entry:
    return Entry(
        id=passage.id,
        document=passage.document_id,
        content_hash=passage.content_hash,
        embed_key=embed_key(model, text),
        analysed=analyse(heading_line(passage.title, passage.heading), passage.text),
    )


def repair(
    shelf: Shelf,
    store: sqlite3.Connection,
    address: str,
    count: int,
    *,
    model: str,
    progressed: Progressed,
) -> int:
    """Compare one lobe with the store and bring what differs; how many documents differed."""
    lobe = shelf.make(address)
    if lobe is None:
        return 0
    if lobe.damaged or not lobe.is_sound():
        shelf.drop(address)
        lobe = shelf.make(address)
        if lobe is None:
            return 0
    there = read.documents_of(store, address)
    here = lobe.sources()
    differ = {id: hash for id, hash in there.items() if here.get(id) != hash}
    differ |= {id: "" for id in here if id not in there}
    apply_documents(shelf, store, {address: differ}, model=model, progressed=progressed)
    if lobe.stats.count != count:
        apply_documents(shelf, store, {address: there}, model=model, progressed=progressed)
        differ |= there
    return len(differ)


def repair_all(
    shelf: Shelf,
    store: sqlite3.Connection,
    *,
    model: str,
    stop: Callable[[], bool],
    progressed: Progressed,
) -> int:
    """Every lobe of the store compared and repaired, folders of lobes that are gone removed."""
    counts = read.lobes_with_passages(store)
    for lobe in shelf:
        if lobe.address not in counts:
            shelf.drop(lobe.address)
    differed = 0
    for address, count in sorted(counts.items()):
        if stop():
            break
        if count or shelf.get(address) is not None:
            differed += repair(shelf, store, address, count, model=model, progressed=progressed)
            shelf.trim()
    return differed


def embed_batch(
    shelf: Shelf, store: sqlite3.Connection, embedder: Embedder, limit: int
) -> tuple[int, int]:
    """Give up to `limit` passages their vector: (all that got one, those the model was run for).

    The lobe with the least to do comes first, so that a saved note isn't behind a big import.
    """
    batch: dict[str, dict[str, bytes]] = {}
    room = limit
    for lobe in sorted(shelf, key=lambda lobe: (len(lobe.waiting), lobe.address)):
        if room <= 0:
            break
        if taken := lobe.take(room):
            room -= len(taken)
            batch[lobe.address] = {id: key for id, (_, key) in taken.items()}
    texts: dict[bytes, str] = {}
    ready: dict[str, dict[bytes, bytes]] = {}
    for address, ids in batch.items():
        lobe = shelf.get(address)
        if lobe is None:
            continue
        ready[address] = lobe.known_vectors(ids.values())
        lacking = {id: key for id, key in ids.items() if key not in ready[address]}
        texts |= _texts(lobe, store, lacking, embedder.id)
    keys = list(texts)
    fresh: dict[bytes, bytes] = {}
    if keys:
        fresh = dict(zip(keys, halves(embedder.embed_documents(list(texts.values()))), strict=True))
    done = 0
    for address, ids in batch.items():
        if lobe := shelf.get(address):
            known = ready[address] | fresh
            rows = [Row(id, key, known[key]) for id, key in ids.items() if key in known]
            lobe.add(rows)
            done += len(rows)
    return done, len(keys)


def _texts(
    lobe: Lobe, store: sqlite3.Connection, ids: Mapping[str, bytes], model: str
) -> dict[bytes, str]:
    """Embed key → text, for what the store still says as the words index knows it."""
    documents = sorted({document for id, (document, _) in lobe.waiting.copy().items() if id in ids})
    found: dict[bytes, str] = {}
    seen: set[str] = set()
    for passage, text in embedded_texts(read.passages_of(store, documents)):
        if passage.id in ids and embed_key(model, text) == ids[passage.id]:
            found[ids[passage.id]] = text
            seen.add(passage.id)
    lobe.give_up(set(ids) - seen)
    return found


def flush(lobes: Iterable[Lobe], *, everything: bool) -> None:
    """Write buffered vectors once enough have gathered, or a lobe has no more to come."""
    listed = list(lobes)
    is_full = sum(len(lobe.buffered) for lobe in listed) >= BUFFERED_ROWS
    for lobe in listed:
        if lobe.damaged:
            continue
        if everything or is_full or not lobe.waiting:
            lobe.flush()


def _slices(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
