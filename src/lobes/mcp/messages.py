"""A line of the client as a message of the protocol: parsed once, and to the letter.

The package's own parser takes the last of two names, unseen. What that parser refuses is refused
here too: half a pair of surrogates, and what is nested deeper than it goes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import cast

from mcp.types import JSONRPCMessage, jsonrpc_message_adapter

from lobes.domain.strict_json import loads_strict

DEEPEST = 200
"""Lists and objects inside each other that hold anything, the outermost counted: as deep as the
package's own parser goes."""
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""Half a pair, as it is escaped; whether the other half is there is another question."""


def parsed(line: bytes) -> JSONRPCMessage:
    """The message, or `ValueError`, of which pydantic's own is one."""
    found = loads_strict(line.decode())
    # It can't lie deeper than there are brackets, which almost no message has so many of.
    if line.count(b"[") + line.count(b"{") > DEEPEST and _is_too_deep(found):
        raise ValueError("nested too deeply")
    if _HALF.search(line):
        json.dumps(found, ensure_ascii=False).encode()
    return jsonrpc_message_adapter.validate_python(found, by_name=False)


def parsed_leniently(line: bytes) -> JSONRPCMessage:
    """As the package's own parser takes it, or `ValueError`: to say of a line that isn't plain
    which message it would have been."""
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _is_too_deep(found: object) -> bool:
    level: list[object] = [found]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return False
    return True


def _inside(one: object) -> Iterable[object]:
    """The lists and objects right inside of it that hold anything."""
    if isinstance(one, dict):
        inner = cast("Iterable[object]", one.values())
    elif isinstance(one, list):
        inner = cast("list[object]", one)
    else:
        return ()
    return (each for each in inner if each and isinstance(each, dict | list))
