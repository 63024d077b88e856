"""The words leg: BM25 over exactly the allowed lobes, as one table of only these would give it.

N, average length and document frequencies are sums over the allowed lobes, terms are added in
sorted order and ties go by id, so no other lobe can move a bit of any score, and a rebuild gives
the same list.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from lobes.engine import postings
from lobes.engine.analyse import STOP_WORDS, Query
from lobes.engine.lobe import Lobe
from lobes.engine.postings import Stats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# Robertson and Zaragoza's usual constants.
K1 = 1.2
B = 0.75
PREFIX_TERMS = 32
PREFIX_SHORTEST = 2
_STEM_SHORTEST = 3

_POSTING = np.dtype([("doc", "<u4"), ("tf", "<u2"), ("length", "<u2")])


@dataclass(frozen=True, slots=True)
class WordHit:
    """A passage by its BM25 score."""

    id: str
    content_hash: str
    lobe: str
    score: float


@dataclass(frozen=True, slots=True)
class _Read:
    """What one lobe holds of the query; `stats` are of the same commit as `rows`."""

    lobe: Lobe
    rows: Mapping[str, bytes]
    stats: Stats


@dataclass(frozen=True, slots=True)
class _Found:
    """A term's passages: numbers over all read lobes, counts and lengths."""

    docs: Ints
    tf: Floats
    length: Floats


def words_leg(lobes: Sequence[Lobe], query: Query, depth: int) -> list[WordHit]:
    """The `depth` best passages of `lobes` (sorted by address), best first."""
    reads = _read(lobes, query.terms)
    found = {
        term: _joined(reads, [read.rows.get(term) for read in reads])
        for term in query.terms
        if any(term in read.rows for read in reads)
    }
    if query.last and query.last_term not in found:
        found |= _expanded(reads, query)
    if not found and not query.terms and query.stops:
        found = _stop_words(reads, query.stops)
    if not found:
        return []
    scores = _bm25(reads, found)
    return _best(reads, scores, depth)


def _read(lobes: Sequence[Lobe], terms: Sequence[str]) -> list[_Read]:
    reads: list[_Read] = []
    for lobe in lobes:
        if lobe.stats.count and (found := lobe.ask(partial(_ask, lobe, terms), None)):
            reads.append(found)
    return reads


def _ask(lobe: Lobe, terms: Sequence[str], words: sqlite3.Connection) -> _Read | None:
    """Rows and counts of one commit: the caller holds the lobe's lock."""
    return _Read(lobe, postings.read(words, terms), lobe.stats)


def _bases(reads: Sequence[_Read]) -> list[int]:
    """Where each lobe's numbers begin; one more at the end."""
    bases = [0]
    for read in reads:
        bases.append(bases[-1] + read.stats.top)
    return bases


def _joined(reads: Sequence[_Read], blobs: Sequence[bytes | None]) -> _Found:
    """One term's postings of every lobe, numbered across the lobes."""
    rows = np.frombuffer(b"".join(blob for blob in blobs if blob), _POSTING)
    counts = [len(blob or b"") // postings.STEP for blob in blobs]
    docs = rows["doc"].astype(np.int64) + np.repeat(_bases(reads)[:-1], counts)
    return _Found(docs, rows["tf"].astype(np.float64), rows["length"].astype(np.float64))


def _bm25(reads: Sequence[_Read], found: Mapping[str, _Found]) -> Floats:
    """idf · (k1 + 1) · tf / (tf + k1 · (1 - b + b · length / average)), per passage number."""
    total = sum(read.stats.count for read in reads)
    average = max(1.0, sum(read.stats.length for read in reads) / max(1, total))
    scores = np.zeros(_bases(reads)[-1], dtype=np.float64)
    for term in sorted(found):
        one = found[term]
        frequency = len(one.docs)
        weight = math.log(1 + (total - frequency + 0.5) / (frequency + 0.5)) * (K1 + 1)
        scores[one.docs] += weight * one.tf / (one.tf + K1 * (1 - B + B * one.length / average))
    return scores


def _best(reads: Sequence[_Read], scores: Floats, depth: int) -> list[WordHit]:
    """Everything that ties with the last place is named before the cut, since ties go by id."""
    numbers = np.flatnonzero(scores)
    if len(numbers) > depth:
        values = scores[numbers]
        least = np.partition(values, len(values) - depth)[len(values) - depth]
        numbers = numbers[values >= least]
    bases = _bases(reads)
    places = np.searchsorted(bases, numbers, side="right") - 1
    hits: list[WordHit] = []
    for place in np.unique(places).tolist():
        read = reads[place]
        docs = (numbers[places == place] - bases[place]).tolist()
        names = read.lobe.ask(partial(_named, docs), {})
        for doc, (id, content_hash) in names.items():
            score = float(scores[bases[place] + doc])
            hits.append(WordHit(id, content_hash, read.lobe.address, score))
    hits.sort(key=lambda hit: (-hit.score, hit.id))
    return hits[:depth]


def _named(docs: Sequence[int], words: sqlite3.Connection) -> dict[int, tuple[str, str]]:
    return postings.named(words, docs)


def _expanded(reads: Sequence[_Read], query: Query) -> dict[str, _Found]:
    """The last word while it is being typed: all terms that begin with it, as one term.

    A word typed beyond its stem (`authenticati` of `authent`) is found by its longest beginning.
    """
    counts: Counter[str] = Counter()
    if len(query.last) >= PREFIX_SHORTEST:
        for read in reads:
            counts.update(read.lobe.ask(partial(_terms_from, query.last), {}))
    terms = sorted(counts, key=lambda term: (-counts[term], term))[:PREFIX_TERMS]
    if not terms:
        shortest = max(_STEM_SHORTEST, len(query.last) // 2)
        terms = [query.last[:end] for end in range(len(query.last) - 1, shortest - 1, -1)]
    again = _read([read.lobe for read in reads], terms)
    if len(again) != len(reads):
        return {}
    if not counts:
        terms = [term for term in terms if any(term in read.rows for read in again)][:1]
    if not terms:
        return {}
    parts = [_joined(reads, [read.rows.get(term) for read in again]) for term in terms]
    docs = np.concatenate([part.docs for part in parts])
    inside = docs < _bases(reads)[-1]
    merged, first, place = np.unique(docs[inside], return_index=True, return_inverse=True)
    counted = np.concatenate([part.tf for part in parts])[inside]
    tf = np.bincount(place, counted).astype(np.float64)
    length = np.concatenate([part.length for part in parts])[inside][first]
    return {query.last_term: _Found(merged, tf, length)}


def _terms_from(prefix: str, words: sqlite3.Connection) -> dict[str, int]:
    return postings.terms_from(words, prefix)


def _stop_words(reads: Sequence[_Read], stops: int) -> dict[str, _Found]:
    """A query of nothing but stop words looks at the passages' own lists of them."""
    bases = _bases(reads)
    rows: list[tuple[int, int, int]] = []
    for read, base in zip(reads, bases, strict=False):
        for doc, length, bits in read.lobe.ask(postings.stop_words, []):
            if doc < read.stats.top and (held := int.from_bytes(bits, "little") & stops):
                rows.append((base + doc, length, held))
    found: dict[str, _Found] = {}
    for number, word in enumerate(STOP_WORDS):
        having = [(doc, length) for doc, length, held in rows if held >> number & 1]
        if having:
            docs, lengths = zip(*having, strict=True)
            found[word] = _Found(
                np.array(docs, np.int64), np.ones(len(docs)), np.array(lengths, np.float64)
            )
    return found
