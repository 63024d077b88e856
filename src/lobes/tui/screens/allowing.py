"""Allow once, from Search: choose a lobe that asks first; it answers this question, one time.

The answers of an approved question stay until another one is asked: looking again would ask
without the approval, which is used up.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lobes.tui.outcomes import Outcome
from lobes.tui.values import Found
from lobes.tui.widgets.picker import Choice, Picker

if TYPE_CHECKING:
    from lobes.tui.screens.search import SearchScreen


class Allowing:
    """`question` is the one that is being allowed, "" where none is."""

    def __init__(self, screen: SearchScreen) -> None:
        self._screen = screen
        self.question = ""

    def begin(self, found: Found | None) -> None:
        screen = self._screen
        asking = [one for one in found.withheld if one.reason == "ask"] if found else []
        if not asking or found is None:
            screen.say("No lobe asks first here.", "warning")
            return
        choices = [Choice(one.lobe, one.name, "asks first") for one in asking]
        picker = Picker("Answers this one question", choices, look=screen.look, act="allow once")
        screen.app.push_screen(picker, partial(self._chosen, found.question))

    def keeps(self, found: Found | None, question: str) -> bool:
        """Whether asking again would lose what the approval brought, or is about to bring."""
        if self.question:
            return self.question == question
        if found is None or found.question != question:
            return False
        return any(one.reason == "once" for one in found.answers)

    def end(self) -> None:
        self.question = ""

    def _chosen(self, question: str, lobe: str | None) -> None:
        screen = self._screen
        if not lobe or not screen.lobes.space_id:
            return
        self.question = question
        work = partial(screen.source.allow_once, screen.lobes.space_id, lobe, question)
        screen.jobs.start("act", work, self._allowed, failed=self._refused)

    def _allowed(self, outcome: Outcome) -> None:
        self._screen.say(outcome.text, "success")
        self._screen.ask_again()

    def _refused(self, error: Exception) -> None:
        self.end()
        self._screen.report(error)
