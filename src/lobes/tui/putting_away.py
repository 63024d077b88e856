"""Spaces put away and brought back, several at once: one outcome, and one act that undoes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from lobes.services import space_changes
from lobes.services.space_changes import Batch
from lobes.tui.cells import plural
from lobes.tui.outcomes import Outcome, PuttingAway
from lobes.tui.triage import Refused, Settlement
from lobes.tui.values import Impact

if TYPE_CHECKING:
    from lobes.domain.spaces import Space, SpaceStatus
    from lobes.services.installation import Caller, Installation

LOSERS_OF = 12
"""Spaces for which it is worked out who draws on them: for each, the resolver runs over all."""

_ACTS: Mapping[PuttingAway, tuple[str, Callable[..., Batch]]] = {
    "archive": ("Archived", space_changes.archive_spaces),
    "restore": ("Restored", space_changes.restore_spaces),
    "trash": ("Trashed", space_changes.trash_spaces),
}


def put_away(
    lobes: Installation,
    caller: Caller,
    act: PuttingAway,
    spaces: Sequence[str],
    *,
    back: PuttingAway = "archive",
) -> Settlement:
    """`back` is what undoes a `restore`: where these were before."""
    return _settled(lobes, caller, act, _ACTS[act][1](lobes, caller, spaces), back)


def _settled(
    lobes: Installation, caller: Caller, act: PuttingAway, batch: Batch, back: PuttingAway
) -> Settlement:
    word = _ACTS[act][0]
    opposite: PuttingAway = back if act == "restore" else "restore"
    done = tuple(one.id for one in batch.done)
    undo = partial(_undo, lobes, caller, opposite, done, act)
    return Settlement(
        done,
        tuple(Refused(one.space, one.error.message.rstrip(".")) for one in batch.left),
        undo if done else None,
        f"{word} {_named(batch.done)}",
    )


def _undo(
    lobes: Installation,
    caller: Caller,
    act: PuttingAway,
    spaces: Sequence[str],
    back: PuttingAway,
) -> Outcome:
    """`back` is the act that is undone: only what is still as that left it is touched."""
    if act == "restore":
        out_of: SpaceStatus = "deleted" if back == "trash" else "archived"
        batch = space_changes.restore_spaces(lobes, caller, spaces, out_of=out_of)
        found = _settled(lobes, caller, act, batch, back)
    else:
        found = put_away(lobes, caller, act, spaces, back=back)
    if not found.refused:
        return Outcome(found.text, found.undo)
    stay = f"{plural(len(found.refused), 'Space')} stayed: {found.refused[0].why}."
    return Outcome(f"{found.text}. {stay}" if found.done else stay, found.undo)


def _named(spaces: Sequence[Space]) -> str:
    return spaces[0].name if len(spaces) == 1 else plural(len(spaces), "Space")


def impact(
    lobes: Installation, caller: Caller, spaces: Sequence[str], names: Mapping[str, str]
) -> Impact:
    """What goes, how much, and who loses it. Asked as the act itself is."""
    found = [space_changes.trash_impact(lobes, caller, one) for one in spaces[:LOSERS_OF]]
    losing = [one for part in found for one in part.losers if one not in set(spaces)]
    losers = ", ".join(names.get(one, one) for one in dict.fromkeys(losing))
    documents = sum(one.documents for one in found)
    single = len(spaces) == 1
    them = "it" if single else "them"
    return Impact(
        found[0].name if single else plural(len(spaces), "Space"),
        found[0].kind,
        (
            *(() if single else (_list(spaces, names),)),
            f"{'More than ' if len(spaces) > LOSERS_OF else ''}{documents:,} documents leave "
            "every search.",
            f"{losers} can't draw on {them} any more."
            if losers
            else f"No other Space draws on {them}.",
            "Its folder is not touched." if single else "Their folders are not touched.",
        ),
    )


def _list(spaces: Sequence[str], names: Mapping[str, str]) -> str:
    shown = ", ".join(names.get(one, one) for one in spaces[:LOSERS_OF])
    rest = len(spaces) - LOSERS_OF
    return f"{shown} and {rest:,} more." if rest > 0 else f"{shown}."
