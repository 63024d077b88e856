"""Activity: the record of reads, changes and refusals. Only the installation's owner sees it.

Filter and view are worked out where the rows lie, a page at a time; older pages come when the
cursor nears the end of those that are here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from textual.app import ComposeResult

from lobes.keys import actions
from lobes.tui import cells
from lobes.tui.paint import Line, Span, muted
from lobes.tui.screens.filtered import Filtered
from lobes.tui.values import AskedRows
from lobes.tui.views import activity as view
from lobes.tui.views.chain import chain_mark, chain_pane, chain_words
from lobes.tui.views.readers import readers_pane
from lobes.tui.views.unread import unread
from lobes.tui.widgets.canvas import Canvas
from lobes.tui.widgets.virtual_list import Listed, Moved, Opened, VirtualList

if TYPE_CHECKING:
    from lobes.tui.values import Activity, ActivityRow, ActivityView, Chain, Readers

NEAR = 60
"""Rows before the end at which the next page is asked for."""
MOST_SHOWN = 20_000
"""Rows that are kept here at once; older ones are found by the filter."""


class ActivityScreen(Filtered):
    page = "activity"
    views = view.VIEWS
    list_height = 13
    list_width = 79

    def __init__(self) -> None:
        super().__init__()
        self.view: ActivityView = "all"
        self.record: Activity | None = None
        self.chain: Chain | None = None
        self.readers: Readers | None = None
        self.shown: list[ActivityRow] = []
        self.beside: Literal["row", "readers", "chain"] = "row"
        self._asked = AskedRows()
        self._days = view.Days()
        self._is_at_end = False

    def body(self) -> ComposeResult:
        yield self.shaped(
            VirtualList[view.DayRow](self._row, cursor=self.look.glyphs.ui("cursor"), id="list")
        )
        yield Canvas(id="detail")

    def on_mount(self) -> None:
        self.listing.focus()
        self.detail.show(self._detail)

    @property
    def listing(self) -> VirtualList[view.DayRow]:
        return self.query_one("#list", VirtualList)

    @property
    def detail(self) -> Canvas:
        return self.query_one("#detail", Canvas)

    @property
    def chosen(self) -> ActivityRow | None:
        entry = self.listing.current()
        return entry.row if entry else None

    # -- painting

    def _row(self, row: view.DayRow, width: int, lit: bool) -> Sequence[Line]:
        return view.row(row, width, lit, self.look)

    def _head(self, width: int, focused: bool) -> Sequence[Line]:
        if self.record is None:
            return unread(self.unread, width, self.look)
        if not self.shown:
            asked = self._asked
            return view.nothing(self.record.total, asked.words, asked.view, width, self.look)
        fact = "{:,} of {:,}".format(*self.counted())
        return view.head(self.shown, fact, self._asked.view, width, focused, self.look)

    def _foot(self, width: int, focused: bool) -> Sequence[Line]:
        if self.record is None or len(self.shown) < MOST_SHOWN:
            return []
        return view.more(len(self.shown), self.record.matched, width, self.look)

    def _detail(self, width: int, focused: bool) -> Sequence[Line]:
        if self.beside == "readers":
            return readers_pane(self.readers, width, self.look, focused=focused)
        if self.beside == "chain" and self.chain is not None:
            return chain_pane(self.chain, width, self.look, focused=focused)
        row = self.chosen
        if row is None:
            return []
        full = self.is_wide or self.has_class("-zoom")
        return view.evidence(
            row,
            width,
            focused,
            self.look,
            chain=self.chain if full else None,
            readers=self.readers if full else None,
        )

    def context(self) -> tuple[Sequence[Span], Sequence[Span]]:
        left = [Span("Activity", bold=True), Span("  "), muted("only you can see this")]
        return left, chain_mark(self.chain, self.look) if self.chain else []

    def able(self) -> Iterable[actions.When]:
        return ("always", "row") if self.chosen else ("always",)

    def idle(self) -> Iterable[str]:
        return () if self.chosen else ("open", "copy")

    def counted(self) -> tuple[int, int]:
        """What the filter leaves, or what is here where nothing narrows it; of how many."""
        if self.record is None:
            return 0, 0
        left = self.record.matched if self._asked.is_narrowed else len(self.shown)
        return left, self.record.total

    # -- reading

    def reload(self) -> None:
        self._read_from_the_first(AskedRows(self.view, self.part))

    def _read_from_the_first(self, asked: AskedRows) -> None:
        self.jobs.forget("list")
        self._is_at_end = False
        read = partial(self.source.activity, asked)
        self.jobs.start("record", read, partial(self._read, asked), failed=self._unrecorded)

    def _unrecorded(self, error: Exception) -> None:
        self.cannot_read(error, in_place=self.record is None)
        self._show()

    def _read(self, asked: AskedRows, record: Activity) -> None:
        is_first, is_other = self.record is None, asked != self._asked
        kept = [] if is_other else self._still_there(record.rows)
        self._asked, self.record, self.unread = asked, record, ""
        self.shown = [*record.rows, *kept]
        self._days = view.Days()
        self._days.add(self.shown, self.look)
        self._show()
        if is_other and not is_first:
            self.listing.edge(last=False)
        if is_first:
            self._check(asked=False)
            if self.is_wide:
                self._read_readers("")

    def _still_there(self, newest: Sequence[ActivityRow]) -> Sequence[ActivityRow]:
        """The rows behind the newest page, as nothing in the record ever changes; none where more
        than a page has been added since."""
        if not newest:
            return []
        places = {row.id: place for place, row in enumerate(self.shown)}
        last = places.get(newest[-1].id)
        return [] if last is None else self.shown[last + 1 :]

    def _read_on(self) -> None:
        """The page behind the last row, where there is one."""
        record = self.record
        if record is None or not self.shown or self._is_at_end:
            return
        if self.jobs.is_awaited_of("list"):
            return
        if len(self.shown) >= min(record.matched, MOST_SHOWN):
            return
        asked = AskedRows(self.view, self.part, before=self.shown[-1].id)
        read = partial(self.source.activity, asked)
        self.jobs.start("list", read, self._add)

    def _add(self, older: Activity) -> None:
        self._is_at_end = not older.rows
        self.shown += older.rows
        self._days.add(older.rows, self.look)
        self._show()

    def show_rows(self) -> None:
        """The filter has changed."""
        self.reload()

    def _show(self) -> None:
        self.listing.set_rows(Listed(self._days.entries), head=self._head, foot=self._foot)
        if not self.listing.cursor:
            self.listing.edge(last=False)
        self.detail.show(self._detail, keep=True)
        self.refresh_chrome()

    def on_moved(self, event: Moved) -> None:
        event.stop()
        if self.beside == "chain":
            self.beside = "row"
        self.detail.show(self._detail)
        self.refresh_able()
        if self.listing.position >= self.listing.count() - NEAR:
            self._read_on()

    def on_opened(self, event: Opened) -> None:
        event.stop()
        self.action_open()

    def resized(self) -> None:
        self._show()
        if self.is_wide and self.record is not None and self.readers is None:
            self._read_readers("")

    # -- acts

    def action_check_chain(self) -> None:
        self.beside = "chain"
        self._check(asked=True)

    def _check(self, *, asked: bool) -> None:
        check = partial(self.source.check_chain, asked=asked)
        self.jobs.start("chain", check, self._told if asked else self._checked)

    def _checked(self, chain: Chain) -> None:
        self.chain = chain
        self.detail.show(self._detail, keep=True)
        self.refresh_chrome()

    def _told(self, chain: Chain) -> None:
        """Asked for: that it is whole may stand there already, and the key would seem dead."""
        self._checked(chain)
        if chain.is_whole:
            self.say(f"Checked: {chain_words(chain)}, {cells.plural(chain.rows, 'row')}")

    def action_who_read(self) -> None:
        """Shown, and gone again when it is asked for a second time."""
        self.beside = "row" if self.beside == "readers" else "readers"
        if self.beside == "readers":
            row = self.chosen
            self._read_readers(row.space if row else "")
        self.detail.show(self._detail)

    def _read_readers(self, space: str) -> None:
        self.jobs.start("place", partial(self.source.readers, space), self._read_who)

    def _read_who(self, readers: Readers) -> None:
        self.readers = readers
        self.detail.show(self._detail, keep=True)

    def action_view_record(self) -> None:
        place = view.VIEWS.index(self.view)
        self.view = view.VIEWS[(place + 1) % len(view.VIEWS)]
        self.reload()

    def copied(self) -> str:
        row = self.chosen
        return " ".join((row.who, row.verb, row.what, row.answer)) if row else ""
