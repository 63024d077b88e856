"""The index engine as a person sees it."""

from __future__ import annotations

from lobes.access.facts import HOME, Resource
from lobes.domain.actors import Human
from lobes.domain.errors import Unavailable
from lobes.engine.protocol import EngineStatus
from lobes.services.authority import facts_for, record, require
from lobes.services.installation import Caller, Installation


def engine_status(lobes: Installation) -> EngineStatus:
    """Counts only; starts no engine. One that doesn't answer is `failed`, with what to do."""
    try:
        return lobes.engine.status()
    except Unavailable as error:
        return EngineStatus("failed", problems=(f"{error.message} {error.hint}".strip(),))


def status_for(lobes: Installation, caller: Caller) -> EngineStatus:
    """The same as this caller may see it: the counts cover every lobe, so only the owner of the
    installation gets them."""
    found = engine_status(lobes)
    is_owner = caller.actor == Human(lobes.owner)
    return found if is_owner else EngineStatus(found.state, build=found.build)


def rebuild_index(lobes: Installation, caller: Caller, *, space: str | None) -> None:
    """Throw the index of one Space's lobe, or of all, away and make it again."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, *([space] if space else []))
    resource = Resource("space", space) if space else HOME
    verb = "edit_content" if space else "write_meta"
    decision = require(lobes, caller, verb, resource, facts=facts)
    lobes.engine.rebuild([f"space/{space}"] if space else ())
    record(lobes, caller, "index.rebuilt", verb, resource, answer=decision.reason)


def stop_engine(lobes: Installation, caller: Caller) -> bool:
    """Let a running engine drain and end, by force where it hangs; whether one was running."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    decision = require(lobes, caller, "write_meta", HOME, facts=facts)
    stopped = lobes.engine.stop()
    record(lobes, caller, "home.engine_stopped", "write_meta", HOME, answer=decision.reason)
    return stopped
