"""`search` and `read_source`: texts as data, each with where it comes from, in pages under a cap.

What may be drawn on, and whether each text may still be read, is decided by the services; of lobes
that were withheld an agent learns at most that a person could allow more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from lobes.domain.display import display_text, one_line
from lobes.domain.errors import Invalid
from lobes.mcp.calls import Asked, Document
from lobes.mcp.fields import Arguments
from lobes.mcp.limits import PAGE
from lobes.services.reading import Part, Range, Source, read_source
from lobes.services.search import MOST, Hit
from lobes.services.search import search as ask

ITEMS = 10
"""Items of a page where nothing is said."""


def search(asked: Asked, given: Arguments) -> Document:
    """A page of what was found, ids first; the whole text of each is for `read_source`."""
    asked.limits.may_read()
    start, limit = _cursor(given), int(cast("int", given.get("limit", ITEMS)))
    actor = asked.caller.actor
    space = getattr(actor, "space", "")
    # One more than the page, to know whether there is another.
    wanted = min(start + limit + 1, MOST)
    answer = ask(asked.lobes, asked.caller, str(given["query"]), space=space, limit=wanted)
    items: list[dict[str, object]] = []
    size = 0
    for hit in answer.items[start : start + limit]:
        item = _item(hit)
        size += _length(item)
        if items and size > PAGE:
            break
        items.append(item)
    asked.limits.has_read(sum(_length(one) for one in items))
    after = start + len(items)
    return {
        "items": items,
        "next": str(after) if after < len(answer.items) else None,
        "more_with_approval": answer.more_with_approval,
        "degraded": list(answer.degraded),
    }


def read(asked: Asked, given: Arguments) -> Document:
    """A file, a range of its lines, or one passage."""
    asked.limits.may_read()
    first = int(cast("int", given.get("first_line", 1)))
    last = cast("int | None", given.get("last_line"))
    if last is not None and last < first:
        raise Invalid("", reason="bad_range")
    found = read_source(
        asked.lobes,
        asked.caller,
        str(given["id"]),
        lines=Range(first, last),
        skip=_cursor(given),
    )
    asked.limits.has_read(sum(len(one.text) for one in found.parts))
    return _source(found)


def _cursor(given: Arguments) -> int:
    cursor = str(given.get("cursor", "0"))
    if not (cursor.isascii() and cursor.isdecimal()):
        raise Invalid("", reason="bad_cursor")
    return int(cursor)


def _item(hit: Hit) -> dict[str, object]:
    item: dict[str, object] = {
        "id": hit.id,
        "kind": hit.kind,
        "document": hit.document,
        "lobe": hit.lobe,
        "path": one_line(hit.path, limit=300),
        "heading": one_line(hit.place),
        "lines": [hit.first_line, hit.last_line],
        "score": hit.score,
        "reason": hit.reason,
        "sensitivity": hit.sensitivity,
        "excerpt": display_text(hit.snippet),
    }
    if hit.reason == "once":
        # Its approval is used up with this answer, so it couldn't be read afterwards.
        item["text"] = display_text(hit.text, lines=True)
    return item


def _source(found: Source) -> Document:
    return {
        "id": found.document,
        "kind": "document",
        "lobe": f"space/{found.space}",
        "path": one_line(found.path, limit=300),
        "title": one_line(found.title),
        "role": found.role,
        "sensitivity": found.level,
        "detectors": list(found.detectors),
        "parts": [_part(one) for one in found.parts],
        "next": None if found.next is None else str(found.next),
    }


def _part(part: Part) -> Mapping[str, object]:
    return {
        "id": part.id,
        "heading": one_line(part.heading),
        "lines": [part.first_line, part.last_line],
        "text": display_text(part.text, lines=True),
    }


def _length(item: Mapping[str, object]) -> int:
    return sum(len(str(value)) for value in item.values())
