"""Where a note's sections and blocks are: an own line scanner, since a Markdown parser took 40 ×
as long for the same outline.

A block is a run of lines without a blank one, or a fenced code block with its blank lines. ATX and
setext headings count outside of fences and in Markdown files only: elsewhere a `#` is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from lobes.domain.front_matter import front_matter

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mdx"})
_HEADING_CHARACTERS = 200

_ATX = re.compile(r" {0,3}(#{1,6})(?![^ \t])")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`]*)")
_TITLE = re.compile(r"title[ \t]{0,9}:(.+)", re.IGNORECASE)
_NO_PARAGRAPH = ("|", "-", "*", "+", ">", "#", "<")


@dataclass(slots=True)
class Section:
    """The blocks below one heading; `path` is the headings above and its own, outermost first.

    Blocks are half-open ranges of line numbers counted from 0. `line` is the heading's own and
    `level` its rank, 0 for what is above the first heading.
    """

    path: tuple[str, ...]
    line: int
    level: int = 0
    blocks: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    has_children: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """`title` is the one that the file itself names, or empty."""

    title: str
    lines: Sequence[str]
    sections: Sequence[Section]


def is_markdown(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in MARKDOWN


def outline(text: str, *, path: str) -> Outline:
    """The sections of `text` in order; `path` decides whether it is Markdown."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")
    if not is_markdown(path):
        plain = Section((), 0)
        for kind, start, end in _parts(lines, 0, markdown=False):
            if kind == 0:
                plain.blocks.append((start, end))
        return Outline("", lines, [plain])
    body = front_matter(lines)
    title = _frontmatter_title(lines[:body])
    sections = _sections(lines, body)
    if not title:
        title = next((s.path[-1] for s in sections if s.level == 1 and s.path[-1]), "")
    return Outline(title, lines, sections)


def _frontmatter_title(lines: Sequence[str]) -> str:
    for line in lines:
        if found := _TITLE.fullmatch(line):
            value = found[1].strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            return clean_heading(value) if value[:1] not in "|>[{&*!" else ""
    return ""


def clean_heading(text: str) -> str:
    """`text` on one line, cut at 200 characters."""
    return " ".join(text.split())[:_HEADING_CHARACTERS]


def _sections(lines: Sequence[str], body: int) -> list[Section]:
    current = Section((), body)
    sections = [current]
    stack: list[tuple[int, str, Section]] = []
    for level, start, end in _parts(lines, body, markdown=True):
        if level == 0:
            current.blocks.append((start, end))
            continue
        while stack and stack[-1][0] >= level:
            stack.pop()
        if stack:
            stack[-1][2].has_children = True
        heading = _heading_text(lines[start])
        current = Section((*(name for _, name, _ in stack), heading), start, level)
        sections.append(current)
        stack.append((level, heading, current))
    return sections


def _heading_text(line: str) -> str:
    atx = _ATX.match(line)
    if atx is None:
        return clean_heading(line)
    text = line[atx.end() :].strip(" \t")
    # Signs at the end belong to the heading's mark, where a blank stands before them.
    bare = text.rstrip("#")
    return clean_heading(bare if bare[-1:] in (" ", "\t") else text)


def _parts(lines: Sequence[str], first: int, *, markdown: bool) -> Iterator[tuple[int, int, int]]:
    """(level, start, end): level 0 is a block, 1 to 6 a heading."""
    start = -1
    number = first
    count = len(lines)
    while number < count:
        line = lines[number]
        mark = line.lstrip()[:1]
        if not mark:
            if start >= 0:
                yield 0, start, number
                start = -1
        elif markdown and mark in "`~" and (fence := _FENCE.fullmatch(line)):
            if start < 0:
                start = number
            number = _fence_end(lines, number, fence[1])
            continue
        elif markdown and mark == "#" and (atx := _ATX.match(line)):
            if start >= 0:
                yield 0, start, number
                start = -1
            yield len(atx[1]), number, number + 1
        elif markdown and mark in "=-" and start == number - 1 >= 0 and _underlines(lines, number):
            yield (1 if mark == "=" else 2), start, number + 1
            start = -1
        elif start < 0:
            start = number
        number += 1
    if start >= 0:
        yield 0, start, count


def _underlines(lines: Sequence[str], number: int) -> bool:
    """Whether this line makes a setext heading of the one above it."""
    above = lines[number - 1]
    return (
        _SETEXT.fullmatch(lines[number]) is not None
        and not above.startswith(("    ", "\t"))
        and not above.lstrip().startswith(_NO_PARAGRAPH)
    )


def _fence_end(lines: Sequence[str], number: int, fence: str) -> int:
    """The line after the closing fence, or after the last line when it is never closed."""
    for end in range(number + 1, len(lines)):
        line = lines[end].strip()
        if line.startswith(fence) and not line.strip(fence[0]):
            return end + 1
    return len(lines)
