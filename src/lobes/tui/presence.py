"""The presence code of this window: at most one, and void when the window ends."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from lobes.domain.errors import LobesError

if TYPE_CHECKING:
    from lobes.services.installation import Caller, Installation
    from lobes.services.presence import ShownCode

PresenceState = Literal["holds", "used", "over", "replaced"]
"""`used` also after too many wrong tries; `replaced` by a code that another window shows."""


@dataclass(frozen=True, slots=True)
class PresenceShown:
    """The digits to type in a terminal, and until when they are good."""

    digits: str
    until: datetime


class Codes:
    """The code that this window shows."""

    def __init__(self) -> None:
        self._shown: ShownCode | None = None

    def show(self, lobes: Installation, caller: Caller, *, asked: bool) -> PresenceShown:
        from lobes.services.presence import show_code

        self._shown = show_code(lobes, caller, asked=asked)
        return PresenceShown(self._shown.digits, self._shown.until)

    def state(self, lobes: Installation) -> PresenceState:
        from lobes.services.presence import state_of

        return "over" if self._shown is None else state_of(lobes, self._shown)

    def end(self, lobes: Installation) -> None:
        if self._shown is not None:
            from lobes.services.presence import hide_code

            with suppress(LobesError):  # it is void in a few minutes anyhow
                hide_code(lobes, self._shown)
