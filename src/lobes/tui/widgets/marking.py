"""Which rows of a list are marked, by id: marks outlive any refresh, filter or new order.

A range is marked while it is drawn, from its anchor to the cursor; what it no longer covers loses
the mark again, what it covered when it was kept doesn't.
"""

from __future__ import annotations

from collections.abc import Container, Iterable


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
