"""A session has an end to what it may ask for, and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homes import opened_home
from lobes.mcp.errors import CODES, MESSAGES, body
from lobes.mcp.face import Face
from lobes.mcp.limits import LimitReached, Limits


def test_proposals_end_at_their_number() -> None:
    limits = Limits(proposals=2)
    limits.propose()
    limits.propose()
    with pytest.raises(LimitReached) as caught:
        limits.propose()
    assert body(caught.value)["error"] == {
        "code": "limit",
        "reason": "limit_proposals",
        "message": MESSAGES["limit_proposals"][0],
        "hint": MESSAGES["limit_proposals"][1],
    }


def test_a_session_reads_so_many_characters_and_no_more(tmp_path: Path) -> None:
    from contextlib import nullcontext

    with opened_home(tmp_path / "home") as home:
        home.a_space("prj_a", {"one.md": f"# One\n\n{'heron ' * 100}\n"})
        home.index()
        caller = home.agent("prj_a")
        face = Face(caller, lambda: nullcontext(home.lobes), limits=Limits(characters=500))
        said = [face.call("search", {"query": "heron"}) for _ in range(4)]
    assert not said[0].is_error
    error = json.loads(said[-1].text)["error"]
    assert (error["code"], error["reason"]) == ("limit", "limit_characters")


def test_a_fault_of_ours_is_told_without_a_word_of_it(tmp_path: Path) -> None:
    noted: list[Exception] = []

    def broken() -> None:
        raise RuntimeError("QZX-MARK in /home/somebody")

    with opened_home(tmp_path / "home") as home:
        face = Face(home.agent("prj_a"), broken, on_fault=noted.append)  # type: ignore[arg-type]
        said = face.call("search", {"query": "heron"})
    assert said.is_error
    assert "QZX" not in said.text
    assert json.loads(said.text)["error"]["message"] == CODES["internal_error"][0]
    assert [type(one) for one in noted] == [RuntimeError]
