"""A whole screen of triage from one value: list, evidence, third pane, keys that decide.

New items never slide in under the cursor: they are counted in the heading until `ctrl+r`. What is
gone stays for one refresh, struck. Everything else about an item is said by the use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from textual.app import ComposeResult
from textual.widget import Widget

from lobes.tui.paint import Line, Look, Span, heading, ink, muted, title
from lobes.tui.screens.deciding import Deciding
from lobes.tui.screens.page import TWO_LINE_ROWS, WIDE
from lobes.tui.triage import D, Decision, Merged, merged
from lobes.tui.views import triage as view
from lobes.tui.views.filtered import unmatched
from lobes.tui.views.unread import unread
from lobes.tui.widgets.canvas import Canvas
from lobes.tui.widgets.virtual_list import Listed, VirtualList

if TYPE_CHECKING:
    from textual.timer import Timer

    from lobes.keys.actions import When
    from lobes.tui.widgets.virtual_list import Moved, Opened

E = TypeVar("E")
W = TypeVar("W", bound=Widget)
REST = 0.1
"""Seconds that the cursor rests before the evidence is read."""


@dataclass(frozen=True, slots=True)
class View:
    """A view of a use: its id for the port, the heading of the list, the word in the context."""

    id: str
    title: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class Found(Generic[D]):
    """What a view holds now. `fact` stands at the right of line 2."""

    items: tuple[D, ...]
    fact: str = ""
    counters: tuple[view.Counter, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The lines of the pane. The first `text` of them hold what is decided upon: they are to be
    read before it is. Unless it `is_whole`, some of them are still to come."""

    lines: Sequence[Line]
    text: int = 0
    is_whole: bool = True


Pane = Callable[[D, E | None, int, bool, Look], Evidence]
"""An item, what was read of it (None until then), a width, the focus."""


@dataclass(frozen=True, slots=True)
class Use(Generic[D, E]):
    """What differs between memory review, lessons and shares."""

    name: str
    about: str
    nouns: tuple[str, str]
    views: tuple[View, ...]
    decisions: tuple[Decision[D], ...]
    read: Callable[[str], Found[D]]
    """The items of a view; in a thread."""
    inspect: Callable[[D], E]
    """What the evidence needs beyond the item; in a thread."""
    row: Callable[[D, Look], view.Row]
    evidence: Pane[D, E]
    empty: tuple[str, ...]
    third: Pane[D, E] | None = None
    order: str = "newest first"
    group: Callable[[D], str] | None = None
    two_lines: bool = True
    empty_acts: tuple[tuple[str, str], ...] = (
        ("view", "shows others"),
        ("undo", "undoes the last"),
    )
    """What leads on from an empty list: an act by its id, and the words beside its key."""


