"""Which rows of the audit are wanted, and the SQL that finds them; every value is bound.

Resources and decisions are stored as JSON without blanks, and no id holds a quote, so an address in
its quotes is found by `instr`, five times as fast as by taking the JSON apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from lobes.store.audit_repeats import DENIED

READ_VERBS = ("read_meta", "read_content", "read_chat")


@dataclass(frozen=True, slots=True)
class Word:
    """A word that must occur: in the column `field` ("" for any), or as one of `addresses`."""

    text: str
    field: str = ""
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows: all of what is set must hold.

    `before` is a row's number, `after` too. `space` finds rows that name the Space or decide on
    it, `resource` an address to the letter. `event` may end in `*`. `actor` is one as it is
    written, or the part of it up to its `@`.
    """

    before: int | None = None
    after: int | None = None
    event: str | None = None
    space: str | None = None
    resource: str | None = None
    actor: str | None = None
    since: datetime | None = None
    denied: bool | None = None
    reads: bool | None = None
    words: tuple[Word, ...] = ()

    def without_page(self) -> Wanted:
        """The same rows from the first on, for counting them."""
        return replace(self, before=None, after=None)


FIELDS = {"who": "actor", "verb": "verb", "what": "resources", "answer": "answer", "by": "channel"}
"""The name of a field in a filter → its column."""
_ANYWHERE = "lower({})".format(
    " || ' ' || ".join(("event", "actor", "verb", "resources", "answer", "channel"))
)


def conditions(wanted: Wanted) -> tuple[str, dict[str, Any]]:
    """The text behind WHERE, and its values."""
    parts, values = ["1"], dict[str, Any]()
    for sql, name, value in _simple(wanted):
        if value is not None:
            parts.append(sql)
            values[name] = value
    if wanted.denied is not None:
        parts.append(f"event {'=' if wanted.denied else '<>'} '{DENIED}'")
    if wanted.reads is not None:
        verbs = ", ".join(f"'{verb}'" for verb in READ_VERBS)
        parts.append(f"verb {'IN' if wanted.reads else 'NOT IN'} ({verbs})")
    for number, word in enumerate(wanted.words):
        parts.append(_word(word, f"w{number}", values))
    return " AND ".join(f"({part})" for part in parts), values


def _simple(wanted: Wanted) -> Iterator[tuple[str, str, Any]]:
    event = wanted.event
    yield "seq < :before", "before", wanted.before
    yield "seq > :after", "after", wanted.after
    if event is not None and event.endswith("*"):
        yield "substr(event, 1, length(:event)) = :event", "event", event[:-1]
    else:
        yield "event = :event", "event", event
    actor = wanted.actor
    yield "actor = :actor OR substr(actor, 1, length(:actor) + 1) = :actor || '@'", "actor", actor
    since = wanted.since
    yield "at >= :since", "since", None if since is None else since.astimezone(UTC).isoformat()
    space = None if wanted.space is None else f"space/{wanted.space}"
    yield _names("space"), "space", space
    yield _names("resource"), "resource", wanted.resource


def _names(name: str) -> str:
    """A row that names this address among its resources, or decides on it."""
    return (
        f"instr(resources, '\"' || :{name} || '\"') OR instr(decisions, '[\"' || :{name} || '\",')"
    )


def _word(word: Word, name: str, values: dict[str, Any]) -> str:
    column = FIELDS.get(word.field)
    place = _ANYWHERE if column is None else f"lower({column})"
    values[name] = word.text.lower()
    parts = [f"instr({place}, :{name})"]
    if word.field in ("", "what"):
        for number, address in enumerate(word.addresses):
            values[f"{name}_{number}"] = f'"{address}"'
            parts.append(f"instr(resources, :{name}_{number})")
    return " OR ".join(parts)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who read: how often, refused how often, when last, and of which Spaces."""

    actor: str
    reads: int
    refused: int
    last: datetime
    spaces: tuple[str, ...]
