"""Deciding over a list, in values: what a key does, what holds it back, how the outcome is told.

A use (memory review, lessons, shares, Spaces) is a handful of `Decision` values: the machinery
decides nothing by itself. What is asked for carries the stamp of what was painted, so that nothing
is decided unseen, and each item has an outcome of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from lobes.tui.cells import plural
from lobes.tui.outcomes import Outcome

SETTLED = 0.3
"""Seconds that something must have been on the screen before a key decides on it."""


class Item(Protocol):
    """What is decided upon. `stamp` changes with anything of it that a person goes by; `kind` is
    which sort it is, for whatever decides it: a memory or an edit, a project or an area."""

    @property
    def id(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def stamp(self) -> str: ...


D = TypeVar("D", bound=Item)
"""What is decided upon."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One item to decide, as it was shown. `stamp` is the hash that an approval carries."""

    id: str
    stamp: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """An item that stays as it is. `why` is a clause: `it changed`."""

    id: str
    why: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of everything asked for. `text`, where given, tells of a single one by name;
    `nouns`, where given, are one and many of what was done, in place of the screen's."""

    done: tuple[str, ...]
    refused: tuple[Refused, ...] = ()
    undo: Callable[[], Outcome] | None = None
    text: str = ""
    nouns: tuple[str, str] | None = None


# What holds a key back ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Look:
    """It must be read first: the key opens the evidence, and says why."""

    text: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """One line asks; `enter` answers yes."""

    text: str


@dataclass(frozen=True, slots=True)
class Option:
    """A key in a line of choices. `decision` is another decision to take instead of the asked one.

    `typed`: the person writes it, in a line of its own.
    """

    key: str
    label: str
    decision: str = ""
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """The asked act alone would be wrong: one line names what can be done instead."""

    text: str
    options: tuple[Option, ...]


Brake = Look | Confirm | Choose
Proceed = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Decision(Generic[D]):
    """One key that decides. `action` is its id in the registry of keys.

    `perform(asked, note)` runs in a thread, once for a whole batch: one undo, one record.
    `brake(item, read)` looks at one item; `read` says whether its text was shown to its end. In a
    batch an item with a brake is left out and named. `before(items, proceed)` may ask about all of
    them at once, in a dialog.
    """

    action: str
    done: str
    """`Accepted`, at the beginning of a sentence."""
    perform: Callable[[tuple[Asked, ...], str], Settlement]
    brake: Callable[[D, bool], Brake | None] | None = None
    before: Callable[[tuple[D, ...], Proceed], None] | None = None
    reasons: tuple[Option, ...] = ()
    usual: str = ""
    """The key of the reason that `enter` takes."""
    batch: bool = True
    leaves: bool = True
    """Whether what was decided leaves the view."""


# What has been on the screen ---------------------------------------------------------------------


class Guard:
    """Since when each item has been on the screen as it is. Seconds of a clock that only grows.

    After a change that the person didn't make nothing is decided for `SETTLED` seconds, and never
    anything that has not been painted as it is now.
    """

    def __init__(self) -> None:
        self._since: dict[str, tuple[str, float | None]] = {}
        self._unpainted: list[str] = []
        self._calm: float | None = float("-inf")

    def show(self, stamps: Mapping[str, str], *, own: bool = False) -> None:
        """These will be painted next. `own`: the person brought this about."""
        known = self._since
        self._since = {
            id: known[id] if id in known and known[id][0] == stamp else (stamp, None)
            for id, stamp in stamps.items()
        }
        self._unpainted = [id for id, (_, since) in self._since.items() if since is None]
        if not own and self._since != known:
            self._calm = None

    def disturb(self) -> None:
        """Something else on the screen changed by itself."""
        self._calm = None

    def painted(self, now: float) -> None:
        """All that was to be painted stands on the screen."""
        self._since |= {id: (self._since[id][0], now) for id in self._unpainted}
        self._unpainted = []
        self._calm = now if self._calm is None else self._calm

    def is_calm(self, now: float) -> bool:
        """Whether nothing has changed by itself for long enough."""
        return self._calm is not None and now - self._calm >= SETTLED

    def may(self, id: str, stamp: str, now: float) -> bool:
        """Whether a key pressed now means this item as it is."""
        known, since = self._since.get(id, ("", None))
        if known != stamp or since is None or not self.is_calm(now):
            return False
        return now - since >= SETTLED


# Rows that come and go ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Merged(Generic[D]):
    """The rows to show; `gone` are in it for one more refresh; `held` new ones wait to be asked."""

    items: tuple[D, ...]
    gone: frozenset[str] = frozenset()
    held: int = 0


def merged(shown: Sequence[D], fresh: Sequence[D], gone: frozenset[str] = frozenset()) -> Merged[D]:
    """`shown` as it is now, in its order: nothing new slides in between, under the cursor.

    What is no longer there stays for one refresh; where nothing is shown, all of `fresh` is.
    """
    now = {item.id: item for item in fresh}
    kept = tuple(now.get(item.id, item) for item in shown if item.id in now or item.id not in gone)
    if not kept:
        return Merged(tuple(fresh))
    known = {item.id for item in kept}
    return Merged(
        kept,
        frozenset(item.id for item in kept if item.id not in now),
        sum(item.id not in known for item in fresh),
    )


# Words -------------------------------------------------------------------------------------------


def outcome_words(
    decision: Decision[D],
    found: Settlement,
    nouns: tuple[str, str],
    *,
    left: int = 0,
    note: str = "",
) -> str:
    """`Accepted 5, left 2 that need a look`; `1 of 6 couldn't be rejected: it changed. …`.

    What was done is said before what wasn't.
    """
    asked = len(found.done) + len(found.refused)
    said = [_done_words(decision, found, nouns, left=left, note=note)] if found.done or left else []
    if found.refused:
        said.append(_refused_words(decision, found, asked + left))
    return ". ".join(said)


def _done_words(
    decision: Decision[D], found: Settlement, nouns: tuple[str, str], *, left: int, note: str
) -> str:
    number = len(found.done)
    because = f": {note}" if note else ""
    if left:
        rest = f"left {left} that {'needs' if left == 1 else 'need'} a look"
        return f"{decision.done} {number}{because}, {rest}" if number else rest.capitalize()
    if number == 1 and not found.refused:
        return found.text or f"{decision.done}{because}"
    return f"{decision.done} {plural(number, *(found.nouns or nouns))}{because}"


def _refused_words(decision: Decision[D], found: Settlement, asked: int) -> str:
    number = len(found.refused)
    whys = list(dict.fromkeys(one.why for one in found.refused))
    more = f", and {len(whys) - 1} more reasons" if len(whys) > 2 else ""
    why = " or ".join(whys[:2]) if not more else whys[0]
    what = f"{number} of {asked}" if asked > 1 else "It"
    still = "It's still here." if number == 1 else "They're still here."
    return f"{what} couldn't be {decision.done.lower()}: {why}{more}. {still}"
