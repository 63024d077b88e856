"""Lines have an end, however they arrive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.mcp.lines import Lines, TooLong, id_of


@given(st.binary(max_size=300), st.lists(st.integers(1, 40), min_size=1))
def test_lines_are_the_same_however_the_bytes_arrive(data: bytes, cuts: list[int]) -> None:
    lines, found, rest = Lines(limit=50), [], data
    for cut in cuts * (len(data) // sum(cuts) + 1):
        found += lines.feed(rest[:cut])
        rest = rest[cut:]
    found += [*lines.feed(rest), *lines.end()]
    whole = Lines(limit=50)
    assert found == [*whole.feed(data), *whole.end()]


@given(st.binary(max_size=300).filter(lambda one: b"\n" not in one))
def test_a_line_beyond_the_limit_is_dropped_and_the_next_is_whole(data: bytes) -> None:
    lines = Lines(limit=50)
    *_, last = lines.feed(data + b"\nnext\n")
    assert last == b"next"
    (first, *_) = [*Lines(limit=50).feed(data + b"\nnext\n")]
    assert isinstance(first, TooLong) is (len(data) > 50)


@pytest.mark.parametrize(
    ("head", "id"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"x"', 7),
        (b' { "method" : "tools/call", "id" : "a-1" ,', "a-1"),
        (b'{"id":-3}', -3),
        (b'{"params":{"id":7},"id":8}', None),
        (b'{"id":1.5}', None),
        (b'{"id":null}', None),
        (b'{"id":"\xff"}', None),
        (b'{"id":"a\\u0000"}', None),
        (b'{"id":12345678901234567890}', None),
        (b"[]", None),
        (b"", None),
    ],
)
def test_the_id_of_a_request_is_known_only_where_it_is_sure(
    head: bytes, id: int | str | None
) -> None:
    assert id_of(head) == id
