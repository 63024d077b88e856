"""Which tool is answered by what. A tool without a row answers `unavailable`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lobes.domain.actors import Human
from lobes.mcp.fields import Arguments
from lobes.mcp.limits import Limits
from lobes.services.installation import Caller, Installation

Document = Mapping[str, object]

MOST_GIVEN = 20
"""Things that a session remembers to have been given: a person looks at no more."""


@dataclass(slots=True)
class Session:
    """What this process remembers of its client: its own id for it, what was had of the limits,
    and whether it was ever given a text that came from outside."""

    id: str
    limits: Limits
    has_read_outside: bool = False
    given: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    """Address → reason and tokens of what it was given last, the newest last."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def has_had(self, thing: str, *, outside: bool, reason: str = "", tokens: int) -> None:
        """It was given this, from outside or not. Calls come from several threads: none takes back
        what another has said meanwhile."""
        with self._lock:
            self.has_read_outside |= outside
            before, had = self.given.pop(thing, ("", 0))
            self.given[thing] = reason or before, had + tokens
            for older in list(self.given)[:-MOST_GIVEN]:
                del self.given[older]

    def all_given(self) -> tuple[tuple[str, tuple[str, int]], ...]:
        """What it was given last, as it stands now."""
        with self._lock:
            return tuple(self.given.items())


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: who calls, in which session, through which client and tool; all set by us."""

    lobes: Installation
    caller: Caller
    session: Session
    client: str
    tool: str

    @property
    def space(self) -> str:
        """The one Space that this agent is bound to."""
        actor = self.caller.actor
        return "" if isinstance(actor, Human) else actor.space


Handler = Callable[[Asked, Arguments], Document]


def _search(asked: Asked, given: Arguments) -> Document:
    from lobes.mcp.retrieval import search

    return search(asked, given)


def _get_context(asked: Asked, given: Arguments) -> Document:
    from lobes.mcp.contexts import get_context

    return get_context(asked, given)


def _read_source(asked: Asked, given: Arguments) -> Document:
    from lobes.mcp.retrieval import read

    return read(asked, given)


def _propose_memory(asked: Asked, given: Arguments) -> Document:
    from lobes.mcp.proposing import propose_memory

    return propose_memory(asked, given)


def _propose_pack_edit(asked: Asked, given: Arguments) -> Document:
    from lobes.mcp.pack_edits import propose_edit

    return propose_edit(asked, given)


def _record_turn(asked: Asked, given: Arguments) -> Document:
    from lobes.mcp.recording import record_turn

    return record_turn(asked, given)


def _list_pending(asked: Asked, given: Arguments) -> Document:
    from lobes.mcp.proposing import list_pending

    return list_pending(asked, given)


HANDLERS: Mapping[str, Handler] = {
    "search": _search,
    "get_context": _get_context,
    "read_source": _read_source,
    "propose_memory": _propose_memory,
    "propose_pack_edit": _propose_pack_edit,
    "record_turn": _record_turn,
    "list_pending": _list_pending,
}


def load() -> None:
    """Import what answers the tools now, which the first call of each would do."""
    from lobes.mcp import contexts, pack_edits, proposing, recording, retrieval  # pyright: ignore[reportUnusedImport]  # noqa: F401
