"""Out of every file of Lobes, for good: shown first, then done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobes.tui.homes.part import HomePart
from lobes.tui.outcomes import Outcome

if TYPE_CHECKING:
    from lobes.tui.erasing import Erasable, EraseImpact


class EraseHome(HomePart):
    """The part for the typed word of Review and of Spaces."""

    def erase_impact(self, what: Erasable, id: str) -> EraseImpact:
        from lobes.services.erasing import preview_memory, preview_space
        from lobes.tui.erasing import impact

        if what == "memory":
            return impact(what, preview_memory(*self._home, id), self._names())
        return impact(what, preview_space(*self._home, id), self._names())

    def erase(self, what: Erasable, id: str) -> Outcome:
        from lobes.services.erasing import erase_memory, erase_space
        from lobes.tui.erasing import outcome

        if what == "memory":
            return Outcome(outcome(erase_memory(*self._home, id), "this memory"))
        name = self._names().get(id, id)
        return Outcome(outcome(erase_space(*self._home, id), name))
