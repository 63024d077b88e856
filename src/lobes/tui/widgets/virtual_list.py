"""A list of rows on the canvas: cursor and marks kept by id, pages of rows, a pinned head and foot.

Rows come through `window(offset, limit)` and `count()`, a page at a time, so that ten thousand
rows cost what a screen of them costs. All rows of a list are equally high; a row without an id is
a heading or a blank and never holds the cursor. After new rows only the lines that differ are
painted again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from textual import events
from textual.color import Color
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from lobes.tui.paint import Line, Look, Span
from lobes.tui.widgets.canvas import Canvas, Pressed, action_at
from lobes.tui.widgets.marking import Marks, with_mark

PAGE = 200


class Entry(Protocol):
    """A row: its id is stable between refreshes, or empty for a heading or a blank."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Entry)
T_co = TypeVar("T_co", bound=Entry, covariant=True)


class Rows(Protocol[T_co]):
    """Where rows come from. Answers come from memory: it is called while painting."""

    def count(self) -> int: ...

    def window(self, offset: int, limit: int) -> Sequence[T_co]: ...

    def find(self, id: str) -> int | None:
        """The place of the row with this id."""
        ...


class Listed(Generic[T]):
    """Rows that are all in memory."""

    def __init__(self, items: Sequence[T] = ()) -> None:
        self._items = items
        self._places = {item.id: place for place, item in enumerate(items) if item.id}

    def count(self) -> int:
        return len(self._items)

    def window(self, offset: int, limit: int) -> Sequence[T]:
        return self._items[offset : offset + limit]

    def find(self, id: str) -> int | None:
        return self._places.get(id)


Painter = Callable[[T, int, bool], Sequence[Line]]
"""The lines of a row for a width in cells, and whether the cursor is on it."""


class Moved(Message):
    """The cursor of a list is on another row, or on none."""


class Marked(Message):
    """Other rows of a list are marked now."""


class Opened(Message):
    """A row was opened with the mouse."""

    def __init__(self, id: str) -> None:
        super().__init__()
        self.id = id


