"""A memory as one line of JSON, with its versions and links: nothing of it is lost on the way.

Read strictly: a line with a missing or unknown field, another type or a word that isn't one of ours
is `Invalid`, and names its number alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any, cast, get_args

from lobes.domain.errors import Invalid
from lobes.domain.ids import LobeAddress, is_slug, is_ulid
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
_LARGEST = 1 << 31
"""Of versions and counts; the store's own integers end at 2⁶³."""
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
_OF_A_VERSION = ("statement", "status", "act", "actor", "reason")
_OF_PROVENANCE = frozenset(one.name for one in fields(Provenance))
_NO_TEXTS = ("evidence", "is_external")
_FIELDS = frozenset(
    {"id", "statement", "given", "confidence", "provenance", "findings", "classifier", "setting"}
    | {"permission", "waits_for", "use_count", "version", "versions", "links"}
    | {*_WORDS, *_TEXTS, *_MOMENTS}
)


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """`links` are those that begin or end at it."""

    memory: Memory
    versions: tuple[Version, ...]
    links: tuple[Link, ...]


def dump_line(line: MemoryLine) -> str:
    """The line, without its end."""
    one = line.memory
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
        "provenance": {**asdict(one.provenance), "evidence": list(one.provenance.evidence)},
        "findings": json.loads(dump_findings(one.findings)),
        "classifier": one.classifier,
        "setting": None if one.setting is None else json.loads(dump_setting(one.setting)),
        "permission": (
            None if one.permission is None else json.loads(dump_permission(one.permission))
        ),
        "waits_for": list(one.waits_for),
        "use_count": one.use_count,
        "version": one.version,
        "versions": [_version_data(each) for each in line.versions],
        "links": [
            [each.kind, each.memory, each.other, each.since.isoformat()] for each in line.links
        ],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _version_data(one: Version) -> dict[str, object]:
    """Without what the line says by itself: whose it is, and the hash of its words."""
    named = {name: getattr(one, name) for name in (*_OF_A_VERSION, "version")}
    return {**named, "at": one.at.isoformat()}


def parse_lines(text: str, lobe: LobeAddress) -> list[MemoryLine]:
    """All lines, or `Invalid` (`bad_export`) with the number of the first that can't be read."""
    found: list[MemoryLine] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        try:
            if len(line) > LONGEST_LINE:
                raise ValueError("too long")
            data = loads_strict(line)
            if any("\0" in text for text in _texts_in(data)):
                raise ValueError("no text")
            found.append(_parsed(cast("dict[str, Any]", data), lobe))
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
            raise Invalid(
                f"Line {number} of its memories can't be read; nothing was imported.",
                hint="Export it anew.",
                reason="bad_export",
            ) from error
    return found


def _parsed(data: dict[str, Any], lobe: LobeAddress) -> MemoryLine:
    memory = _memory(data, lobe)
    versions = tuple(_version(memory.id, one) for one in _list(data["versions"]))
    numbers = [one.version for one in versions]
    if len(set(numbers)) != len(numbers) or max(numbers, default=0) > memory.version:
        raise ValueError("a version twice, or one that is yet to come")
    links = tuple(_link(memory.id, one) for one in _list(data["links"]))
    return MemoryLine(memory, versions, links)


def _memory(data: dict[str, Any], lobe: LobeAddress) -> Memory:
    statement = _text(data["statement"])
    moments = {name: _moment(data[name]) for name in _MOMENTS}
    created, updated = moments.pop("created"), moments.pop("updated")
    level, permission = parse_level(data["level"]), data["permission"]
    _check(data, statement)
    if created is None or updated is None or level is None:
        raise ValueError("no time or no level")
    return Memory(
        id=data["id"],
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
        provenance=_provenance(data["provenance"]),
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


def _provenance(data: dict[str, Any]) -> Provenance:
    if data.keys() != _OF_PROVENANCE or not isinstance(data["is_external"], bool):
        raise ValueError("no provenance")
    evidence = tuple(map(_text, _list(data["evidence"])))
    texts = {name: _text(value) for name, value in data.items() if name not in _NO_TEXTS}
    return Provenance(**texts, evidence=evidence, is_external=data["is_external"])


def _check(data: dict[str, Any], statement: str) -> None:
    if data.keys() != _FIELDS or not is_ulid(data["id"]):
        raise ValueError("another field, or no id")
    if not statement.strip() or len(statement) > LONGEST:
        raise ValueError("no statement")
    if data["category"] and not is_slug(data["category"]):
        raise ValueError("no category")
    if any(data[name] not in words for name, words in _WORDS.items()):
        raise ValueError("no word of ours")
    confidence = data["confidence"]
    if confidence is not None and not (type(confidence) in (int, float) and 0 <= confidence <= 1):
        raise ValueError("no confidence")
    if data["status"] == "deleted":
        raise ValueError("a deleted one is never exported")


def _version(id: str, data: dict[str, Any]) -> Version:
    at = _moment(data["at"])
    if data.keys() != {*_OF_A_VERSION, "version", "at"} or at is None:
        raise ValueError("no version")
    if data["status"] not in STATUSES:
        raise ValueError("no status")
    texts: dict[str, Any] = {name: _text(data[name]) for name in _OF_A_VERSION}
    hashed = statement_hash(texts["statement"])
    number = _number(data["version"])
    return Version(memory=id, version=number, content_hash=hashed, at=at, **texts)


def _link(id: str, data: object) -> Link:
    kind, memory, other, since = _list(data)
    at = _moment(since)
    sound = (
        kind in get_args(LinkKind) and is_ulid(memory) and is_ulid(other) and id in (memory, other)
    )
    if not sound or at is None or memory == other:
        raise ValueError("no link")
    return Link(kind, memory, other, at)


def _waits(data: object) -> tuple[Wait, ...]:
    found = tuple(_list(data))
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
    return moment.astimezone(UTC)


def _list(data: object) -> list[Any]:
    if not isinstance(data, list):
        raise TypeError("no list")
    return cast("list[Any]", data)


def _text(data: object) -> str:
    """A text that UTF-8 can hold: the store takes no other."""
    if not isinstance(data, str):
        raise TypeError("no text")
    data.encode()
    return data


def _texts_in(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in cast("dict[str, object]", data).items():
            yield key
            yield from _texts_in(value)
    elif isinstance(data, list):
        for one in cast("list[object]", data):
            yield from _texts_in(one)


def _number(data: object) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or not 0 <= data <= _LARGEST:
        raise TypeError("no number")
    return data
