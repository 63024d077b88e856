"""Who read what, added up from the audit's rows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from lobes.store.audit_query import Reader


@dataclass
class _Sum:
    reads: int = 0
    refused: int = 0
    last: str = ""
    spaces: dict[str, None] = field(default_factory=dict[str, None])


def added_up(rows: Iterable[tuple[Any, ...]], *, of: str | None) -> tuple[Reader, ...]:
    """One `Reader` for each actor, the busiest first; `of` is an address, None for all.

    A row that was only counted stands for `repeated` reads. A search reads each lobe that it drew
    on; what a decision withheld from it was not read and is no refusal of the reader.
    """
    sums: dict[str, _Sum] = {}
    for actor, at, resources, decisions, counts, is_denied in rows:
        one = sums.setdefault(actor, _Sum())
        times = int(json.loads(counts).get("repeated", 1)) if counts != "{}" else 1
        read = _addresses(resources, decisions)
        if of is not None and of not in read:
            continue
        one.last = max(one.last, at)
        if is_denied:
            one.refused += times
            continue
        one.reads += times
        one.spaces.update(dict.fromkeys(read))
    found = [
        Reader(actor, one.reads, one.refused, datetime.fromisoformat(one.last), _spaces(one))
        for actor, one in sums.items()
        if one.last
    ]
    return tuple(sorted(found, key=lambda one: (-one.reads, -one.refused, one.actor)))


@lru_cache(4096)  # the same Spaces are read again and again
def _addresses(resources: str, decisions: str) -> tuple[str, ...]:
    named: list[str] = json.loads(resources)
    drawn_on = (lobe for lobe, _, allowed in json.loads(decisions) if allowed)
    return (*named, *drawn_on)


def _spaces(one: _Sum) -> tuple[str, ...]:
    return tuple(sorted(a.partition("/")[2] for a in one.spaces if a.startswith("space/")))
