"""Frames: what is too long or no JSON object is refused before it is held."""

from __future__ import annotations

import socket
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.engine.frames import (
    HELLO_LIMIT,
    LIMIT,
    BadFrame,
    Gone,
    length,
    pack,
    receive,
    send,
    unpack,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_a_message_comes_back_as_it_went(message: dict[str, object]) -> None:
    framed = pack(message)
    assert length(framed[:4]) == len(framed) - 4
    assert unpack(framed[4:]) == message


@given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_a_bad_frame(body: bytes) -> None:
    try:
        assert isinstance(unpack(body), dict)
    except BadFrame:
        return


def test_deep_nesting_is_a_bad_frame_and_not_a_crash() -> None:
    with pytest.raises(BadFrame):
        unpack(b"[" * 100_000)


def test_a_verb_of_a_web_client_read_as_a_length_is_over_the_limit() -> None:
    for verb in (b"GET ", b"POST", b"PUT ", b"HEAD", b"OPTI"):
        with pytest.raises(BadFrame):
            length(verb)


def test_a_stranger_may_announce_only_a_short_hello() -> None:
    header = (HELLO_LIMIT + 1).to_bytes(4, "big")
    assert length(header) == HELLO_LIMIT + 1
    with pytest.raises(BadFrame):
        length(header, limit=HELLO_LIMIT)


def test_a_message_over_the_limit_is_refused_by_its_sender() -> None:
    with pytest.raises(BadFrame):
        pack({"query": "x" * LIMIT})


def test_a_large_message_arrives_whole_over_a_socket() -> None:
    here, there = socket.socketpair()
    message = {"text": "x" * 3_000_000}
    until = time.monotonic() + 10
    with here, there:
        sender = threading.Thread(target=lambda: send(here, message, until=until))
        sender.start()
        assert receive(there, until=until) == message
        sender.join()


def test_half_a_message_and_then_the_end_is_gone() -> None:
    here, there = socket.socketpair()
    with there:
        here.sendall(pack({"a": 1})[:-1])
        here.close()
        with pytest.raises(Gone):
            receive(there, until=time.monotonic() + 5)


def test_drops_of_a_message_do_not_move_its_deadline() -> None:
    here, there = socket.socketpair()
    with here, there:
        here.sendall(b"\0\0")
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            receive(there, until=started + 0.05)
        assert time.monotonic() - started < 1
        with pytest.raises(TimeoutError):
            receive(there, until=started)
