"""How a file becomes passages: by heading, then by block, about 900 characters each.

Pure and light, for the faces use it. A passage's id is a function of its document, headings, text
and occurrence, so an edit elsewhere in the file leaves it as it is.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from lobes.domain.ids import Ulid, derived_id
from lobes.domain.tokens import estimate_tokens
from lobes.engine.outline import Outline, Section, clean_heading, outline

TARGET = 900
"""Characters a passage is filled up to: about 225 word pieces, of which the model reads 256."""
MAX = 1600
"""Characters a passage never goes beyond; a block up to this size stays whole."""
HEADING_JOIN = " › "

_BREAKS = (re.compile(r"[.!?。！？][\"'”’)]*\s|[。！？]"), re.compile(r"\||\s"))


@dataclass(frozen=True, slots=True)
class Chunk:
    """One passage; lines are counted from 1 and `last_line` is inside it.

    `content_hash` is the SHA-256 (hex) of the document's title, the heading and the text.
    """

    id: Ulid
    ordinal: int
    heading: str
    text: str
    first_line: int
    last_line: int
    tokens: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class Chunked:
    """A file's title, its size in tokens and its passages in reading order."""

    title: str
    tokens: int
    passages: tuple[Chunk, ...]


def chunk(text: str, *, path: str, document_id: str) -> Chunked:
    """The passages of `text`; a file without text has none.

    The title is the frontmatter's, else the first H1, else the file's stem.
    """
    scanned = outline(text, path=path)
    title = scanned.title or clean_heading(PurePosixPath(path).stem) or "untitled"
    seen: Counter[tuple[str, str]] = Counter()
    passages: list[Chunk] = []
    for section in scanned.sections:
        heading = HEADING_JOIN.join(part for part in section.path if part)
        for body, first, last in _bodies(scanned, section):
            seen[heading, body] += 1
            occurrence = str(seen[heading, body])
            passages.append(
                Chunk(
                    id=derived_id(document_id, heading, body, occurrence),
                    ordinal=len(passages),
                    heading=heading,
                    text=body,
                    first_line=first + 1,
                    last_line=last + 1,
                    tokens=estimate_tokens(body),
                    content_hash=_content_hash(title, heading, body),
                )
            )
    return Chunked(title, estimate_tokens(text), tuple(passages))


def _content_hash(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()


def _bodies(scanned: Outline, section: Section) -> Iterator[tuple[str, int, int]]:
    """(text, first line, last line), lines counted from 0."""
    lines = scanned.lines
    if not section.blocks:
        # A heading that stands alone is all there is to find, unless what is below carries it.
        if section.path and section.path[-1] and not section.has_children:
            yield section.path[-1], section.line, section.line
        return
    start, end = section.blocks[0]
    size = _size(lines, start, end)
    for first, last in section.blocks[1:]:
        more = _size(lines, first, last) + first - end
        if size + more > TARGET:
            yield from _pieces(lines, start, end, size)
            start, size = first, 0
        size += more
        end = last
    yield from _pieces(lines, start, end, size)


def _size(lines: Sequence[str], start: int, end: int) -> int:
    return sum(map(len, lines[start:end])) + end - start


def _pieces(
    lines: Sequence[str], start: int, end: int, size: int
) -> Iterator[tuple[str, int, int]]:
    """The block as it is when it fits, else cut between lines, else inside a line."""
    if size <= MAX:
        yield "\n".join(lines[start:end]).strip("\n").rstrip(), start, end - 1
        return
    first, filled = start, 0
    for number in range(start, end):
        length = len(lines[number]) + 1
        if filled and filled + length > TARGET:
            yield from _lines_as_piece(lines, first, number)
            first, filled = number, 0
        filled += length
        if filled > MAX:
            for part in _cut(lines[number]):
                yield part, number, number
            first, filled = number + 1, 0
    if first < end:
        yield from _lines_as_piece(lines, first, end)


def _lines_as_piece(lines: Sequence[str], first: int, end: int) -> Iterator[tuple[str, int, int]]:
    text = "\n".join(lines[first:end]).strip("\n").rstrip()
    if text.strip():
        yield text, first, end - 1


def _cut(line: str) -> Iterator[str]:
    """A very long line in parts of at most TARGET: at a sentence, a cell or word, else anywhere."""
    start = 0
    while len(line) - start > TARGET:
        window = line[start : start + TARGET]
        cut = TARGET
        for pattern in _BREAKS:
            ends = [found.end() for found in pattern.finditer(window, TARGET // 2)]
            if ends:
                cut = ends[-1]
                break
        if part := window[:cut].strip():
            yield part
        start += cut
    if part := line[start:].strip():
        yield part
