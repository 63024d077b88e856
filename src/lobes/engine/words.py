"""The words leg: BM25 over exactly the allowed lobes, as one table of only these would give it.

N, average length and document frequencies are sums over the allowed lobes, terms are added in
sorted order and ties go by id, so no other lobe can move a bit of any score, and a rebuild gives
the same list.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from lobes.engine import postings
from lobes.engine.analyse import STOP_BYTES, STOP_WORDS, Query
from lobes.engine.leaving_out import NOTHING, LeftOut, Without
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
_WHOLE: Without = {}

_POSTING = np.dtype([("doc", "<u4"), ("tf", "<u2"), ("length", "<u2")])
_STOPS = np.dtype([("doc", "<u4"), ("length", "<u2"), ("bits", "u1", (STOP_BYTES,))])


@dataclass(frozen=True, slots=True)
class WordHit:
    """A passage by its BM25 score."""

    id: str
    content_hash: str
    lobe: str
    score: float


@dataclass(frozen=True, slots=True)
class _Read:
    """What one lobe holds of the query; `stats` are of the same commit as `rows`, and neither
    counts what is left `out`."""

    lobe: Lobe
    rows: Mapping[str, bytes]
    stats: Stats
    out: LeftOut = NOTHING


@dataclass(frozen=True, slots=True)
class _Found:
    """A term's passages: numbers over all read lobes, counts and lengths."""

    docs: Ints
    tf: Floats
    length: Floats


def words_leg(
    lobes: Sequence[Lobe], query: Query, depth: int, without: Without = _WHOLE
) -> list[WordHit]:
    """The `depth` best passages of `lobes` (sorted by address) `without` some, best first."""
    reads = _read(lobes, query.terms, without)
    bases = _bases(reads)
    found = {
        term: _joined(bases, [read.rows.get(term) for read in reads])
        for term in sorted({term for read in reads for term in read.rows})
    }
    if query.last and query.last_term not in found:
        found |= _expanded(reads, bases, query, without)
    if reads and not found and not query.terms and query.stops:
        found = _stop_words(reads, bases, query.stops)
    if not found:
        return []
    scores = _bm25(reads, found, passages=int(bases[-1]))
    return _best(reads, bases, scores, depth)


def _read(lobes: Sequence[Lobe], terms: Sequence[str], without: Without) -> list[_Read]:
    reads: list[_Read] = []
    for lobe in lobes:
        if documents := without.get(lobe.address):
            if (thin := _read_without(lobe, terms, documents)) is not None:
                reads.append(thin)
        elif (held := lobe.snapshot) is not None:
            reads.append(_Read(lobe, held.read(terms), held.stats))
        elif lobe.stats.count and (found := lobe.ask(partial(_ask, lobe, terms), None)):
            reads.append(found)
    return reads


def _read_without(lobe: Lobe, terms: Sequence[str], documents: Collection[str]) -> _Read | None:
    """What the lobe would hold if these documents had never been there."""
    with lobe.lock:
        out = lobe.left_out(documents)
        held = lobe.snapshot
        if held is not None:
            whole = _Read(lobe, held.read(terms), held.stats)
        else:
            whole = lobe.ask(partial(_ask, lobe, terms), None)
    if whole is None or lobe.damaged:
        return None
    stats = out.of(whole.stats)
    return _Read(lobe, _fewer(whole.rows, out), stats, out) if stats.count else None


