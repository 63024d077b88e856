"""A pane that can hold a whole file: it is laid out in a thread and grows while it is read.

The first screen stands after a few milliseconds whatever the size, and no batch is large enough
to be felt in a key. A new width, another file or the end of the reading drops the older thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from textual.message import Message
from textual.worker import get_current_worker

from lobes.tui.paint import Line, Look, Span
from lobes.tui.widgets.canvas import Canvas, Paint

FIRST_BATCH, BATCH = 80, 1_000
"""Lines that are handed over at once: a screen, then as many as the loop takes in a moment."""

PAUSE = 0.002
"""Seconds that the thread lets the loop have after each piece."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file to read: `line` is where to begin (0: at the top); `head` stands above the text.

    `written` shows it as it is written instead of as Markdown.
    """

    text: str
    head: Paint
    line: int = 0
    written: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Some packed lines, the rows at which lines of the file begin, and whether that is all."""

    lines: list[str]
    places: list[tuple[int, int]]
    is_last: bool


class Grew(Message):
    """More lines of the document that was asked for in this generation."""

    def __init__(self, generation: int, batch: Batch) -> None:
        super().__init__()
        self.generation = generation
        self.batch = batch


class Reader(Canvas):
    """Paints like any canvas until `read` gives it a document."""

    def __init__(self, look: Callable[[], Look], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._look = look
        self._document: Document | None = None
        self._head: tuple[tuple[int, bool], Sequence[Line]] | None = None
        self._text: list[str] = []
        self._places: list[tuple[int, int]] = []
        self._generation = 0
        self._laid_for = 0
        self._sought = 0
        self._mark = -1
        self._ended = True
        self.batches = 0

    @property
    def document(self) -> Document | None:
        """What is read; None while it only paints."""
        return self._document

    @property
    def is_whole(self) -> bool:
        """Whether all of the document is laid out, at the width that the pane has now."""
        return self._document is None or (self._ended and self._laid_for == self.inner)

    @property
    def rows(self) -> int:
        """How many lines of the document are laid out so far."""
        return len(self._text)

    def show(self, paint: Paint, *, keep: bool = False) -> None:
        self._document = None
        self._text, self._places, self._mark = [], [], -1
        self._generation += 1
        super().show(paint, keep=keep)

    def read(self, document: Document) -> None:
        """Show this file from now on, at its line or at the top."""
        self._document, self._head = document, None
        self.scroll_to(y=0, animate=False, immediate=True, force=True)
        self._lay_out(document.line)

    def turn(self) -> bool:
        """As Markdown, or as it is written; the place is kept. Whether it is as written now."""
        if self._document is None:
            return False
        self._document = replace(self._document, written=not self._document.written)
        self._lay_out(self._place())
        return self._document.written

    def _place(self) -> int:
        """The line of the file at the upper edge, or the one that is on its way there."""
        if self._sought:
            return self._sought
        top = self.scroll_offset.y - len(self._head_lines())
        return max((line for row, line in self._places if row <= top), default=0)

    # -- laying out

    def _lay_out(self, line: int) -> None:
        document = self._document
        if document is None or self.inner <= 0:
            return
        self._generation += 1
        self._text, self._places, self._mark, self._sought = [], [], -1, line
        self._laid_for, self._ended = self.inner, False
        generation, width, look = self._generation, self.inner, self._look()

        def work() -> None:
            worker = get_current_worker()
            for batch in batches(document, width, look):
                if worker.is_cancelled or generation != self._generation:
                    return
                self.post_message(Grew(generation, batch))
                time.sleep(PAUSE)

        self.run_worker(
            work, name="read", group="read", exclusive=True, exit_on_error=False, thread=True
        )
        self._resized()
        self.refresh()

    def on_grew(self, event: Grew) -> None:
        event.stop()
        if event.generation != self._generation:
            return
        batch, start = event.batch, len(self._text)
        self._text += batch.lines
        self._places += [(start + row, line) for row, line in batch.places]
        self._ended = batch.is_last
        self.batches += 1
        self._resized()
        self._seek()
        self.refresh()

    def _seek(self) -> None:
        """To the wanted line, as soon as what comes after it is there."""
        if not self._sought or not self._places:
            return
        if self._places[-1][1] <= self._sought and not self._ended:
            return
        row = max((row for row, line in self._places if line <= self._sought), default=0)
        document = self._document
        self._mark = row if document and document.line == self._sought else -1
        self._sought = 0
        # By force, here and in the lists: the bar that would allow it may not be shown yet.
        self.scroll_to(y=len(self._head_lines()) + row, animate=False, immediate=True, force=True)

    # -- painting

    def _head_lines(self) -> Sequence[Line]:
        if self._document is None:
            return ()
        key = (self.inner, self.has_focus)
        if self._head is None or self._head[0] != key:
            self._head = (key, self._document.head(*key) if key[0] > 0 else ())
        return self._head[1]

    def height_of_content(self) -> int:
        if self._document is None:
            return super().height_of_content()
        return len(self._head_lines()) + len(self._text)

    def line_at(self, y: int) -> Line:
        if self._document is None:
            return super().line_at(y)
        head = self._head_lines()
        row = y + self.scroll_offset.y
        if row < len(head):
            return head[row]
        row -= len(head)
        return unpacked(self._text[row]) if row < len(self._text) else ()

    def bar_at(self, y: int) -> Span:
        row = y + self.scroll_offset.y - len(self._head_lines())
        if self._document is not None and row == self._mark >= 0:
            return Span(self._look().glyphs.ui("path"), "accent", bold=True)
        return super().bar_at(y)

    def resized(self) -> None:
        if self._document is None:
            super().resized()
        elif self.inner != self._laid_for:
            self._lay_out(self._place() or self._document.line)

    def text_of_lines(self) -> str:
        """What the pane shows, as text: a document as it is in the file."""
        if self._document is not None:
            return self._document.text
        return super().text_of_lines()


def batches(document: Document, width: int, look: Look) -> Iterator[Batch]:
    """The lines of a document, a screen of them first."""
    from lobes.tui.flow import before, laid
    from lobes.tui.markdown import blocks, written

    lines: list[str] = []
    places: list[tuple[int, int]] = []
    most, begun = FIRST_BATCH, False
    for piece in written(document.text) if document.written else blocks(document.text):
        for block in piece:
            lines += map(packed, before(block, look) if begun else ())
            places.append((len(lines), block.line))
            lines += map(packed, laid(block, width, look))
            begun = True
            while len(lines) >= most:
                rest = [(row - most, line) for row, line in places if row >= most]
                yield Batch(lines[:most], [one for one in places if one[0] < most], False)
                lines, places, most = lines[most:], rest, BATCH
    yield Batch(lines, places, True)


def packed(line: Line) -> str:
    """A line as one string: the collector has nothing to look through in it, and a look through
    the spans of a 1 MB file took 0.3 s of a key. The separators never pass the display gate."""
    return "\x02".join(
        f"{span.colour}\x01{'b' if span.bold else ''}\x01{span.ground}\x01{span.text}"
        for span in line
    )


def unpacked(line: str) -> Line:
    """The spans of a packed line."""
    spans: list[Span] = []
    for part in line.split("\x02") if line else ():
        colour, bold, ground, text = part.split("\x01")
        spans.append(Span(text, colour, bool(bold), ground))
    return tuple(spans)
