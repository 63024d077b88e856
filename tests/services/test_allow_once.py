"""One question, one search, ten minutes: what an approval opens and how it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Conflict, Forbidden, Invalid, NoPresence, NotFound, Unavailable
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import Subscription
from lobes.engine.protocol import Engine, SearchReply, SearchRequest
from lobes.services.approvals import allow_once
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save
from lobes.services.search import Answer
from lobes.services.space_changes import archive_space

QUERY = "zephyr crates"
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def caller(who: str) -> Caller:
    return Caller(parse_actor(who), "cli", is_present=who.startswith("user:"))


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def two(home: AHome, clock: Clock) -> AHome:
    """prj_b asks before prj_a draws on it."""
    home.a_space("prj_a", {"a.md": "# Harbour\n\nThe crane lifts zephyr crates.\n"})
    home.a_space(
        "prj_b", {"b.md": "# Dock\n\nAnother zephyr crates row.\n"}, LobeChange(cross_space="ask")
    )
    home.a_space("prj_c", {"c.md": "# Quay\n\nThe third zephyr crates.\n"}, LobeChange(True))
    home.index()
    return replace(home, lobes=replace(home.lobes, clock=clock))


def allow(home: AHome, *, query: str = QUERY, target: str = "prj_b") -> None:
    allow_once(home.lobes, home.me, "prj_a", target, query)


def spaces(answer: Answer) -> set[str]:
    return {hit.space for hit in answer.items if hit.words is not None}


def left(home: AHome) -> int:
    return len(home.rows("SELECT id FROM approval"))


def test_the_next_search_for_it_draws_on_the_lobe_and_no_other_does(two: AHome) -> None:
    assert spaces(two.ask(QUERY, "prj_a")) == {"prj_a"}
    allow(two)
    for other in ("zephyr crates ", "Zephyr crates", "zephyr  crates", "zephyr crate"):
        assert spaces(two.ask(other, "prj_a")) <= {"prj_a"}
    assert spaces(two.ask(QUERY, "prj_b")) == {"prj_b"}
    assert left(two) == 1
    answer = two.ask(QUERY, "prj_a")
    assert spaces(answer) == {"prj_a", "prj_b"}
    (hit,) = [hit for hit in answer.items if hit.space == "prj_b"]
    assert (hit.reason, hit.weight) == ("once", 0.4)
    assert hit.sentence == "You let Prj_B answer this one question."
    assert left(two) == 0
    again = two.ask(QUERY, "prj_a")
    assert spaces(again) == {"prj_a"}
    assert {one.lobe: one.reason for one in again.withheld}["space/prj_b"] == "ask"


@pytest.mark.parametrize(("seconds", "open"), [(599.9, True), (600, False), (601, False)])
def test_it_ends_after_ten_minutes(two: AHome, clock: Clock, seconds: float, open: bool) -> None:
    allow(two)
    clock.now = START + timedelta(seconds=seconds)
    assert ("prj_b" in spaces(two.ask(QUERY, "prj_a"))) == open


def test_a_clock_that_is_put_back_prolongs_it_no_further_than_its_use(
    two: AHome, clock: Clock
) -> None:
    allow(two)
    clock.now = START - timedelta(days=1)
    assert "prj_b" in spaces(two.ask(QUERY, "prj_a"))
    assert "prj_b" not in spaces(two.ask(QUERY, "prj_a"))


def test_what_ran_out_is_pruned_and_the_same_question_is_kept_once(
    two: AHome, clock: Clock
) -> None:
    allow(two, query="another question")
    clock.now = START + timedelta(minutes=11)
    allow(two)
    clock.now += timedelta(minutes=1)
    allow(two)
    assert two.rows("SELECT expires FROM approval") == [
        ((START + timedelta(minutes=22)).isoformat(),)
    ]


def test_the_question_is_stored_as_a_hash_alone(two: AHome) -> None:
    allow(two, query="where is the zephyr")
    assert "zephyr" not in str(two.rows("SELECT * FROM approval"))
    assert "zephyr" not in str(two.audited("lobe.allowed_once"))


def test_an_agent_uses_it_once_and_learns_no_more_than_that_more_is_there(two: AHome) -> None:
    agent = two.agent("prj_a")
    before = two.ask(QUERY, "prj_a", by=agent)
    assert (spaces(before), before.withheld, before.more_with_approval) == ({"prj_a"}, (), True)
    allow(two)
    assert spaces(two.ask(QUERY, "prj_a", by=agent)) == {"prj_a", "prj_b"}
    after = two.ask(QUERY, "prj_a", by=agent)
    assert replace(after, took_ms=0) == replace(before, took_ms=0)


def test_it_is_for_the_person_who_gave_it(two: AHome) -> None:
    grants = '{"visibility": "restricted", "grants": {"read_meta": ["user:bob"], %s}}'
    readable = grants % '"read_content": ["user:bob"]'
    two.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'bob', '2026-01-01')")
    two.execute("UPDATE space SET permission = ? WHERE id = 'prj_a'", readable)
    allow(two)
    assert spaces(two.ask(QUERY, "prj_a", by=caller("user:bob"))) == {"prj_a"}
    assert spaces(two.ask(QUERY, "prj_a", by=caller("ai:bob/reader@prj_a"))) == {"prj_a"}
    assert left(two) == 1


BEATEN: dict[str, Callable[[AHome], object]] = {
    "private": lambda home: save(home.lobes, home.me, "prj_b", LobeChange(is_private=True)),
    "excluded": lambda home: save(home.lobes, home.me, "prj_b", LobeChange(exclude=("prj_a",))),
    "muted": lambda home: save(home.lobes, home.me, "prj_a", LobeChange(mute=("space/prj_b",))),
    "inactive": lambda home: archive_space(home.lobes, home.me, "prj_b"),
}


@pytest.mark.parametrize("code", BEATEN)
def test_what_beats_an_approval_still_does_and_leaves_it_unused(two: AHome, code: str) -> None:
    allow(two)
    BEATEN[code](two)
    answer = two.ask(QUERY, "prj_a")
    assert spaces(answer) == {"prj_a"}
    assert {one.lobe: one.reason for one in answer.withheld}["space/prj_b"] == code
    assert left(two) == 1
    with pytest.raises(Conflict) as refused:
        allow(two)
    assert refused.value.reason == code


# Who may give it -------------------------------------------------------------------------------


def test_only_where_it_would_help(two: AHome) -> None:
    save(two.lobes, two.me, "prj_a", LobeChange(subscribe=(Subscription("space", "prj_b"),)))
    for target in ("prj_b", "prj_a"):
        with pytest.raises(Conflict) as refused:
            allow(two, target=target)
        assert refused.value.reason == "nothing_to_allow"
    save(two.lobes, two.me, "prj_a", LobeChange(unsubscribe=(Subscription("space", "prj_b"),)))
    save(two.lobes, two.me, "prj_b", LobeChange(cross_space="deny"))
    allow(two)
    assert "prj_b" in spaces(two.ask(QUERY, "prj_a"))


@pytest.mark.parametrize("query", ["", "  ", "\n"])
def test_no_question_no_approval(two: AHome, query: str) -> None:
    with pytest.raises(Invalid):
        allow(two, query=query)


def test_nobody_else_gives_it(two: AHome) -> None:
    grants = '{"visibility": "restricted", "grants": {"change_permission": ["user:bob"]}}'
    two.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'bob', '2026-01-01')")
    for space in ("prj_a", "prj_b"):
        with pytest.raises(NotFound):
            allow_once(two.lobes, caller("user:bob"), "prj_a", "prj_b", QUERY)
        two.execute("UPDATE space SET permission = ? WHERE id = ?", grants, space)
    two.execute(
        "UPDATE space SET permission = replace(permission, '\"change', '\"read_meta\":"
        " [\"user:bob\"], \"change') WHERE id IN ('prj_a', 'prj_b')"
    )
    with pytest.raises(Forbidden) as refused:
        allow_once(two.lobes, caller("user:bob"), "prj_a", "prj_b", QUERY)
    assert refused.value.reason == "owner_only"
    assert two.audited("access.denied")[-1]["answer"] == "owner_only"
    for agent in ("ai:ada/editor@prj_a", "ai:ada/editor@prj_b"):
        with pytest.raises(Forbidden) as barred:
            allow_once(two.lobes, caller(agent), "prj_a", "prj_b", QUERY)
        assert barred.value.reason == "ai_bar"
    with pytest.raises(NoPresence):
        allow_once(two.lobes, two.absent, "prj_a", "prj_b", QUERY)
    with pytest.raises(NotFound):
        allow_once(two.lobes, two.me, "prj_a", "prj_none", QUERY)
    assert left(two) == 0


def test_giving_and_using_it_are_in_the_record(two: AHome) -> None:
    allow(two)
    (given,) = two.audited("lobe.allowed_once")
    assert given["resources"] == ["space/prj_a", "space/prj_b"]
    assert given["actor"] == "user:ada"
    two.ask(QUERY, "prj_a")
    assert "('space/prj_b', 'once', True)" in two.audited("space.searched")[-1]["text"]


# Two searches, and failures ---------------------------------------------------------------------


class Meeting:
    """The home's engine; each of two searches waits until the other has its candidates too."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._both = threading.Barrier(2, timeout=20)
        self._met = threading.local()

    def search(self, request: SearchRequest) -> SearchReply:
        reply = self._engine.search(request)
        if not getattr(self._met, "yet", False):
            self._met.yet = True
            self._both.wait()
        return reply

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


