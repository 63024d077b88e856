"""Who a command line counts as where an agent runs it, and who `--as` may name.

Inside a known agent's environment it is `ai(owner, reader, Space of the working directory)`; no
argument widens that. Homes without presence know no such environment and take `--as` instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from lobes.access.facts import Resource
from lobes.config.folders import Folders, platform_folders
from lobes.domain.actors import Actor, Ai, Human, Job, name_of, person_of
from lobes.domain.agents import Marker, agent_in
from lobes.domain.errors import Forbidden, LobesError, nothing_there
from lobes.domain.ids import Slug, is_slug
from lobes.services.authority import facts_for, may
from lobes.services.installation import Caller, Channel, Installation
from lobes.store import read
from lobes.store.read_spaces import space_rows

_LIVE = ("active", "finished")


def space_of_folder(lobes: Installation, folder: Path) -> Slug | None:
    """The live Space whose root holds this folder, the innermost one; None outside any.

    All roots count, whoever owns them: an agent in a folder that its person may not read is bound
    to that Space all the same, and finds nothing.
    """
    with lobes.reading() as store:
        roots = [(row.root, row.id) for row in space_rows(store) if row.status in _LIVE]
    holding = [(len(root), space) for root, space in roots if folder.is_relative_to(root)]
    return Slug(max(holding)[1]) if holding else None


def agent_caller(lobes: Installation, marker: Marker, *, named: str | None) -> Caller:
    """The agent that runs this command, bound to the Space of the working directory.

    `named` is what `--space` says: the Space it is bound to, or `NotFound`. Raises `Forbidden`
    (`outside_space`) where the working directory lies in no Space.
    """
    try:
        bound = space_of_folder(lobes, Path.cwd().resolve())
    except OSError:  # the working directory is gone
        bound = None
    if bound is None:
        _refused(lobes, f"ai:{lobes.owner}/reader@-", "outside_space")
        raise Forbidden(
            f"{marker.agent} runs this ({marker.variable} is set), outside any Space's folder.",
            hint="Run it inside the folder of a Space, or in a terminal of your own.",
            reason="outside_space",
        )
    if named is not None and named != bound:
        raise nothing_there()
    return Caller(Ai(lobes.owner, "reader", bound), "cli")


def reader_for(
    lobes: Installation, caller: Caller, *, named: str | None, folder: Path | None
) -> Caller:
    """The reader that works for this caller in the Space that is named, else in the one whose
    folder this is; an agent is itself. Raises as `services.binding.bound_caller`."""
    if not isinstance(caller.actor, Human):
        return caller
    inside = space_of_folder(lobes, folder) if folder is not None else None
    space = named or inside
    if space is None:
        _refused(lobes, f"ai:{caller.actor.person}/reader@-", "outside_space")
        raise Forbidden(
            "The working directory lies in no Space's folder.",
            hint="Start it in the folder of a Space, or name one: --space ID.",
            reason="outside_space",
        )
    if not is_slug(space):
        raise nothing_there()
    agent = Caller(Ai(caller.actor.person, "reader", Slug(space)), caller.channel)
    if inside not in (None, space):
        _refused(lobes, name_of(agent.actor), "other_space")
        raise Forbidden(
            "The working directory lies in the folder of another Space.",
            hint="Leave --space out, or start it outside that folder.",
            reason="other_space",
        )
    return agent


def _refused(lobes: Installation, actor: str, answer: str) -> None:
    lobes.audit.append(
        "access.denied",
        actor=actor,
        verb="read_meta",
        channel="cli",
        correlation="",
        answer=answer,
    )


def acting(lobes: Installation, actor: Actor, channel: Channel) -> Caller:
    """The caller that `--as` names in a home without presence; a person counts as present.

    `NotFound` for a person or Space that isn't there, and for one that the actor may not know.
    """
    caller = Caller(actor, channel, is_present=isinstance(actor, Human))
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    is_known = person_of(actor) in facts.people
    match actor:
        case Ai(_, _, space) | Job(_, _, space):
            is_known = is_known and may(caller, "read_meta", Resource("space", space), facts)
        case Human():
            pass
    if not is_known:
        _refused(lobes, name_of(actor), "not_found")
        raise nothing_there()
    return caller


def refuse_app(folders: Folders, environ: Mapping[str, str]) -> None:
    """The app is its person's: whoever sits in it counts as present, so no agent may open it.

    Raises `Forbidden` in a known agent's environment, but for a home without presence.
    """
    marker = agent_in(environ)
    if marker is None or _is_throwaway(folders):
        return
    raise Forbidden(
        f"{marker.agent} runs this ({marker.variable} is set); the app is for a person.",
        hint="Run lobes in a terminal of your own.",
        reason="no_presence",
    )


def refuse_making(folders: Folders, environ: Mapping[str, str], *, presence: str) -> None:
    """An agent makes no home, but a throwaway one (`presence` off) in a folder that is named: one
    in the person's own place would ask that person for nothing ever after.

    Raises `Forbidden` otherwise, in a known agent's environment.
    """
    marker = agent_in(environ)
    if marker is None or (presence == "off" and folders != platform_folders()):
        return
    raise Forbidden(
        f"{marker.agent} runs this ({marker.variable} is set); a home is made by a person.",
        hint="For a test: --presence off, in a folder of its own with --home.",
        reason="no_presence",
    )


def _is_throwaway(folders: Folders) -> bool:
    try:
        with closing(read.connect(folders.store)) as store:
            return read.home_row(store)[1] == "off"
    except LobesError:
        return False
