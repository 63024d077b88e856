"""Edits of files as Review asks for them: what waits, all about one, decided beside memories."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from lobes.domain.errors import LobesError
from lobes.tui.cells import plural
from lobes.tui.outcomes import Outcome
from lobes.tui.triage import Refused, Settlement

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime

    from lobes.services.decisions import Asked as Decision
    from lobes.services.decisions import Decided
    from lobes.services.installation import Caller, Installation
    from lobes.services.pack_queue import PackEvidence, PackItem
    from lobes.services.pack_reviewing import PackAct, PackDecided

EDITS = ("edit", "edits")
ITEMS = ("item", "items")
"""One and many of edits alone, and of edits and memories together."""
PACK_EDIT: Final = "pack_edit"
"""What tells an edit of a file from a memory."""
OTHER_ACT = "that is for memories"


@dataclass(frozen=True, slots=True)
class WaitingEdit:
    """One row: an edit of a file, and what its Space is called."""

    item: PackItem
    where: str
    kind: Literal["pack_edit"] = PACK_EDIT
    id: str = field(init=False)
    stamp: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", self.item.id)
        object.__setattr__(self, "stamp", self.item.stamp)

    @property
    def waits(self) -> bool:
        return self.item.edit.status == "proposed"

    @property
    def at(self) -> datetime:
        """Since when it waits, or when it was decided."""
        return self.item.edit.decided or self.item.edit.created


@dataclass(frozen=True, slots=True)
class OpenedEdit:
    """All about one, with the difference from the file as it is now."""

    evidence: PackEvidence


def decide_edits(
    lobes: Installation, caller: Caller, act: str, asked: Sequence[Decision], reason: str
) -> Settlement:
    """The same on each: one record, one undo; what is for memories alone is refused."""
    from lobes.services.pack_reviewing import EVENTS, decide_packs

    known: dict[str, PackAct] = {name: name for name in EVENTS}
    wanted = known.get(act)
    if wanted is None:
        return Settlement((), tuple(Refused(one.id, OTHER_ACT) for one in asked))
    decided = decide_packs(lobes, caller, wanted, asked, reason=reason)
    return Settlement(
        tuple(one.id for one in decided.done),
        tuple(Refused(one.id, clause(one.error)) for one in decided.left),
        partial(_undo, lobes, caller, decided) if decided.done else None,
        nouns=EDITS,
    )


def together(memories: Settlement, edits: Settlement) -> Settlement:
    """Both as one: one toast, one undo."""
    undos = [one.undo for one in (edits, memories) if one.undo is not None]
    both = bool(memories.done and edits.done)
    return Settlement(
        (*memories.done, *edits.done),
        (*memories.refused, *edits.refused),
        partial(_undo_all, undos) if undos else None,
        nouns=ITEMS if both else (EDITS if edits.done else None),
    )


def _undo_all(undos: Sequence[Callable[[], Outcome]]) -> Outcome:
    """One after the other; what came of it is taken back, or done again, the other way round.
    Where one fails, what came of those before it is told of, whatever becomes of the rest."""
    found: list[Outcome] = []
    left = ""
    for undo in undos:
        try:
            found.append(undo())
        except LobesError as error:
            if not found:
                raise
            left = f". The rest stayed: {clause(error)}"
            break
    again = [one.undo for one in reversed(found) if one.undo is not None]
    first, *rest = [one.text for one in found]
    text = "; ".join((first, *(one.partition(": ")[2] or one for one in rest)))
    return Outcome(text + left, partial(_undo_all, again) if again else None)


def _undo(lobes: Installation, caller: Caller, decided: PackDecided) -> Outcome:
    from lobes.services.pack_reviewing import undo_packs

    found = undo_packs(lobes, caller, decided)
    statuses = [one.after.status for one in found.done]
    what = waits_again(statuses, EDITS) or plural(len(statuses), *EDITS)
    again = partial(_undo, lobes, caller, found) if found.done else None
    return Outcome(undone_words(found, what), again)


def waits_again(statuses: Collection[str], nouns: tuple[str, str]) -> str:
    """`2 edits wait again`; "" unless all of them do."""
    if set(statuses) != {"proposed"}:
        return ""
    number = len(statuses)
    return f"{plural(number, *nouns)} wait{'s' * (number == 1)} again"


def undone_words(found: Decided | PackDecided, what: str) -> str:
    """`Undone: 2 edits wait again. 1 one stayed: it changed since`."""
    text = f"{'Undone' if found.is_undone else 'Redone'}: {what}"
    if found.left:
        why = clause(found.left[0].error)
        text += f". {plural(len(found.left), 'one', 'ones')} stayed: {why}"
    return text


def clause(error: LobesError) -> str:
    """`it changed since you saw it`."""
    text = error.message.rstrip(".")
    return text[:1].lower() + text[1:]
