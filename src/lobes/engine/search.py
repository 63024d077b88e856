"""One search: two legs over exactly the allowed lobes, fused, as ids and scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lobes.engine.analyse import clean, count_words, parse_query
from lobes.engine.embed import Embedder
from lobes.engine.fuse import Background, fuse
from lobes.engine.leaving_out import Without
from lobes.engine.lobe import Lobe
from lobes.engine.meaning import Meaning, MeaningHit, meaning_leg
from lobes.engine.protocol import DEPTH, Candidate, Degraded, SearchReply
from lobes.engine.words import WordHit, words_leg

_WHOLE: Without = {}
_MODEL_CHARACTERS = 2000
"""More than the 256 word pieces that the model reads."""


def search(
    lobes: Sequence[Lobe],
    query: str,
    depth: int,
    *,
    embedder: Embedder | None,
    without: Without = _WHOLE,
) -> SearchReply:
    """The candidates of `lobes` (sorted by address), whose documents in `without` count as if they
    had never been there; without an embedder by words alone."""
    depth = max(depth, DEPTH)
    words = words_leg(lobes, parse_query(query), depth, without)
    meaning, background = _meaning(lobes, query, depth, embedder, without)
    degraded: list[Degraded] = []
    if embedder is None:
        degraded.append("words_only")
    elif any(_waits(lobe, without.get(lobe.address, ())) for lobe in lobes):
        degraded.append("meaning_behind")
    if any(lobe.damaged for lobe in lobes):
        degraded.append("rebuilding")
    return SearchReply(
        candidates=_candidates(words, meaning.hits, background),
        degraded=tuple(degraded),
        words_found=len(words),
        meaning_found=len(meaning.hits),
    )


def _waits(lobe: Lobe, without: Collection[str]) -> bool:
    """Whether a passage waits for its vector, of those that count."""
    if not without:
        return bool(lobe.waiting)
    with lobe.lock:
        return any(document not in without for document, _ in lobe.waiting.values())


def _meaning(
    lobes: Sequence[Lobe],
    query: str,
    depth: int,
    embedder: Embedder | None,
    without: Without,
) -> tuple[Meaning, Background]:
    text = clean(query[:_MODEL_CHARACTERS]).strip()
    if embedder is None or not text:
        return Meaning(), Background()
    found = meaning_leg(lobes, embedder.embed_query(text), depth, without)
    fertility = embedder.pieces(text) / max(1, count_words(text))
    return found, Background(found.mean, found.deviation, found.count, fertility)


def _candidates(
    words: Sequence[WordHit], meaning: Sequence[MeaningHit], background: Background
) -> tuple[Candidate, ...]:
    fused = fuse(
        [(hit.id, hit.score) for hit in words],
        [(hit.id, hit.score) for hit in meaning],
        background,
    )
    by_words = {hit.id: (rank, hit) for rank, hit in enumerate(words, start=1)}
    by_meaning = {hit.id: (rank, hit) for rank, hit in enumerate(meaning, start=1)}
    found: list[Candidate] = []
    for id, score in fused:
        word_rank, word = by_words.get(id, (None, None))
        meaning_rank, near = by_meaning.get(id, (None, None))
        hit = word or near
        if hit is not None:
            found.append(
                Candidate(
                    id=id,
                    content_hash=hit.content_hash,
                    lobe=hit.lobe,
                    score=score,
                    words=word_rank,
                    meaning=meaning_rank,
                    bm25=word.score if word else 0.0,
                    cosine=near.score if near else 0.0,
                )
            )
    return tuple(found)
