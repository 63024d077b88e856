"""Everything that can be done, as rows to choose from, and how the chosen one is done.

What works here stands first, then what was done lately, then the rest. An act of another screen
goes there, waits until that screen has read what it shows, and is done only if it can be then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from lobes.keys.actions import ACTIONS, NOT_NOW, OVERLAYS, PAGES, Action, call
from lobes.tui.memory import MOST_RECENT
from lobes.tui.screens.page import PageScreen
from lobes.tui.views.marks import KIND_WORDS
from lobes.tui.widgets.picker import Choice

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp
    from lobes.tui.values import SpaceRow

PATIENCE, LOOK = 3.0, 0.05
"""Seconds that an act of another screen waits for it, and between two looks."""

_OVERLAYS = {name for name, _ in OVERLAYS}
_NAMES: Mapping[str, str] = {page: name for page, name in PAGES}
_ELSEWHERE = frozenset({"commands", "leave"})
"""Acts that make no sense from the list of acts."""


def commands(app: LobesApp, screen: PageScreen) -> list[Choice]:
    """All that is not mere movement, in the order of the module's rule."""
    holds = set(screen.able())

    def rank(action: Action) -> tuple[int, int]:
        if action.screen == screen.page and action.when in holds:
            return 0, 0
        if action.id in app.recent:
            return 1, app.recent.index(action.id)
        return (2 if not action.screen else 3 if action.screen != screen.page else 4), 0

    offered: dict[str, Action] = {}
    for one in ACTIONS:
        if one.screen in _OVERLAYS or one.group == "Move" or one.id in _ELSEWHERE:
            continue
        # One act of several screens is offered once: here, if it is one of this screen.
        if one.id not in offered or one.screen == screen.page:
            offered[one.id] = one
    return [_choice(app, screen, one, holds) for one in sorted(offered.values(), key=rank)]


def _choice(app: LobesApp, screen: PageScreen, action: Action, holds: Iterable[str]) -> Choice:
    can = action.screen not in ("", screen.page) or action.when in holds
    place = _NAMES.get(action.screen, "")
    return Choice(
        action.id,
        action.help[:1].upper() + action.help[1:],
        place or "Lobes",
        app.look.key(action.id),
        "" if can else NOT_NOW[action.when],
        also=f"{place} {action.title}",
    )


def spaces(rows: Sequence[SpaceRow]) -> list[Choice]:
    """Every Space, behind `@`."""
    return [Choice(f"@{one.id}", one.name, KIND_WORDS[one.kind]) for one in rows]


def tags(rows: Sequence[SpaceRow]) -> list[Choice]:
    """Every tag with each Space that carries it, behind `#`."""
    pairs = sorted((tag, one.name, one.id) for one in rows for tag in one.tags)
    return [Choice(f"#{tag}@{id}", f"{tag}  {name}", "tag") for tag, name, id in pairs]


def run(app: LobesApp, screen: PageScreen, id: str) -> None:
    """Do the act with this id, on its screen."""
    same = [one for one in ACTIONS if one.id == id]
    action = next((one for one in same if one.screen == screen.page), same[0])
    app.recent = [id, *(one for one in app.recent if one != id)][:MOST_RECENT]
    if action.screen in ("", screen.page):
        screen.call_later(screen.run_action, call(action))
        return
    app.go(action.screen)

    def there(screen: PageScreen) -> None:
        if action.when in set(screen.able()):
            screen.call_later(screen.run_action, call(action))
        else:
            screen.say(f"Not done: {NOT_NOW[action.when]}.", "warning")

    once_there(app, action.screen, there)


def once_there(app: LobesApp, page: str, then: Callable[[PageScreen], None]) -> None:
    """Call `then` once this screen is shown and has read what it shows, or never: who goes on to
    another screen or opens a dialog meanwhile doesn't want it any more."""
    end = monotonic() + PATIENCE

    def attempt() -> None:
        screen = app.screen
        if not isinstance(screen, PageScreen) or screen.page != page:
            if isinstance(screen, PageScreen) or monotonic() > end:
                timer.stop()
        elif not _reads(screen):  # however long that takes: the screen says that it reads
            timer.stop()
            then(screen)

    timer = app.set_interval(LOOK, attempt)


def _reads(screen: PageScreen) -> bool:
    """Whether the screen has not been painted yet or still reads what it shows."""
    return not screen.is_mounted or not screen.query("#list") or screen.jobs.is_awaited
