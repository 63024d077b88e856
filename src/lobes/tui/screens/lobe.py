"""Lobe: who may draw on a Space and what it draws on, with the effect shown before it is saved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from textual.app import ComposeResult
from textual.timer import Timer

from lobes.domain.errors import NotFound
from lobes.domain.lobes import CROSS_SPACE
from lobes.domain.memories import WRITE_POLICIES
from lobes.keys import actions
from lobes.tui import cells
from lobes.tui.access import held, rights
from lobes.tui.paint import BLANK, Line, Span, muted
from lobes.tui.screens.lobe_people import LobePeople
from lobes.tui.screens.lobe_sources import LobeSources
from lobes.tui.screens.matrix import MatrixScreen
from lobes.tui.values import LobeView, SourceRow
from lobes.tui.views import lobe as view
from lobes.tui.views import lobe_effect, lobe_people, marks, put_away
from lobes.tui.views.lobe_draft import Explained, FormRow, rows, section
from lobes.tui.views.unread import unread
from lobes.tui.widgets.canvas import Canvas
from lobes.tui.widgets.dialog import Button, Dialog, words
from lobes.tui.widgets.virtual_list import Listed, Moved, VirtualList

REST = 0.1
"""Seconds that the cursor rests before the other direction is read."""

WHOLE_LINES = 56
"""Cells from which an effect fits one line; below, it is told in sentences."""


class LobeScreen(LobeSources, LobePeople):
    list_height = 15
    list_width = 66

    def __init__(self) -> None:
        super().__init__()
        self._rest: Timer | None = None
        self._back: list[Explained] = []

    def body(self) -> ComposeResult:
        yield self.shaped(
            VirtualList[FormRow](self._row, cursor=self.look.glyphs.ui("cursor"), id="list")
        )
        yield Canvas(id="detail")

    def on_mount(self) -> None:
        self.listing.focus()
        self.detail.show(self._detail)

    @property
    def detail(self) -> Canvas:
        return self.query_one("#detail", Canvas)

    # -- painting

    def _row(self, row: FormRow, width: int, lit: bool) -> Sequence[Line]:
        if self.draft is None:
            return []
        focused = self.listing.has_focus and section(self.listing.cursor) == row.kind
        return view.row(row, width, lit, focused, self.draft, self.look)

    def _empty(self, width: int, focused: bool) -> Sequence[Line]:
        return [(muted(self.no_space),)]

    def _detail(self, width: int, focused: bool) -> Sequence[Line]:
        if self.draft is None:
            return []
        zoomed = self.has_class("-zoom")
        full = self.is_wide or (zoomed and width >= WHOLE_LINES)
        why = self._explained()
        draft, look = self.draft, self.look
        lines = lobe_effect.effect(draft, why, width, focused, look, full=full, zoomed=zoomed)
        row = self.listing.current()
        if row is not None and row.subject and (full or zoomed or not draft.changes):
            lines += lobe_people.pane(row.subject, draft, width, look)
        return lines

    def _explained(self) -> list[Explained]:
        """The row under the cursor, then the other way where that has been read.

        Beside a setting there is room for the first lobe that is not drawn on.
        """
        if self.draft is None:
            return []
        row = self.listing.current()
        item = row and (row.source or row.refusal)
        if row is not None and section(row.id) == "people":
            return []
        if not item and self.is_wide and self.draft.view.refusals:
            item = self.draft.view.refusals[0]
        if not item:
            return []
        here = Explained(self.draft.view.name, item.name, item)
        back = [one for one in self._back if one.asking == item.name]
        return [here, *back]

    def context(self) -> tuple[Sequence[Span], Sequence[Span]]:
        left = self.space_mark(self.lobes.space)
        if self.draft is None:
            return left, []
        if self.draft.view.config.is_private:
            word = self.size.width >= 60 or not self.draft.changes
            left += [Span("  "), marks.private(self.look, word=word)]
        if self.draft.view.is_archived:
            left += put_away.mark(self.look)
        count = len(self.draft.view.sources)
        left += [Span("  "), muted(f"draws on {cells.plural(count, 'lobe')}")]
        changes = self.draft.changes
        right = [Span(f"{cells.plural(changes, 'change')} not saved", "warning")] if changes else []
        return left, right

    def able(self) -> Iterable[actions.When]:
        holds: list[actions.When] = ["always"]
        row = self.listing.current()
        if row is not None:
            holds.append("row")
            if row.added or row.subject or (row.source and row.source.subscription):
                holds.append("source")
        if self.draft and self.draft.changes:
            holds.append("draft")
        return holds

    def idle(self) -> Iterable[str]:
        return () if self.draft else ("add_source", "never_with", "why", "next_pane")

    # -- reading

    def reload(self) -> None:
        space = self.lobes.space_id
        if not space:
            self.listing.set_rows(Listed[FormRow](), head=self._empty)
            return
        self.jobs.start("lobe", partial(self.source.lobe, space), self._read, failed=self._lost)

    def _lost(self, error: Exception) -> None:
        """A Space that is not here any more: its form goes, the words say why."""
        if not isinstance(error, NotFound):
            self.cannot_read(error, in_place=self.draft is None)
            if self.draft is None:
                self.listing.set_rows(Listed[FormRow](), head=self._why_not)
            return
        self.draft = None
        self.jobs.forget("effect")
        space = self.lobes.space
        words = put_away.gone(space.name if space else "", error.reason, self.look)
        self.listing.set_rows(
            Listed[FormRow](), head=lambda width, _: put_away.notice(words, width)
        )
        self.detail.show(self._detail)
        self.refresh_chrome()

    def _why_not(self, width: int, focused: bool) -> Sequence[Line]:
        return unread(self.unread, width, self.look)

    def _archived(self, width: int, focused: bool) -> Sequence[Line]:
        words = put_away.archived(self.draft.view.name, self.look) if self.draft else ""
        return [*put_away.notice(words, width), BLANK]

    def _read(self, lobe: LobeView) -> None:
        """A draft of the same Space is kept: only what is stored is read again."""
        self.unread = ""
        self.lobes.space_named(lobe.space, lobe.name)
        self.begin(lobe)

    def show_form(self) -> None:
        if self.draft is None:
            return
        shown = Listed(rows(self.draft, narrow=not self.is_wide))
        self.listing.set_rows(shown, head=self._archived if self.draft.view.is_archived else None)
        self.detail.show(self._detail, keep=True)
        self.refresh_chrome()

    def on_moved(self, event: Moved) -> None:
        event.stop()
        self.detail.show(self._detail)
        self.listing.repaint()
        self.refresh_able()
        if self._rest:
            self._rest.stop()
        self._rest = self.set_timer(REST, self._read_back)

    def _read_back(self) -> None:
        explained = self._explained()
        draft = self.draft
        key = explained[0].item.key if explained else ""
        if draft is None or not key.startswith("space/") or key == f"space/{draft.view.space}":
            return
        work = partial(self._other_way, key.removeprefix("space/"), draft.view)
        self.jobs.start("back", work, self._read_other)

    def _other_way(self, space: str, asked: LobeView) -> list[Explained]:
        other = self.source.lobe(space)
        key = f"space/{asked.space}"
        return [
            Explained(other.name, asked.name, one)
            for one in (*other.sources, *other.refusals)
            if one.key == key
        ]

    def _read_other(self, back: list[Explained]) -> None:
        self._back = back
        self.detail.show(self._detail, keep=True)

    def resized(self) -> None:
        self.show_form()

    # -- choices

    def _step(self, by: int) -> bool:
        """Change the choice of the row under the cursor; whether it has choices."""
        if self.draft is None:
            return False
        config = self.draft.config
        match self.listing.cursor:
            case "private":
                self.change(replace(config, is_private=not config.is_private))
            case "spaces":
                place = (CROSS_SPACE.index(config.cross_space) + by) % len(CROSS_SPACE)
                self.change(replace(config, cross_space=CROSS_SPACE[place]))
            case "proposals":
                place = (WRITE_POLICIES.index(config.write_policy) + by) % len(WRITE_POLICIES)
                self.change(replace(config, write_policy=WRITE_POLICIES[place]))
            case "outside":
                held = not config.hold_external_changes
                self.change(replace(config, hold_external_changes=held))
            case cursor:
                return self.step_people(cursor, by)
        return True

    def action_pane_left(self) -> None:
        if not (self.listing.has_focus and self._step(-1)):
            super().action_pane_left()

    def action_pane_right(self) -> None:
        if not (self.listing.has_focus and self._step(1)):
            super().action_pane_right()

    def action_choice(self) -> None:
        if self.listing.cursor == "inherits":
            self.ask_inherited()
        else:
            self._step(1)

    def action_open(self) -> None:
        if not self.listing.has_focus:
            super().action_open()
        elif self.listing.cursor == "inherits":
            self.ask_inherited()
        elif not self._step(1):
            super().action_open()

    def action_matrix(self) -> None:
        self.app.push_screen(MatrixScreen(self.lobes.space_id, look=self.look))

    def action_remove_source(self) -> None:
        if not self.remove_named():
            self.remove_source()

    def copied(self) -> str:
        """The name of the row: a lobe's, or a setting's with its value."""
        row = self.listing.current()
        if row is None or self.draft is None or not self.listing.has_focus:
            return super().copied()
        item = row.source or row.refusal
        if item:
            return item.name
        line = view.row(row, 200, False, False, self.draft, self.look)[0]
        return " ".join("".join(span.text for span in line).split())

    def action_why(self) -> None:
        row = self.listing.current()
        if row is not None and row.subject:
            self._why_named(row.subject)
            return
        explained = self._explained() if row and (row.source or row.refusal) else []
        if not explained:
            self.say("Choose a lobe to see why.", "warning")
            return
        parts = [part for one in explained for part in (_sentence(one), "")]
        self._tell("Why, both ways" if len(explained) > 1 else "Why", parts[:-1])

    def _why_named(self, subject: str) -> None:
        """What somebody who is named may do, and whether the entry binds."""
        if self.draft is None or self.draft.permission is None or self.draft.view.access is None:
            return
        one, permission = self.draft.view.access.named(subject), self.draft.permission
        listed = rights(held(permission, subject), shown=20)
        parts = [f"{one.name} in {self.draft.view.name}: {listed}."]
        if one.trouble:
            parts += ["", f"{one.trouble.capitalize()}: the entry gives nothing to anybody."]
        elif permission.visibility == "private":
            parts += ["", "It rests: only its owner sees the Space."]
        self._tell("What this entry gives", parts)

    def _tell(self, title: str, parts: Sequence[str]) -> None:
        buttons = [Button("", "Close")]
        self.app.push_screen(Dialog(title, words(*parts), buttons, look=self.look))


def _sentence(one: Explained) -> str:
    item = one.item
    if isinstance(item, SourceRow):
        return f"{one.asking} draws on {one.asked}: {item.sentence} It counts × {item.weight:.2f}."
    change = f" What would change it: {item.change}." if item.change else ""
    return f"{one.asking} doesn't draw on {one.asked}: {item.sentence}{change}"
