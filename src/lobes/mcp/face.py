"""One session of an agent: takes a tool's call, asks the service, gives the answer as text.

Knows nothing of the protocol. Whatever goes wrong becomes an answer, never an exception.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass

from lobes.domain.display import one_line
from lobes.domain.errors import LobesError
from lobes.mcp.calls import HANDLERS, Asked, Session, load
from lobes.mcp.errors import body, broken, unavailable
from lobes.mcp.fields import taken
from lobes.mcp.limits import Limits
from lobes.mcp.tools import TOOLS
from lobes.services.installation import Caller, Installation

CLIENT_CHARACTERS = 80
SETTLE = 0.25
"""Seconds before each part of what is made ready ahead of the first call."""
PATIENCE = 5.0
"""Seconds that the end waits for what is being made ready, a third of a second of work."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One JSON document, and whether it is an error's."""

    text: str
    is_error: bool = False


class Face:
    """Bound to one caller for its whole life. Calls may come from several threads.

    `opened` opens the home at the first call; it stays open until `close`. `on_fault` is told of
    what is a fault of ours. `settle` seconds are let pass before each part of what is made ready.
    """

    def __init__(
        self,
        caller: Caller,
        opened: Callable[[], AbstractContextManager[Installation]],
        *,
        limits: Limits | None = None,
        on_fault: Callable[[Exception], object] = id,
        settle: float = SETTLE,
    ) -> None:
        self._caller = caller
        self._opened = opened
        self._session = Session("", limits or Limits())
        self._on_fault = on_fault
        self._parts = ExitStack()
        self._lock = threading.Lock()
        self._home: Installation | None = None
        self._settle = settle
        self._warming: threading.Thread | None = None
        self._hurried = threading.Event()
        self._ended = threading.Event()

    def call(self, name: str, arguments: Mapping[str, object], *, client: str = "") -> Reply:
        """The answer of the tool `name`, which must be one of `TOOLS`."""
        try:
            found = self._answer(name, arguments, client)
        except LobesError as error:
            return Reply(_written(body(error)), is_error=True)
        except Exception as error:
            self._on_fault(error)
            return Reply(_written(broken()), is_error=True)
        return Reply(_written(found))

    def _answer(
        self, name: str, arguments: Mapping[str, object], client: str
    ) -> Mapping[str, object]:
        spec = TOOLS[name]
        given = taken(spec.fields, arguments)
        if name not in HANDLERS:
            raise unavailable()
        lobes = self.home()
        asked = Asked(
            lobes=lobes,
            caller=self._caller.for_request(lobes.new_id()),
            session=self._session,
            client=one_line(client, limit=CLIENT_CHARACTERS),
            tool=name,
        )
        return HANDLERS[name](asked, given)

    def home(self) -> Installation:
        """The open home; opened now where it isn't yet."""
        with self._lock:
            if self._home is None:
                self._home = self._parts.enter_context(self._opened())
                self._session.id = self._home.new_id()
            return self._home

    def greet(self) -> None:
        """The client has its first answer: make ready for its calls, in a thread, once. Not at
        once: a client that only asks who is there is gone before anything begins."""
        with self._lock:
            if self._warming is not None:
                return
            self._warming = threading.Thread(target=self._make_ready, name="prewarm", daemon=True)
            self._warming.start()

    def hurry(self) -> None:
        """The client asked for the tools, so it will call one."""
        self._hurried.set()

    def _make_ready(self) -> None:
        try:
            self._make_home_ready()
        except LobesError:  # the call that needs it will say it
            return
        except Exception as error:
            self._on_fault(error)

    def _make_home_ready(self) -> None:
        self._hurried.wait(self._settle)
        if self._ended.is_set():
            return
        lobes = self.home()
        lobes.engine.prewarm()
        # What follows is a third of a second of work, so the list of tools is answered first. It
        # takes locks that a first call takes as well, so it doesn't give way to anything.
        if self._ended.wait(self._settle):
            return
        from lobes.services.warming import warm

        load()
        warm(lobes, self._caller)

    def close(self) -> None:
        self._ended.set()
        self._hurried.set()
        if self._warming is not None:
            self._warming.join(PATIENCE)
        with self._lock:
            self._home = None
            self._parts.close()


def _written(document: Mapping[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
