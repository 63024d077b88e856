"""The engine process: greets, answers, watches over itself, and leaves when nobody needs it.

The loop never works: searches run in a small pool, indexing in its one thread, imports in a
third, so a hello comes at once whatever happens behind. On leaving the door closes first (socket
and endpoint go), then what is under way is answered, then the process ends; a face that comes in
between is told so, or cut before hello, and starts another engine.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import secrets
import signal
import socket
import struct
import sys
import time
from asyncio import AbstractEventLoop, StreamReader, StreamWriter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lobes.domain.errors import LobesError, Unavailable
from lobes.engine import wire
from lobes.engine.answers import WAITING, Answers
from lobes.engine.endpoint import Endpoint, EnginePlace, build_order, write_endpoint
from lobes.engine.frames import HELLO_LIMIT, BadFrame, Message, pack, read
from lobes.engine.locking import FileLock
from lobes.engine.log import keep_short, name_of
from lobes.engine.sockets import Listener, listen
from lobes.engine.worker import Worker

HELLO_SECONDS = 5.0
"""For a face that was stopped in the middle of its hello; ours come within milliseconds."""

WATCHDOG_SECONDS = 0.25
DRAIN_SECONDS, STOP_SECONDS = 5.0, 4.0
"""Together less than a face waits for the next engine."""

_PEER = struct.Struct("3i")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Owned:
    """What makes this process the engine: once one of them is lost, it has to leave."""

    place: EnginePlace
    lock: FileLock
    listener: Listener
    endpoint_inode: int
    store_inode: int

    def home_is_there(self) -> bool:
        return self.lock.is_at(self.place.lock)

    def door_is_mine(self) -> bool:
        return self.listener.is_mine() and _inode(self.place.endpoint) == self.endpoint_inode

    def store_is_same(self) -> bool:
        return _inode(self.place.store) == self.store_inode


class Server:
    """One run of the engine, from the open socket to the last answer."""

    def __init__(self, place: EnginePlace, lock: FileLock, worker: Worker, *, build: str) -> None:
        self._place = place
        self._build = build
        self._worker = worker
        self._token = secrets.token_hex(32)
        listener = listen(place, os.environ)
        endpoint = Endpoint(listener.kind, listener.address, self._token, os.getpid(), build)
        inode = write_endpoint(place.endpoint, endpoint)
        self._owned = Owned(place, lock, listener, inode, _inode(place.store))
        self._answers = Answers(
            worker, hint_seconds=place.settings.hint_seconds, build=build, leave=self.leave
        )
        self._leaving = asyncio.Event()
        self._under_way = 0
        self._last = time.monotonic()

    async def run(self) -> None:
        """Serve until there is a reason to leave, then answer what is under way."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            _on_signal(loop, number, self.leave)
        door = await asyncio.start_server(self._talk, sock=self._owned.listener.socket)
        _log.info("serving by %s, build %s", self._owned.listener.kind, self._build)
        self._worker.start(progressed=self._answers.wake_soon)
        watchdog = asyncio.create_task(self._watch_over())
        await self._leaving.wait()
        self._shut_door()
        door.close()
        watchdog.cancel()
        self._answers.end()
        until = time.monotonic() + DRAIN_SECONDS
        while self._under_way and time.monotonic() < until:
            await asyncio.sleep(0.005)

    def leave(self) -> None:
        """Begin to drain; more than once does no harm."""
        self._leaving.set()

    # A conversation -----------------------------------------------------------------------

    async def _talk(self, reader: StreamReader, writer: StreamWriter) -> None:
        session = ""
        try:
            session = await self._greet(reader, writer)
            while session:
                message = await read(reader)
                answer = self._answer(session, message, writer)
                if message.get("method") in WAITING:
                    await _while_there(reader, answer)
                else:
                    await answer
        except (EOFError, OSError, BadFrame, TimeoutError):  # the caller left, or was none
            return
        finally:
            if session:
                self._answers.left(session)
            writer.close()

    async def _greet(self, reader: StreamReader, writer: StreamWriter) -> str:
        """The session of a caller that may talk; "" when it has to go."""
        async with asyncio.timeout(HELLO_SECONDS):
            hello = await read(reader, limit=HELLO_LIMIT)
        token = hello.get("token")
        if not isinstance(token, str) or not _is_ours(writer):
            return ""
        if not hmac.compare_digest(token.encode(errors="replace"), self._token.encode()):
            return ""
        theirs, mine = build_order(str(hello.get("build", ""))), build_order(self._build)
        if self._leaving.is_set():
            await _say(writer, {"draining": True})
            return ""
        if theirs < mine:
            await _say(writer, {"newer": self._build})
            return ""
        if theirs > mine:
            _log.info("a newer build takes over")
            self.leave()
            await _say(writer, {"draining": True})
            return ""
        session = str(hello.get("session", "")) or secrets.token_hex(8)
        self._answers.came(session)
        await _say(writer, {"hello": True})
        return session

    async def _answer(self, session: str, message: Message, writer: StreamWriter) -> None:
        if self._leaving.is_set():
            await _say(writer, {"draining": True})
            return
        self._under_way += 1
        self._last = time.monotonic()
        try:
            await _say(writer, await self._reply(session, message))
        finally:
            self._under_way -= 1
            self._last = time.monotonic()

    async def _reply(self, session: str, message: Message) -> Message:
        try:
            return {"result": await self._answers.answer(session, message)}
        except LobesError as error:
            return {"error": wire.error_out(error)}
        except Exception as error:
            _log.warning("a call failed: %s", name_of(error))
            failed = Unavailable("The index engine failed on this call.", reason="engine_failed")
            return {"error": wire.error_out(failed)}

    # Leaving ------------------------------------------------------------------------------

    async def _watch_over(self) -> None:
        while True:
            await asyncio.sleep(min(WATCHDOG_SECONDS, self._place.settings.idle_seconds / 4))
            reason = self._reason_to_leave()
            if reason:
                _log.info("leaving: %s", reason)
                self.leave()
                return
            keep_short(self._place.log)

    def _reason_to_leave(self) -> str:
        if not self._owned.home_is_there():
            return "the home is gone"
        if not self._owned.door_is_mine():
            return "the socket or the endpoint is gone"
        if not self._owned.store_is_same():
            return "the store is another one"
        if self._under_way or self._worker.busy or self._answers.watching:
            self._last = time.monotonic()
        elif time.monotonic() - self._last >= self._place.settings.idle_seconds:
            return "idle"
        return ""

    def _shut_door(self) -> None:
        """Nobody may find this engine any more; what isn't ours stays."""
        owned = self._owned
        if owned.home_is_there() and _inode(self._place.endpoint) == owned.endpoint_inode:
            self._place.endpoint.unlink(missing_ok=True)
        owned.listener.hide()


