"""What the engine process answers to each call, and what it keeps for each session.

A session is one face, however many connections it has open; its watched roots live until the
last of them ends. Calls that wait hold no thread: each step of the index and each hint wakes them.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from lobes.domain.errors import Invalid
from lobes.engine import wire
from lobes.engine.frames import Message
from lobes.engine.hints import Hints
from lobes.engine.protocol import EngineStatus, Waited, WatchRoot
from lobes.engine.watch import Watcher
from lobes.engine.worker import Worker

SEARCHERS = 2
WAITING = frozenset({"wait_words", "wait_vectors", "next_event"})
"""The calls that may take long; they end when their caller does."""


@dataclass(slots=True)
class _Session:
    """One face: how many connections it has, and what it watches."""

    hints: Hints
    watcher: Watcher
    connections: int = 0
    roots: tuple[WatchRoot, ...] = field(default=())


class Answers:
    """Runs on the event loop; what may block goes to a thread."""

    def __init__(
        self, worker: Worker, *, hint_seconds: float, build: str, leave: Callable[[], None]
    ) -> None:
        self._worker = worker
        self._hint_seconds = hint_seconds
        self._build = build
        self._leave = leave
        self._loop = asyncio.get_running_loop()
        self._pulse = asyncio.Event()
        self._ending = False
        self._sessions: dict[str, _Session] = {}
        # Pools of our own: the loop's default one is joined at its end, and a search may hang.
        self._searchers = ThreadPoolExecutor(SEARCHERS, "engine-search")
        self._watchers = ThreadPoolExecutor(1, "engine-watchers")

    @property
    def watching(self) -> int:
        """How many roots are watched, of all sessions together."""
        return sum(len(one.roots) for one in self._sessions.values())

    def wake(self) -> None:
        """Look again at what calls wait for."""
        pulse, self._pulse = self._pulse, asyncio.Event()
        pulse.set()

    def wake_soon(self) -> None:
        """The same from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake)

    def end(self) -> None:
        """Calls that wait are answered now, with what there is."""
        self._ending = True
        self.wake()

    def came(self, name: str) -> None:
        """One more connection of a session."""
        session = self._sessions.get(name)
        if session is None:
            hints = Hints(added=self.wake_soon)
            watcher = Watcher(hints, hint_seconds=self._hint_seconds)
            session = self._sessions[name] = _Session(hints, watcher)
        session.connections += 1

    def left(self, name: str) -> None:
        """One connection less; with the last one the session's watches go."""
        session = self._sessions[name]
        session.connections -= 1
        if not session.connections:
            del self._sessions[name]
            if session.roots:
                self._watchers.submit(session.watcher.stop)

    async def answer(self, name: str, message: Message) -> Message:
        """The result of one call; `LobesError` for the caller, anything else is a defect."""
        args = message.get("args")
        if not isinstance(args, dict):
            raise Invalid("The index engine got a request that it doesn't know.", reason="request")
        session = self._sessions[name]
        match message.get("method"):
            case "search":
                request = wire.request_in(args)
                reply = await self._loop.run_in_executor(
                    self._searchers, self._worker.search, request
                )
                return wire.reply_out(reply)
            case "status":
                return wire.status_out(self._status())
            case "wait_words" | "wait_vectors" as method:
                return await self._wait(method, args)
            case "watch":
                session.roots = wire.roots_in(args)
                await self._loop.run_in_executor(
                    self._watchers, session.watcher.watch, session.roots
                )
            case "next_event":
                return await self._next_event(session, args)
            case other:
                self._order(other, args)
        return {}

    def _order(self, method: object, args: Message) -> None:
        match method:
            case "notify":
                self._worker.notify()
            case "cancel":
                self._worker.pause()
            case "rebuild":
                self._worker.rebuild(wire.texts_in(args, "lobes"))
            case "stop":
                self._leave()
            case _:
                raise Invalid(
                    "The index engine got a request that it doesn't know.", reason="request"
                )

    async def _wait(self, method: str, args: Message) -> Message:
        seconds = wire.number_in(args, "seconds")
        if method == "wait_words":
            seq = int(wire.number_in(args, "seq"))
            self._worker.look()
            reached = await self._until(lambda: self._worker.words_there(seq), seconds)
        else:
            ticket = self._worker.look()
            reached = await self._until(lambda: self._worker.vectors_there(ticket), seconds)
        return wire.waited_out(Waited(reached, self._status()))

    async def _next_event(self, session: _Session, args: Message) -> Message:
        if not session.roots:
            return {"no_watch": True}
        seconds = wire.number_in(args, "seconds")
        await self._until(lambda: bool(session.hints), seconds)
        return wire.event_out(session.hints.take())

    async def _until(self, there: Callable[[], bool | None], seconds: float) -> bool:
        """Whether it came in time; None of `there` means that it won't."""
        until = self._loop.time() + seconds
        while True:
            pulse = self._pulse
            answer = there()
            left = until - self._loop.time()
            if answer is not False or self._ending or left <= 0:
                return bool(answer)
            try:
                async with asyncio.timeout(left):
                    await pulse.wait()
            except TimeoutError:
                return bool(there())

    def _status(self) -> EngineStatus:
        status = self._worker.status()
        problems = [one for each in self._sessions.values() for one in each.watcher.problems]
        return replace(
            status,
            pid=os.getpid(),
            build=self._build,
            watching=self.watching,
            problems=tuple(dict.fromkeys((*status.problems, *problems))),
        )
