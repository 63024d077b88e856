"""`search` and `read_source`: texts as data, each with where it comes from, in pages under a cap.

What may be drawn on, and whether each text may still be read, is decided by the services; of lobes
that were withheld an agent learns at most that a person could allow more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from lobes.domain.display import display_text, one_line
from lobes.domain.errors import Invalid
from lobes.domain.tokens import estimate_tokens
from lobes.mcp.calls import Asked, Document
from lobes.mcp.fields import Arguments
from lobes.mcp.limits import PAGE
from lobes.services.hits import Hit
from lobes.services.reading import Part, Range, Source, is_memory, read_memory, read_source
from lobes.services.search import MOST
from lobes.services.search import search as ask
from lobes.services.uses import count_given

_SIGNS = ("hidden_characters", "reads_like_instruction")
ITEMS = 10
"""Items of a page where nothing is said."""


def search(asked: Asked, given: Arguments) -> Document:
    """A page of what was found, ids first; the whole text of each is for `read_source`."""
    asked.session.limits.may_read()
    start, limit = cursor(given), int(cast("int", given.get("limit", ITEMS)))
    # One more than the page, to know whether there is another.
    wanted = min(start + limit + 1, MOST)
    query = str(given["query"])
    answer = ask(asked.lobes, asked.caller, query, space=asked.space, limit=wanted, counts=False)
    items: list[dict[str, object]] = []
    size = 0
    for hit in answer.items[start : start + limit]:
        item = _item(hit)
        size += _length(item)
        if items and size > PAGE:
            break
        items.append(item)
        thing = f"memory/{hit.id}" if hit.memory else f"document/{hit.document}"
        asked.session.has_had(
            thing, outside=hit.is_from_outside, reason=hit.reason, tokens=_tokens(item)
        )
    count_given(asked.lobes, answer.items[start : start + len(items)])
    asked.session.limits.has_read(sum(_length(one) for one in items))
    after = start + len(items)
    return {
        "items": items,
        "next": str(after) if after < len(answer.items) else None,
        "more_with_approval": answer.more_with_approval,
        "degraded": list(answer.degraded),
    }


def read(asked: Asked, given: Arguments) -> Document:
    """A file, a range of its lines, one passage, or a memory."""
    asked.session.limits.may_read()
    id, first = str(given["id"]), int(cast("int", given.get("first_line", 1)))
    last = cast("int | None", given.get("last_line"))
    if last is not None and last < first:
        raise Invalid("", reason="bad_range")
    skip = cursor(given)
    if is_memory(asked.lobes, id):
        return _memory(asked, id)
    found = read_source(asked.lobes, asked.caller, id, lines=Range(first, last), skip=skip)
    asked.session.limits.has_read(sum(len(one.text) for one in found.parts))
    tokens = sum(estimate_tokens(one.text) for one in found.parts)
    thing = f"document/{found.document}"
    asked.session.has_had(thing, outside=found.is_from_outside, tokens=tokens)
    return _source(found)


def cursor(given: Arguments) -> int:
    """How many the pages before had."""
    sent = str(given.get("cursor", "0"))
    if not (sent.isascii() and sent.isdecimal()):
        raise Invalid("", reason="bad_cursor")
    return int(sent)


def _item(hit: Hit) -> dict[str, object]:
    item: dict[str, object] = {"id": hit.id, "kind": hit.kind, "lobe": hit.lobe}
    if hit.memory is None:
        item |= {
            "document": hit.document,
            "path": one_line(hit.path, limit=300),
            "lines": [hit.first_line, hit.last_line],
        }
    else:
        item["memory"] = {
            "kind": hit.memory.kind,
            "epistemic": hit.memory.epistemic,
            "author": hit.memory.author,
            "from_outside": hit.is_from_outside,
            "contested": hit.memory.is_contested,
            "others": list(hit.memory.others),
            "created": hit.memory.created.date().isoformat(),
        }
    item |= {
        "heading": one_line(hit.place),
        "score": hit.score,
        "reason": hit.reason,
        "sensitivity": hit.sensitivity,
        "excerpt": display_text(hit.snippet),
    }
    if hit.reason == "once":
        # Its approval is used up with this answer, so it couldn't be read afterwards.
        item["text"] = display_text(hit.text, lines=True)
    return item


def _memory(asked: Asked, id: str) -> Document:
    """One memory; what it contradicts stands beside it, as it is never shown alone."""
    found = read_memory(asked.lobes, asked.caller, id)
    memory = found.view.memory
    others = [
        {"id": one.memory.id, "statement": display_text(one.memory.statement, lines=True)}
        for one in found.others
    ]
    document: dict[str, object] = {
        "id": memory.id,
        "kind": "memory",
        "lobe": str(memory.lobe),
        "statement": display_text(memory.statement, lines=True),
        "memory": {
            "kind": memory.kind,
            "class": memory.memory_class,
            "epistemic": memory.epistemic,
            "subject": one_line(memory.subject),
            "author": memory.author,
            "from_outside": memory.is_from_outside,
            "contested": memory.status == "disputed",
            "others": others,
            "created": memory.created.date().isoformat(),
        },
        "sensitivity": memory.level,
        "signs": [one for one in found.view.flags if one in _SIGNS],
    }
    asked.session.limits.has_read(_length(document))
    outside = any(one.memory.is_from_outside for one in (found.view, *found.others))
    thing = f"memory/{memory.id}"
    asked.session.has_had(thing, outside=outside, tokens=_tokens(document))
    return document


def _source(found: Source) -> Document:
    return {
        "id": found.document,
        "kind": "document",
        "lobe": str(found.lobe),
        "path": one_line(found.path, limit=300),
        "title": one_line(found.title),
        "role": found.role,
        "sensitivity": found.level,
        "detectors": list(found.detectors),
        "content_hash": found.content_hash,
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


def _tokens(item: Mapping[str, object]) -> int:
    return sum(estimate_tokens(str(value)) for value in item.values())


def _length(item: Mapping[str, object]) -> int:
    return sum(len(str(value)) for value in item.values())
