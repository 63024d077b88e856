"""Markdown as blocks of spans: parsed in pieces of a few thousand characters, nothing left out.

Link targets, HTML and definitions stay as text, because what is read here is what an agent would
be given. A piece that is no prose (one endless line, hundreds of brackets, endless nesting) is
taken as it is written: the parser's time on it has no bound. Runs in threads; imports the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from lobes.domain.display import display_text
from lobes.domain.front_matter import front_matter
from lobes.tui.paint import Line, Span

PIECE, LARGEST = 2_000, 16_000
"""Characters after which a piece ends at the next blank line, and at the latest."""

LONG_LINE, MOST_BRACKETS, DEEPEST = 4_000, 256, 80
"""What is still parsed: characters of a line, `[` of a piece, cells of markers before a text."""

MOST_DEFINITIONS = 2_000
_LONGEST_SPELLING = 12
"""Characters that one hidden character is spelled with, at most."""

Kind = Literal["text", "heading", "code", "raw", "rule", "table"]
Row = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines of a file, the first of them its line `line`."""

    line: int
    text: str
    kind: Literal["markdown", "code", "plain"] = "markdown"


@dataclass(frozen=True, slots=True)
class Block:
    """Something with lines of its own, not laid out yet. A newline in `spans` is a hard break.

    `lead` stands before its first line, `rest` before the others, and `gap` in the blank line
    above it. A `close` block has none.
    """

    kind: Kind
    line: int
    spans: Line = ()
    text: str = ""
    level: int = 0
    lead: Line = ()
    rest: Line = ()
    gap: Line = ()
    rows: tuple[Row, ...] = ()
    close: bool = False


def shown(text: str, *, lines: bool = False) -> str:
    """All of the text through the display gate."""
    return display_text(text, lines=lines, limit=_LONGEST_SPELLING * len(text) + 1)


def blocks(text: str) -> Iterator[list[Block]]:
    """The blocks of a file, a piece at a time."""
    parser = _parser()
    known = _definitions(parser, text)
    for piece in pieces(text):
        if piece.kind == "markdown":
            tokens = parser.parse(piece.text, {"references": dict(known)})
            yield _Walk(piece.line).run(tokens)
        else:
            kind: Kind = "code" if piece.kind == "code" else "raw"
            yield _as_written(piece, kind)


def written(text: str) -> Iterator[list[Block]]:
    """The file as it is written: one block a line."""
    for piece in _cut(text.split("\n")):
        yield _as_written(piece, "raw")


def _as_written(piece: Piece, kind: Kind) -> list[Block]:
    return [
        Block(kind, number, text=shown(line), close=True)
        for number, line in enumerate(piece.text.split("\n"), piece.line)
    ]


# -- pieces


def pieces(text: str) -> Iterator[Piece]:
    """Cut where Markdown allows it: at blank lines outside fences, before what isn't indented."""
    lines = text.replace("\r\n", "\n").split("\n")
    if end := front_matter(lines):
        yield Piece(1, "\n".join(lines[:end]), "code")
    for piece in _cut(lines[end:], first=end + 1):
        yield (
            piece if piece.kind == "code" or _is_prose(piece.text) else replace(piece, kind="plain")
        )


@dataclass(slots=True)
class _State:
    """Where the cutting is: inside a fence of these marks, below a table's two first lines."""

    fence: str = ""
    head: tuple[str, ...] = ()

    def take(self, line: str, before: str) -> None:
        mark = _FENCE.match(line)
        if mark and not self.fence:
            self.fence = mark[1]
        elif mark and mark[1].startswith(self.fence) and not line[mark.end() :].strip():
            self.fence = ""
        if not line.strip():
            self.head = ()
        elif not self.fence and _DELIMITERS.fullmatch(line) and "|" in before:
            self.head = (before, line)


_FENCE = re.compile(r"[ >]*(?:[-*+] +)?(`{3,}|~{3,})")
_DELIMITERS = re.compile(r" {0,3}(?=.{0,400}\|)[|:\- \t]{2,400}")


def _cut(lines: Sequence[str], *, first: int = 1) -> Iterator[Piece]:
    state = _State()
    taken: list[str] = []
    start, size, repeated, inside = first, 0, 0, False
    for number, line in enumerate(lines, first):
        before = taken[-1] if taken else ""
        alone = len(line) > LONG_LINE
        ends = size >= PIECE and not before.strip() and not state.fence and line[:1] not in " \t"
        if taken and (ends or alone or size >= LARGEST or len(before) > LONG_LINE):
            yield Piece(start - repeated, "\n".join(taken), "code" if inside else "markdown")
            inside = bool(state.fence)
            # A table that goes on is given its head again.
            taken = list(state.head) if size >= LARGEST and not inside else []
            start, size, repeated = number, 0, len(taken)
        state.take(line[:LONG_LINE], before)
        taken.append(line)
        size += len(line) + 1
        if inside and not state.fence:
            yield Piece(start, "\n".join(taken), "code")
            taken, start, size, repeated, inside = [], number + 1, 0, 0, False
    if taken:
        yield Piece(start - repeated, "\n".join(taken), "code" if inside else "markdown")


_MARKERS = re.compile(r"[ \t>*+\-]*")


def _is_prose(text: str) -> bool:
    """Whether the parser is sure to be quick, and to keep every word of it."""
    return (
        text.count("[") <= MOST_BRACKETS
        and all(len(line) <= LONG_LINE for line in text.split("\n"))
        and all(_depth(line) < DEEPEST for line in text.split("\n"))
    )


def _depth(line: str) -> int:
    mark = _MARKERS.match(line[: DEEPEST + 1])
    return mark.end() if mark and line.strip(" \t-*") else 0


# -- parsing


