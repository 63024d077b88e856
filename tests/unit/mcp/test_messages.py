"""A line is taken as the message that the package's own parser would see in it, or not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, find, given
from hypothesis import strategies as st
from mcp.types import JSONRPCMessage

from lobes.mcp.messages import DEEPEST, parsed, parsed_leniently

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("2.0"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | ANY},
    optional={
        "id": st.integers() | st.text(max_size=5) | ANY,
        "method": st.sampled_from(["tools/list", "ping"]) | ANY,
        "params": st.dictionaries(st.text(max_size=3), ANY) | ANY,
        "result": ANY,
        "error": ANY,
    },
)


def taken(how: Any, line: bytes) -> JSONRPCMessage | None:
    try:
        return how(line)
    except ValueError:
        return None


@given(MESSAGES, st.booleans())
@example({"jsonrpc": "2.0", "id": True, "method": "ping"}, True)
@example({"jsonrpc": "2.0", "id": 1.0, "method": "ping"}, True)
@example({"jsonrpc": "2.0", "id": "1", "method": "ping", "params": {"a": "\U0001f426"}}, True)
def test_a_message_of_plain_json_is_what_the_package_itself_would_read(
    message: dict[str, Any], is_escaped: bool
) -> None:
    text = json.dumps(message, ensure_ascii=is_escaped)
    if "NaN" in text or "Infinity" in text:
        return
    line = text.encode("utf-8", "replace")
    assert taken(parsed, line) == taken(parsed_leniently, line)


def test_among_those_that_are_drawn_are_messages() -> None:
    def is_one(message: dict[str, Any]) -> bool:
        return taken(parsed, json.dumps(message).encode()) is not None

    assert find(MESSAGES, is_one)


def nested(depth: int, opens: bytes, inmost: bytes, closes: bytes) -> bytes:
    """So many inside each other, the message and its parameters among them."""
    head = b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":'
    return head + opens * (depth - 2) + inmost + closes * (depth - 2) + b"}}"


@pytest.mark.parametrize(("opens", "closes"), [(b"[", b"]"), (b'{"a":', b"}")])
@pytest.mark.parametrize("inmost", [b"1", b"[]", b"{}"])
@pytest.mark.parametrize(
    ("depth", "is_taken"), [(DEEPEST, True), (DEEPEST + 1, False), (500, False), (5_000, False)]
)
def test_it_goes_as_deep_as_the_package_itself(
    opens: bytes, inmost: bytes, closes: bytes, depth: int, is_taken: bool
) -> None:
    line = nested(depth, opens, inmost, closes)
    assert (taken(parsed, line) is not None) is is_taken
    assert taken(parsed, line) == taken(parsed_leniently, line)


def test_many_beside_each_other_are_not_deep() -> None:
    line = b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":[%s]}}'
    assert taken(parsed, line % b",".join([b"[1]"] * 1_000)) is not None


@pytest.mark.parametrize(
    "text",
    [r'"\ud800"', r'"\uDFFF\ud83d"', r'{"\ud800":1}', '{"a":1,"a":1}', "NaN", "1" * 5_000],
)
def test_what_is_no_plain_json_is_no_message(text: str) -> None:
    line = b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":%s}}' % text.encode()
    assert taken(parsed, line) is None
