"""Erase for good: what goes and what can't be reached is shown, and its id or name is typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from lobes.tui.paint import BLANK, Line, paragraph
from lobes.tui.widgets.dialog import Button, ask
from lobes.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from lobes.tui.erasing import Erasable, EraseImpact
    from lobes.tui.outcomes import Outcome
    from lobes.tui.screens.page import PageScreen

_LONG = 2_000
"""Characters of one sentence: none is cut."""


def ask_erase(screen: PageScreen, what: Erasable, id: str, gone: Callable[[], None]) -> None:
    """`gone` is called once it is out of the store."""

    def looked(impact: EraseImpact) -> None:
        dialog = Prompt(
            impact.title,
            partial(_body, impact),
            [Button("", "Keep it"), Button("erase", "Erase")],
            look=screen.look,
            words=impact.typed,
            danger=True,
        )
        ask(screen, dialog, typed)

    def typed(word: str | None) -> None:
        if word:
            _erase(screen, what, id, gone)

    screen.jobs.start("look", partial(screen.source.erase_impact, what, id), looked)


def _body(impact: EraseImpact, width: int, focused: bool) -> Sequence[Line]:
    lines: list[Line] = []
    for sentence in impact.sentences:
        lines += paragraph(sentence, width, limit=_LONG)
    lines += paragraph("This can't be undone, and no act of Lobes reaches:", width)
    for one in impact.unreached:
        lines += paragraph(f"  {one}", width, colour="muted", limit=_LONG)
    wanted = " or ".join(impact.typed)
    return [*lines, BLANK, *paragraph(f"Type {wanted} to erase.", width, limit=_LONG)]


def _erase(screen: PageScreen, what: Erasable, id: str, gone: Callable[[], None]) -> None:
    """In a thread: the index is written anew, and backups of ours are."""

    def done(outcome: Outcome) -> None:
        screen.lobes.acted(outcome)
        gone()

    screen.say("Erasing", "warning", listed=True)  # no fault, so Problems keeps none of it
    screen.jobs.start("decide", partial(screen.source.erase, what, id), done)
