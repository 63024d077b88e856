"""How fast the index is: words indexed, searches over few and many lobes, embedding against a loop.

Passages are cut from the texts of the evaluation data; their vectors are random, for only the
number of them counts here. Figures are medians and 95th percentiles in milliseconds.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from tests.bench.retrieval import data_folder

from lobes.engine.analyse import analyse
from lobes.engine.lobe import Lobe
from lobes.engine.minilm import MiniLm
from lobes.engine.postings import Entry
from lobes.engine.protocol import DEPTH
from lobes.engine.search import search
from lobes.engine.shelf import open_files
from lobes.engine.vectors import Row, halves

SEED = 7
WORDS_A_PASSAGE = 55


@dataclass(frozen=True, slots=True)
class Speed:
    """`value` in `unit`; `least` or `most` is the budget, where there is one."""

    what: str
    value: float
    unit: str
    budget: str = ""


def measure(passages: int = 100_000) -> list[Speed]:
    """Rows for the tables of the documentation; empty where the data isn't there."""
    folder = data_folder()
    if folder is None:
        return []
    open_files()
    raw = json.loads((folder / "retrieval-eval" / "paraphrase.json").read_text(encoding="utf-8"))
    words = " ".join(doc["text"] for doc in raw["docs"]).split()
    queries = [query["text"] for query in raw["queries"]]
    model = MiniLm()
    model.load()
    rows = embedding(words, model)
    for lobes, most in ((10, 40), (1000, 100)):
        rows += searching(words, queries, model, passages=passages, lobes=lobes, most=most)
    return rows


def passages_of(words: Sequence[str], count: int, seed: int) -> list[str]:
    pick = random.Random(seed)
    starts = [pick.randrange(len(words) - WORDS_A_PASSAGE) for _ in range(count)]
    return [" ".join(words[start : start + WORDS_A_PASSAGE]) for start in starts]


def embedding(words: Sequence[str], model: MiniLm) -> list[Speed]:
    """Texts a second, against a loop that hands the same session batches of 32 as they come."""
    texts = passages_of(words, 128, SEED)
    ours = timed(lambda: model.embed_documents(texts))
    bare = timed(lambda: bare_loop(model, texts))
    return [
        Speed("embedding, texts a second", len(texts) / ours, "1/s"),
        Speed("embedding against a bare loop", bare / ours, "×", "≥ 0.85"),
    ]


def bare_loop(model: MiniLm, texts: Sequence[str]) -> None:
    for start in range(0, len(texts), 32):
        tokens = [model._tokenizer.encode(text).ids for text in texts[start : start + 32]]
        longest = max(map(len, tokens))
        ids = np.zeros((len(tokens), longest), np.int64)
        mask = np.zeros_like(ids)
        for row, own in enumerate(tokens):
            ids[row, : len(own)] = own
            mask[row, : len(own)] = 1
        model._session.run(["embedding"], {"input_ids": ids, "attention_mask": mask})


def searching(
    words: Sequence[str], queries: Sequence[str], model: MiniLm, *, passages: int, lobes: int,
    most: int,
) -> list[Speed]:  # fmt: skip
    name = f"{passages:,} passages, {lobes:,} lobes"
    with tempfile.TemporaryDirectory() as folder:
        made: list[Lobe] = []
        spent = 0.0
        for number in range(lobes):
            lobe = Lobe(f"space/s{number:04}", Path(folder) / f"s{number}", model=model.id,
                        dim=model.dim, step=lambda _: None)  # fmt: skip
            lobe.open()
            spent += filled(lobe, passages_of(words, passages // lobes, number), number)
            made.append(lobe)
        taken: list[float] = []
        for query in queries[:10] + queries:
            ask = partial(search, made, query, DEPTH, embedder=model)
            taken.append(timed(ask) * 1000)
        taken = sorted(taken[10:])
        for lobe in made:
            lobe.release()
    return [
        Speed(f"{name}: words indexed", passages / spent, "1/s"),
        Speed(f"{name}: search p50", taken[len(taken) // 2], "ms"),
        Speed(f"{name}: search p95", taken[int(len(taken) * 0.95)], "ms", f"≤ {most}"),
    ]


def filled(lobe: Lobe, texts: Sequence[str], seed: int) -> float:
    """Seconds that the words took; the vectors come without being asked of a model."""
    ids = [f"{lobe.address}-{number:06}" for number in range(len(texts))]
    spent = 0.0
    for start in range(0, len(texts), 2000):
        some = list(zip(ids, texts, strict=True))[start : start + 2000]

        def write(some: list[tuple[str, str]] = some) -> None:
            entries = [Entry(id, id, id, id.encode(), analyse(text)) for id, text in some]
            lobe.replace({id: id for id, _ in some}, entries)

        spent += timed(write)
    vectors = np.random.default_rng(seed).normal(size=(len(ids), 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    lobe.add(Row(id, id.encode(), one) for id, one in zip(ids, halves(vectors), strict=True))
    lobe.matrix()
    return spent


def timed(do: Callable[[], object]) -> float:
    start = time.perf_counter()
    do()
    return time.perf_counter() - start


def main(say: Callable[[str], None] = print) -> int:
    for row in measure(*map(int, sys.argv[1:])):
        say(f"{row.what:48} {row.value:9.1f} {row.unit:4} {row.budget}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
