"""May this caller decide now? Asked before a face puts its question, so that none is in vain."""

from __future__ import annotations

from lobes.access.facts import Resource
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation


def may_trust(lobes: Installation, caller: Caller, space: str) -> None:
    """Return, or raise what trusting this Space's `space.yaml` would: `NotFound`, `Forbidden`,
    `NoPresence`."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
    resource = Resource("space", space)
    require(lobes, caller, "change_permission", resource, facts=facts, human_only=True)
