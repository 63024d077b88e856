"""Changes to a lobe that nobody has saved: kept by Space for ten minutes, then gone.

What is kept is the change, not the state that it leads to: what others saved meanwhile stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from lobes.domain.errors import Conflict
from lobes.tui.cells import plural
from lobes.tui.outcomes import Outcome

if TYPE_CHECKING:
    from lobes.domain.lobe_change import LobeChange
    from lobes.domain.permission_change import PermissionChange

KEPT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Unsaved:
    """What is wanted of a lobe, and of who sees its Space."""

    lobe: LobeChange
    rights: PermissionChange


@dataclass(frozen=True, slots=True)
class _Kept:
    unsaved: Unsaved
    until: datetime


class Drafts:
    """`clock` gives the present time. Only plain assignments: undo calls it from a thread."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._kept: dict[str, _Kept] = {}

    def keep(self, space: str, unsaved: Unsaved) -> None:
        self._kept[space] = _Kept(unsaved, self._clock() + KEPT)

    def forget(self, space: str) -> None:
        self._kept.pop(space, None)

    def of(self, space: str) -> Unsaved | None:
        """The changes, for as long as they are kept."""
        kept = self._kept.get(space)
        if kept is not None and kept.until < self._clock():
            self.forget(space)
            return None
        return kept.unsaved if kept else None

    def turn(self, turned: Callable[[dict[str, _Kept]], dict[str, _Kept]]) -> None:
        """Other ids stand for the same Spaces from now on."""
        self._kept = turned(self._kept)

    def dropped(self, space: str, unsaved: Unsaved, changes: int) -> Outcome:
        """Forget them, with a way back while they are kept."""
        self.forget(space)
        until = self._clock() + KEPT
        count = plural(changes, "change")

        def back() -> Outcome:
            if until < self._clock():
                raise Conflict(f"{count} went after 10 minutes.", reason="draft_gone")
            self._kept[space] = _Kept(unsaved, until)
            verb = "is" if changes == 1 else "are"
            return Outcome(f"{count} {verb} back in Lobe")

        pronoun = "it" if changes == 1 else "them"
        return Outcome(f"{count} dropped", undo=back, hint=f"brings {pronoun} back")
