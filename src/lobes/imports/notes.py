"""Statements of Markdown: instruction files, notes with observations, a memory folder's files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lobes.domain.memories import Kind, MemoryClass
from lobes.imports.cleaning import Cleaned, cleaned
from lobes.imports.gathering import Left, Raw, Said
from lobes.imports.heads import Head, head_of, time_of
from lobes.imports.kinds import kind_of
from lobes.imports.limits import PARAGRAPH, STATEMENT
from lobes.imports.markdown import Piece, pieces
from lobes.imports.statements import sentences

_OBSERVATION = re.compile(r"\[([^\[\]()|]{2,40})\](?!\()[ \t]+(\S.*)")
_RELATION = re.compile(r"[^\[\]`]{0,80}\[\[[^\]]{1,300}\]\](?:\s*\([^)]*\))?")
_TAG = re.compile(r"#([\w/-]{1,60})")
_CONTEXT = re.compile(r" ?\([^()]*\)$")
_INDEX = re.compile(r"\[[^\]]{1,300}\]\([^)\s]{1,300}\.md\)")
_CLOCK = re.compile(r"[\d:.,/ -]+")

_BY_CATEGORY: dict[str, Kind] = {
    "decision": "decision",
    "preference": "preference",
    "pattern": "pattern",
    "rule": "pattern",
    "convention": "pattern",
    "fix": "error_fix",
    "bug": "error_fix",
    "error": "error_fix",
    "solution": "error_fix",
    "code": "code_pattern",
    "command": "command",
    "summary": "summary",
    "question": "question",
    "context": "context",
    "fact": "observation",
    "observation": "observation",
}
_CLASSES: dict[str, MemoryClass] = {
    "user": "user",
    "feedback": "feedback",
    "project": "project",
    "reference": "reference",
}


@dataclass(frozen=True, slots=True)
class Manner:
    """How a format's Markdown is read. `observations`: `- [category] text #tag` says something;
    where `only_observations`, nothing else does. `cuts`: a long paragraph is taken by sentences."""

    class_: MemoryClass = "project"
    observations: bool = False
    only_observations: bool = False
    cuts: bool = False


INSTRUCTIONS = Manner()
PERSONAL = Manner(class_="user")
VAULT = Manner(class_="reference", observations=True)
GRAPH_NOTES = Manner(class_="reference", observations=True, only_observations=True)
REMEMBERED = Manner(class_="user", cuts=True)


def from_markdown(text: str, file: str, manner: Manner, *, about: str = "") -> Iterator[Raw]:
    """What one text says; `about` is its subject where no heading gives another."""
    clean = cleaned(text)
    if clean.private:
        yield Left(file, "", "private", clean.private)
    if clean.recalled:
        yield Left(file, "", "recalled", clean.recalled)
    head = head_of(clean.text)
    title = about or head.get("title") or head.get("name")
    for piece in pieces(clean.text, first=head.lines):
        yield from _said(piece, file, manner, head, title)


def _said(piece: Piece, file: str, manner: Manner, head: Head, title: str) -> Iterator[Raw]:
    place = str(piece.line)
    if piece.block not in ("item", "paragraph"):
        yield Left(file, place, piece.block)
        return
    about = piece.about or title
    if manner.observations and piece.block == "item":
        if observed := _OBSERVATION.fullmatch(piece.text):
            if not _CLOCK.fullmatch(observed[1]):
                yield _observation(observed, piece, file, manner, head, title)
                return
        elif manner.only_observations and _RELATION.fullmatch(piece.text):
            yield Left(file, place, "relation")
            return
    if manner.only_observations:
        yield Left(file, place, "prose")
        return
    long = manner.cuts and len(piece.text) > PARAGRAPH // 2
    for number, text in enumerate(sentences(piece.text) if long else (piece.text,), start=1):
        yield Said(
            text=text,
            file=file,
            place=f"{place}.{number}" if long else place,
            class_=manner.class_,
            about=about,
            created=_created(head),
            tags=_tags_of(head),
            data=head.fields,
            is_paragraph=piece.block == "paragraph",
        )


def _observation(
    found: re.Match[str], piece: Piece, file: str, manner: Manner, head: Head, title: str
) -> Said:
    category, text = found[1].strip(), found[2]
    text, own = _without_tags(text)
    tags = [*_tags_of(head), *own]
    kind = _BY_CATEGORY.get(category.casefold())
    if kind is None:
        tags.append(category)
    return Said(
        text=text,
        file=file,
        place=str(piece.line),
        class_=manner.class_,
        about=title or piece.about,
        kind=kind or kind_of(text, otherwise="observation"),
        created=_created(head),
        tags=tuple(dict.fromkeys(tags)),
        data=head.fields,
    )


def _without_tags(text: str) -> tuple[str, list[str]]:
    """The words without the tags that follow them, and those. They may be followed in turn by what
    stands in brackets, which stays."""
    context = _CONTEXT.search(text)
    end = context.start() if context else len(text)
    words = text[:end].split(" ")
    count = len(words)
    while count > 1 and _TAG.fullmatch(words[count - 1]):
        count -= 1
    return " ".join(words[:count]) + text[end:], [word[1:] for word in words[count:]]


def _created(head: Head) -> datetime | None:
    return time_of(head.get("created") or head.get("date"))


def _tags_of(head: Head) -> tuple[str, ...]:
    words = re.split(r"[,\s]+", head.get("tags"))
    return tuple(word.removeprefix("#") for word in words if word)


def from_memory_file(text: str, file: str) -> Iterator[Raw]:
    """One file of a memory folder: its body is one memory where it is short enough, and what its
    index points to is said by the files themselves."""
    clean = cleaned(text)
    head = head_of(clean.text)
    body = clean.text.split("\n")[head.lines :]
    flat = " ".join(" ".join(body).split())
    is_index = file.rpartition("/")[2].casefold() == "memory.md"
    class_ = _CLASSES.get(head.get("metadata.type") or head.get("type"), "project")
    manner = Manner(class_=class_)
    if head.lines and not is_index and 0 < len(flat) <= STATEMENT and "```" not in flat:
        yield from _whole(flat, clean, file, manner, head)
        return
    for raw in from_markdown(text, file, manner):
        is_pointer = isinstance(raw, Said) and is_index and _INDEX.match(raw.text.lstrip("*_ "))
        yield Left(raw.file, raw.place, "reference") if is_pointer else raw


def _whole(flat: str, clean: Cleaned, file: str, manner: Manner, head: Head) -> Iterator[Raw]:
    for reason, count in (("private", clean.private), ("recalled", clean.recalled)):
        if count:
            yield Left(file, "", reason, count)
    yield Said(
        text=flat,
        file=file,
        place=str(head.lines + 1),
        class_=manner.class_,
        about=head.get("description") or head.get("name"),
        data=head.fields,
        created=_created(head),
    )
