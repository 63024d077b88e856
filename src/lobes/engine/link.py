"""One greeted connection from a face to the engine.

Two deadlines: an engine says hello within two seconds whatever it does, because its loop never
works; an answer may take longer, because a cold engine is still importing. Who doesn't say hello
hangs; who cuts the line before hello is leaving, or was never an engine.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

from lobes.domain.errors import Unavailable
from lobes.engine.endpoint import Endpoint, EnginePlace, read_endpoint
from lobes.engine.frames import BadFrame, Gone, Message, receive, send

HELLO_SECONDS = 2.0
REPLY_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: the face's build, and the session that all its connections share."""

    build: str
    session: str


class Draining(Exception):
    """The engine is on its way out and did nothing about this call."""


class Link:
    """Ask one thing at a time; not for two threads at once."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire

    def ask(self, method: str, args: Message, *, seconds: float) -> Message:
        """The reply; `Gone`, `Draining`, `TimeoutError`. The link is dead after any of them."""
        until = time.monotonic() + seconds
        send(self._wire, {"method": method, "args": args}, until=until)
        try:
            reply = receive(self._wire, until=until)
        except BadFrame as error:
            raise Gone("the engine speaks otherwise") from error
        if reply.get("draining"):
            raise Draining
        return reply

    def wait_end(self, *, seconds: float) -> None:
        """Return when the other side closed; `TimeoutError` when it didn't in time."""
        try:
            receive(self._wire, until=time.monotonic() + seconds)
        except (Gone, BadFrame):
            return

    def cut(self) -> None:
        """End a call that another thread has under way."""
        try:
            self._wire.shutdown(socket.SHUT_RDWR)
        except OSError:  # it is closed already, which is what was wanted
            return

    def close(self) -> None:
        self._wire.close()


Greet = Callable[[], Link | None]


def greet(place: EnginePlace, caller: Caller, *, seconds: float = HELLO_SECONDS) -> Link | None:
    """A link to the running engine; None when there is none, or it is about to leave.

    `Unavailable` when it hangs, or when it is newer than the caller: only a newer build may
    retire an older one, else an open terminal and a script end each other's engine for ever.
    """
    endpoint = read_endpoint(place.endpoint)
    if endpoint is None:
        return None
    until = time.monotonic() + seconds
    wire: socket.socket | None = None
    try:
        wire = _dial(endpoint, seconds)
        reply = _hello(wire, endpoint, caller, until)
    except (TimeoutError, BlockingIOError) as error:  # a full backlog is a hung engine, too
        _close(wire)
        raise hung() from error
    except (OSError, ValueError):  # nobody there, cut before hello, or a stranger
        _close(wire)
        return None
    if reply.get("hello") is True:
        return Link(wire)
    wire.close()
    if "newer" in reply:
        raise Unavailable(
            "The index engine is newer than this program.",
            hint="Restart Lobes.",
            reason="engine_newer",
        )
    return None


def hung() -> Unavailable:
    """What a face says about an engine that takes calls and doesn't answer."""
    return Unavailable(
        "The index engine doesn't answer.",
        hint="Everything but search works. lobes engine stop ends it; a search starts another.",
        reason="engine_hung",
    )


def _close(wire: socket.socket | None) -> None:
    if wire is not None:
        wire.close()


def _dial(endpoint: Endpoint, seconds: float) -> socket.socket:
    if endpoint.kind == "tcp":
        wire = socket.create_connection(("127.0.0.1", int(endpoint.address)), timeout=seconds)
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return wire
    wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        wire.settimeout(seconds)
        wire.connect(endpoint.address)
    except OSError:
        wire.close()
        raise
    return wire


def _hello(wire: socket.socket, endpoint: Endpoint, caller: Caller, until: float) -> Message:
    greeting = {"token": endpoint.token, "build": caller.build, "session": caller.session}
    send(wire, greeting, until=until)
    return receive(wire, until=until)
