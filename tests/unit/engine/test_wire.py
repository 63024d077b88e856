"""The port's values survive the wire; what isn't one of them is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.errors import Conflict, Corrupt, Invalid, LobesError, NotFound, Unavailable
from lobes.engine import wire
from lobes.engine.protocol import (
    Candidate,
    EngineStatus,
    SearchReply,
    SearchRequest,
    Waited,
    WatchEvent,
    WatchRoot,
)

STATUS = EngineStatus("indexing", 7, "1.2", 9, 1, 2, 3, 4, 5.5, 6, 7, 8, "m", ("one", "two"))


def through(value: object) -> dict[str, object]:
    return json.loads(json.dumps(value))


@given(
    st.text(),
    st.lists(st.text(), max_size=3),
    st.integers(0, 1000),
    st.dictionaries(st.text(), st.lists(st.text()).map(tuple), max_size=3),
)
def test_a_request_comes_back(
    query: str, lobes: list[str], depth: int, without: dict[str, tuple[str, ...]]
) -> None:
    request = SearchRequest(query, tuple(lobes), depth, without)
    assert wire.request_in(through(wire.request_out(request))) == request


def test_a_reply_comes_back() -> None:
    hits = (
        Candidate("p1", "h1", "space/a", 0.75, 1, None, 3.5, 0.0),
        Candidate("p2", "h2", "space/b", 0.5, None, 2, 0.0, 0.25),
    )
    reply = SearchReply(hits, ("words_only",), 1, 1)
    assert wire.reply_in(through(wire.reply_out(reply))) == reply


def test_state_waiting_and_events_come_back() -> None:
    assert wire.status_in(through(wire.status_out(STATUS))) == STATUS
    waited = Waited(True, STATUS)
    assert wire.waited_in(through(wire.waited_out(waited))) == waited
    event = WatchEvent("prj", "/r", ("a", "b\udcff"))
    assert wire.event_in(through(wire.event_out(event))) == event
    assert wire.event_in(through(wire.event_out(None))) is None
    roots = (WatchRoot("prj", "/r"), WatchRoot("area", "/s"))
    assert wire.roots_in(through({"roots": wire.roots_out(roots)})) == roots


@pytest.mark.parametrize("kind", [Conflict, Corrupt, Invalid, NotFound, Unavailable])
def test_an_error_keeps_its_kind_and_words(kind: type[LobesError]) -> None:
    error = wire.error_in(through(wire.error_out(kind("what", hint="do", reason="why"))))
    assert type(error) is kind
    assert (error.message, error.hint, error.reason) == ("what", "do", "why")


def test_an_unknown_error_is_still_one_of_ours() -> None:
    assert isinstance(wire.error_in({"code": "other"}), Unavailable)


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"query": 1, "lobes": [], "depth": 1},
        {"query": "q", "lobes": "space/a", "depth": 1},
        {"query": "q", "lobes": [1], "depth": 1},
        {"query": "q", "lobes": [], "depth": "1"},
        {"query": "q", "lobes": []},
    ],
)
def test_a_malformed_request_is_invalid(args: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        wire.request_in(args)


@pytest.mark.parametrize("roots", [None, "x", [["a"]], [["a", 1]], [{"space": "a"}]])
def test_malformed_roots_are_invalid(roots: object) -> None:
    with pytest.raises(Invalid):
        wire.roots_in({"roots": roots})


@pytest.mark.parametrize("number", [None, "1", True, [1]])
def test_a_malformed_number_is_invalid(number: object) -> None:
    with pytest.raises(Invalid):
        wire.number_in({"seconds": number}, "seconds")
