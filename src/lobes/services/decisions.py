"""Decisions on memories, as values: what is asked for, and what became of each.

What was done holds all that it takes to undo it; undoing gives the same, which redoes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from lobes.domain.errors import LobesError
from lobes.domain.ids import LobeAddress
from lobes.domain.lifecycle import Tie
from lobes.domain.line_diff import DiffLine
from lobes.domain.memories import Memory
from lobes.domain.reviewing import Decides


@dataclass(frozen=True, slots=True)
class Asked:
    """One memory to decide on, by the hash of what was shown. `confirmed`: the person said yes to
    what a brake asked."""

    id: str
    shown_hash: str = ""
    confirmed: bool = False


Validity = tuple[datetime | None, datetime | None]
"""From when on it holds, and the first moment at which it no longer does; None leaves that end as
it is."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is decided. `target` is the other memory: what is superseded, what it is merged into,
    what it contradicts; `also` are near copies of it that go with it; `text` are new words,
    `validity` new ends of the time in which it holds (from, to), and `lobe` where it goes."""

    act: Decides
    reason: str = ""
    target: Asked | None = None
    text: str = ""
    also: tuple[str, ...] = ()
    validity: Validity | None = None
    lobe: LobeAddress | None = None

    @property
    def others(self) -> tuple[str, ...]:
        """The memories that it reaches besides those it is asked on."""
        target = () if self.target is None else (self.target.id,)
        return (*target, *self.also)


@dataclass(frozen=True, slots=True)
class Done:
    """One decision that was taken: each memory before and after, and the links that came and
    went. A memory that the decision made has no before."""

    id: str
    changes: tuple[tuple[Memory | None, Memory], ...]
    tied: frozenset[Tie] = frozenset()
    untied: frozenset[Tie] = frozenset()

    @property
    def memory(self) -> Memory:
        """What was decided on, as it is now."""
        return next((after for _, after in self.changes if after.id == self.id), self.changes[0][1])


@dataclass(frozen=True, slots=True)
class Left:
    """One that stays as it is, and why. Where it changed since it was shown, `changed` says how."""

    id: str
    error: LobesError
    changed: tuple[DiffLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of everything asked for: one record, and one undo for all of it."""

    act: str
    done: tuple[Done, ...]
    left: tuple[Left, ...] = ()
    is_undone: bool = False
    """Whether this is what came of taking it back."""

    @property
    def was_in_use(self) -> bool:
        """Whether taking it back puts something in use: a home that seals needs its key."""
        befores = (was for one in self.done for was, _ in one.changes)
        return any(was is not None and was.is_retrievable for was in befores)


def left_of(
    asked: Iterable[Asked],
    errors: Mapping[str, LobesError],
    changed: Mapping[str, tuple[DiffLine, ...]] = MappingProxyType({}),
) -> tuple[Left, ...]:
    """Those of what was asked for that an error kept back, in their order."""
    return tuple(
        Left(one.id, errors[one.id], changed.get(one.id, ())) for one in asked if one.id in errors
    )
