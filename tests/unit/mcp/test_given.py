"""What an agent had been given when it proposed stands beside the proposal, for whoever may read
that too."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any

import pytest

from homes import AHome
from lobes.domain.erasing import Erasure
from lobes.mcp.calls import MOST_GIVEN, Session
from lobes.mcp.face import Face
from lobes.mcp.limits import Limits
from lobes.services.review_evidence import evidence
from lobes.store.wiping import wipe
from remembered import remember

SPACE = "space/prj_a"
TEXT = "# Herons\n\nHerons nest in March, in the tall trees by the weir.\n"
TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
Ask = Callable[..., Any]


@pytest.fixture
def ask(home: AHome) -> Ask:
    home.a_space("prj_a", {"herons.md": TEXT, "other.md": "# Otters\n\nOtters sleep.\n"})
    face = Face(home.agent("prj_a", preset="proposer"), lambda: nullcontext(home.lobes))

    def asked(tool: str, **given: Any) -> Any:
        return json.loads(face.call(tool, given, client="a client").text)

    return asked


def proposed(ask: Ask, statement: str = "Herons come back in spring.") -> str:
    return ask("propose_memory", statement=statement, kind="context", derived_from_external=False)[
        "id"
    ]


def test_who_decides_sees_what_the_agent_had_read_newest_first(home: AHome, ask: Ask) -> None:
    kept = remember(home, SPACE, f"Herons like fish; the key is {TOKEN}.")
    home.index()
    found = ask("search", query="herons nest")["items"]
    ask("read_source", id=kept.id)
    (document,) = {one["document"] for one in found if one.get("path") == "herons.md"}
    saw = evidence(home.lobes, home.me, proposed(ask)).saw
    assert saw[0].id == f"memory/{kept.id}"
    assert saw[0].title.startswith("Herons like fish")
    assert TOKEN not in str(saw)
    by_id = {one.id: one for one in saw}
    assert by_id[f"document/{document}"].title == "herons.md"
    assert by_id[f"document/{document}"].reason == "own"
    assert by_id[f"document/{document}"].tokens > 0


def test_what_was_read_before_a_proposal_stays_what_it_was(home: AHome, ask: Ask) -> None:
    home.index()
    first = proposed(ask)
    ask("search", query="herons nest")
    second = proposed(ask, "Otters sleep by day.")
    assert evidence(home.lobes, home.me, first).saw == ()
    assert evidence(home.lobes, home.me, second).saw != ()


def test_what_is_gone_or_may_not_be_read_is_left_out(home: AHome, ask: Ask) -> None:
    kept = remember(home, SPACE, "Herons like fish.")
    home.index()
    ask("search", query="herons nest")
    id = proposed(ask)
    assert evidence(home.lobes, home.me, id).saw
    home.execute("UPDATE memory SET written_status = 'deleted' WHERE id = ?", kept.id)
    home.execute("DELETE FROM document")
    assert evidence(home.lobes, home.me, id).saw == ()


def test_it_goes_with_the_memory_that_is_erased(home: AHome, ask: Ask) -> None:
    home.index()
    ask("search", query="herons nest")
    id = proposed(ask)
    assert home.rows("SELECT count(*) FROM memory_given") != [(0,)]
    with home.lobes.database().begin() as unit:
        wipe(unit.reader, Erasure("e", SPACE, memories=(id,)))
        unit.commit()
    assert home.rows("SELECT count(*) FROM memory_given") == [(0,)]


class Slow(dict[str, tuple[str, int]]):
    """Two threads that have both taken something out of it meet before either puts it back."""

    def __init__(self) -> None:
        super().__init__({"document/1": ("own", 0)})
        self.met = threading.Barrier(2)

    def pop(self, *given: Any) -> Any:
        found = super().pop(*given)
        with suppress(threading.BrokenBarrierError):
            self.met.wait(0.2)
        return found


def test_of_two_calls_at_once_neither_is_forgotten() -> None:
    session = Session("s", Limits(), given=Slow())
    calls = [
        threading.Thread(
            target=session.has_had, args=("document/1",), kwargs={"tokens": 10, "outside": False}
        )
        for _ in range(2)
    ]
    for one in calls:
        one.start()
    for one in calls:
        one.join()
    assert session.given["document/1"] == ("own", 20)


def test_what_a_context_held_stands_beside_a_proposal(home: AHome, ask: Ask) -> None:
    kept = remember(home, SPACE, "Herons like fish.")
    home.index()
    sources = ask("get_context", query="herons nest")["sources"]
    saw = {one.id: one for one in evidence(home.lobes, home.me, proposed(ask)).saw}
    assert f"memory/{kept.id}" in saw
    documents = home.rows("SELECT id FROM document WHERE path = 'herons.md'")
    assert saw[f"document/{documents[0][0]}"].tokens == sum(
        one["tokens"] for one in sources if one["place"].startswith("herons.md")
    )


def test_a_neighbour_that_a_proposal_was_answered_with_stands_beside_the_next(
    home: AHome, ask: Ask
) -> None:
    kept = remember(home, SPACE, "Owls hunt small mice at night.")
    first = proposed(ask, "Owls hunt small voles at night.")
    second = proposed(ask, "Otters sleep by day.")
    assert evidence(home.lobes, home.me, first).saw == ()
    assert [one.id for one in evidence(home.lobes, home.me, second).saw] == [f"memory/{kept.id}"]


def test_a_session_remembers_the_last_and_how_long_each_was() -> None:
    session = Session("s", Limits())
    for number in range(MOST_GIVEN + 5):
        session.has_had(f"document/{number}", outside=False, reason="own", tokens=10)
    session.has_had("document/10", outside=False, tokens=10)
    assert len(session.given) == MOST_GIVEN
    assert list(session.given)[-1] == "document/10"
    assert session.given["document/10"] == ("own", 20)
