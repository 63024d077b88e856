"""The index engine as a person sees it."""

from __future__ import annotations

from lobes.access.facts import HOME, Resource
from lobes.domain.actors import is_human, name_of
from lobes.engine.protocol import EngineStatus
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation


def engine_status(lobes: Installation) -> EngineStatus:
    """Counts only; starts no engine."""
    return lobes.engine.status()


def status_for(lobes: Installation, caller: Caller) -> EngineStatus:
    """The same as this caller may see it: the counts cover every lobe, so an agent gets none."""
    found = engine_status(lobes)
    return found if is_human(caller.actor) else EngineStatus(found.state, build=found.build)


def rebuild_index(lobes: Installation, caller: Caller, *, space: str | None) -> None:
    """Throw the index of one Space's lobe, or of all, away and make it again."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, *([space] if space else []))
    if space:
        require(lobes, caller, "edit_content", Resource("space", space), facts=facts)
    else:
        require(lobes, caller, "write_meta", HOME, facts=facts)
    lobes.engine.rebuild([f"space/{space}"] if space else ())


def stop_engine(lobes: Installation, caller: Caller) -> bool:
    """Let a running engine drain and end; whether one was running."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    require(lobes, caller, "write_meta", HOME, facts=facts)
    stopped = lobes.engine.stop()
    lobes.audit.append(
        "home.engine_stopped",
        actor=name_of(caller.actor),
        verb="write_meta",
        resources=["home"],
        decisions=[],
        channel=caller.channel,
        correlation=caller.correlation,
        answer="owner",
    )
    return stopped
