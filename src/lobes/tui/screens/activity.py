"""Activity: the record of reads, changes and refusals. Only the installation's owner sees it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from lobes.keys import actions
from lobes.tui.paint import Line, Span, muted
from lobes.tui.screens.filtered import Filtered
from lobes.tui.views import activity as view
from lobes.tui.views.unread import unread
from lobes.tui.widgets.canvas import Canvas
from lobes.tui.widgets.virtual_list import Listed, Moved, Opened, VirtualList

if TYPE_CHECKING:
    from lobes.tui.values import Activity, ActivityRow, ActivityView, Chain


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
        self.shown: list[ActivityRow] = []

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
        total = self.record.total
        if not self.shown:
            return view.nothing(total, self.part, width, self.look)
        return view.head(self.shown, total, self.view, width, focused, self.look)

    def _detail(self, width: int, focused: bool) -> Sequence[Line]:
        row = self.chosen
        if row is None:
            return []
        full = self.is_wide or self.has_class("-zoom")
        return view.evidence(row, self.chain, width, focused, self.look, full=full)

    def context(self) -> tuple[Sequence[Span], Sequence[Span]]:
        left = [Span("Activity", bold=True), Span("  "), muted("only you can see this")]
        return left, view.chain_mark(self.chain, self.look) if self.chain else []

    def able(self) -> Iterable[actions.When]:
        return ("always", "row") if self.chosen else ("always",)

    def idle(self) -> Iterable[str]:
        return () if self.chosen else ("open", "copy")

    def counted(self) -> tuple[int, int]:
        return len(self.shown), self.record.total if self.record else 0

    # -- reading

    def reload(self) -> None:
        self.jobs.start("record", self.source.activity, self._read, failed=self._unrecorded)

    def _unrecorded(self, error: Exception) -> None:
        self.cannot_read(error, in_place=self.record is None)
        self.show_rows()

    def _read(self, record: Activity) -> None:
        first = self.record is None
        self.record, self.unread = record, ""
        self.show_rows()
        if first:
            self.action_check_chain()

    def show_rows(self) -> None:
        rows = self.record.rows if self.record else ()
        self.shown = view.shown(rows, self.view, self.part)
        self.listing.set_rows(Listed(view.by_day(self.shown, self.look)), head=self._head)
        if not self.listing.cursor:
            self.listing.edge(last=False)
        self.detail.show(self._detail, keep=True)
        self.refresh_chrome()

    def on_moved(self, event: Moved) -> None:
        event.stop()
        self.detail.show(self._detail)
        self.refresh_able()

    def on_opened(self, event: Opened) -> None:
        event.stop()
        self.action_open()

    def resized(self) -> None:
        self.show_rows()

    # -- acts

    def action_check_chain(self) -> None:
        self.jobs.start("chain", self.source.check_chain, self._checked)

    def _checked(self, chain: Chain) -> None:
        self.chain = chain
        self.detail.show(self._detail, keep=True)
        self.refresh_chrome()

    def action_view_record(self) -> None:
        place = view.VIEWS.index(self.view)
        self.view = view.VIEWS[(place + 1) % len(view.VIEWS)]
        self.show_rows()
        self.listing.edge(last=False)

    def copied(self) -> str:
        row = self.chosen
        return " ".join((row.who, row.verb, row.what, row.answer)) if row else ""
