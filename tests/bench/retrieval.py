"""Retrieval quality on real questions, through the whole index: a row for each set and leg.

The sets are evaluation data and never shipped: `LOBES_EVAL_DATA` names their folder, or they lie
in `../shared/data` beside the checkout. Vectors are kept in a temporary folder between runs.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from lobes.domain.passages import StoredPassage
from lobes.engine.analyse import analyse, clean, count_words, parse_query
from lobes.engine.fuse import Background, fuse
from lobes.engine.lobe import Lobe
from lobes.engine.meaning import meaning_leg
from lobes.engine.minilm import MiniLm
from lobes.engine.postings import Entry
from lobes.engine.protocol import DEPTH
from lobes.engine.texts import embed_key, embedded_texts, heading_line
from lobes.engine.vectors import Row, halves
from lobes.engine.words import words_leg

LEGS = ("words", "meaning", "fused")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: percent, and what it must reach (None: nothing is asked)."""

    set: str
    leg: str
    recall: float
    ndcg: float
    least_recall: float | None = None
    least_ndcg: float | None = None

    @property
    def passes(self) -> bool:
        return self.recall >= (self.least_recall or 0) and self.ndcg >= (self.least_ndcg or 0)


@dataclass(slots=True)
class Question:
    """A query, the lobes it may search and the ids that answer it."""

    text: str
    lobes: tuple[str, ...]
    relevant: frozenset[str]


@dataclass(slots=True)
class Collection:
    """Passages by lobe, questions, and the budgets by leg."""

    name: str
    passages: dict[str, list[StoredPassage]]
    questions: list[Question]
    least: dict[str, tuple[float, float]] = field(default_factory=dict)


def data_folder() -> Path | None:
    named = os.environ.get("LOBES_EVAL_DATA")
    folder = Path(named) if named else Path(__file__).parents[3] / "shared" / "data"
    return folder if folder.is_dir() else None


def measure(wanted: Sequence[str] = ()) -> list[Figure]:
    """A row for each set and leg; empty where the data isn't there."""
    folder = data_folder()
    if folder is None:
        return []
    model = MiniLm(threads=os.cpu_count() or 1)
    rows: list[Figure] = []
    for collection in collections(folder):
        if not wanted or any(name in collection.name for name in wanted):
            rows += scored(collection, model)
    return rows


def collections(folder: Path) -> Iterator[Collection]:
    for name, least in SHAPED.items():
        yield shaped(folder / "retrieval-eval" / f"{name}.json", name, least)
    yield cranfield(folder / "cranfield")
    raw = json.loads((folder / "locomo" / "locomo10.json").read_text(encoding="utf-8"))
    yield locomo(raw, "LoCoMo", context=False, together=False)
    yield locomo(raw, "LoCoMo with context", context=True, together=False)
    yield locomo(raw, "LoCoMo with context, ten lobes", context=True, together=True)


SHAPED: dict[str, dict[str, tuple[float, float]]] = {
    "paraphrase": {"fused": (77, 47)},
    "xquad-en": {},
    "xquad-de": {},
    "xquad-es": {},
    "xquad-zh": {"words": (98, 0), "fused": (98, 0)},
}


def passage(id: str, lobe: str, document: str, ordinal: int, text: str) -> StoredPassage:
    return StoredPassage(id, document, lobe, ordinal, "", "", text, f"hash-{id}")


def shaped(path: Path, name: str, least: dict[str, tuple[float, float]]) -> Collection:
    raw = json.loads(path.read_text(encoding="utf-8"))
    lobe = "space/all"
    passages = [passage(d["id"], lobe, d["id"], 0, d["text"]) for d in raw["docs"]]
    questions = [Question(q["text"], (lobe,), frozenset(q["rel"])) for q in raw["queries"]]
    return Collection(name, {lobe: passages}, questions, least)


def cranfield(folder: Path) -> Collection:
    lobe = "space/all"
    passages: list[StoredPassage] = []
    for part in re.split(r"^\.I ", (folder / "cran.all.1400").read_text(), flags=re.M)[1:]:
        number, _, rest = part.partition("\n")
        title = re.search(r"^\.T\n(.*?)^\.A", rest, re.M | re.S)
        body = re.search(r"^\.W\n(.*)", rest, re.M | re.S)
        text = f"{title[1] if title else ''}\n{body[1] if body else ''}".strip()
        passages.append(passage(number.strip(), lobe, number.strip(), 0, text))
    texts = [
        part.partition(".W\n")[2].strip()
        for part in re.split(r"^\.I ", (folder / "cran.qry").read_text(), flags=re.M)[1:]
    ]
    relevant: dict[int, set[str]] = {}
    for line in (folder / "cranqrel").read_text().splitlines():
        query, document, grade = line.split()[:3]
        if int(grade) > 0:
            relevant.setdefault(int(query), set()).add(document)
    questions = [
        Question(text, (lobe,), frozenset(relevant[number]))
        for number, text in enumerate(texts, start=1)
        if number in relevant
    ]
    return Collection("Cranfield", {lobe: passages}, questions, {"words": (39, 38)})


