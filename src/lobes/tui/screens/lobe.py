"""Lobe: who may draw on a Space and what it draws on, with the effect shown before it is saved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from textual.app import ComposeResult
from textual.timer import Timer

from lobes.domain.errors import Invalid, NotFound
from lobes.domain.ids import is_slug
from lobes.domain.lobe_change import changed
from lobes.domain.lobes import CROSS_SPACE, LobeConfig, Subscription
from lobes.keys import actions
from lobes.tui import cells
from lobes.tui.paint import BLANK, Line, Span, muted
from lobes.tui.ports import Outcome
from lobes.tui.screens.matrix import MatrixScreen
from lobes.tui.screens.page import PageScreen
from lobes.tui.values import Effect, LobeView, SourceRow
from lobes.tui.views import lobe as view
from lobes.tui.views import marks, put_away
from lobes.tui.views.unread import unread
from lobes.tui.widgets.canvas import Canvas
from lobes.tui.widgets.dialog import Button, Dialog, words
from lobes.tui.widgets.picker import Choice, Picker
from lobes.tui.widgets.prompt import Prompt
from lobes.tui.widgets.virtual_list import Listed, Moved, VirtualList

REST = 0.1
"""Seconds that the cursor rests before the other direction is read."""

WHOLE_LINES = 56
"""Cells from which an effect fits one line; below, it is told in sentences."""

SETTLE = 0.08
"""Seconds after the last change before its effect is worked out."""


class LobeScreen(PageScreen):
    page = "lobe"
    list_height = 15
    list_width = 66

    def __init__(self) -> None:
        super().__init__()
        self.draft: view.Draft | None = None
        self._timer: Timer | None = None
        self._rest: Timer | None = None
        self._back: list[view.Explained] = []
        self._wants_save = False

    def body(self) -> ComposeResult:
        yield self.shaped(
            VirtualList[view.FormRow](self._row, cursor=self.look.glyphs.ui("cursor"), id="list")
        )
        yield Canvas(id="detail")

    def on_mount(self) -> None:
        self.listing.focus()
        self.detail.show(self._detail)

    @property
    def listing(self) -> VirtualList[view.FormRow]:
        return self.query_one("#list", VirtualList)

    @property
    def detail(self) -> Canvas:
        return self.query_one("#detail", Canvas)

    # -- painting

    def _row(self, row: view.FormRow, width: int, lit: bool) -> Sequence[Line]:
        if self.draft is None:
            return []
        focused = self.listing.has_focus and view.section(self.listing.cursor) == row.kind
        return view.row(row, width, lit, focused, self.draft, self.look)

    def _empty(self, width: int, focused: bool) -> Sequence[Line]:
        return [(muted(self.no_space),)]

    def _detail(self, width: int, focused: bool) -> Sequence[Line]:
        if self.draft is None:
            return []
        zoomed = self.has_class("-zoom")
        full = self.is_wide or (zoomed and width >= WHOLE_LINES)
        why = self._explained()
        return view.effect(self.draft, why, width, focused, self.look, full=full, zoomed=zoomed)

    def _explained(self) -> list[view.Explained]:
        """The row under the cursor, then the other way where that has been read.

        Beside a setting there is room for the first lobe that is not drawn on.
        """
        if self.draft is None:
            return []
        row = self.listing.current()
        item = row and (row.source or row.refusal)
        if not item and self.is_wide and self.draft.view.refusals:
            item = self.draft.view.refusals[0]
        if not item:
            return []
        here = view.Explained(self.draft.view.name, item.name, item)
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
            if row.added or (row.source and row.source.subscription):
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
            self.listing.set_rows(Listed[view.FormRow](), head=self._empty)
            return
        self.jobs.start("lobe", partial(self.source.lobe, space), self._read, failed=self._lost)

    def _lost(self, error: Exception) -> None:
        """A Space that is not here any more: its form goes, the words say why."""
        if not isinstance(error, NotFound):
            self.cannot_read(error, in_place=self.draft is None)
            if self.draft is None:
                self.listing.set_rows(Listed[view.FormRow](), head=self._why_not)
            return
        self.draft = None
        self.jobs.forget("effect")
        space = self.lobes.space
        words = put_away.gone(space.name if space else "", error.reason, self.look)
        self.listing.set_rows(
            Listed[view.FormRow](), head=lambda width, _: put_away.notice(words, width)
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
        kept = self.lobes.drafts.of(lobe.space)
        self.draft = view.Draft(lobe, kept or lobe.config)
        self._show()
        self._work_out()

    def _show(self) -> None:
        if self.draft is None:
            return
        rows = Listed(view.rows(self.draft, narrow=not self.is_wide))
        self.listing.set_rows(rows, head=self._archived if self.draft.view.is_archived else None)
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

    def _other_way(self, space: str, asked: LobeView) -> list[view.Explained]:
        other = self.source.lobe(space)
        key = f"space/{asked.space}"
        return [
            view.Explained(other.name, asked.name, one)
            for one in (*other.sources, *other.refusals)
            if one.key == key
        ]

    def _read_other(self, back: list[view.Explained]) -> None:
        self._back = back
        self.detail.show(self._detail, keep=True)

    def resized(self) -> None:
        self._show()

    # -- the draft

    def _change(self, config: LobeConfig) -> None:
        if self.draft is None or not self._can_be(config, self.draft.view):
            return
        self.draft = view.Draft(self.draft.view, config)
        if self.draft.changes:
            self.lobes.drafts.keep(self.draft.view.space, config)
        else:
            self.lobes.drafts.forget(self.draft.view.space)
        self._wants_save = False
        self._show()
        if self._timer:
            self._timer.stop()
        self._timer = self.set_timer(SETTLE, self._work_out)

    def _can_be(self, config: LobeConfig, stored: LobeView) -> bool:
        """Whether it could be saved; if not, the reason is said and the draft stays as it is."""
        from lobes.tui.reading import change_of

        try:
            changed(stored.config, change_of(stored.config, config), space=stored.space)
        except Invalid as error:
            self.report(error)
            return False
        return True

    def _work_out(self) -> None:
        draft = self.draft
        if draft is None or not draft.changes:
            self.jobs.forget("effect")
            return
        work = partial(self.source.preview, draft.view, draft.config)
        self.jobs.start("effect", work, self._worked_out, failed=self._not_worked_out)

    def _not_worked_out(self, error: Exception) -> None:
        self._wants_save = False
        self.report(error)

    def _worked_out(self, effect: Effect) -> None:
        if self.draft:
            self.draft = replace(self.draft, effect=effect)
            self._show()
            if self._wants_save and self.app.screen is self:
                self.action_save()
            self._wants_save = False

    def _step(self, by: int) -> bool:
        """Change the choice of the row under the cursor; whether it has choices."""
        if self.draft is None:
            return False
        config = self.draft.config
        match self.listing.cursor:
            case "private":
                self._change(replace(config, is_private=not config.is_private))
            case "spaces":
                place = (CROSS_SPACE.index(config.cross_space) + by) % len(CROSS_SPACE)
                self._change(replace(config, cross_space=CROSS_SPACE[place]))
            case _:
                return False
        return True

    def action_pane_left(self) -> None:
        if not (self.listing.has_focus and self._step(-1)):
            super().action_pane_left()

    def action_pane_right(self) -> None:
        if not (self.listing.has_focus and self._step(1)):
            super().action_pane_right()

    def action_choice(self) -> None:
        self._step(1)

    def action_open(self) -> None:
        if not self._step(1):
            super().action_open()

    def action_mute(self) -> None:
        row = self.listing.current()
        item = row and (row.source or row.refusal)
        if self.draft is None or not item:
            self.say("Choose a lobe to mute.", "warning")
            return
        muted_now = self.draft.config.muted
        if item.key in muted_now:
            left = tuple(one for one in muted_now if one != item.key)
        else:
            left = (*muted_now, item.key)
        self._change(replace(self.draft.config, muted=left))

    def action_matrix(self) -> None:
        self.app.push_screen(MatrixScreen(self.lobes.space_id, look=self.look))

    def action_never_with(self) -> None:
        if self.draft is None:
            return
        config, names = self.draft.config, self.draft.view.names
        choices = [
            Choice(one, names[one], "both ways again" if one in config.excluded_from else "")
            for one in self._others(self.draft, also=config.excluded_from)
        ]
        self.app.push_screen(Picker("Never with", choices, look=self.look), self._excluded)

    def _others(self, draft: view.Draft, *, also: Sequence[str] = ()) -> list[str]:
        """The other Spaces in the order of their names; of those put away only `also`."""
        names, away = draft.view.names, draft.view.put_away
        return [
            one
            for one in sorted(names, key=lambda key: names[key].casefold())
            if "/" not in one and one != draft.view.space and (one not in away or one in also)
        ]

    def _excluded(self, space: str | None) -> None:
        if self.draft is None or space is None:
            return
        now = self.draft.config.excluded_from
        left = tuple(one for one in now if one != space) if space in now else (*now, space)
        self._change(replace(self.draft.config, excluded_from=left))

    def action_tags(self) -> None:
        if self.draft is None:
            return
        about = "Tags of this lobe, with blanks between them. Spaces can subscribe to a tag."
        buttons = [Button("", "Not now"), Button("tags", "Take them")]
        value = " ".join(self.draft.config.tags) or " "
        self.app.push_screen(
            Prompt("Tags", words(about), buttons, look=self.look, value=value), self._tagged
        )

    def _tagged(self, typed: str | None) -> None:
        if self.draft is None or typed is None:
            return
        tags = tuple(dict.fromkeys(word.lstrip("#") for word in typed.split()))
        bad = [tag for tag in tags if not is_slug(tag)]
        if bad:
            self.say("A tag is of a-z, 0-9, _ and -.", "error")
        else:
            self._change(replace(self.draft.config, tags=tags))

    def action_add_source(self) -> None:
        if self.draft is None:
            return
        names = self.draft.view.names
        unreadable = {one.key for one in self.draft.view.refusals if one.reason == "no_access"}
        spaces = [
            Choice(f"space:{one}", names[one], "a Space")
            for one in self._others(self.draft)
            if f"space/{one}" not in unreadable
        ]
        choices = [*spaces, Choice("tag", "All Spaces with a tag…", "a tag")]
        self.app.push_screen(Picker("Add a source", choices, look=self.look), self._source_chosen)

    def _source_chosen(self, chosen: str | None) -> None:
        if chosen == "tag":
            buttons = [Button("", "Not now"), Button("add", "Add it")]
            about = words("Every Space of yours that carries the tag, now and later.")
            self.app.push_screen(Prompt("A tag", about, buttons, look=self.look), self._tag_source)
        elif chosen:
            self._subscribe(Subscription("space", chosen.removeprefix("space:")))

    def _tag_source(self, typed: str | None) -> None:
        tag = (typed or "").lstrip("#")
        if tag and is_slug(tag):
            self._subscribe(Subscription("tag", tag))
        elif typed:
            self.say("A tag is of a-z, 0-9, _ and -.", "error")

    def _subscribe(self, source: Subscription) -> None:
        if self.draft is None:
            return
        if source in self.draft.config.subscriptions:
            self.say("It is a source already.", "warning")
            return
        all_of_them = (*self.draft.config.subscriptions, source)
        self._change(replace(self.draft.config, subscriptions=all_of_them))

    def action_remove_source(self) -> None:
        row = self.listing.current()
        if self.draft is None or row is None:
            return
        gone = f"{row.added.type}:{row.added.id}" if row.added else ""
        gone = gone or (row.source.subscription if row.source else "")
        left = tuple(
            one for one in self.draft.config.subscriptions if f"{one.type}:{one.id}" != gone
        )
        self._change(replace(self.draft.config, subscriptions=left))

    # -- saving

    def action_save(self) -> None:
        draft = self.draft
        if draft is None or not draft.changes or self.jobs.is_writing("save"):
            return
        self._wants_save = draft.effect is None
        if draft.effect is None:
            self.say("Saved as soon as it is known what it does.", "warning")
        elif question := view.question(draft):
            self._ask_to_widen(draft, question)
        else:
            self._save(draft)

    def _ask_to_widen(self, draft: view.Draft, question: str) -> None:
        dialog = Dialog(
            "This lets more be read",
            words(question),
            [Button("", "Not now"), Button("save", "Save")],
            look=self.look,
            enter_acts=True,
        )
        self.app.push_screen(dialog, lambda answer: self._save(draft) if answer else None)

    def _save(self, draft: view.Draft) -> None:
        work = partial(self.source.save, draft.view, draft.config)
        self.jobs.start("save", work, self._saved, failed=self._unsaved)

    def _unsaved(self, error: Exception) -> None:
        """The draft is still there: a store that was busy only needs the key again."""
        if getattr(error, "reason", "") == "store_busy":
            kept = f"Your change is kept here; press {self.look.key('save')} again."
            self.say(f"Not saved: the store is busy. {kept}", "error")
        else:
            self.report(error)

    def _saved(self, outcome: Outcome) -> None:
        if self.draft:
            self.lobes.drafts.forget(self.draft.view.space)
        self.lobes.acted(outcome)
        self.reload()

    async def action_leave(self) -> None:
        """Leaves without the changes; for ten minutes `z` brings them back. What is being saved
        is not dropped any more."""
        draft = self.draft
        if self.jobs.is_writing("save"):
            return
        if draft and draft.changes and not self.has_class("-zoom"):
            dropped = self.lobes.drafts.dropped(draft.view.space, draft.config, draft.changes)
            self.draft = view.Draft(draft.view, draft.view.config)
            self._wants_save = False
            self.jobs.forget("effect")
            self.lobes.go("spaces")
            self.lobes.acted(dropped)
        else:
            await super().action_leave()

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
        explained = self._explained() if row and (row.source or row.refusal) else []
        if not explained:
            self.say("Choose a lobe to see why.", "warning")
            return
        parts = [part for one in explained for part in (_sentence(one), "")]
        title = "Why, both ways" if len(explained) > 1 else "Why"
        buttons = [Button("", "Close")]
        self.app.push_screen(Dialog(title, words(*parts[:-1]), buttons, look=self.look))


def _sentence(one: view.Explained) -> str:
    item = one.item
    if isinstance(item, SourceRow):
        return f"{one.asking} draws on {one.asked}: {item.sentence} It counts × {item.weight:.2f}."
    change = f" What would change it: {item.change}." if item.change else ""
    return f"{one.asking} doesn't draw on {one.asked}: {item.sentence}{change}"
