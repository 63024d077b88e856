"""What could be a statement in a Markdown text: its list items and its short paragraphs.

An own line scanner: it needs no tree, and it must be fast on a thousand notes. Code, tables and
quotes are named and left aside. What stands above an item, its heading or the line that ends in a
colon, is what the item is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

Block = Literal["item", "paragraph", "code", "table", "quote", "recalled"]
"""All but the first two are codes of what is left aside."""

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_SETEXT = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(`{3,}|~{3,})")
_ITEM = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+(.*)")
_BOLD = re.compile(r"(?:\*\*|__)([^*_]{1,120}?):?(?:\*\*|__):?")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_RECALLED = re.compile(
    r"(?i)(?:recalled|relevant|retrieved|injected|past|previous)\s+(?:memory|memories|context)\b"
    r"|model set context|memory context\b"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One block; `line` counts from 1, `about` is the nearest heading or lead."""

    block: Block
    text: str
    line: int
    about: str


@dataclass(slots=True)
class _Open:
    block: Block
    line: int
    indent: int
    parts: list[str] = field(default_factory=list[str])


def pieces(text: str, *, first: int = 0) -> Iterator[Piece]:
    """The blocks in order, from the line `first` (counted from 0) on."""
    text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    yield from _Scanner(lines).run(first)


class _Scanner:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._headings: list[tuple[int, str]] = []
        self._leads: list[tuple[int, str]] = []
        self._open: _Open | None = None
        self._in_list = False
        self._recalled = 0
        """The rank of the heading under which everything was recalled; 0 outside of one."""

    def run(self, first: int) -> Iterator[Piece]:
        number = first
        while number < len(self._lines):
            line = self._lines[number]
            mark = line.lstrip()[:1]
            if mark and mark in "`~-*+" and (fence := _FENCE.match(line)):
                yield from self._flush()
                yield from self._aside("code", number)
                number = self._after_fence(number, fence[1])
                continue
            yield from self._take(line, mark, number)
            number += 1
        yield from self._flush()

    def _take(self, line: str, mark: str, number: int) -> Iterator[Piece]:
        if not mark:
            yield from self._flush()
        elif mark == "#" and (atx := _ATX.match(line)):
            yield from self._flush()
            self._heading(len(atx[1]), line[atx.end() :].strip().rstrip("#"))
        elif mark in "=-" and self._underlines(line):
            self._heading(1 if mark == "=" else 2, " ".join(self._open.parts if self._open else ()))
            self._open = None
        elif mark in "-*_" and _RULE.fullmatch(line):
            yield from self._flush()
        elif mark in "|>":
            yield from self._left_aside("table" if mark == "|" else "quote", number)
        elif item := _ITEM.fullmatch(line):
            yield from self._flush()
            indent = len(item[1].expandtabs(4))
            self._open = _Open("item", number + 1, indent, [item[2]])
            self._in_list = True
        elif self._open is not None and self._open.block in ("item", "paragraph"):
            self._open.parts.append(line.strip())
        elif line.startswith(("    ", "\t")) and not self._in_list:
            yield from self._left_aside("code", number)
        else:
            yield from self._flush()
            self._in_list &= line[:1] in " \t"
            self._open = _Open("paragraph", number + 1, len(line) - len(line.lstrip()), [line])

    def _underlines(self, line: str) -> bool:
        block = self._open
        return (
            block is not None
            and block.block == "paragraph"
            and len(block.parts) == 1
            and _SETEXT.fullmatch(line) is not None
        )

    def _after_fence(self, number: int, fence: str) -> int:
        for end in range(number + 1, len(self._lines)):
            line = self._lines[end].strip()
            if line.startswith(fence) and not line.strip(fence[0]):
                return end + 1
        return len(self._lines)

    def _left_aside(self, code: Block, number: int) -> Iterator[Piece]:
        """A run of such lines is one thing."""
        if self._open is None or self._open.block != code:
            yield from self._flush()
            yield from self._aside(code, number)
            self._open = _Open(code, number + 1, 0)

    def _aside(self, code: Block, number: int) -> Iterator[Piece]:
        yield Piece(code, "", number + 1, "")

    def _heading(self, level: int, text: str) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, " ".join(text.split())))
        self._leads.clear()
        self._in_list = False
        if self._recalled >= level:
            self._recalled = 0
        if not self._recalled and _RECALLED.match(text.strip()):
            self._recalled = level

    def _flush(self) -> Iterator[Piece]:
        block, self._open = self._open, None
        if block is None or block.block not in ("item", "paragraph"):
            return
        text = " ".join(" ".join(block.parts).split())
        if not text:
            return
        if block.block == "paragraph" and (bold := _BOLD.fullmatch(text)):
            self._heading(7, bold[1])
            return
        while self._leads and self._leads[-1][0] >= block.indent:
            self._leads.pop()
        if self._recalled:
            yield Piece("recalled", "", block.line, "")
            return
        if text.endswith(":"):
            rank = block.indent if block.block == "item" else -1
            self._leads = [one for one in self._leads if one[0] < rank]
            self._leads.append((rank, text.rstrip(":* ").lstrip("* ")))
            return
        yield Piece(block.block, text, block.line, self._about())

    def _about(self) -> str:
        if self._leads:
            return self._leads[-1][1]
        return self._headings[-1][1] if self._headings else ""
