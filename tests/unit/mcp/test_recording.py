"""`record_turn`: an agent's words, in the session that we counted, with what we know of them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import pytest

from homes import AHome
from lobes.domain import sessions as limits_of
from lobes.domain.proposals import MOST_EVIDENCE
from lobes.mcp.calls import HANDLERS
from lobes.mcp.face import Face
from lobes.mcp.fields import Text, Texts
from lobes.mcp.limits import TURNS, Limits
from lobes.mcp.tools import TOOLS
from lobes.services.erasing import erase_space
from lobes.services.sessions import SessionView, list_sessions, show_session
from remembered import remember
from tool_calls import CALLS

WORDS = "Moved the herons' ledger."


@pytest.fixture
def space(home: AHome) -> AHome:
    home.a_space("prj_a", {"herons.md": "# Herons\n\nHerons nest in March.\n"})
    return home


def a_face(home: AHome, *, preset: str = "proposer", turns: int = TURNS) -> Face:
    caller = home.agent("prj_a", preset=preset)
    return Face(caller, lambda: nullcontext(home.lobes), limits=Limits(turns=turns))


def record(face: Face, summary: str = WORDS, *, client: str = "a client", **given: Any) -> Any:
    return json.loads(face.call("record_turn", {"summary": summary, **given}, client=client).text)


def the_one(home: AHome) -> SessionView:
    (row,) = list_sessions(home.lobes, home.me).items
    return show_session(home.lobes, home.me, row.session.id)


def test_a_session_begins_with_its_first_turn_and_goes_on(space: AHome) -> None:
    face = a_face(space)
    first, second = record(face), record(face, "More.", decisions=["Ledgers stay local."])
    view = the_one(space)
    assert first == {"session": view.session.id, "turn": 1}
    assert second == {"session": view.session.id, "turn": 2}
    assert (view.session.space, view.session.client) == ("prj_a", "a client")
    assert view.session.actor == "ai:ada/proposer@prj_a"
    assert [one.summary for one in view.turns] == [WORDS, "More."]
    assert view.turns[1].decisions == ("Ledgers stay local.",)


def test_another_process_has_another_session(space: AHome) -> None:
    assert record(a_face(space))["session"] != record(a_face(space))["session"]


def test_what_the_client_calls_itself_is_data(space: AHome) -> None:
    record(a_face(space), client="evil\u202e\x1b[31m " + "x" * 200)
    client = the_one(space).session.client
    assert len(client) <= 80
    assert not {"\x1b", "\u202e"} & set(client)


def test_turns_after_something_from_outside_was_read_are_known_by_it(space: AHome) -> None:
    from lobes.domain.memories import Provenance

    kept = remember(
        space, "space/prj_a", "Herons like fish.", provenance=Provenance(is_external=True)
    )
    space.index()
    face = a_face(space)
    record(face)
    face.call("read_source", {"id": kept.id})
    record(face)
    assert [one.is_external for one in the_one(space).turns] == [False, True]


def test_turns_of_a_session_have_an_end(space: AHome) -> None:
    face = a_face(space, turns=2)
    said = [record(face) for _ in range(3)]
    assert [one.get("turn") for one in said[:2]] == [1, 2]
    error = said[2]["error"]
    assert (error["code"], error["reason"]) == ("limit", "limit_turns")
    assert "error" not in json.loads(face.call("list_pending", {}).text)


def test_turns_of_several_calls_at_once_are_all_there_each_in_a_place_of_its_own(
    space: AHome,
) -> None:
    face = a_face(space)
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda number: record(face, f"Turn {number}."), range(24)))
    assert sorted(one["turn"] for one in said) == list(range(1, 25))
    assert len(the_one(space).turns) == 24


@pytest.mark.parametrize(
    ("given", "code", "reason"),
    [
        ({"summary": " \u200b"}, "invalid", "no_summary"),
        ({"summary": "<private>QZX</private>"}, "invalid", "no_summary"),
        ({"summary": "<lobes-recalled> QZX"}, "invalid", "not_a_summary"),
        ({"summary": "QZX\0"}, "invalid", "bad_text"),
        ({"summary": "Q" * 4_001}, "invalid", "bad_field"),
        ({"decisions": ["Q" * 501]}, "invalid", "bad_field"),
        ({"evidence": ["QZX"]}, "invalid", "bad_field"),
        ({"session": "QZX"}, "invalid", "unknown_field"),
    ],
)
def test_each_refusal_has_its_code_and_our_words(
    space: AHome, given: dict[str, Any], code: str, reason: str
) -> None:
    answer = record(a_face(space), **{"summary": WORDS, **given})
    assert (answer["error"]["code"], answer["error"]["reason"]) == (code, reason)
    assert all(answer["error"].values())
    assert "QZX" not in str(answer)
    assert space.rows("SELECT id FROM session") == []


def test_a_reader_records_nothing(space: AHome) -> None:
    answer = record(a_face(space, preset="reader"))
    assert (answer["error"]["code"], answer["error"]["reason"]) == ("forbidden", "ceiling")
    assert space.rows("SELECT id FROM session") == []


def test_what_the_tool_takes_is_what_a_turn_can_be() -> None:
    """The tool's table is read before anything of ours is loaded, so it holds the numbers."""
    kinds = {one.name: one.kind for one in TOOLS["record_turn"].fields}
    an_id = Text(26, least=26, form="id")
    assert kinds == {
        "summary": Text(limits_of.LONGEST_SUMMARY),
        "decisions": Texts(Text(limits_of.LONGEST_DECISION), limits_of.MOST_DECISIONS),
        "evidence": Texts(an_id, MOST_EVIDENCE),
    }


@pytest.mark.parametrize("preset", ["reader", "proposer", "editor"])
def test_each_tool_answers_of_an_erased_space_as_of_one_that_never_was(
    space: AHome, preset: Any
) -> None:
    """Where the preset of the agent itself allows the tool, there is nothing with that name."""
    never = Face(space.agent("prj_never", preset=preset), lambda: nullcontext(space.lobes))
    bound = Face(space.agent("prj_a", preset=preset), lambda: nullcontext(space.lobes))
    erase_space(space.lobes, space.me, "prj_a")
    assert set(CALLS) == set(HANDLERS)
    for tool, given in CALLS.items():
        told = json.loads(bound.call(tool, given).text)
        assert told == json.loads(never.call(tool, given).text)
        is_its_own = tool in ("search", "get_context", "read_source") or preset == "editor"
        if is_its_own:
            assert told["error"]["code"] == "not_found", tool
