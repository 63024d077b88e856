"""Spaces: choose one, see where it stands, look after its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from lobes.keys import actions
from lobes.tui.outcomes import SPACES_VIEWS
from lobes.tui.paint import Line, Span, heading, ink, muted
from lobes.tui.screens.deciding import Deciding, decides
from lobes.tui.screens.editing import Editing
from lobes.tui.screens.peek import Peek
from lobes.tui.screens.zoom import Zoom, page_file
from lobes.tui.triage import Asked, Decision
from lobes.tui.views import spaces as view
from lobes.tui.views.filtered import unmatched
from lobes.tui.views.unread import unread
from lobes.tui.widgets.reader import Reader
from lobes.tui.widgets.virtual_list import Moved, Opened, VirtualList

if TYPE_CHECKING:
    from lobes.tui.memory import Kept
    from lobes.tui.outcomes import Outcome, PuttingAway, SpacesView
    from lobes.tui.triage import Settlement
    from lobes.tui.values import FileText, SpaceEvidence, SpaceRow
    from lobes.tui.widgets.canvas import Paint

BRIEF = 60
"""Cells below which line 2 counts the Spaces alone."""

Acts = Callable[[tuple[Asked, ...], str], "Settlement"]


class SpacesScreen(Deciding):
    page = "spaces"
    views = SPACES_VIEWS
    list_height = 12
    list_width = 64

    def __init__(self) -> None:
        super().__init__()
        self.view: SpacesView = "active"
        self.spaces: tuple[SpaceRow, ...] = ()
        self.loaded = False
        self._by_id: dict[str, SpaceRow] = {}
        self._gone: dict[str, view.Gone] = {}
        """Put away by somebody else: they stand in the list, struck, until it is next read."""
        self._shown = 0
        self._words: list[str] = []
        self._evidence: SpaceEvidence | None = None
        self._wanted = ""
        self._open = ""
        self._peek = Peek(self, lambda: self.chosen, self._glimpse, self._show_evidence)
        self.editing = Editing(self, self.reload)
        self.zoom = Zoom(self, lambda: self.detail)

    def body(self) -> ComposeResult:
        yield self.shaped(
            VirtualList[view.ListRow](
                self._row,
                cursor=self.look.glyphs.ui("cursor"),
                mark=self.look.glyphs.ui("mark"),
                id="list",
            )
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
        return row.space if row and not row.gone else None

    # -- painting

    def _row(self, row: view.ListRow, width: int, lit: bool) -> Sequence[Line]:
        return view.row(row, width, lit, self.look)

    def _empty(self, width: int, focused: bool) -> Sequence[Line]:
        if not self.loaded:
            return unread(self.unread, width, self.look)
        if self.spaces:
            return unmatched(self.part, len(self.spaces), width, self.look)
        return view.nothing(self.view, width, self.look)

    def _detail(self, width: int, focused: bool) -> Sequence[Line]:
        if self.editing.difference is not None:
            return self.editing.difference(width, focused)
        if self._evidence is None:
            return []
        return view.evidence(
            self._evidence, width, focused, self.look, full=self.is_wide or self.has_class("-zoom")
        )

    def context(self) -> tuple[Sequence[Span], Sequence[Span]]:
        left, right = view.context(self.spaces, self.view, brief=self.size.width < BRIEF)
        if not self.loaded:
            return left, [] if self.unread else [muted("reading")]
        return left, [*self.marks_span(), *right]

    def able(self) -> Iterable[actions.When]:
        space = self.chosen
        if space is None:
            return ("always",)
        return ("always", "row", *(("changed",) if space.manifest_changed else ()))

    def idle(self) -> Iterable[str]:
        return () if self.chosen else ("open", "next_pane")

    # -- what deciding needs

    @property
    def nouns(self) -> tuple[str, str]:
        return "Space", "Spaces"

    def item(self, id: str) -> SpaceRow | None:
        return self._by_id.get(id)

    def counted(self) -> tuple[int, int]:
        return self._shown, len(self.spaces)

    def decisions(self) -> Sequence[Decision[SpaceRow]]:
        """What puts the Spaces of this view away, or brings them back."""
        if self.view == "trash":
            return (Decision("archive", "Restored", self._acts("restore", back="trash")),)
        trash = Decision("delete", "Trashed", self._acts("trash"), before=self._ask_trash)
        if self.view == "archived":
            return (Decision("archive", "Restored", self._acts("restore")), trash)
        return (Decision("archive", "Archived", self._acts("archive")), trash)

    def _acts(self, act: PuttingAway, back: PuttingAway = "archive") -> Acts:
        def perform(asked: tuple[Asked, ...], note: str) -> Settlement:
            return self.source.put_away(act, [one.id for one in asked], back=back)

        return perform

    def _ask_trash(self, spaces: tuple[SpaceRow, ...], proceed: Callable[[], None]) -> None:
        from lobes.tui.screens.space_dialogs import ask_trash

        ids = [one.id for one in spaces]
        ask_trash(self.lobes, self.jobs, ids, proceed, partial(self._ask_erase, ids[0]))

    def _ask_erase(self, space: str) -> None:
        from lobes.tui.screens.erasing import ask_erase

        ask_erase(self, "space", space, partial(self._erased, space))

    def _erased(self, space: str) -> None:
        """Nothing is open that isn't there: the next one is, where it was."""
        self.lobes.drafts.forget(space)
        left = [one.id for one in self.spaces if one.id != space]
        if self.lobes.space_id == space and left and self.view == "active":
            self.lobes.open_space(left[0])
        self.decided([space])

    def decided(self, done: Sequence[str]) -> None:
        """Out of the list at once; the store is asked for the rest."""
        gone = set(done)
        self._listed(tuple(one for one in self.spaces if one.id not in gone), own=True)
        self.reload()

    # -- reading

    def others_wrote(self) -> None:
        self._read(own=False)

    def reload(self) -> None:
        self._read(own=True)

    def _read(self, *, own: bool) -> None:
        if self._open != self.lobes.space_id:
            self._open = self._wanted = self.lobes.space_id
        self.jobs.start(
            "list",
            partial(self.source.spaces, self.view),
            partial(self._listed, own=own),
            failed=self._unlisted,
        )

    def _unlisted(self, error: Exception) -> None:
        """What stands there stays; where nothing does yet, the words say why."""
        self.cannot_read(error, in_place=not self.loaded)
        self.show_rows()

    def _listed(self, spaces: tuple[SpaceRow, ...], *, own: bool) -> None:
        first = not self.loaded and not self.spaces
        before = () if own or not self.loaded else self.spaces
        self.spaces, self.loaded, self.unread = spaces, True, ""
        self._by_id = {one.id: one for one in spaces}
        self._gone = view.gone(before, self._by_id.keys() | self.pending)
        self._words = [f"{one.name} {one.id}".casefold() for one in spaces]
        chosen = self.lobes.space_id
        self.lobes.spaces_seen(spaces, self.view)
        if self.lobes.space_id != chosen:
            # Nobody chose it: the cursor stays where it is.
            self._open = self.lobes.space_id
        if first:
            self._wanted = self._wanted or self.lobes.space_id
        self.show_rows()
        self._let_go()
        if self._wanted and self.listing.select(self._wanted):
            self._wanted = ""
        self.shows(spaces, own=own)
        self._peek.again()

    def show_rows(self) -> None:
        part = self.part.casefold().strip()
        shown = [one for one, words in zip(self.spaces, self._words, strict=True) if part in words]
        self._shown = len(shown)
        shown = view.with_gone(shown, self._gone) if self._gone else shown
        rows = view.Grouped(shown, self._gone)
        self.listing.set_rows(rows, head=None if shown else self._empty)
        if not self.listing.cursor and shown:
            found = self.listing.select(self.lobes.space_id or shown[0].id)
            if not found:
                self.listing.edge(last=False)
        self.refresh_chrome()

    def _let_go(self) -> None:
        """The text of a Space that somebody put away is not read on."""
        read = self._evidence
        if read is None or read.id not in self._gone:
            return
        self._evidence = None
        if self.has_class("-zoom"):
            self.remove_class("-zoom")
            self._focus_list()
            self.zoomed()
            self.say(f"{read.name} is not here any more: it was put away elsewhere.", "warning")

    def on_moved(self, event: Moved) -> None:
        event.stop()
        self.editing.forget()
        self.refresh_able()
        self._peek.moved()

    def _glimpse(self, space: SpaceRow) -> SpaceEvidence:
        return view.of_row(space, self.look, in_trash=self.view == "trash")

    def _show_evidence(self, found: SpaceEvidence | None, keep: bool) -> None:
        self._evidence = found
        if not self.zoom.is_on:
            self.detail.show(self._detail, keep=keep)

    def recall(self, kept: Kept) -> None:
        """The Spaces stand already; another view is read."""
        super().recall(kept)
        self._wanted = kept.cursor
        if self.view != "active":
            self.reload()

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
        elif (space := self.chosen) is not None and self.lobes.hides(space.id):
            self.lobes.ask_names(space.id)
        elif space is not None:
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

    def show(self, space: str, path: str = "") -> None:
        """The cursor on a Space and, with a `path`, that file of its pack open to be read."""
        if not self.listing.select(space) or not path:
            return
        self.add_class("-zoom")
        self.detail.focus()
        self.zoom.begin(space, path, head=lambda file: self._named(path))

    def _named(self, path: str) -> Paint:
        return lambda width, focused: [
            heading([ink(path, bold=True)], [], width, self.look, focused=focused)
        ]

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

    action_archive = decides("archive")

    def action_delete(self) -> None:
        """To the trash; out of the trash there is one way on."""
        if self.view != "trash":
            self.decide("delete")
        elif self.listing.marks.ids:
            self.one_at_a_time()
        elif (space := self.chosen) is not None:
            self._ask_erase(space.id)

    def action_index_now(self) -> None:
        if (space := self.chosen) is not None:
            self.say(f"Looking through the files of {space.name}")
            self._do("index", partial(self.source.index, space.id))

    def action_trust(self) -> None:
        from lobes.tui.screens.space_dialogs import ask_trust

        if (space := self.chosen) is not None:
            ask_trust(self.lobes, self.jobs, space, self._done)

    def action_view(self) -> None:
        self.view = SPACES_VIEWS[(SPACES_VIEWS.index(self.view) + 1) % len(SPACES_VIEWS)]
        self.listing.clear_marks()
        self.loaded = False
        self.reload()

    def copied(self) -> str:
        """Of the list the folder; of the evidence its file, or where all of it is read, that."""
        if self.zoom.is_on:
            return self.zoom.text
        if self.detail.has_focus and self._evidence and self._evidence.preview:
            return self._evidence.preview
        return self._evidence.root if self._evidence else ""