@pytest.mark.parametrize("time", range(3))
def test_of_two_searches_at_once_one_has_it(two: AHome, time: int) -> None:
    allow(two)
    meeting = two.with_engine(cast("Engine", Meeting(two.lobes.engine)))
    answers: list[set[str]] = []

    def ask(who: Caller) -> None:
        answers.append(spaces(meeting.ask(QUERY, "prj_a", by=who)))

    threads = [threading.Thread(target=ask, args=(who,)) for who in (two.me, two.agent("prj_a"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(answers, key=len) == [{"prj_a"}, {"prj_a", "prj_b"}]
    assert left(two) == 0


class Down:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def search(self, request: SearchRequest) -> SearchReply:
        raise Unavailable("The engine is down.", reason="engine")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def test_a_search_that_fails_uses_nothing(two: AHome) -> None:
    allow(two)
    with pytest.raises(Unavailable):
        two.with_engine(cast("Engine", Down(two.lobes.engine))).ask(QUERY, "prj_a")
    assert left(two) == 1
    assert two.ask(QUERY, "prj_a", limit=0).items == ()
    assert left(two) == 1


class Meanwhile(Down):
    """Something happens once, between the candidates and their texts."""

    def __init__(self, engine: Engine, act: Callable[[], object]) -> None:
        super().__init__(engine)
        self._act: Callable[[], object] | None = act

    def search(self, request: SearchRequest) -> SearchReply:
        reply = self._engine.search(request)
        if self._act is not None:
            act, self._act = self._act, None
            act()
        return reply


def test_it_runs_out_or_is_shut_while_the_engine_looks(two: AHome, clock: Clock) -> None:
    allow(two)

    def later() -> None:
        clock.now += timedelta(minutes=10)

    slow = two.with_engine(cast("Engine", Meanwhile(two.lobes.engine, later)))
    assert spaces(slow.ask(QUERY, "prj_a")) == {"prj_a"}
    allow(two)
    shut = two.with_engine(
        cast("Engine", Meanwhile(two.lobes.engine, lambda: BEATEN["private"](two)))
    )
    answer = shut.ask(QUERY, "prj_a")
    assert spaces(answer) == {"prj_a"}
    assert {one.lobe: one.reason for one in answer.withheld}["space/prj_b"] == "private"
    assert left(two) == 1
