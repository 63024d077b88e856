"""Retrieval quality as rows of the page: recall@10 and nDCG@10, in percent."""

from __future__ import annotations

from tests.bench import retrieval
from tests.bench.rows import Figure

GROUP = "Retrieval quality"


def measure() -> list[Figure]:
    scored = retrieval.measure()
    if not scored:
        note = "LOBES_EVAL_DATA names the folder of LoCoMo, Cranfield, XQuAD and the paraphrases"
        return [Figure(GROUP, "all sets", "not measured: the data isn't here", "", note=note)]
    return [_row(one) for one in scored]


def _row(one: retrieval.Figure) -> Figure:
    asked = one.least_recall is not None or one.least_ndcg is not None
    return Figure(
        GROUP,
        f"{one.set}, {one.leg}",
        f"{one.recall:.1f} / {one.ndcg:.1f}",
        f"≥ {one.least_recall or 0:g} / {one.least_ndcg or 0:g}" if asked else "",
        met=one.passes if asked else None,
    )
