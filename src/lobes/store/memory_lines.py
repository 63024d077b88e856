"""A memory as one line of JSON, with its versions and links: nothing of it is lost on the way.

Read strictly: a line with a missing or unknown field, another type or a word that isn't one of ours
is `Invalid`, and names its number alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast, get_args

from lobes.domain.errors import Invalid
from lobes.domain.ids import LobeAddress, is_ulid
from lobes.domain.memories import (
    CLASSES,
    EPISTEMICS,
    KINDS,
    LONGEST,
    STATUSES,
    Author,
    Link,
    LinkKind,
    Memory,
    Provenance,
    Version,
    Wait,
    statement_hash,
)
from lobes.domain.permissions import dump_permission, parse_permission
from lobes.domain.sensitivity import LEVELS, parse_level
from lobes.domain.strict_json import loads_strict
from lobes.store.read_sensitivity import (
    dump_findings,
    dump_setting,
    parse_findings,
    parse_setting,
)

LONGEST_LINE = 4 << 20
_MOMENTS = (
    "created",
    "updated",
    "verified",
    "keep_until",
    "valid_from",
    "valid_to",
    "last_retrieved",
)
_TEXTS = ("person", "subject", "category", "replaces")
_WORDS: dict[str, tuple[str, ...]] = {
    "kind": KINDS,
    "class": CLASSES,
    "epistemic": EPISTEMICS,
    "status": STATUSES,
    "author": get_args(Author),
    "level": LEVELS,
}


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """`links` are those that begin or end at it."""

    memory: Memory
    versions: tuple[Version, ...]
    links: tuple[Link, ...]


def dump_line(line: MemoryLine) -> str:
    one, came = line.memory, line.memory.provenance
    data: dict[str, object] = {
        "id": one.id,
        "statement": one.statement,
        "kind": one.kind,
        "class": one.memory_class,
        "epistemic": one.epistemic,
        "status": one.status,
        "author": one.author,
        "level": one.level,
        "given": one.given,
        **{name: getattr(one, name) for name in _TEXTS},
        **{name: _stamp(getattr(one, name)) for name in _MOMENTS},
        "confidence": one.confidence,
        "provenance": {
            "source": came.source,
            "session": came.session,
            "client": came.client,
            "tool": came.tool,
            "ref": came.ref,
            "evidence": list(came.evidence),
            "is_external": came.is_external,
        },
        "findings": json.loads(dump_findings(one.findings)),
        "classifier": one.classifier,
        "setting": None if one.setting is None else json.loads(dump_setting(one.setting)),
        "permission": (
            None if one.permission is None else json.loads(dump_permission(one.permission))
        ),
        "waits_for": list(one.waits_for),
        "use_count": one.use_count,
        "version": one.version,
        "versions": [
            {
                "version": each.version,
                "statement": each.statement,
                "status": each.status,
                "act": each.act,
                "actor": each.actor,
                "reason": each.reason,
                "at": each.at.isoformat(),
            }
            for each in line.versions
        ],
        "links": [
            [each.kind, each.memory, each.other, each.since.isoformat()] for each in line.links
        ],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def parse_lines(text: str, lobe: LobeAddress) -> list[MemoryLine]:
    """All lines, or `Invalid` (`bad_export`) with the number of the first that can't be read."""
    found: list[MemoryLine] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        try:
            if len(line) > LONGEST_LINE:
                raise ValueError("too long")
            found.append(_parsed(cast("dict[str, Any]", loads_strict(line)), lobe))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Invalid(
                f"Line {number} of memories.jsonl can't be read; nothing was imported.",
                hint="Export it anew.",
                reason="bad_export",
            ) from error
    return found


def _parsed(data: dict[str, Any], lobe: LobeAddress) -> MemoryLine:
    id, statement, came = data["id"], data["statement"], data["provenance"]
    moments = {name: _moment(data[name]) for name in _MOMENTS}
    created, updated = moments.pop("created"), moments.pop("updated")
    if not is_ulid(id) or created is None or updated is None:
        raise ValueError("no id or no time")
    _check(data, statement)
    level = parse_level(data["level"])
    assert level is not None
    permission = data["permission"]
    memory = Memory(
        id=id,
        lobe=lobe,
        statement=statement,
        kind=data["kind"],
        memory_class=data["class"],
        epistemic=data["epistemic"],
        status=data["status"],
        author=data["author"],
        content_hash=statement_hash(statement),
        created=created,
        updated=updated,
        provenance=Provenance(
            *(_text(came[one]) for one in ("source", "session", "client", "tool", "ref")),
            evidence=tuple(_text(one) for one in came["evidence"]),
            is_external=bool(came["is_external"]),
        ),
        confidence=data["confidence"],
        level=level,
        given=parse_level(data["given"]),
        findings=parse_findings(json.dumps(data["findings"])),
        classifier=_number(data["classifier"]),
        setting=parse_setting(None if data["setting"] is None else json.dumps(data["setting"])),
        permission=None if permission is None else parse_permission(json.dumps(permission)),
        waits_for=_waits(data["waits_for"]),
        use_count=_number(data["use_count"]),
        version=_number(data["version"]),
        **{name: _text(data[name]) for name in _TEXTS},
        **cast("dict[str, Any]", moments),
    )
    versions = tuple(_version(id, one) for one in data["versions"])
    return MemoryLine(memory, versions, tuple(_link(id, one) for one in data["links"]))


def _check(data: dict[str, Any], statement: object) -> None:
    if not isinstance(statement, str) or not statement.strip() or len(statement) > LONGEST:
        raise ValueError("no statement")
    if any(data[name] not in words for name, words in _WORDS.items()):
        raise ValueError("no word of ours")
    confidence = data["confidence"]
    if confidence is not None and not (
        isinstance(confidence, float | int) and 0 <= confidence <= 1
    ):
        raise ValueError("no confidence")
    if data["status"] == "deleted":
        raise ValueError("a deleted one is never exported")


def _version(id: str, data: dict[str, Any]) -> Version:
    statement = _text(data["statement"])
    at = _moment(data["at"])
    if at is None or data["status"] not in STATUSES:
        raise ValueError("no version")
    texts = (_text(data[name]) for name in ("act", "actor", "reason"))
    number = _number(data["version"])
    hashed = statement_hash(statement)
    return Version(id, number, statement, hashed, data["status"], *texts, at=at)


def _link(id: str, data: list[Any]) -> Link:
    kind, memory, other, since = data
    at = _moment(since)
    sound = kind in get_args(LinkKind) and is_ulid(memory) and is_ulid(other) and id in data[1:3]
    if not sound or at is None or memory == other:
        raise ValueError("no link")
    return Link(kind, memory, other, at)


def _waits(data: Iterable[str]) -> tuple[Wait, ...]:
    found = tuple(data)
    if any(one not in get_args(Wait) for one in found):
        raise ValueError("no reason to wait")
    return cast("tuple[Wait, ...]", found)


def _stamp(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(stored: str | None) -> datetime | None:
    if stored is None:
        return None
    moment = datetime.fromisoformat(stored)
    if moment.tzinfo is None:
        raise ValueError("no zone")
    return moment


def _text(data: object) -> str:
    if not isinstance(data, str):
        raise TypeError("no text")
    return data


def _number(data: object) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or data < 0:
        raise TypeError("no number")
    return data
