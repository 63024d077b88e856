"""Which tool is answered by what. A tool without a row answers `unavailable`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lobes.mcp.fields import Arguments
from lobes.mcp.limits import Limits
from lobes.services.installation import Caller, Installation

Document = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: who calls, in which session, through which client and tool; all set by us."""

    lobes: Installation
    caller: Caller
    limits: Limits
    session: str
    client: str
    tool: str


Handler = Callable[[Asked, Arguments], Document]


def _search(asked: Asked, given: Arguments) -> Document:
    from lobes.mcp.retrieval import search

    return search(asked, given)


def _read_source(asked: Asked, given: Arguments) -> Document:
    from lobes.mcp.retrieval import read

    return read(asked, given)


HANDLERS: Mapping[str, Handler] = {
    "search": _search,
    "read_source": _read_source,
}
