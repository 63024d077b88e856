"""The index engine as a person sees it."""

from __future__ import annotations

from lobes.access.facts import HOME
from lobes.domain.actors import name_of
from lobes.engine.protocol import EngineStatus
from lobes.services.authority import require
from lobes.services.installation import Caller, Installation
from lobes.store.facts import load_facts


def engine_status(lobes: Installation) -> EngineStatus:
    """Counts only; starts no engine."""
    return lobes.engine.status()


def stop_engine(lobes: Installation, caller: Caller) -> bool:
    """Let a running engine drain and end; whether one was running."""
    with lobes.reading() as store:
        facts = load_facts(store)
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
