"""Records of memory tools: the entities of the reference MCP server, the memories of mem0.

What an entity is said to be is only clear with its name, so its statement begins with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from lobes.domain.memories import MemoryClass
from lobes.imports.cleaning import cleaned
from lobes.imports.gathering import Left, Raw, Said
from lobes.imports.heads import time_of
from lobes.imports.kinds import kind_of
from lobes.imports.statements import not_a_statement, subject_of
from lobes.imports.strict import BadJson, as_list, as_map, as_text, loads

_LIVE = frozenset({"", "active"})
_CLASSES: dict[str, MemoryClass] = {"project": "project", "feedback": "feedback"}


def from_line(text: str, file: str, number: int) -> Iterator[Raw]:
    """One line of JSONL, whichever of the two it is."""
    try:
        record = as_map(loads(text))
    except BadJson as error:
        yield Left(file, str(number), error.reason)
        return
    if record.get("type") == "relation":
        yield Left(file, str(number), "relation")
    elif record.get("type") == "entity":
        yield from _entity(record, file, number)
    else:
        yield from from_memory(record, file, number)


def _entity(record: dict[str, object], file: str, number: int) -> Iterator[Raw]:
    name = subject_of(cleaned(as_text(record.get("name"))).text)
    observations = record.get("observations")
    if not name or not isinstance(observations, list):
        yield Left(file, str(number), "bad_record")
        return
    sort = subject_of(cleaned(as_text(record.get("entityType"))).text)
    for place, one in enumerate(as_list(observations), start=1):
        # Some forks keep an object with the text and a time.
        own = as_map(one)
        clean = cleaned(one if isinstance(one, str) else as_text(own.get("content")))
        yield from _regions(clean.private, clean.recalled, file, f"{number}/{place}")
        text = " ".join(clean.text.split())
        if not text:
            if not clean.private and not clean.recalled:
                yield Left(file, f"{number}/{place}", "bad_record")
            continue
        if reason := _refused(text):
            yield Left(file, f"{number}/{place}", reason)
            continue
        yield Said(
            text=text if name.casefold() in text.casefold() else f"{name}: {text}",
            file=file,
            place=f"{number}/{place}",
            class_="user" if sort.casefold() in ("person", "user") else "project",
            about=name,
            kind=kind_of(text, otherwise="observation"),
            created=time_of(own.get("timestamp")),
            tags=(sort,) if sort else (),
        )


def _refused(text: str) -> str:
    """The name makes a short observation a statement; nothing else becomes one by it."""
    reason = not_a_statement(text)
    return "" if reason == "short" else reason


def from_memory(value: object, file: str, number: int) -> Iterator[Raw]:
    """One memory of mem0 or OpenMemory, of the service or of its backup."""
    record = as_map(value)
    text = (
        as_text(record.get("memory"))
        or as_text(record.get("content"))
        or as_text(record.get("text"))
    )
    if not text.strip():
        yield Left(file, str(number), "bad_record")
        return
    if as_text(record.get("state")) not in _LIVE or record.get("deleted_at"):
        yield Left(file, str(number), "inactive")
        return
    clean = cleaned(text)
    yield from _regions(clean.private, clean.recalled, file, str(number))
    if not clean.text.strip():
        return
    metadata = as_map(record.get("metadata"))
    names = [*as_list(record.get("categories")), metadata.get("category")]
    yield Said(
        text=clean.text,
        file=file,
        place=str(number),
        class_=_CLASSES.get(as_text(metadata.get("class")), "user"),
        kind=kind_of(clean.text, otherwise="observation"),
        created=time_of(record.get("created_at")),
        tags=tuple(subject_of(cleaned(one).text) for one in names if isinstance(one, str) and one),
    )


def _regions(private: int, recalled: int, file: str, place: str) -> Iterator[Raw]:
    if private:
        yield Left(file, place, "private", private)
    if recalled:
        yield Left(file, place, "recalled", recalled)