class VirtualList(Canvas, Generic[T]):
    """See the module. `head` and `foot` are painted outside the rows and don't scroll away.

    `mark` is the glyph in the first cell of a marked row; without one nothing can be marked.
    """

    leads = False
    """Whether a field with the focus acts on the row: then it is shown as if the list had it."""

    def __init__(
        self,
        painter: Painter[T],
        *,
        cursor: str = "▌",
        mark: str = "",
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._bar = cursor
        self._mark = mark
        self.marks = Marks()
        self._painter = painter
        self._rows: Rows[T] = Listed[T]()
        self._pages: dict[int, Sequence[T]] = {}
        self._height = 1
        self._head: Callable[[int, bool], Sequence[Line]] | None = None
        self._foot: Callable[[int, bool], Sequence[Line]] | None = None
        self._index = -1
        self._at_id = ""
        self._expected = ""
        self._edges: tuple[tuple[int, bool, int], Sequence[Line], Sequence[Line]] | None = None
        self._standing: dict[int, str] = {}

    def set_rows(
        self,
        rows: Rows[T],
        *,
        painter: Painter[T] | None = None,
        height: int = 1,
        head: Callable[[int, bool], Sequence[Line]] | None = None,
        foot: Callable[[int, bool], Sequence[Line]] | None = None,
    ) -> None:
        """Show other rows. The cursor stays on its id, else on its nearest neighbour."""
        was = self._at_id
        self._rows, self._pages, self._height = rows, {}, height
        self._head, self._foot, self._edges = head, foot, None
        self._painter = painter or self._painter
        place = rows.find(self._expected) if self._expected else None
        if place is None:
            place = rows.find(was) if was else None
        else:
            self._expected = ""
        self._place(self._near(max(0, self._index)) if place is None else place)
        self._draw_range()
        self._resized()
        self._reveal()
        self.refresh_changed()
        if self._at_id != was:
            self._tell()

    def use_look(self, look: Look) -> None:
        self._bar, self._edges = look.glyphs.ui("cursor"), None
        super().use_look(look)

    @property
    def cursor(self) -> str:
        """The id of the row under the cursor, or an empty text."""
        return self._at_id

    @property
    def position(self) -> int:
        """The place of the row under the cursor, or -1."""
        return self._index

    def count(self) -> int:
        return self._rows.count()

    def has(self, id: str) -> bool:
        """Whether a row with this id is among those that are shown."""
        return self._rows.find(id) is not None

    def is_painted(self, id: str) -> bool:
        """Whether it stands on the screen, since the last paint."""
        return id in self._standing.values()

    # -- marks

    def toggle_mark(self, id: str = "") -> None:
        """Mark this row, or the one under the cursor; a marked one is so no more."""
        if self._mark and (id or self._at_id):
            self.marks.toggle(id or self._at_id)
            self._marked()

    def mark_range(self) -> None:
        """Mark what the cursor passes from here on; the second time, keep what it has passed."""
        if self.marks.anchor:
            self.marks.keep()
        elif self._mark and self._at_id:
            self.marks.begin(self._at_id)
        self._marked()

    def mark_to(self, id: str) -> None:
        """Mark all from the cursor to this row, and go there."""
        if self._mark and self._at_id and id:
            self.marks.begin(self._at_id)
            self.select(id)
            self.marks.keep()
            self._marked()

    def mark_these(self, ids: Iterable[str]) -> None:
        """Mark these rows too, shown or not."""
        self.marks.add(ids)
        self._marked()

    def mark_all(self) -> None:
        """Mark every row that is shown; where all of them are, take their marks away."""
        if not self._mark:
            return
        shown = self.shown_ids()
        self.marks.keep()
        if all(id in self.marks for id in shown):
            self.marks.remove(shown)
        else:
            self.marks.add(shown)
        self._marked()

    def clear_marks(self) -> bool:
        """Whether there were any."""
        if had := self.marks.clear():
            self._marked()
        return had

    def retain_marks(self, known: Container[str]) -> None:
        """Forget the marks of what isn't there any more; what a filter hides is still there."""
        before = len(self.marks)
        self.marks.retain(known)
        if len(self.marks) != before:
            self._marked()

    def shown_ids(self, first: int = 0, last: int | None = None) -> list[str]:
        """The ids of the rows from place `first` to `last`, both included."""
        end = self.count() - 1 if last is None else last
        entries = self._rows.window(first, end - first + 1)
        return [entry.id for entry in entries if entry.id]

    def _marked(self) -> None:
        self.refresh_changed()
        self.post_message(Marked())

    def _draw_range(self) -> None:
        """From the anchor to the cursor; while a filter hides the anchor, as it was."""
        if self.marks.anchor:
            anchor = self._rows.find(self.marks.anchor)
            if anchor is not None and self._index >= 0:
                first, last = sorted((anchor, self._index))
                self.marks.draw(self.shown_ids(first, last))

    # -- rows

    def current(self) -> T | None:
        return self.entry(self._index)

    def entry(self, index: int) -> T | None:
        if not 0 <= index < self._rows.count():
            return None
        page, place = divmod(index, PAGE)
        if page not in self._pages:
            self._pages[page] = self._rows.window(page * PAGE, PAGE)
        rows = self._pages[page]
        return rows[place] if place < len(rows) else None

    def select(self, id: str) -> bool:
        """Put the cursor on this row; whether it is there."""
        place = self._rows.find(id)
        if place is None:
            return False
        self._go(place)
        return True

    def expect(self, id: str) -> None:
        """The cursor goes to this row when rows come that hold it."""
        self._expected = id

    def move(self, step: int) -> None:
        place = self._step(self._index, step)
        if place == self._index:
            super().move(step)
        self._go(place)

    def page(self, pages: float) -> None:
        step = int(max(1, self._room() * abs(pages) // self._height))
        target = self._index + (step if pages > 0 else -step)
        self._go(self._near(max(0, min(target, self.count() - 1))))

    def edge(self, *, last: bool) -> None:
        self._go(self._near(self.count() - 1 if last else 0))

    def height_of_content(self) -> int:
        return self._top() + self.count() * self._height + len(self._bottom())

    def line_at(self, y: int) -> Line:
        head = self._head_lines()
        if y < len(head):
            return head[y]
        foot = self._bottom()
        start = self._foot_at(len(head), len(foot))
        if foot and y >= start:
            return foot[y - start] if y - start < len(foot) else ()
        index, part = divmod(y - len(head) + self.scroll_offset.y, self._height)
        entry = self.entry(index)
        if entry is None:
            return ()
        lines = self.safely(lambda: self._painter(entry, self.inner, index == self._index))
        line = lines[part] if part < len(lines) else ()
        return with_mark(line, self._mark) if not part and entry.id in self.marks else line

    def ground_at(self, y: int) -> Color:
        if self._lit(y):
            return self.brush.colour(
                "cursor-bg" if self.has_focus or self.leads else "cursor-blur-bg"
            )
        entry = self.entry(self._index_at(y)) if len(self.marks) else None
        if entry is not None and entry.id in self.marks:
            return self.brush.colour("mark-bg")
        return super().ground_at(y)

    def bar_at(self, y: int) -> Span:
        if not self._lit(y) or not self._first_line(y):
            return Span(" ")
        return Span(self._bar, "accent" if self.has_focus or self.leads else "muted", bold=True)

    def render_line(self, y: int) -> Strip:
        entry = self.entry(self._index_at(y))
        self._standing[y] = entry.id if entry else ""
        return super().render_line(y)

    def clicked(self, event: events.Click) -> None:
        event.stop()
        if action := action_at(self.line_at(event.y), event.x - 1):
            self.post_message(Pressed(action))
            return
        index = self._index_at(event.y)
        entry = self.entry(index)
        if entry is None or not entry.id:
            return
        if event.shift:
            self.mark_to(entry.id)
            return
        self._go(index)
        if event.ctrl:
            self.toggle_mark()
        elif event.chain == 2:
            self.post_message(Opened(entry.id))

    def repaint(self) -> None:
        """Paint again after something that head or foot tells has changed."""
        self._edges = None
        self.refresh()

    def _ends(self) -> tuple[Sequence[Line], Sequence[Line]]:
        """Head and foot, painted once for a width, a focus and a place of the cursor."""
        key = (self.inner, self.has_focus, self._index)
        if self._edges is None or self._edges[0] != key:
            top, bottom = self._head, self._foot
            head = self.safely(lambda: top(*key[:2])) if top else ()
            foot = self.safely(lambda: bottom(*key[:2])) if bottom else ()
            self._edges = (key, head, foot)
        return self._edges[1:]

    def _head_lines(self) -> Sequence[Line]:
        return self._ends()[0]

    def _top(self) -> int:
        return len(self._head_lines())

    def _bottom(self) -> Sequence[Line]:
        return self._ends()[1]

    def _room(self) -> int:
        return max(1, self.size.height - self._top() - len(self._bottom()))

    def _foot_at(self, top: int, foot: int) -> int:
        """Right after the rows, or at the lower edge when the rows don't fit."""
        after = top + self.count() * self._height
        return min(after, self.size.height - foot)

    def _index_at(self, y: int) -> int:
        top, foot = self._top(), len(self._bottom())
        if y < top or (foot and y >= self._foot_at(top, foot)):
            return -1
        return (y - top + self.scroll_offset.y) // self._height

    def _lit(self, y: int) -> bool:
        return self._index >= 0 and self._index_at(y) == self._index

    def _first_line(self, y: int) -> bool:
        return (y - self._top() + self.scroll_offset.y) % self._height == 0

    def _step(self, start: int, step: int) -> int:
        """The place `step` rows on, jumping over what holds no cursor; at an end, `start`."""
        place, way = start, 1 if step > 0 else -1
        for _ in range(abs(step)):
            probe = place + way
            while (entry := self.entry(probe)) is not None and not entry.id:
                probe += way
            if entry is None:
                break
            place = probe
        return place

    def _near(self, index: int) -> int:
        """The nearest place that can hold the cursor, looking down first."""
        index = min(index, self.count() - 1)
        entry = self.entry(index)
        if entry is None or entry.id:
            return index if entry else -1
        down = self._step(index, 1)
        return down if down != index else self._kept(index)

    def _kept(self, index: int) -> int:
        up = self._step(index, -1)
        return up if up != index else -1

    def _place(self, index: int) -> None:
        entry = self.entry(index)
        self._index = index if entry else -1
        self._at_id = entry.id if entry else ""

    def _go(self, index: int) -> None:
        if index == self._index:
            return
        old = self._index
        self._place(index)
        if self.marks.anchor:
            self._draw_range()
            self._marked()
        for place in (old, index):
            if place >= 0:
                self.refresh_lines(self._top() + place * self._height, self._height)
        self._refresh_head()
        self._reveal()
        self._tell()

    def _refresh_head(self) -> None:
        """The head may say `3 of 12`."""
        if self._head:
            self.refresh_lines(self.scroll_offset.y, self._top())

    def _reveal(self) -> None:
        """Scroll as little as shows the cursor; the first row brings what stands above it."""
        if self._index < 0 or self.size.height <= 0:
            return
        start = self._index * self._height
        if self._step(self._index, -1) == self._index:
            start = 0
        end = (self._index + 1) * self._height
        top = self.scroll_offset.y
        if start < top:
            self.scroll_to(y=start, animate=False, immediate=True, force=True)
        elif end > top + self._room():
            self.scroll_to(y=end - self._room(), animate=False, immediate=True, force=True)

    def _resized(self) -> None:
        self.virtual_size = Size(max(0, self.size.width), self.height_of_content())

    def resized(self) -> None:
        self._resized()
        self._reveal()

    def _tell(self) -> None:
        self.post_message(Moved())