def locomo(raw: list[dict], name: str, *, context: bool, together: bool) -> Collection:
    """Turns as passages; with context each session is a document, else each turn is one."""
    passages: dict[str, list[StoredPassage]] = {}
    questions: list[Question] = []
    lobes = tuple(f"space/talk-{number}" for number in range(len(raw)))
    for number, (lobe, talk) in enumerate(zip(lobes, raw, strict=True)):
        said = talk["conversation"]
        own: list[StoredPassage] = []
        for key in sorted((k for k in said if re.fullmatch(r"session_\d+", k)), key=len):
            for ordinal, turn in enumerate(said[key]):
                id = f"{number}:{turn['dia_id']}"
                text = f"{turn['speaker']}: {turn['text']}"
                if turn.get("blip_caption"):
                    text += f" [{turn['blip_caption']}]"
                document = f"{number}:{key}" if context else id
                own.append(passage(id, lobe, document, ordinal, text))
        passages[lobe] = own
        known = {one.id for one in own}
        for asked in talk["qa"]:
            cited = re.split(r"[;\s]+", " ".join(asked.get("evidence", [])))
            answer = {f"{number}:{one}" for one in cited} & known
            if asked["category"] != 5 and answer:
                where = lobes if together else (lobe,)
                questions.append(Question(asked["question"], where, frozenset(answer)))
    if together:
        least = {"fused": (60.0, 45.0)}
    else:
        least = {"words": (60.0, 46.0), "fused": (65.0, 50.0) if context else (61.5, 47.0)}
    return Collection(name, passages, questions, least)


def scored(collection: Collection, model: MiniLm) -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        lobes = {
            address: filled(Path(name), address, passages, model)
            for address, passages in collection.passages.items()
        }
        sums = {leg: np.zeros(2) for leg in LEGS}
        for question in collection.questions:
            for leg, found in answers(question, lobes, model).items():
                sums[leg] += figures(found[:10], question.relevant)
        for lobe in lobes.values():
            lobe.release()
    share = 100 / len(collection.questions)
    return [
        Figure(collection.name, leg, *(sums[leg] * share).tolist(), *collection.least.get(leg, ()))
        for leg in LEGS
    ]


def filled(folder: Path, address: str, passages: Sequence[StoredPassage], model: MiniLm) -> Lobe:
    """A lobe of the index with words and vectors, its vectors from the cache where they are."""
    path = folder / address.replace("/", "-")
    lobe = Lobe(address, path, model=model.id, dim=model.dim, step=lambda _: None)
    lobe.open()
    texts = list(embedded_texts(passages))
    lobe.replace(
        {one.document_id: "hash" for one in passages},
        [
            Entry(one.id, one.document_id, one.content_hash, embed_key(model.id, text),
                  analyse(heading_line(one.title, one.heading), one.text))
            for one, text in texts
        ],
    )  # fmt: skip
    vectors = cached([text for _, text in texts], model)
    lobe.add(
        Row(one.id, embed_key(model.id, text), vector)
        for (one, text), vector in zip(texts, vectors, strict=True)
    )
    return lobe


def cached(texts: Sequence[str], model: MiniLm) -> list[bytes]:
    cache = Path(tempfile.gettempdir()) / "lobes-bench-vectors"
    cache.mkdir(exist_ok=True)
    digest = hashlib.sha256("\0".join([model.id, "alone", *texts]).encode()).hexdigest()
    path = cache / f"{digest[:32]}.npy"
    if not path.exists():
        np.save(path, model.embed_documents(texts))
    return halves(np.load(path))


def answers(question: Question, lobes: dict[str, Lobe], model: MiniLm) -> dict[str, list[str]]:
    """Ids by leg, best first: what `engine.search` puts together."""
    allowed = [lobes[address] for address in sorted(question.lobes)]
    text = clean(question.text)
    words = words_leg(allowed, parse_query(question.text), DEPTH)
    meaning = meaning_leg(allowed, model.embed_query(text), DEPTH)
    fertility = model.pieces(text) / max(1, count_words(text))
    fused = fuse(
        [(hit.id, hit.score) for hit in words],
        [(hit.id, hit.score) for hit in meaning.hits],
        Background(meaning.mean, meaning.deviation, meaning.count, fertility),
    )
    return {
        "words": [hit.id for hit in words],
        "meaning": [hit.id for hit in meaning.hits],
        "fused": [id for id, _ in fused],
    }


def figures(found: Sequence[str], relevant: frozenset[str]) -> np.ndarray:
    """recall@10 and nDCG@10 with binary relevance."""
    gains = [1 / math.log2(rank + 2) for rank, id in enumerate(found) if id in relevant]
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(10, len(relevant))))
    return np.array([len(gains) / len(relevant), sum(gains) / ideal])


def main(say: Callable[[str], None] = print) -> int:
    rows = measure(sys.argv[1:])
    for row in rows:
        least = f"≥ {row.least_recall:g} / {row.least_ndcg:g}" if row.least_recall else ""
        mark = "" if row.passes else "  MISSED"
        say(f"{row.set:32} {row.leg:8} {row.recall:5.1f} / {row.ndcg:4.1f}  {least}{mark}")
    return 0 if all(row.passes for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
