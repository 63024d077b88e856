"""Spaces: choose one, see where it stands, look after its files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from lobes.keys import actions
from lobes.tui.paint import Line, Span, muted
from lobes.tui.screens.editing import Editing
from lobes.tui.screens.filtered import Filtered
from lobes.tui.screens.zoom import Zoom, page_file
from lobes.tui.views import spaces as view
from lobes.tui.widgets.reader import Reader
from lobes.tui.widgets.virtual_list import Listed, Moved, Opened, VirtualList

if TYPE_CHECKING:
    from textual.timer import Timer

    from lobes.tui.ports import Outcome, SpacesView
    from lobes.tui.values import FileText, SpaceEvidence, SpaceRow
    from lobes.tui.widgets.canvas import Paint

PREVIEW_DELAY, LONGEST_DELAY = 0.1, 1.0
"""Seconds that the cursor rests before the evidence is read: longer where reading it took longer,
so that moving through ten thousand Spaces reads none on the way."""


class SpacesScreen(Filtered):
    page = "spaces"
    list_height = 12
    list_width = 64

    def __init__(self) -> None:
        super().__init__()
        self.view: SpacesView = "active"
        self.spaces: tuple[SpaceRow, ...] = ()
        self.loaded = False
        self._evidence: SpaceEvidence | None = None
        self._timer: Timer | None = None
        self._wanted = ""
        self._open = ""
        self._rest = PREVIEW_DELAY
        self._reading = 0.0
        self._again = False
        self.editing = Editing(self, self.reload)
        self.zoom = Zoom(self, lambda: self.detail)

    def body(self) -> ComposeResult:
        yield self.shaped(
            VirtualList[view.ListRow](self._row, cursor=self.look.glyphs.ui("cursor"), id="list")
        )
        yield Reader(lambda: self.look, id="detail")

    def on_mount(self) -> None:
        self.listing.focus()
        self.detail.show(self._detail)

    @property
    def listing(self) -> VirtualList[view.ListRow]:
        return self.query_one("#list", VirtualList)

    @property
    def detail(self) -> Reader:
        return self.query_one("#detail", Reader)

    @property
    def chosen(self) -> SpaceRow | None:
        row = self.listing.current()
        return row.space if row else None

    # -- painting

    def _row(self, row: view.ListRow, width: int, lit: bool) -> Sequence[Line]:
        return view.row(row, width, lit, self.look)

    def _empty(self, width: int, focused: bool) -> Sequence[Line]:
        return view.nothing(self.view, width, self.look) if self.loaded else []

    def _detail(self, width: int, focused: bool) -> Sequence[Line]:
        if self.editing.difference is not None:
            return self.editing.difference(width, focused)
        if self._evidence is None:
            return []
        return view.evidence(
            self._evidence, width, focused, self.look, full=self.is_wide or self.has_class("-zoom")
        )

    def context(self) -> tuple[Sequence[Span], Sequence[Span]]:
        left, right = view.context(self.spaces, self.view)
        return left, right if self.loaded else [muted("reading")]

    def able(self) -> Iterable[actions.When]:
        space = self.chosen
        if space is None:
            return ("always",)
        return ("always", "row", *(("changed",) if space.manifest_changed else ()))

    # -- reading

    def reload(self) -> None:
        if self._open != self.lobes.space_id:
            self._open = self._wanted = self.lobes.space_id
        self.jobs.start("list", partial(self.source.spaces, self.view), self._listed)

    def _listed(self, spaces: tuple[SpaceRow, ...]) -> None:
        first = not self.loaded and not self.spaces
        self.spaces, self.loaded = spaces, True
        chosen = self.lobes.space_id
        self.lobes.spaces_seen(spaces, self.view)
        if self.lobes.space_id != chosen:
            # Nobody chose it: the cursor stays where it is.
            self._open = self.lobes.space_id
        if first:
            self._wanted = self._wanted or self.lobes.space_id
        self.show_rows()
        if self._wanted and self.listing.select(self._wanted):
            self._wanted = ""
        self._read_evidence()

    def show_rows(self) -> None:
        part = self.part.casefold().strip()
        shown = [one for one in self.spaces if part in f"{one.name} {one.id}".casefold()]
        rows = Listed(view.rows(shown))
        self.listing.set_rows(rows, head=None if shown else self._empty)
        if not self.listing.cursor and shown:
            found = self.listing.select(self.lobes.space_id or shown[0].id)
            if not found:
                self.listing.edge(last=False)
        self.refresh_chrome()

    def on_moved(self, event: Moved) -> None:
        event.stop()
        self.editing.forget()
        self.refresh_able()
        if self._timer:
            self._timer.stop()
        self._timer = self.set_timer(self._rest, self._read_evidence)

    def _read_evidence(self) -> None:
        """One at a time: a thread that is not wanted any more would still take the machine."""
        space = self.chosen
        if self._reading:
            self._again = True
            return
        if space is None:
            self._evidence = None
            self.detail.show(self._detail)
            return
        self._reading = monotonic()
        work = partial(self.source.evidence, space.id)
        self.jobs.start("evidence", work, self._read, failed=self._unread)

    def _unread(self, error: Exception) -> None:
        self._rested()
        self.report(error)

    def _rested(self) -> None:
        """The read has ended; another begins where the cursor has moved on meanwhile."""
        took, self._reading = monotonic() - self._reading, 0.0
        self._rest = min(LONGEST_DELAY, max(PREVIEW_DELAY, took))
        if self._again:
            self._again = False
            self._timer = self.set_timer(self._rest, self._read_evidence)

    def _read(self, evidence: SpaceEvidence) -> None:
        self._rested()
        if self.chosen is None or self.chosen.id != evidence.id:
            return
        same = self._evidence is not None and self._evidence.id == evidence.id
        self._evidence = evidence
        if not self.zoom.is_on:
            self.detail.show(self._detail, keep=same)

    # -- acts

    def _do(self, group: str, work: partial[Outcome]) -> None:
        self.jobs.start(group, work, self._done)

    def _done(self, outcome: Outcome) -> None:
        self.lobes.acted(outcome)
        if outcome.space:
            self.lobes.open_space(outcome.space)
            self._wanted = outcome.space
        self.reload()

    def on_opened(self, event: Opened) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        if not self.listing.has_focus:
            super().action_open()
        elif (space := self.chosen) is not None:
            self._open = space.id
            self.lobes.open_space(space.id)
            self.lobes.go("search")

    def action_go(self, page: str) -> None:
        """Search and Lobe show the Space under the cursor, as `enter` does."""
        space = self.chosen
        if page in ("search", "lobe") and space is not None and space.id != self.lobes.space_id:
            self._open = space.id
            self.lobes.open_space(space.id)
        super().action_go(page)

    @property
    def reads_a_file(self) -> bool:
        return self.zoom.is_on

    def zoomed(self) -> None:
        """The evidence in full, then the whole file whose beginning it shows."""
        found = self._evidence
        self.detail.show(self._detail)
        if self.has_class("-zoom") and found is not None and found.preview_path:
            self.zoom.begin(found.id, found.preview_path, head=partial(self._above, found))
        else:
            self.zoom.end()

    def _above(self, found: SpaceEvidence, file: FileText) -> Paint:
        return lambda width, focused: view.above_file(found, width, focused, self.look)

    async def action_leave(self) -> None:
        if self.editing.forget():
            self.detail.show(self._detail)
        else:
            await super().action_leave()

    def action_uncover(self) -> None:
        self.zoom.turn()

    def action_pager(self) -> None:
        if self._evidence is not None and self._evidence.preview_path:
            page_file(self, self._evidence.id, self._evidence.preview_path)
        else:
            super().action_pager()

    def action_edit_pack(self) -> None:
        if (space := self.chosen) is not None:
            self.editing.begin(space.id)

    def action_edit_manifest(self) -> None:
        if (space := self.chosen) is not None:
            self.editing.begin(space.id, "space.yaml")

    def action_new_space(self) -> None:
        from lobes.tui.screens.space_dialogs import ask_name

        ask_name(
            self.lobes,
            lambda name, kind: self._do("act", partial(self.source.new_space, name, kind)),
        )

    def action_add_folder(self) -> None:
        from lobes.tui.screens.space_dialogs import ask_folder

        ask_folder(self.lobes, self.jobs, self._done)

    def action_archive(self) -> None:
        if (space := self.chosen) is not None:
            self._do("act", partial(self.source.archive, space.id))

    def action_delete(self) -> None:
        from lobes.tui.screens.space_dialogs import ask_trash

        if (space := self.chosen) is not None:
            ask_trash(self.lobes, self.jobs, space.id, self._done)

    def action_index_now(self) -> None:
        if (space := self.chosen) is not None:
            self.say(f"Looking through the files of {space.name}")
            self._do("index", partial(self.source.index, space.id))

    def action_trust(self) -> None:
        from lobes.tui.screens.space_dialogs import ask_trust

        if (space := self.chosen) is not None:
            ask_trust(self.lobes, self.jobs, space, self._done)

    def action_view(self) -> None:
        self.view = "archived" if self.view == "active" else "active"
        self.loaded = False
        self.reload()

    def copied(self) -> str:
        """Of the list the folder; of the evidence its file, or where all of it is read, that."""
        if self.zoom.is_on:
            return self.zoom.text
        if self.detail.has_focus and self._evidence and self._evidence.preview:
            return self._evidence.preview
        return self._evidence.root if self._evidence else ""
