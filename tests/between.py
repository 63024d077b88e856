"""Something that happens between the engine's candidates and their texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from homes import AHome
from lobes.engine.protocol import Engine, SearchReply, SearchRequest


class Between:
    """The home's engine, with something that happens between the candidates and their texts."""

    def __init__(self, engine: Engine, happens: Callable[[SearchReply], SearchReply]) -> None:
        self._engine = engine
        self._happens = happens
        self.asked: list[SearchRequest] = []

    def search(self, request: SearchRequest) -> SearchReply:
        self.asked.append(request)
        return self._happens(self._engine.search(request))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def between(home: AHome, happens: Callable[[SearchReply], SearchReply]) -> AHome:
    return home.with_engine(cast("Engine", Between(home.lobes.engine, happens)))


def after(act: Callable[[], object]) -> Callable[[SearchReply], SearchReply]:
    def happens(reply: SearchReply) -> SearchReply:
        act()
        return reply

    return happens
