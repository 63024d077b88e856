"""The form of Lobe while it is edited: a draft, its effect, its save. Nothing is stored before."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from textual.screen import Screen
from textual.timer import Timer

from lobes.domain.errors import Invalid
from lobes.domain.lobe_change import changed
from lobes.domain.lobes import LobeConfig
from lobes.domain.permission_change import PermissionChange
from lobes.domain.permission_change import changed as permission_changed
from lobes.domain.permissions import Permission
from lobes.tui.access import leading
from lobes.tui.drafts import Unsaved
from lobes.tui.outcomes import Outcome
from lobes.tui.reading import change_of
from lobes.tui.screens.page import PageScreen
from lobes.tui.values import Effect, LobeView
from lobes.tui.views import lobe_effect
from lobes.tui.views.lobe_draft import Draft, FormRow
from lobes.tui.widgets.dialog import Button, Dialog, words
from lobes.tui.widgets.virtual_list import VirtualList

SETTLE = 0.08
"""Seconds after the last change before its effect is worked out."""


class LobeForm(PageScreen):
    """What changes the draft goes through `change`; whoever paints overrides `show_form`."""

    page = "lobe"

    def __init__(self) -> None:
        super().__init__()
        self.draft: Draft | None = None
        self._timer: Timer | None = None
        self._wants_save = False

    @property
    def listing(self) -> VirtualList[FormRow]:
        return self.query_one("#list", VirtualList)

    def show_form(self) -> None:
        """The draft is another: paint it."""

    def chosen(self, screen: Screen[Any], then: Callable[[Any], None]) -> None:
        """Open a list or a dialog, unless another screen has come in between."""
        if self.app.screen is self:
            self.app.push_screen(screen, then)

    # -- the draft

    def begin(self, lobe: LobeView) -> None:
        """A draft of what was read; changes that were kept are made to it anew."""
        kept = self.lobes.drafts.of(lobe.space)
        self.draft = Draft(lobe, lobe.config, lobe.access.permission if lobe.access else None)
        if kept is not None:
            try:
                self.draft = _with(self.draft, kept)
            except Invalid:
                self.lobes.drafts.forget(lobe.space)
        self.show_form()
        self._work_out()

    def unsaved(self, draft: Draft) -> Unsaved:
        access = draft.view.access
        rights = PermissionChange()
        if access is not None and draft.permission is not None:
            rights = leading(access.permission, draft.permission)
        return Unsaved(change_of(draft.view.config, draft.config), rights)

    def change(
        self, config: LobeConfig | None = None, permission: Permission | None = None
    ) -> None:
        """Want another lobe, or others to see it."""
        draft = self.draft
        if draft is None or (config is not None and not self._can_be(config, draft.view)):
            return
        self.draft = Draft(draft.view, config or draft.config, permission or draft.permission)
        if self.draft.changes:
            self.lobes.drafts.keep(draft.view.space, self.unsaved(self.draft))
        else:
            self.lobes.drafts.forget(draft.view.space)
        self._wants_save = False
        self.show_form()
        if self._timer:
            self._timer.stop()
        self._timer = self.set_timer(SETTLE, self._work_out)

    def _can_be(self, config: LobeConfig, stored: LobeView) -> bool:
        """Whether it could be saved; if not, the reason is said and the draft stays as it is."""
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
        work = partial(self.source.preview, draft.view, draft.config, draft.permission)
        self.jobs.start("effect", work, self._worked_out, failed=self._not_worked_out)

    def _not_worked_out(self, error: Exception) -> None:
        self._wants_save = False
        self.report(error)

    def _worked_out(self, effect: Effect) -> None:
        if self.draft:
            view, config, permission = self.draft.view, self.draft.config, self.draft.permission
            self.draft = Draft(view, config, permission, effect)
            self.show_form()
            if self._wants_save and self.app.screen is self:
                self.action_save()
            self._wants_save = False

    # -- saving

    def action_save(self) -> None:
        draft = self.draft
        if draft is None or not draft.changes or self.jobs.is_writing("save"):
            return
        self._wants_save = draft.effect is None
        if draft.effect is None:
            self.say("Saved as soon as it is known what it does.", "warning")
        elif question := lobe_effect.question(draft):
            self._ask_to_widen(draft, question)
        else:
            self._save(draft)

    def _ask_to_widen(self, draft: Draft, question: str) -> None:
        dialog = Dialog(
            "This lets more be read",
            words(question),
            [Button("", "Not now"), Button("save", "Save")],
            look=self.look,
            enter_acts=True,
        )
        self.app.push_screen(dialog, lambda answer: self._save(draft) if answer else None)

    def _save(self, draft: Draft) -> None:
        work = partial(self.source.save, draft.view, draft.config, draft.permission)
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
            space, count = draft.view.space, draft.changes
            dropped = self.lobes.drafts.dropped(space, self.unsaved(draft), count)
            stored = draft.view.access
            self.draft = Draft(draft.view, draft.view.config, stored.permission if stored else None)
            self._wants_save = False
            self.jobs.forget("effect")
            self.lobes.go("spaces")
            self.lobes.acted(dropped)
        else:
            await super().action_leave()


def _with(draft: Draft, kept: Unsaved) -> Draft:
    config = changed(draft.view.config, kept.lobe, space=draft.view.space)
    permission = draft.permission
    if permission is not None and kept.rights != PermissionChange():
        permission = permission_changed(permission, kept.rights)
    return Draft(draft.view, config, permission)