def _fewer(rows: Mapping[str, bytes], out: LeftOut) -> dict[str, bytes]:
    """The rows without what is left out: those of all its terms in one go."""
    found = dict(rows)
    touched = [term for term in rows if term in out.terms]
    if not touched:
        return found
    whole = np.frombuffer(b"".join([rows[term] for term in touched]), _POSTING)
    stay = ~_are_out(whole["doc"], out)
    left = whole[stay].tobytes()
    counted = np.cumsum(stay)
    ends = np.cumsum([len(rows[term]) // postings.STEP for term in touched])
    start = 0
    for term, end in zip(touched, (counted[ends - 1] * postings.STEP).tolist(), strict=True):
        found[term] = left[start:end]
        start = end
        if not found[term]:
            del found[term]
    return found


def _are_out(docs: NDArray[np.uint32], out: LeftOut) -> NDArray[np.bool_]:
    """Of each number whether its passage is left out."""
    marks = np.frombuffer(out.marks, np.bool_)
    return marks[np.minimum(docs, len(marks) - 1)]


def _ask(lobe: Lobe, terms: Sequence[str], words: sqlite3.Connection) -> _Read | None:
    """Rows and counts of one commit: the caller holds the lobe's lock."""
    return _Read(lobe, postings.read(words, terms), lobe.stats)


def _bases(reads: Sequence[_Read]) -> Ints:
    """Where each lobe's numbers begin; one more at the end."""
    return np.cumsum([0] + [read.stats.top for read in reads], dtype=np.int64)


def _joined(bases: Ints, blobs: Sequence[bytes | None]) -> _Found:
    """One term's postings of every lobe, numbered across the lobes."""
    held = [(place, blob) for place, blob in enumerate(blobs) if blob]
    rows = np.frombuffer(b"".join([blob for _, blob in held]), _POSTING)
    starts = bases[[place for place, _ in held]]
    counts = [len(blob) // postings.STEP for _, blob in held]
    docs = rows["doc"].astype(np.int64) + np.repeat(starts, counts)
    return _Found(docs, rows["tf"].astype(np.float64), rows["length"].astype(np.float64))


def _bm25(reads: Sequence[_Read], found: Mapping[str, _Found], *, passages: int) -> Floats:
    """idf · (k1 + 1) · tf / (tf + k1 · (1 - b + b · length / average)), per passage number."""
    total = sum(read.stats.count for read in reads)
    average = max(1.0, sum(read.stats.length for read in reads) / max(1, total))
    scores = np.zeros(passages, dtype=np.float64)
    for term in sorted(found):
        one = found[term]
        frequency = len(one.docs)
        weight = math.log(1 + (total - frequency + 0.5) / (frequency + 0.5)) * (K1 + 1)
        scores[one.docs] += weight * one.tf / (one.tf + K1 * (1 - B + B * one.length / average))
    return scores


def _best(reads: Sequence[_Read], bases: Ints, scores: Floats, depth: int) -> list[WordHit]:
    """The `depth` best; ties go by id, and many may tie with the last place."""
    numbers = np.flatnonzero(scores)
    found: list[_Hit] = []
    if len(numbers) > depth:
        values = scores[numbers]
        bar = np.partition(values, len(values) - depth)[len(values) - depth]
        numbers = numbers[values > bar]
        found = _tied(reads, bases, scores, float(bar), depth)
    places = np.searchsorted(bases, numbers, side="right") - 1
    docs = numbers - bases[places]
    scored = zip(places.tolist(), docs.tolist(), scores[numbers].tolist(), strict=True)
    for place, own in groupby(scored, key=itemgetter(0)):
        lobe = reads[place].lobe
        by_doc = {doc: score for _, doc, score in own}
        for doc, (id, content_hash) in lobe.named(list(by_doc)).items():
            found.append((-by_doc[doc], id, content_hash, lobe.address))
    found.sort()
    damaged = {read.lobe.address for read in reads if read.lobe.damaged}
    return [
        WordHit(id, content_hash, address, -less)
        for less, id, content_hash, address in found[:depth]
        if address not in damaged
    ]


_Hit = tuple[float, str, str, str]
"""The score's negative, id, content hash and lobe: hits in their order."""


def _tied(
    reads: Sequence[_Read], bases: Ints, scores: Floats, score: float, depth: int
) -> list[_Hit]:
    """Of all passages with exactly this score the `depth` whose ids come first."""
    tied = scores == score
    edges = np.searchsorted(np.flatnonzero(tied), bases).tolist()
    marks, ends = tied.tobytes(), bases.tolist()
    found: list[_Hit] = []
    for place, read in enumerate(reads):
        if edges[place] == edges[place + 1]:
            continue
        upto = found[-1][1] if len(found) == depth else None
        own = read.lobe.least(marks[ends[place] : ends[place + 1]], depth, upto)
        if own:
            found += [(-score, id, content_hash, read.lobe.address) for id, content_hash in own]
            found = sorted(found)[:depth]
    return found


def _expanded(
    reads: Sequence[_Read], bases: Ints, query: Query, without: Without
) -> dict[str, _Found]:
    """The last word while it is being typed: all terms that begin with it, as one term.

    A word typed beyond its stem (`authenticati` of `authent`) is found by its longest beginning.
    """
    counts: Counter[str] = Counter()
    if len(query.last) >= PREFIX_SHORTEST:
        for read in reads:
            counts.update(read.lobe.terms_from(query.last))
            counts.subtract(read.out.terms_from(query.last))
        counts = +counts
    terms = sorted(counts, key=lambda term: (-counts[term], term))[:PREFIX_TERMS]
    if not terms:
        shortest = max(_STEM_SHORTEST, len(query.last) // 2)
        terms = [query.last[:end] for end in range(len(query.last) - 1, shortest - 1, -1)]
    again = _read([read.lobe for read in reads], terms, without)
    if len(again) != len(reads):
        return {}
    if not counts:
        terms = [term for term in terms if any(term in read.rows for read in again)][:1]
    if not terms:
        return {}
    parts = [_joined(bases, [read.rows.get(term) for read in again]) for term in terms]
    docs = np.concatenate([part.docs for part in parts])
    inside = docs < bases[-1]
    counted = np.concatenate([part.tf for part in parts])[inside]
    lengths = np.zeros(bases[-1])
    lengths[docs[inside]] = np.concatenate([part.length for part in parts])[inside]
    summed = np.bincount(docs[inside], counted, minlength=len(lengths)).astype(np.float64)
    merged = np.flatnonzero(summed)
    return {query.last_term: _Found(merged, summed[merged], lengths[merged])}


def _stop_words(reads: Sequence[_Read], bases: Ints, stops: int) -> dict[str, _Found]:
    """A query of nothing but stop words looks at the passages' own lists of them."""
    parts = [np.frombuffer(read.lobe.stop_words(), _STOPS) for read in reads]
    inside = [
        (part["doc"] < read.stats.top) & ~_are_out(part["doc"], read.out)
        for read, part in zip(reads, parts, strict=True)
    ]
    rows = np.concatenate([part[known] for part, known in zip(parts, inside, strict=True)])
    docs = rows["doc"] + np.repeat(bases[:-1], [np.count_nonzero(known) for known in inside])
    found: dict[str, _Found] = {}
    for number, word in enumerate(STOP_WORDS):
        if stops >> number & 1:
            having = np.flatnonzero(rows["bits"][:, number // 8] >> number % 8 & 1)
            if len(having):
                length = rows["length"][having].astype(np.float64)
                found[word] = _Found(docs[having], np.ones(len(having)), length)
    return found
