"""Confidence-gated convex fusion (CGF2) of the two legs: normalised scores, not ranks.

The weight of the meaning leg follows three signs of how far it can be trusted for this query: how
far its best hit stands out of the searched lobes, how far the words' best hit stands out of its own
tail, and how many word pieces the model needs a word (a foreign language needs many). Ranks alone
(RRF) lose up to 34 points where one leg is lost. Measured in `docs/benchmarks.md`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

# Chosen on paraphrase queries and LoCoMo (one value at a time was varied; W_MAX 0.70 costs 7 points
# of paraphrase recall), the language gate on Spanish XQuAD.
K = 50
W_MAX = 0.75
C_LO, C_HI, C_FLOOR = 0.7, 1.3, 0.2
LEX, LEX_FLOOR = 0.3, 0.3
FERT_LO, FERT_HI = 1.4, 2.0

Scored = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Background:
    """The query's cosine over every passage of the allowed lobes, and the query's fertility.

    `pieces_a_word` is word pieces per word in the model's own vocabulary: 1.0 to 1.1 in English.
    """

    mean: float = 0.0
    deviation: float = 0.0
    count: int = 0
    pieces_a_word: float = 1.0


def standout(scores: Sequence[float]) -> float:
    """How far the first stands out of its own tail: about 1.0 for an exponential tail."""
    own = scores[: K + 1]
    mean = sum(score - own[-1] for score in own[:-1]) / max(1, len(own) - 1)
    return (own[0] - own[-1]) / mean / math.log(K) if mean > 1e-9 else 1.0


def meaning_weight(words: Scored, meaning: Scored, background: Background) -> float:
    """The share of the meaning leg, 0 to `W_MAX`; that leg holds at least one hit.

    Without a hit by words nothing is said against the meaning leg, and nothing for it: its share
    then is how far it can be trusted by itself, so that a lost query scores near 0.
    """
    n, deviation = background.count, background.deviation
    confidence = 0.0
    if n > 1 and deviation > 1e-6:
        # sqrt(2 ln n) deviations is about the largest value that n random passages would give.
        z = (meaning[0][1] - background.mean) / deviation / math.sqrt(2 * math.log(n))
        confidence = (z - C_LO) / (C_HI - C_LO)
    confidence = min(1.0, max(C_FLOOR if words else 0.0, confidence))
    lexical = 1.0
    if words:
        ahead = standout([score for _, score in words]) - standout([score for _, score in meaning])
        lexical = min(1.0, max(LEX_FLOOR, 1 - LEX * ahead))
    language = (FERT_HI - background.pieces_a_word) / (FERT_HI - FERT_LO)
    return W_MAX * confidence * lexical * min(1.0, max(0.0, language))


def fuse(words: Scored, meaning: Scored, background: Background) -> list[tuple[str, float]]:
    """Both legs (best first) as one list with scores in 0..1, equal for equal input.

    Only the first `K` hits of a leg are weighed; what lies deeper follows with score 0 in the order
    of its better rank, so that a deeper search continues the same list.
    """
    near_words, near_meaning = _normalised(words), _normalised(meaning)
    weight = meaning_weight(words, meaning, background) if meaning else 0.0
    scores = {
        id: (1 - weight) * near_words.get(id, 0.0) + weight * near_meaning.get(id, 0.0)
        for id in {**near_words, **near_meaning}
    }
    # Only as deep as every search goes: a deeper one must not order ties in another way.
    cosines = dict(meaning[: K + 1])
    near = sorted(scores, key=lambda id: (-scores[id], -cosines.get(id, -2.0), id))
    ranks: dict[str, int] = {}
    for leg in (words, meaning):
        for rank, (id, _) in enumerate(leg[K:]):
            if id not in scores:
                ranks[id] = min(rank, ranks.get(id, rank))
    far = sorted(ranks, key=lambda id: (ranks[id], id))
    return [(id, min(1.0, scores[id])) for id in near] + [(id, 0.0) for id in far]


def _normalised(hits: Scored) -> dict[str, float]:
    """Min-max over the list's own top `K`; a list shorter than `K` is measured from 0."""
    if not hits:
        return {}
    high = hits[0][1]
    low = hits[K - 1][1] if len(hits) >= K else 0.0
    span = high - low
    return {id: (max(0.0, (score - low) / span) if span > 1e-9 else 1.0) for id, score in hits[:K]}