class TriageScreen(Deciding, Generic[D, E]):
    """Subclasses name their page and their sizes and give `make_use`."""

    list_height = 9
    list_width = 58
    list_width_of_three = 56

    def __init__(self) -> None:
        super().__init__()
        self.use: Use[D, E] = self.make_use()
        self.view = self.use.views[0]
        self.found: Found[D] | None = None
        self.merged: Merged[D] = Merged(())
        self._by_id: dict[str, D] = {}
        self._shown: list[D] = []
        self._inspected: tuple[str, str, E] | None = None
        self._standing: tuple[tuple[str, str], Evidence] | None = None
        """Whose evidence stands there as it was read, id and stamp, and what is painted of it."""
        self._read_whole: set[tuple[str, str]] = set()
        self._timer: Timer | None = None
        self._again: Timer | None = None
        self._own = True

    def make_use(self) -> Use[D, E]:
        raise NotImplementedError

    @property
    def nouns(self) -> tuple[str, str]:
        return self.use.nouns

    def body(self) -> ComposeResult:
        glyphs = self.look.glyphs
        yield self.shaped(
            VirtualList[view.Entry[D]](
                self._row, cursor=glyphs.ui("cursor"), mark=glyphs.ui("mark"), id="list"
            )
        )
        yield Canvas(id="detail")
        if self.use.third is not None:
            yield Canvas(id="third")

    def on_mount(self) -> None:
        self.listing.focus()
        self._show_evidence()

    @property
    def listing(self) -> VirtualList[view.Entry[D]]:
        return self.query_one("#list", VirtualList)

    @property
    def detail(self) -> Canvas:
        return self.query_one("#detail", Canvas)

    @property
    def chosen(self) -> D | None:
        entry = self.listing.current()
        return entry.item if entry else None

    # -- what deciding needs

    def decisions(self) -> Sequence[Decision[Any]]:
        return self.use.decisions

    def item(self, id: str) -> D | None:
        return None if id in self.merged.gone else self._by_id.get(id)

    def is_read(self, id: str) -> bool:
        """Whether the text was shown to its end, now or before."""
        self._note_read()
        item = self._by_id.get(id)
        return item is not None and (id, item.stamp) in self._read_whole

    def decided(self, done: Sequence[str]) -> None:
        """Out of the list at once; the store is asked again for the rest once keys rest: what is
        beside the next one is read first."""
        gone = set(done)
        items = tuple(item for item in self.merged.items if item.id not in gone)
        self._take(Merged(items, self.merged.gone, self.merged.held), own=True)
        if self._again:
            self._again.stop()
        self._again = self.set_timer(REST, self.others_wrote)

    def stayed(self, done: Sequence[str]) -> None:
        """As they are now."""
        if done:
            self.others_wrote()

    # -- painting

    @property
    def has_two_lines(self) -> bool:
        width, height = self.app.size
        return self.use.two_lines and width >= WIDE and height >= TWO_LINE_ROWS

    def _row(self, entry: view.Entry[D], width: int, lit: bool) -> Sequence[Line]:
        if entry.item is None:
            return view.group_line(entry, width, self.look)
        row = self.use.row(entry.item, self.look)
        if entry.id in self.merged.gone:
            struck = self.look.glyphs.of("memory", "deleted")
            row = view.Row(Span(struck, "muted"), "it is gone", where=row.where, at=row.at)
        lines = view.row(row, width, lit, self.look, two=self.has_two_lines)
        return [_pale(line) for line in lines] if entry.id in self.pending else lines

    def _head(self, width: int, focused: bool) -> Sequence[Line]:
        if self.found is None:
            return unread(self.unread, width, self.look)
        total = len(self._shown)
        name = self.view.title
        if self.use.group is not None and self._shown:
            name = self.use.group(self._shown[0])
        place = 1 + next(
            (at for at, one in enumerate(self._shown) if one.id == self.listing.cursor), 0
        )
        line = view.head(
            name, place, total, self.use.order, self.merged.held, width, self.look, lit=focused
        )
        if self._shown:
            return [line]
        if self.merged.items:
            return [line, *unmatched(self.part, len(self.merged.items), width, self.look)]
        return [
            line,
            *view.nothing(
                self.use.empty, self.found.counters, self.use.empty_acts, width, self.look
            ),
        ]

    def _pane(self, paint: Pane[D, E], width: int, focused: bool) -> Evidence:
        item = self.chosen
        if item is None:
            return Evidence([])
        if item.id in self.merged.gone:
            name = heading([title(self.use.name)], [], width, self.look, focused=focused)
            return Evidence([name, (muted("It is gone."),)])
        known = self._known(item)
        return paint(item, known[2] if known else None, width, focused, self.look)

    def _known(self, item: D) -> tuple[str, str, E] | None:
        """What was read of it, where that is of what it is now."""
        known = self._inspected
        if known is None or known[:2] != (item.id, item.stamp) or item.id in self.merged.gone:
            return None
        return known

    def _detail(self, width: int, focused: bool) -> Sequence[Line]:
        self._note_read()  # of what stood there until now
        painted = self._pane(self.use.evidence, width, focused)
        known = self._known(self.chosen) if self.chosen else None
        self._standing = (known[:2], painted) if known else None
        return painted.lines

    def _third(self, width: int, focused: bool) -> Sequence[Line]:
        return self._pane(self.use.third, width, focused).lines if self.use.third else []

    def _show_evidence(self, *, keep: bool = False) -> None:
        self.detail.show(self._detail, keep=keep)
        for pane in self.query("#third"):
            if isinstance(pane, Canvas):
                pane.show(self._third, keep=keep)

    def _note_read(self) -> None:
        """Remember that the text of the evidence has been painted to its end: of the item whose
        evidence stands there, which the cursor may just have left."""
        if self._standing is None:
            return
        whose, painted = self._standing
        item = self._by_id.get(whose[0])
        if item is None or item.stamp != whose[1]:
            return
        if not self.detail.display or self.detail.size.height <= 0:
            return
        if painted.is_whole and self.detail.lowest + 1 >= painted.text:
            self._read_whole.add(whose)

    def context(self) -> tuple[Sequence[Span], Sequence[Span]]:
        left = [Span(self.use.name, bold=True), Span("  "), muted(self.use.about)]
        if self.view.word and self.view is not self.use.views[0]:
            left += [Span("  "), ink(self.view.word)]
        fact = self.found.fact if self.found else "" if self.unread else "reading"
        return left, [*self.marks_span(), muted(fact)]

    def able(self) -> Iterable[When]:
        return ("always", "row") if self.chosen is not None else ("always",)

    def counted(self) -> tuple[int, int]:
        return len(self._shown), len(self.merged.items)

    # -- reading

    def reload(self) -> None:
        """Everything as it is now, what is new too: by the person's own wish or act."""
        self._own = True
        self._read()

    def others_wrote(self) -> None:
        self._own = False
        self._read()

    def _read(self) -> None:
        read = partial(self.use.read, self.view.id)
        self.jobs.start("list", read, self._found, failed=self._unlisted)

    def _unlisted(self, error: Exception) -> None:
        """What stands there stays; where nothing does yet, the words say why."""
        self.cannot_read(error, in_place=self.found is None)
        self.show_rows()

    def _found(self, found: Found[D]) -> None:
        first = self.found is None
        self.found, self.unread = found, ""
        if self._own or first:
            fresh = Merged(found.items)
        else:
            fresh = merged(self.merged.items, found.items, self.merged.gone)
        self._take(fresh, own=self._own and not first)

    def _take(self, fresh: Merged[D], *, own: bool) -> None:
        before = self.listing.cursor
        self.merged = fresh
        self._by_id = {item.id: item for item in fresh.items}
        self.show_rows()
        self.shows((one for one in fresh.items if one.id not in fresh.gone), own=own)
        if not own and before and self.listing.cursor != before:
            self.guard.disturb()
        self._show_evidence(keep=self.listing.cursor == before)
        self._inspect()

    def show_rows(self) -> None:
        part = self.part.casefold().strip()
        # Without a filter none are looked for: the words of ten thousand rows take longer than
        # reading them.
        shown = (one for one in self.merged.items if not part or part in self._words(one))
        self._shown = list(shown)
        rows = Listed(view.entries(self._shown, self.use.group))
        height = 2 if self.has_two_lines else 1
        self._bare(self.found is not None and not self.merged.items)
        self.listing.set_rows(rows, head=self._head, height=height)
        if not self.listing.cursor:
            self.listing.edge(last=False)
        self.refresh_chrome()

    def _bare(self, is_bare: bool) -> None:
        """Where nothing is there to decide upon, why not has the room of the evidence."""
        if is_bare != self.has_class("-bare"):
            self.set_class(is_bare, "-bare")
            self.shaped(self.listing)

    def shaped(self, pane: W) -> W:
        shaped = super().shaped(pane)
        if self.has_class("-bare"):
            shaped.styles.height = "1fr"
        return shaped

    def _words(self, item: D) -> str:
        row = self.use.row(item, self.look)
        flag = "".join(span.text for span in row.flag)
        return f"{row.text} {flag} {row.where} {row.by}".casefold()

    def resized(self) -> None:
        self.show_rows()
        self._show_evidence(keep=True)

    def on_moved(self, event: Moved) -> None:
        """The evidence is painted from what the list knows; the rest is read once keys rest."""
        event.stop()
        self._note_read()
        self._show_evidence()
        self.refresh_able()
        if self._timer:
            self._timer.stop()
        self._timer = self.set_timer(REST, self._inspect)

    def _inspect(self) -> None:
        item = self.chosen
        if item is None or item.id in self.merged.gone:
            return
        work = partial(self.use.inspect, item)
        self.jobs.start("evidence", work, partial(self._inspected_one, item))

    def _inspected_one(self, item: D, found: E) -> None:
        fresh = (item.id, item.stamp, found)
        if fresh == self._inspected:
            return
        self._inspected = fresh
        if self.chosen is not None and self.chosen.id == item.id:
            self.more_is_shown()

    def more_is_shown(self) -> None:
        """What stood there before was read of less: what is painted from now on counts."""
        self.detail.lowest = -1
        self._show_evidence(keep=True)

    # -- acts

    def on_opened(self, event: Opened) -> None:
        event.stop()
        self.action_open()

    def action_view(self) -> None:
        place = self.use.views.index(self.view)
        self.view = self.use.views[(place + 1) % len(self.use.views)]
        self.found = None
        self.reload()

    def copied(self) -> str:
        item = self.chosen
        return self.use.row(item, self.look).text if item is not None else ""


def _pale(line: Line) -> Line:
    """A row that is being decided."""
    return tuple(Span(span.text, "muted", ground=span.ground) for span in line)
