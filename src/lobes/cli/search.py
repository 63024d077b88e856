"""`search`: ask a Space."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import click

from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.words import TEXT
from lobes.domain.actors import is_human
from lobes.services.hits import Hit, Recalled
from lobes.services.search import MOST, Answer
from lobes.services.search import search as ask


@click.command()
@click.argument("query", type=TEXT)
@click.option("-k", "limit", type=click.IntRange(1, MOST), help="How many answers at most.")
@click.option("--explain", is_flag=True, help="Show the parts of each score, and what is withheld.")
@global_options
def search(session: Session, *, query: str, limit: int | None, explain: bool) -> None:
    """Ask the Space of --space; each answer says from which lobe it comes and why."""
    with session.opened() as (lobes, caller):
        answer = ask(
            lobes,
            caller,
            query,
            space=session.needed_space(caller),
            limit=limit or lobes.settings.search_results,
        )
        to_human = is_human(caller.actor)
    show(session, _document(answer, to_human=to_human), lambda: _lines(answer, explain=explain))


def _document(answer: Answer, *, to_human: bool) -> dict[str, Any]:
    withheld: object = {"more_with_approval": answer.more_with_approval}
    if to_human:
        withheld = [
            {"lobe": one.lobe, "name": one.name, "reason": one.reason, "sentence": one.sentence}
            for one in answer.withheld
        ]
    return {
        "items": [_item(hit) for hit in answer.items],
        "withheld": withheld,
        "degraded": list(answer.degraded),
        "took_ms": answer.took_ms,
    }


def _item(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit.id,
        "kind": hit.kind,
        "lobe": hit.lobe,
        "space": hit.space,
        "path": hit.path,
        "role": hit.role,
        "title": hit.title,
        "heading": hit.heading,
        "lines": [hit.first_line, hit.last_line],
        "snippet": hit.snippet,
        "score": hit.score,
        "scores": {
            "fused": hit.fused,
            "weight": hit.weight,
            "words": hit.words,
            "meaning": hit.meaning,
            **_factors(hit.memory),
        },
        "reason": hit.reason,
        "sentence": hit.sentence,
        "sensitivity": hit.sensitivity,
        "detectors": list(hit.detectors),
        **(_of_a_memory(hit.memory) if hit.memory else {}),
    }


def _factors(memory: Recalled | None) -> dict[str, float]:
    return {"freshness": memory.freshness, "evidence": memory.evidence} if memory else {}


def _of_a_memory(memory: Recalled) -> dict[str, Any]:
    """What only a memory has; `contradicted_by` are ids of answers that stand beside it."""
    return {
        "memory_kind": memory.kind,
        "class": memory.memory_class,
        "status": memory.status,
        "contested": memory.is_contested,
        "contradicted_by": list(memory.others),
        "epistemic": memory.epistemic,
        "author": memory.author,
        "derived_from_external": memory.is_external,
        "stale": memory.is_stale,
        "created": memory.created.isoformat(),
        "valid_to": memory.valid_to.isoformat() if memory.valid_to else None,
        "version": memory.version,
    }


def _lines(answer: Answer, *, explain: bool) -> Iterable[str]:
    for hit in answer.items:
        yield f"{hit.score:.2f}  {shown(hit.place)}"
        yield f"      {hit.reason}  {shown(hit.lobe)}  {_where(hit)}"
        yield f"      {shown(hit.snippet)}"
        if explain:
            words = f"{hit.words}." if hit.words else "–"
            meaning = f"{hit.meaning}." if hit.meaning else "–"
            yield (
                f"      {shown(hit.sentence)}  words {words}  meaning {meaning}"
                f"  fused {hit.fused:.2f} × {hit.weight:.2f}{_more_factors(hit.memory)}"
            )
    if not answer.items:
        yield f"Nothing found in {len(answer.drawn_on)} lobes."
    if explain:
        for one in answer.withheld:
            yield f"withheld  {shown(one.lobe)}  {one.reason}  {shown(one.sentence)}"
    elif answer.withheld:
        codes = Counter(one.reason for one in answer.withheld)
        counted = ", ".join(f"{count} {code}" for code, count in sorted(codes.items()))
        yield f"Withheld {len(answer.withheld)}: {counted}. --explain says why."
    if "rebuilding" in answer.degraded:
        yield "The index is being made, so something may be missing: ask again in a moment."
    if "words_only" in answer.degraded:
        yield "Searched by words only."


def _where(hit: Hit) -> str:
    """The file and line; for a memory that it is one, and what is to be known of it."""
    if hit.memory is None:
        return f"{shown(hit.path)}:{hit.first_line}"
    memory = hit.memory
    told = ["memory", memory.kind.replace("_", " "), f"by {memory.author}"]
    told += ["contested"] if memory.is_contested else []
    told += ["stale"] if memory.is_stale else []
    told += ["from outside"] if hit.is_from_outside else []
    return ", ".join(told)


def _more_factors(memory: Recalled | None) -> str:
    if memory is None:
        return ""
    return f" × fresh {memory.freshness:.2f} × evidence {memory.evidence:.2f}"
