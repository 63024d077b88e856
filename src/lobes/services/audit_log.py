"""The audit as the installation's owner reads it; never visible to an agent."""

from __future__ import annotations

from pathlib import Path

from lobes.access.authorize import Decision
from lobes.access.facts import HOME
from lobes.domain.actors import name_of
from lobes.domain.errors import Conflict
from lobes.services import memory_seals
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation
from lobes.services.seal import Asking, new_key, seal_key
from lobes.store.audit import ALL, AuditRow, Reader, Verdict, Wanted

__all__ = ["Wanted", "count_audit", "list_audit", "list_readers", "renew_audit", "verify_audit"]


def list_audit(
    lobes: Installation, caller: Caller, wanted: Wanted = ALL, *, limit: int = 50
) -> tuple[tuple[AuditRow, ...], int]:
    """The newest wanted rows first, and how many there are on all pages."""
    _owner_only(lobes, caller)
    return tuple(lobes.audit.rows(limit, wanted)), lobes.audit.count(wanted)


def count_audit(lobes: Installation, caller: Caller) -> int:
    """How many rows the record has."""
    _owner_only(lobes, caller)
    return lobes.audit.count()


def list_readers(lobes: Installation, caller: Caller, wanted: Wanted) -> tuple[Reader, ...]:
    """Who read the wanted Space or thing (all, where none is named), the busiest first."""
    _owner_only(lobes, caller)
    return lobes.audit.readers(wanted)


def verify_audit(lobes: Installation, caller: Caller, *, asking: Asking = "person") -> Verdict:
    """Whether the record is whole; where it is, and there is a key, it is sealed anew, and what is
    remembered begins to be.

    A record that isn't whole is never sealed, and a key that is gone is never made again.
    """
    _owner_only(lobes, caller)
    if not lobes.audit.count():
        return lobes.audit.verify()
    key = seal_key(lobes, asking=asking)
    verdict = lobes.audit.verify(key)
    if not verdict.is_whole or not key.asked:
        return verdict
    is_new = key.secret is None
    if is_new:
        key = new_key(lobes)
    if key.secret is None or not lobes.audit.seal_with(key.secret, is_new=is_new):
        return verdict
    memory_seals.begin(lobes, caller)
    return lobes.audit.verify(key)


def renew_audit(lobes: Installation, caller: Caller) -> Path:
    """Put the record aside, whatever became of it, and begin another one whose first row says so;
    the folder where the old one lies. For a record that is no longer as it was written: a whole
    one is refused with `Conflict` (`is_whole`).

    Where the secret store is ready the new one is sealed, with a new key if the old one is gone.
    """
    decision = _owner_only(lobes, caller, verb="write_meta")
    key = seal_key(lobes, asking="person")
    verdict = lobes.audit.verify(key)
    if verdict.is_whole:
        raise Conflict(
            "The record is whole.", hint="There is nothing to begin anew.", reason="is_whole"
        )
    folder = lobes.folders.data / f"audit-{lobes.clock():%Y%m%dT%H%M%S%f}"
    lobes.audit.move_to(folder)
    lobes.audit.append(
        "home.audit_renewed",
        actor=name_of(caller.actor),
        verb="write_meta",
        resources=[str(HOME)],
        channel=caller.channel,
        correlation=caller.correlation,
        answer=decision.reason,
        counts={"rows": verdict.rows, verdict.state: verdict.seq},
    )
    if key.asked and key.secret is None:
        key = new_key(lobes)
    if key.secret is not None:
        lobes.audit.seal_with(key.secret, is_new=True)
    return folder


def _owner_only(lobes: Installation, caller: Caller, *, verb: str = "read_content") -> Decision:
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    return require(lobes, caller, verb, HOME, facts=facts, human_only=True)
