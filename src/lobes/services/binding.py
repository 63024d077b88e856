"""Which Space an agent's process is bound to: fixed when it starts, never by what it is told later.

`--space` names it, else the working directory by the registered roots. In the folder of a Space
there is no other to be had. Read by plain `sqlite3`, because a client waits for the first answer.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from lobes.access.facts import Resource
from lobes.config.folders import Folders
from lobes.domain.actors import Ai, Preset, name_of
from lobes.domain.errors import Forbidden, LobesError, nothing_there
from lobes.domain.ids import Slug, is_slug
from lobes.services.authority import facts_for, may
from lobes.services.installation import Caller
from lobes.store import read
from lobes.store.faults import in_our_words
from lobes.store.read_spaces import live_roots


def bound_caller(
    folders: Folders, preset: Preset, *, named: str | None, folder: Path | None
) -> Caller:
    """The agent that works in `folder` (None: it is gone), for the installation's owner.

    Raises `Forbidden` in the folder of another Space (`other_space`) or, unnamed, outside any
    (`outside_space`); `NotFound` for a Space that isn't there or that its person may not know.
    """
    with (
        in_our_words(),
        closing(read.connect(folders.store)) as store,
        read.snapshot(store),
    ):
        owner = Slug(read.home_row(store)[0])
        inside = _space_of(live_roots(store), folder)
        space = named or inside
        if space is None:
            _audit(folders, f"ai:{owner}/{preset}@-", "outside_space")
            raise Forbidden(
                "The working directory lies in no Space's folder.",
                hint="Start it in the folder of a Space, or name one: --space ID.",
                reason="outside_space",
            )
        caller = Caller(Ai(owner, preset, Slug(space)), "mcp")
        known = is_slug(space) and may(
            caller, "read_meta", Resource("space", space), facts_for(store, caller)
        )
    refusal = _refusal(space, inside, is_known=known)
    if refusal is not None:
        _audit(folders, name_of(caller.actor) if is_slug(space) else "ai", refusal.reason)
        raise refusal
    return caller


def _refusal(space: str, inside: str | None, *, is_known: bool) -> LobesError | None:
    if inside not in (None, space):
        return Forbidden(
            "The working directory lies in the folder of another Space.",
            hint="Leave --space out, or start it outside that folder.",
            reason="other_space",
        )
    return None if is_known else nothing_there()


def _space_of(roots: list[tuple[str, str]], folder: Path | None) -> str | None:
    """The Space whose root holds the folder, the innermost one, whoever owns it."""
    holding = [
        (len(root), space) for space, root in roots if folder and folder.is_relative_to(root)
    ]
    return max(holding)[1] if holding else None


def _audit(folders: Folders, actor: str, answer: str) -> None:
    from lobes.clock import utc_now
    from lobes.store.audit import Audit

    with closing(Audit(folders.audit, clock=utc_now)) as audit:
        audit.append(
            "access.denied",
            actor=actor,
            verb="read_meta",
            channel="mcp",
            correlation="",
            answer=answer,
        )
