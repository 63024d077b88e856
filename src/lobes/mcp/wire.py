"""The transport, bounded: what a client sends can fill neither the memory nor the answers.

The official package's own transport reads lines of any length, starts a task for whatever comes in
and lets what isn't JSON drop without an answer. Here a line has an end, requests stay in the pipe
while enough of them are being answered, and what can't be read is answered too.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    JSONRPCResponse,
)

from lobes.mcp.lines import LINE, Lines, TooLong, id_of
from lobes.mcp.messages import parsed, parsed_leniently
from lobes.mcp.pipes import Pipes

AT_ONCE = 32
"""Requests that are being answered; the next ones stay in the pipe."""
LAST = 2.0
"""Seconds that answers under way are waited for once the client has closed its end."""
_CHUNK = 64 * 1024
_TOO_LONG = ErrorData(code=INVALID_REQUEST, message=f"A message has {LINE:,} bytes at most.")
_TWINS = ErrorData(code=INVALID_REQUEST, message="A name stands twice in it, or a number is none.")
_NO_MESSAGE = ErrorData(code=PARSE_ERROR, message="That is no message of the protocol.")


@dataclass(frozen=True, slots=True)
class Streams:
    """Both ends as the package's server takes them."""

    messages: MemoryObjectReceiveStream[SessionMessage | Exception]
    answers: MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def opened(pipes: Pipes, greeted: Callable[[], None]) -> AsyncGenerator[Streams]:
    """The streams over these descriptors. They end when the client closes either of its ends.
    `greeted` is called after each answer: the first one is to `initialize`."""
    inbox, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    answers, outbox = anyio.create_memory_object_stream[SessionMessage](0)
    room = anyio.Semaphore(AT_ONCE)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_write, pipes.writes, outbox, room, greeted, tasks.cancel_scope)
        tasks.start_soon(_read, pipes.reads, inbox, answers.clone(), room)
        yield Streams(messages, answers)
        tasks.cancel_scope.cancel()


async def _read(
    descriptor: int,
    inbox: MemoryObjectSendStream[SessionMessage | Exception],
    refusals: MemoryObjectSendStream[SessionMessage],
    room: anyio.Semaphore,
) -> None:
    lines = Lines()
    async with inbox, refusals:
        while data := await _some(descriptor):
            for line in lines.feed(data):
                await _take(line, inbox, refusals, room)
        for line in lines.end():
            await _take(line, inbox, refusals, room)
        # What was asked before the end is answered, unless it takes long: only then is it the end.
        with anyio.move_on_after(LAST):
            for _ in range(AT_ONCE):
                await room.acquire()


async def _some(descriptor: int) -> bytes:
    """What comes next; nothing at the end."""
    try:
        return await anyio.to_thread.run_sync(os.read, descriptor, _CHUNK, abandon_on_cancel=True)
    except OSError:
        return b""


async def _take(
    line: bytes | TooLong,
    inbox: MemoryObjectSendStream[SessionMessage | Exception],
    refusals: MemoryObjectSendStream[SessionMessage],
    room: anyio.Semaphore,
) -> None:
    if isinstance(line, TooLong):
        await refusals.send(_refusal(line.head, _TOO_LONG))
        return
    try:
        message = parsed(line)
    except ValueError:
        await refusals.send(_not_taken(line))
        return
    if not isinstance(message, JSONRPCRequest):
        await inbox.send(SessionMessage(message))
        return
    await room.acquire()

    async def unanswered() -> None:
        room.release()

    await inbox.send(
        SessionMessage(message, ServerMessageMetadata(on_request_unanswered=unanswered))
    )


def _not_taken(line: bytes) -> SessionMessage:
    """It is none, or it would be one, with a name that stands twice."""
    try:
        message = parsed_leniently(line)
    except ValueError:
        return _refusal(line, _NO_MESSAGE)
    return _refused(message.id if isinstance(message, JSONRPCRequest) else None, _TWINS)


def _refusal(head: bytes, error: ErrorData) -> SessionMessage:
    return _refused(id_of(head), error)


def _refused(id: int | str | None, error: ErrorData) -> SessionMessage:
    # Marked by its metadata: it gives back no room, for none was taken.
    refused = JSONRPCError(jsonrpc="2.0", id=id, error=error)
    return SessionMessage(refused, ServerMessageMetadata(related_request_id=""))


async def _write(
    descriptor: int,
    outbox: MemoryObjectReceiveStream[SessionMessage],
    room: anyio.Semaphore,
    greeted: Callable[[], None],
    scope: anyio.CancelScope,
) -> None:
    async with outbox:
        async for message in outbox:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await anyio.to_thread.run_sync(
                    _write_all, descriptor, text.encode() + b"\n", abandon_on_cancel=True
                )
            except OSError:  # nobody reads any more
                scope.cancel()
                return
            if isinstance(message.message, JSONRPCResponse | JSONRPCError) and not message.metadata:
                room.release()
                greeted()


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
