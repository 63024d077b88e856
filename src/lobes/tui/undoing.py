"""What was done, to be undone and redone one after the other: no step overtakes another one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from lobes.domain.errors import Unavailable
from lobes.tui.part import AppPart

if TYPE_CHECKING:
    from lobes.tui.outcomes import Outcome
    from lobes.tui.widgets.toast import Kind

DEPTH = 50
"""Acts that can be undone."""


class Undoing(AppPart):
    """Mixed into the app. A key pressed while a step is under way counts once that has ended."""

    def __init__(self, *args: Any, **named: Any) -> None:
        self._undo: list[Callable[[], Outcome]] = []
        self._redo: list[Callable[[], Outcome]] = []
        self._steps: deque[Callable[[], bool]] = deque()
        """Asked for; the first one is under way. Each says whether it began something."""
        super().__init__(*args, **named)

    def acted(self, outcome: Outcome, *, kind: Kind = "success") -> None:
        """Say what was done, and remember how to undo it."""
        self._redo.clear()
        self._done(outcome, kind)

    def _done(self, outcome: Outcome, kind: Kind) -> None:
        outcome = self._shell.shown(outcome)
        undo = outcome.undo
        if undo is not None:
            self._undo = [*self._undo[1 - DEPTH :], undo]
        self._shell.say(outcome.text, kind, undo=undo is not None, hint=outcome.hint)

    def turn_undo(self, turned: Callable[[Any], Any]) -> None:
        """What the acts tell is told by other names from now on."""
        self._undo, self._redo = turned(self._undo), turned(self._redo)

    def undo(self) -> None:
        """Undo the last act that hasn't been undone."""
        self._asked(self._undo_last)

    def redo(self) -> None:
        """Do what was undone last once more, then what before it. Any other act ends that."""
        self._asked(self._redo_last)

    def _asked(self, step: Callable[[], bool]) -> None:
        self._steps.append(step)
        if len(self._steps) == 1:
            self._go_on()

    def _go_on(self) -> None:
        while self._steps and not self._steps[0]():
            self._steps.popleft()

    def _over(self) -> None:
        self._steps.popleft()
        self._shell.reload()
        self._go_on()

    def _undo_last(self) -> bool:
        app = self._shell
        if not self._undo:
            app.say("There is nothing to undo.", "warning", listed=True)
            return False
        undo = self._undo.pop()
        app.jobs.start("undo", undo, self._undone, failed=partial(self._not_undone, undo))
        return True

    def _undone(self, outcome: Outcome) -> None:
        outcome = self._shell.shown(outcome)
        if outcome.undo is not None:
            self._redo.append(outcome.undo)
        self._shell.say(outcome.text, redo=outcome.undo is not None)
        self._over()

    def _not_undone(self, undo: Callable[[], Outcome], error: Exception) -> None:
        """Older acts are not undone over its head; where only the store was busy, it still can."""
        if isinstance(error, Unavailable):
            self._undo.append(undo)
        self._failed(error)

    def _redo_last(self) -> bool:
        app = self._shell
        if not self._redo:
            app.say("There is nothing to redo.", "warning", listed=True)
            return False
        again = self._redo.pop()
        app.jobs.start("undo", again, self._redone, failed=partial(self._not_redone, again))
        return True

    def _redone(self, outcome: Outcome) -> None:
        self._done(outcome, "success")
        self._over()

    def _not_redone(self, again: Callable[[], Outcome], error: Exception) -> None:
        if isinstance(error, Unavailable):
            self._redo.append(again)
        self._failed(error)

    def _failed(self, error: Exception) -> None:
        self._steps.clear()
        self._shell.report(error)