def _parser() -> MarkdownIt:
    """CommonMark with tables; a definition stays where it stands, as text."""
    parser = MarkdownIt("commonmark", {"maxNesting": 2 * DEEPEST})
    return parser.enable(["table", "strikethrough"]).disable("reference")


def _definitions(parser: MarkdownIt, text: str) -> dict[str, object]:
    """The link targets that are defined anywhere in the file, by their label."""
    found = _DEFINITION.findall(text)[:MOST_DEFINITIONS]
    env: dict[str, dict[str, object]] = {}
    if found:
        parser.enable("reference").parse("\n".join(found), env)
        parser.disable("reference")
    return env.get("references", {})


_DEFINITION = re.compile(r"^ {0,3}\[[^\[\]\n]{1,200}\]: [^\n]{1,1000}$", re.MULTILINE)


@dataclass(slots=True)
class _Container:
    """A list item or a quote: what stands before the lines inside."""

    first: Span
    rest: Span
    used: bool = False

    def take(self) -> Span:
        span = self.rest if self.used else self.first
        self.used = True
        return span


@dataclass(slots=True)
class _List:
    """A list that is open: the number of its next item, or None for bullets."""

    number: int | None
    started: bool = False


class _Walk:
    """From the parser's tokens to blocks."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._out: list[Block] = []
        self._around: list[_Container] = []
        self._lists: list[_List] = []
        self._rows: list[Row] = []
        self._cells: list[Line] = []

    def run(self, tokens: Sequence[Token]) -> list[Block]:
        inside: Token | None = None
        for token in tokens:
            if token.type == "inline":
                self._inline(token, inside)
            elif token.nesting < 0:
                self._close(token)
            elif token.nesting > 0:
                self._open(token)
                inside = token
            else:
                self._alone(token)
        return self._out

    def _open(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(_List(None))
            case "ordered_list_open":
                self._lists.append(_List(int(token.attrs.get("start", 1))))
            case "list_item_open":
                self._around.append(self._item(token))
            case "blockquote_open":
                quote = Span(QUOTE, "rule")
                self._around.append(_Container(quote, quote))
            case "table_open":
                self._rows = []
            case "tr_open":
                self._cells = []
            case _:
                pass

    def _item(self, token: Token) -> _Container:
        kind = self._lists[-1]
        mark = "- "
        if kind.number is not None:
            mark = f"{kind.number}{token.markup} "
            kind.number += 1
        return _Container(Span(mark, "muted"), Span(" " * len(mark)))

    def _close(self, token: Token) -> None:
        match token.type:
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_close":
                if not self._around[-1].used:
                    self._add(Block("text", self._first, close=True))
                self._around.pop()
            case "blockquote_close":
                self._around.pop()
            case "tr_close":
                self._rows.append(tuple(self._cells))
            case "table_close":
                first = token.map or [0, 0]
                self._add(Block("table", self._first + first[0], rows=tuple(self._rows)))
            case _:
                pass

    def _inline(self, token: Token, inside: Token | None) -> None:
        spans = inline(token.children or ())
        kind = inside.type if inside else ""
        if kind in ("th_open", "td_open"):
            self._cells.append(spans)
            return
        block = Block("text", self._line(token), spans)
        if kind == "heading_open" and inside:
            block = replace(block, kind="heading", level=int(inside.tag[1:]))
        elif inside and inside.hidden and self._lists:
            nested = len(self._lists) > 1 or self._lists[-1].started
            block = replace(block, close=nested)
        for one in self._lists:
            one.started = True
        self._add(block)

    def _alone(self, token: Token) -> None:
        line = self._line(token)
        match token.type:
            case "hr":
                self._add(Block("rule", line))
            case "fence" | "code_block":
                word = shown(token.info.strip())
                text = shown(token.content.rstrip("\n"), lines=True)
                self._add(Block("code", line, (Span(word, "muted"),) if word else (), text))
            case _:
                text = shown(token.content.rstrip("\n"), lines=True)
                self._add(Block("raw", line, text=text))

    def _line(self, token: Token) -> int:
        return self._first + (token.map[0] if token.map else 0)

    def _add(self, block: Block) -> None:
        gap = tuple(one.rest for one in self._around if one.used)
        lead = tuple(one.take() for one in self._around)
        rest = tuple(one.rest for one in self._around)
        self._out.append(replace(block, lead=lead, rest=rest, gap=gap))


QUOTE = "│ "
"""Before the lines of a quote; laid out with the glyph in force."""


def inline(tokens: Sequence[Token]) -> Line:
    """Spans of a text: strong is bold, everything else keeps its marks."""
    spans: list[Span] = []
    strong, targets = 0, list[str]()
    for token in tokens:
        match token.type:
            case "softbreak":
                spans.append(Span(" "))
            case "hardbreak":
                spans.append(Span("\n"))
            case "strong_open" | "strong_close":
                strong += token.nesting
            case "em_open" | "em_close" | "s_open" | "s_close":
                spans.append(Span(token.markup, "muted"))
            case "code_inline":
                spans.append(Span(shown(token.content), bold=strong > 0, ground="chip-bg"))
            case "link_open":
                targets.append(str(token.attrs.get("href", "")))
            case "link_close":
                spans += _target(targets.pop(), spans)
            case "image":
                source = shown(str(token.attrs.get("src", "")))
                spans.append(Span(f"[image: {shown(token.content)}] ({source})", "muted"))
            case _:
                spans.append(Span(shown(token.content), bold=strong > 0))
    return tuple(span for span in spans if span.text)


def _target(target: str, spans: Sequence[Span]) -> list[Span]:
    """Where a link leads, unless the text says it: nothing here can be clicked."""
    words = spans[-1].text if spans else ""
    return [] if words == target else [Span(f" ({shown(target)})", "muted")]
