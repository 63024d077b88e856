"""Which rows of a list are marked, by id: marks outlive any refresh, filter or new order.

A range is marked while it is drawn, from its anchor to the cursor; what it no longer covers loses
the mark again, what it covered when it was kept doesn't.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

from rich.cells import cell_len

from lobes.tui.paint import Line, Span


class Marks:
    """The marked ids in the order in which they were marked."""

    def __init__(self) -> None:
        self._kept: dict[str, None] = {}
        self._run: dict[str, None] = {}
        self.anchor = ""
        """The row where a range began that is still being drawn."""

    def __contains__(self, id: str) -> bool:
        return id in self._kept or id in self._run

    def __len__(self) -> int:
        return len(self._kept) + sum(id not in self._kept for id in self._run)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple({**self._kept, **self._run})

    def toggle(self, id: str) -> None:
        if id in self:
            self.remove((id,))
        else:
            self._kept[id] = None

    def add(self, ids: Iterable[str]) -> None:
        self._kept.update(dict.fromkeys(ids))

    def remove(self, ids: Iterable[str]) -> None:
        for id in ids:
            self._kept.pop(id, None)
            self._run.pop(id, None)

    def begin(self, anchor: str) -> None:
        """Draw a range from here on; the one drawn so far is kept."""
        self.keep()
        self.anchor = anchor
        self._run = {anchor: None}

    def draw(self, ids: Iterable[str]) -> None:
        """The range covers these now."""
        self._run = dict.fromkeys(ids)

    def keep(self) -> None:
        """The range is drawn: moving on changes nothing any more."""
        self._kept.update(self._run)
        self._run, self.anchor = {}, ""

    def retain(self, known: Container[str]) -> None:
        """Forget the marks of what isn't there any more, shown or not."""
        self._kept = {id: None for id in self._kept if id in known}
        self._run = {id: None for id in self._run if id in known}
        if self.anchor and self.anchor not in known:
            self.keep()

    def clear(self) -> bool:
        """Take all marks away; whether there were any."""
        had = len(self) > 0 or bool(self.anchor)
        self._kept, self._run, self.anchor = {}, {}, ""
        return had


def with_mark(line: Line, mark: str) -> Line:
    """The line with the mark in its first cell, whatever stood there."""
    for place, span in enumerate(line):
        if width := cell_len(span.text):
            rest = replace(span, text=_last_cells(span.text, width - 1))
            return (Span(mark, bold=True), rest, *line[place + 1 :])
    return (Span(mark, bold=True),)


def _last_cells(text: str, width: int) -> str:
    """The end of `text` in exactly `width` cells; half a wide character becomes a blank."""
    kept = text
    while cell_len(kept) > width or (kept and not cell_len(kept[0])):
        kept = kept[1:]
    return " " * (width - cell_len(kept)) + kept
