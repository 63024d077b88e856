"""Short ways to propose and to type a memory in a home."""

from __future__ import annotations

from typing import Any

from homes import AHome
from lobes.domain.ids import LobeAddress
from lobes.domain.lobe_change import LobeChange
from lobes.domain.memories import (
    Provenance,
    WritePolicy,
)
from lobes.domain.proposals import Origin, Proposal
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save
from lobes.services.memories import add
from lobes.services.proposing import Proposed, propose

FACT = "Retries of the uploader wait thirty seconds."
PERSONAL = LobeAddress("personal", "ada")


def policy(home: AHome, to: WritePolicy, space: str = "prj_a") -> None:
    save(home.lobes, home.me, space, LobeChange(write_policy=to))


def agent(home: AHome, space: str = "prj_a", **changes: Any) -> Caller:
    return home.agent(space, preset=changes.pop("preset", "proposer"))


def said(home: AHome, text: str = FACT, *, by: Caller | None = None, **more: Any) -> Proposed:
    """An agent proposes."""
    space, session = more.pop("space", "prj_a"), more.pop("session", "s1")
    is_external = more.pop("is_external", False)
    origin = Origin("agent", Provenance("mcp", session, is_external=is_external))
    return propose(home.lobes, by or agent(home, space), space, Proposal(text, **more), origin)


def typed(home: AHome, text: str = FACT, *, space: str = "prj_a", **more: Any) -> Proposed:
    return add(home.lobes, home.me, space, Proposal(text, **more))


def rows(home: AHome) -> list[tuple[Any, ...]]:
    return home.rows("SELECT statement, status, author FROM memory ORDER BY created, id")
