"""The port's values as JSON and back, checked on the way in.

Candidates travel as lists in the order of their fields: 51 of them are 7 kB instead of 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, cast

from lobes.domain.errors import (
    Conflict,
    Corrupt,
    Forbidden,
    Invalid,
    LobesError,
    NotFound,
    Unavailable,
)
from lobes.engine.frames import Message
from lobes.engine.protocol import (
    Candidate,
    EngineStatus,
    SearchReply,
    SearchRequest,
    Waited,
    WatchEvent,
    WatchRoot,
)

_STATUS_FIELDS = tuple(field.name for field in fields(EngineStatus))
_CANDIDATE_FIELDS = tuple(field.name for field in fields(Candidate))
_ERRORS: dict[str, type[LobesError]] = {
    kind.code: kind for kind in (Conflict, Corrupt, Forbidden, Invalid, NotFound, Unavailable)
}


def request_out(request: SearchRequest) -> Message:
    return {
        "query": request.query,
        "lobes": list(request.lobes),
        "depth": request.depth,
        "without": {lobe: list(documents) for lobe, documents in request.without.items()},
    }


def request_in(args: Message) -> SearchRequest:
    depth, without = args.get("depth"), args.get("without")
    if not isinstance(depth, int) or not isinstance(without, dict):
        raise _malformed()
    gone = cast("Message", without)
    return SearchRequest(
        text_in(args, "query"),
        texts_in(args, "lobes"),
        depth,
        {lobe: texts_in(gone, lobe) for lobe in gone},
    )


def reply_out(reply: SearchReply) -> Message:
    return {
        "candidates": [
            [getattr(one, name) for name in _CANDIDATE_FIELDS] for one in reply.candidates
        ],
        "degraded": list(reply.degraded),
        "words_found": reply.words_found,
        "meaning_found": reply.meaning_found,
    }


def reply_in(result: Message) -> SearchReply:
    return SearchReply(
        tuple(Candidate(*one) for one in result["candidates"]),
        tuple(result["degraded"]),
        result["words_found"],
        result["meaning_found"],
    )


def status_out(status: EngineStatus) -> Message:
    return {name: getattr(status, name) for name in _STATUS_FIELDS}


def status_in(result: Message) -> EngineStatus:
    known: dict[str, Any] = {name: result[name] for name in _STATUS_FIELDS if name in result}
    known["problems"] = tuple(result.get("problems", ()))
    return EngineStatus(**known)


def waited_out(waited: Waited) -> Message:
    return {"reached": waited.reached, "status": status_out(waited.status)}


def waited_in(result: Message) -> Waited:
    return Waited(bool(result["reached"]), status_in(result["status"]))


def event_out(event: WatchEvent | None) -> Message:
    if event is None:
        return {}
    return {"space": event.space, "root": event.root, "paths": list(event.paths)}


def event_in(result: Message) -> WatchEvent | None:
    if not result:
        return None
    return WatchEvent(result["space"], result["root"], tuple(result["paths"]))


def roots_out(roots: Sequence[WatchRoot]) -> list[list[str]]:
    return [[root.space, root.path] for root in roots]


def roots_in(args: Message) -> tuple[WatchRoot, ...]:
    pairs = args.get("roots")
    if not isinstance(pairs, list):
        raise _malformed()
    return tuple(_root_in(pair) for pair in cast("list[Any]", pairs))


def _root_in(pair: object) -> WatchRoot:
    match pair:
        case [str(space), str(path)]:
            return WatchRoot(space, path)
        case _:
            raise _malformed()


def error_out(error: LobesError) -> Message:
    return {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "reason": error.reason,
    }


def error_in(error: Message) -> LobesError:
    kind = _ERRORS.get(str(error.get("code")), Unavailable)
    return kind(
        str(error.get("message", "The index engine refused.")),
        hint=str(error.get("hint", "")),
        reason=str(error.get("reason", "")),
    )


def text_in(args: Message, name: str) -> str:
    value = args.get(name)
    if not isinstance(value, str):
        raise _malformed()
    return value


def texts_in(args: Message, name: str) -> tuple[str, ...]:
    values = args.get(name)
    if not isinstance(values, list):
        raise _malformed()
    texts = cast("list[Any]", values)
    if not all(isinstance(one, str) for one in texts):
        raise _malformed()
    return tuple(texts)


def number_in(args: Message, name: str) -> float:
    value = args.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _malformed()
    return value


def _malformed() -> Invalid:
    return Invalid("The index engine got a request that it doesn't know.", reason="request")
