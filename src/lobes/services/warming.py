"""What a first proposal would have to load and open, done ahead of it."""

from __future__ import annotations

from lobes.access.facts import Resource
from lobes.domain.actors import Human
from lobes.domain.errors import LobesError
from lobes.domain.ids import LobeAddress
from lobes.services.authority import facts_for, may
from lobes.services.installation import Caller, Installation


def warm(lobes: Installation, caller: Caller) -> None:
    """Load the detectors, open the store for writing (nothing is written) and bring the words of
    the agent's Space near. A fault is left to the call that meets it again."""
    from lobes.services.comparing import neighbourhood
    from lobes.services.ingress import assess

    assess("nothing")
    if isinstance(caller.actor, Human):
        return
    space = caller.actor.space
    try:
        lobes.database()
        with lobes.reading() as store:
            if may(caller, "propose", Resource("space", space), facts_for(store, caller, space)):
                neighbourhood(lobes.folders.store).prepare(store, LobeAddress("space", space))
    except LobesError:
        return