async def _while_there(reader: StreamReader, answer: Coroutine[Any, Any, None]) -> None:
    """Wait for an answer that takes long, but not for a caller that is gone."""
    work = asyncio.create_task(answer)
    # A caller says nothing while it waits, so whatever comes first is its end.
    end = asyncio.create_task(_end_of(reader))
    await asyncio.wait({work, end}, return_when=asyncio.FIRST_COMPLETED)
    if not work.done():
        work.cancel()
        raise EOFError
    end.cancel()
    await asyncio.wait({end})
    await work


async def _end_of(reader: StreamReader) -> None:
    try:
        await reader.read(1)
    except OSError:  # a reset is an end, too
        return


async def _say(writer: StreamWriter, message: Message) -> None:
    writer.write(pack(message))
    await writer.drain()


def _is_ours(writer: StreamWriter) -> bool:
    """Whether the process at the other end has our user, where the system tells."""
    peer = writer.get_extra_info("socket")
    if sys.platform != "linux" or peer is None or peer.family != socket.AF_UNIX:
        return True
    found = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    _, user, _ = _PEER.unpack(found)
    return user == os.getuid()


def _on_signal(loop: AbstractEventLoop, number: int, leave: Callable[[], None]) -> None:
    try:
        loop.add_signal_handler(number, leave)
    except NotImplementedError:  # Windows: the process is ended without a drain
        return


def _inode(path: Path) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_ino
    except OSError:
        return 0


def serve(place: EnginePlace, lock: FileLock, *, build: str) -> None:
    """Run the engine of a home to its end; the process has to end at once after it.

    Not by `asyncio.run`, which would cancel every open conversation and wait for the threads.
    """
    asyncio.new_event_loop().run_until_complete(_serve(place, lock, build=build))


async def _serve(place: EnginePlace, lock: FileLock, *, build: str) -> None:
    from lobes.engine.compose import index_of

    worker = Worker(index_of(place), place.store)
    server = Server(place, lock, worker, build=build)
    await server.run()
    # A home that is gone must not come back as an empty folder.
    if lock.is_at(place.lock) and not worker.stop(seconds=STOP_SECONDS, ending=True):
        _log.warning("the index didn't stop in time; the next start repeats its batch")
