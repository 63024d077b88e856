"""Changes to a lobe that nobody has saved: kept by Space for ten minutes, then gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from lobes.domain.errors import Conflict
from lobes.tui.cells import plural
from lobes.tui.ports import Outcome

if TYPE_CHECKING:
    from lobes.domain.lobes import LobeConfig

KEPT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class _Kept:
    config: LobeConfig
    until: datetime


class Drafts:
    """`clock` gives the present time. Only plain assignments: undo calls it from a thread."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._kept: dict[str, _Kept] = {}

    def keep(self, space: str, config: LobeConfig) -> None:
        self._kept[space] = _Kept(config, self._clock() + KEPT)

    def forget(self, space: str) -> None:
        self._kept.pop(space, None)

    def of(self, space: str) -> LobeConfig | None:
        """The changed lobe, for as long as it is kept."""
        kept = self._kept.get(space)
        if kept is not None and kept.until < self._clock():
            self.forget(space)
            return None
        return kept.config if kept else None

    def dropped(self, space: str, config: LobeConfig, changes: int) -> Outcome:
        """Forget them, with a way back while they are kept."""
        self.forget(space)
        until = self._clock() + KEPT
        count = plural(changes, "change")

        def back() -> Outcome:
            if until < self._clock():
                raise Conflict(f"{count} went after 10 minutes.", reason="draft_gone")
            self._kept[space] = _Kept(config, until)
            verb = "is" if changes == 1 else "are"
            return Outcome(f"{count} {verb} back in Lobe")

        pronoun = "it" if changes == 1 else "them"
        return Outcome(f"{count} dropped", undo=back, hint=f"brings {pronoun} back")
