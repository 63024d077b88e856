"""`lobes mcp`: the official package's low-level server over our transport, until stdin ends.

Nothing but the package is imported before `initialize` and the list of tools are answered; the
home is opened after that, by another thread.
"""

from __future__ import annotations

import gc
import signal
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import ValidationError

from lobes import __version__
from lobes.mcp.face import Face, Reply
from lobes.mcp.fields import schema_of
from lobes.mcp.pipes import Pipes
from lobes.mcp.tools import INSTRUCTIONS, TOOLS, ToolSpec
from lobes.mcp.wire import opened

AT_ONCE = 4
"""Calls that are worked on at the same time."""
_WORDS = {
    INVALID_PARAMS: "Those parameters can't be taken.",
    INVALID_REQUEST: "That request can't be taken.",
    METHOD_NOT_FOUND: "This server has no such method.",
}
Context = ServerRequestContext[Any, Any]


def serve(face: Face, pipes: Pipes) -> None:
    """Answer this client until it closes its end or the process is asked to end."""
    # What was imported stays for good, and needn't be looked through again and again.
    gc.freeze()
    anyio.run(_serve, face, pipes)


def tool_list() -> list[Tool]:
    """The tools as clients see them."""
    return [_tool(one) for one in TOOLS.values()]


def _tool(spec: ToolSpec) -> Tool:
    return Tool(
        name=spec.name,
        title=spec.title,
        description=spec.about,
        input_schema=schema_of(spec.fields),
        annotations=ToolAnnotations(
            title=spec.title,
            read_only_hint=spec.reads,
            destructive_hint=False,
            idempotent_hint=spec.reads,
            open_world_hint=False,
        ),
    )


async def _serve(face: Face, pipes: Pipes) -> None:
    server = _server(face)
    async with opened(pipes, face.greet) as streams, anyio.create_task_group() as tasks:
        tasks.start_soon(_until_signalled, tasks.cancel_scope)
        await server.run(streams.messages, streams.answers, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _until_signalled(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            scope.cancel()
            return


def _server(face: Face) -> Server[Any]:
    room = anyio.CapacityLimiter(AT_ONCE)
    tools = ListToolsResult(tools=tool_list())

    async def list_tools(ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        face.hurry()
        return tools

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in TOOLS:
            raise MCPError(INVALID_PARAMS, "This server has no such tool.")
        call = partial(face.call, params.name, params.arguments or {}, client=_client(ctx))
        reply = await anyio.to_thread.run_sync(call, limiter=room, abandon_on_cancel=True)
        return _result(reply)

    server = Server[Any](
        "lobes",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    # In place of the package's telemetry: nothing of a session leaves this process.
    server.middleware[:] = [_in_our_words]
    return server


async def _in_our_words(ctx: Context, call_next: CallNext) -> HandlerResult:
    """An error of the protocol says what kind it is, and nothing of what was sent."""
    try:
        return await call_next(ctx)
    except MCPError as error:
        code = error.code if error.code in _WORDS else INTERNAL_ERROR
        raise MCPError(code, _WORDS.get(code, "Something broke in Lobes.")) from None
    except ValidationError:
        raise MCPError(INVALID_PARAMS, _WORDS[INVALID_PARAMS]) from None
    except Exception:
        raise MCPError(INTERNAL_ERROR, "Something broke in Lobes.") from None


def _client(ctx: Context) -> str:
    """How the client calls itself: data, shown to the person and believed by nobody."""
    params = ctx.session.client_params
    return params.client_info.name if params else ""


def _result(reply: Reply) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=reply.text)], is_error=reply.is_error)
