"""The audit as the installation's owner reads it; never visible to an agent."""

from __future__ import annotations

from lobes.access.facts import HOME
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation
from lobes.store.audit import AuditRow, Verdict


def list_audit(
    lobes: Installation,
    caller: Caller,
    *,
    limit: int = 50,
    before: int | None = None,
    event: str | None = None,
    space: str | None = None,
) -> tuple[tuple[AuditRow, ...], int]:
    """The newest rows first, and how many there are in all."""
    _owner_only(lobes, caller)
    lobes.audit.flush()
    rows = lobes.audit.rows(limit, before=before, event=event, space=space)
    return tuple(rows), lobes.audit.count()


def verify_audit(lobes: Installation, caller: Caller) -> Verdict:
    """Whether the chain is whole."""
    _owner_only(lobes, caller)
    lobes.audit.flush()
    return lobes.audit.verify()


def _owner_only(lobes: Installation, caller: Caller) -> None:
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    require(lobes, caller, "read_content", HOME, facts=facts, human_only=True)
