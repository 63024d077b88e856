"""The lobe of a Space and who sees it: looked at, tried out, saved as one, put back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lobes.tui.cells import plural
from lobes.tui.homes.part import HomePart
from lobes.tui.outcomes import Outcome

if TYPE_CHECKING:
    from lobes.domain.lobes import LobeConfig
    from lobes.domain.permissions import Permission
    from lobes.services.lobe_saving import SavedBoth, Wanted
    from lobes.services.offers import Offered
    from lobes.tui.access import Access, Placing
    from lobes.tui.values import Effect, LobeView


class LobeHome(HomePart):
    """The part for the Lobe screen."""

    def lobe(self, space: str) -> LobeView:
        from lobes.services.lobes import lobe_view
        from lobes.tui.reading import lobe

        with self._or_in_trash(space):
            view = lobe_view(*self._home, space)
        return lobe(view, *self._all(), access=self._access(space))

    def _access(self, space: str) -> Access | None:
        """None where the person may not change who sees it: then it isn't theirs to know."""
        from lobes.access.facts import Resource
        from lobes.services.offers import offered_subjects
        from lobes.services.permissions import find_permission
        from lobes.tui.reading_access import access

        lobes, caller = self._home
        shown = find_permission(lobes, caller, Resource("space", space))
        return None if shown is None else access(shown, offered_subjects(lobes, caller), caller)

    def sources(self, space: str) -> tuple[Offered, ...]:
        from lobes.services.offers import offered_sources

        return offered_sources(*self._home, space)

    def preview(
        self, view: LobeView, config: LobeConfig, permission: Permission | None = None
    ) -> Effect:
        from lobes.access.facts import Resource
        from lobes.services.lobe_changes import preview
        from lobes.services.permissions import preview_permission
        from lobes.tui.reading import change_of, effect
        from lobes.tui.reading_access import with_people

        lobes, caller = self._home
        found = effect(preview(lobes, caller, view.space, change_of(view.config, config)), view)
        wanted = self._wanted(view, config, permission)
        rights = None
        if permission is not None and permission != (view.access and view.access.permission):
            about = Resource("space", view.space)
            rights = preview_permission(lobes, caller, about, wanted.rights)
        return with_people(found, view, config, permission, rights)

    def save(
        self, view: LobeView, config: LobeConfig, permission: Permission | None = None
    ) -> Outcome:
        return self._saved(view, self._put(view, self._wanted(view, config, permission)))

    def _wanted(self, view: LobeView, config: LobeConfig, permission: Permission | None) -> Wanted:
        from lobes.domain.permission_change import PermissionChange
        from lobes.services.lobe_saving import Wanted
        from lobes.tui.access import leading
        from lobes.tui.reading import change_of

        rights = PermissionChange()
        if permission is not None and view.access is not None:
            rights = leading(view.access.permission, permission)
        return Wanted(
            change_of(view.config, config),
            rights,
            view.version,
            view.access.version if view.access else None,
        )

    def _put(self, view: LobeView, wanted: Wanted) -> SavedBoth:
        from lobes.services.lobe_saving import save_both

        return save_both(*self._home, view.space, wanted)

    def _saved(self, view: LobeView, saved: SavedBoth) -> Outcome:
        if saved.lobe is not None:
            count = plural(saved.lobe.effect.draws_after, "lobe")
            text = f"Saved: {view.name} draws on {count}"
        else:
            text = f"Saved: who sees {view.name}"
        return Outcome(text, undo=partial(self._undo_save, view, saved))

    def _undo_save(self, view: LobeView, saved: SavedBoth) -> Outcome:
        undone = self._put(view, self._back(saved))
        text = f"Undone: {view.name} is as it was"
        if saved.rights is None:
            text = f"Undone: the lobe of {view.name} is as it was"
        return Outcome(text, undo=lambda: self._saved(view, self._put(view, self._back(undone))))

    def _back(self, saved: SavedBoth) -> Wanted:
        """What puts back the states before, over those that were saved and no others."""
        from lobes.domain.permission_change import PermissionChange
        from lobes.services.lobe_saving import Wanted
        from lobes.tui.access import leading

        rights, shown = PermissionChange(), None
        if saved.rights is not None:
            before, after = saved.rights.before, saved.rights.after
            if before.permission is not None and after.permission is not None:
                rights = leading(after.permission, before.permission)
            shown = after.version
        lobe = saved.lobe.before if saved.lobe else None
        return Wanted(lobe, rights, saved.version, shown)

    def placing(self, space: str, group: str) -> Placing:
        """What putting the Space into the group, or with "" into none, would open and close."""
        from lobes.services.space_groups import preview_place
        from lobes.tui.reading_access import placing

        lobes, caller = self._home
        return placing(lobes, caller, preview_place(lobes, caller, space, group))

    def put_in(self, space: str, group: str) -> Outcome:
        from lobes.services.space_groups import place_space

        placed = place_space(*self._home, space, group)
        where = f"in {group} now" if group else "in no group now"
        return Outcome(f"{placed.name} is {where}", undo=partial(self.put_in, space, placed.before))
