"""The engine as a face calls it: a blocking socket, nothing started before a call needs it.

Light on purpose, since every command of the shell pays for it: no asyncio, no subprocess until
an engine has to be started. Each call takes a connection for itself, so the threads of a screen
never wait for each other's long polls; all connections of a client share one session, which owns
the watched roots.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Sequence

from lobes.domain.errors import LobesError, Unavailable
from lobes.engine import wire
from lobes.engine.endpoint import EnginePlace
from lobes.engine.frames import BadFrame, Gone, Message
from lobes.engine.link import (
    HELLO_SECONDS,
    REPLY_SECONDS,
    Caller,
    Draining,
    Greet,
    Link,
    greet,
    hung,
)
from lobes.engine.locking import is_held
from lobes.engine.protocol import (
    EngineStatus,
    SearchReply,
    SearchRequest,
    Waited,
    WatchEvent,
    WatchRoot,
)

_TRIES = 2
_COOL_SECONDS = 2.0
_NOTIFY_SECONDS = 0.5
_STOP_SECONDS = 10.0
_HEARD_SECONDS = 5.0
_NO_WATCH = "no_watch"


def connect(place: EnginePlace, *, build: str) -> Client:
    """The engine of this home; nothing runs and nothing is opened yet."""
    return Client(place, build=build)


class Client:
    """`protocol.Engine` over a socket; may be used from several threads."""

    def __init__(self, place: EnginePlace, *, build: str) -> None:
        self._place = place
        self._caller = Caller(build, os.urandom(8).hex())
        self._lock = threading.Lock()
        self._idle: list[Link] = []
        self._busy: set[Link] = set()
        self._closed = False
        self._cool: tuple[float, Unavailable] | None = None
        self._changed = threading.Condition(self._lock)
        self._roots: tuple[WatchRoot, ...] = ()
        self._hints: deque[WatchEvent] = deque()

    # The port -----------------------------------------------------------------------------

    def search(self, request: SearchRequest) -> SearchReply:
        return wire.reply_in(self._call("search", wire.request_out(request)))

    def notify(self) -> None:
        try:
            self._ask("notify", {}, seconds=_NOTIFY_SECONDS, hello=_NOTIFY_SECONDS, start=False)
        except LobesError:  # best effort: the engine looks by itself each second
            return

    def status(self) -> EngineStatus:
        reply = self._ask("status", {}, start=False)
        return EngineStatus("off") if reply is None else wire.status_in(reply)

    def wait_words(self, seq: int, *, seconds: float) -> Waited:
        args = {"seq": seq, "seconds": seconds}
        return wire.waited_in(self._call("wait_words", args, seconds=seconds + REPLY_SECONDS))

    def wait_vectors(self, *, seconds: float) -> Waited:
        args = {"seconds": seconds}
        return wire.waited_in(self._call("wait_vectors", args, seconds=seconds + REPLY_SECONDS))

    def cancel(self) -> None:
        self._ask("cancel", {}, start=False)

    def rebuild(self, lobes: Sequence[str] = ()) -> None:
        self._call("rebuild", {"lobes": list(lobes)})

    def watch(self, roots: Sequence[WatchRoot]) -> None:
        with self._changed:
            self._roots = tuple(roots)
            self._hints.clear()
            self._changed.notify_all()
        self._watch()

    def next_event(self, *, seconds: float) -> WatchEvent | None:
        with self._changed:
            if not self._changed.wait_for(lambda: self._roots or self._closed, seconds):
                return None
            if self._hints:
                return self._hints.popleft()
        reply = self._call("next_event", {"seconds": seconds}, seconds=seconds + REPLY_SECONDS)
        if not reply.get(_NO_WATCH):
            return wire.event_in(reply)
        # The engine that watched is gone, and with it what it had seen.
        self._watch()
        with self._lock:
            self._hints.extend(WatchEvent(root.space, root.path) for root in self._roots)
            return self._hints.popleft() if self._hints else None

    def prewarm(self) -> None:
        threading.Thread(target=self._prewarm, name="engine-prewarm", daemon=True).start()

    def stop(self) -> bool:
        held = _is_held(self._place)
        if not self._asked_to_leave():
            from lobes.engine.ending import end_by_force

            if not end_by_force(self._place):
                raise hung()
            return held
        until = time.monotonic() + _STOP_SECONDS
        while held and _is_held(self._place) and time.monotonic() < until:
            time.sleep(0.005)
        return held

    def _asked_to_leave(self) -> bool:
        """Whether it heard, or there is none; False when it hangs."""
        try:
            link = greet(self._place, self._caller)
        except Unavailable as error:
            if error.reason != "engine_hung":
                raise
            return False
        if link is None:
            return True
        try:
            link.ask("stop", {}, seconds=_HEARD_SECONDS)
            link.wait_end(seconds=_STOP_SECONDS)
        except (Gone, Draining):  # it is leaving, which is what was asked for
            return True
        except TimeoutError:
            return False
        finally:
            link.close()
        return True

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._changed.notify_all()
            idle, self._idle = self._idle, []
            for link in self._busy:
                link.cut()
        for link in idle:
            link.close()

    # Connections --------------------------------------------------------------------------

    def _call(self, method: str, args: Message, *, seconds: float = REPLY_SECONDS) -> Message:
        reply = self._ask(method, args, seconds=seconds)
        assert reply is not None, "only a call that starts no engine finds none"
        return reply

    def _ask(
        self,
        method: str,
        args: Message,
        *,
        seconds: float = REPLY_SECONDS,
        hello: float = HELLO_SECONDS,
        start: bool = True,
    ) -> Message | None:
        """The result, None when none runs and none may be started.

        Every call may be repeated without harm, so one that lost its engine is, once. A
        connection from the pool doesn't count: its engine may have left long ago.
        """
        tries = 0
        while tries < _TRIES:
            link = self._take()
            if link is None:
                tries += 1
                link = self._dial(hello=hello, start=start)
            if link is None:
                return None
            reply = self._replied(link, method, args, seconds=seconds)
            if reply is not None:
                if "error" in reply:
                    raise wire.error_in(reply["error"])
                return reply["result"]
        raise Unavailable(
            "The index engine broke off twice.",
            hint=f"Everything but search works. Its log is {self._place.log.name}.",
            reason="engine_lost",
        )

    def _replied(self, link: Link, method: str, args: Message, *, seconds: float) -> Message | None:
        """The reply; None where the engine at the other end is gone."""
        try:
            reply = link.ask(method, args, seconds=seconds)
        except (Gone, Draining):
            self._drop(link)
            return None
        except TimeoutError as error:
            self._drop(link)
            raise hung() from error
        except BadFrame as error:
            self._drop(link)
            raise Unavailable(
                "The call is too large for the index engine.",
                hint="Ask for less at once.",
                reason="too_large",
            ) from error
        self._give(link)
        return reply

    def _take(self) -> Link | None:
        with self._lock:
            if self._closed:
                raise _closed()
            if not self._idle:
                return None
            link = self._idle.pop()
            self._busy.add(link)
            return link

    def _give(self, link: Link) -> None:
        with self._lock:
            self._busy.discard(link)
            if not self._closed:
                self._idle.append(link)
                return
        link.close()

    def _drop(self, link: Link) -> None:
        with self._lock:
            self._busy.discard(link)
        link.close()

    def _dial(self, *, hello: float, start: bool) -> Link | None:
        def again() -> Link | None:
            if self._closed:  # no engine is started for a face that is gone
                raise _closed()
            return greet(self._place, self._caller, seconds=hello)

        link = again()
        if link is None and start:
            link = self._start(again)
        if link is not None:
            with self._lock:
                if not self._closed:
                    self._busy.add(link)
                    return link
            link.close()
            raise _closed()
        return None

    def _start(self, again: Greet) -> Link:
        """Start an engine; after a failure none for a moment, so that typing stays quick."""
        cool = self._cool
        if cool is not None and time.monotonic() < cool[0]:
            raise cool[1]
        from lobes.engine.spawn import start as start_engine

        try:
            return start_engine(self._place, again)
        except Unavailable as error:
            self._cool = (time.monotonic() + _COOL_SECONDS, error)
            raise

    def _watch(self) -> None:
        with self._lock:
            roots = self._roots
        self._call("watch", {"roots": wire.roots_out(roots)})

    def _prewarm(self) -> None:
        try:
            link = self._dial(hello=HELLO_SECONDS, start=True)
        except LobesError:  # the call that needs the engine will say it
            return
        if link is not None:
            self._give(link)


def _closed() -> Unavailable:
    return Unavailable("The connection to the index engine is closed.", reason="engine_closed")


def _is_held(place: EnginePlace) -> bool:
    """Whether an engine of this home lives; a folder that can't be written has none."""
    try:
        return place.lock.exists() and is_held(place.lock)
    except OSError:
        return False
