"""Notices reach those whom a change concerns, and tell nobody what they may not know."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from homes import OWNER, AHome
from lobes.access.facts import Resource
from lobes.domain.actors import parse_actor
from lobes.domain.errors import NotFound
from lobes.domain.notices import EVENTS, HIDDEN, notice_sentence
from lobes.domain.permissions import Permission, dump_permission
from lobes.services.installation import Caller
from lobes.services.notices import Noticed, list_notices, mark_seen, notify, notify_of_rights
from lobes.store.facts import load_facts

SPACE = Resource("space", "prj_a")


def caller(who: str) -> Caller:
    return Caller(parse_actor(who), "cli", is_present=who.startswith("user:"))


@pytest.fixture
def three(home: AHome) -> AHome:
    home.a_space("prj_a", {"a.md": "# A\n"})
    for person in ("bob", "eve"):
        home.execute(
            "INSERT INTO person (id, name, created) VALUES (?, ?, ?)", person, person, "2026-01-01"
        )
    return home


def grant(home: AHome, **grants: tuple[str, ...]) -> None:
    """Store a permission of the Space and notify, as whoever changes permissions does."""
    permission = Permission(
        "restricted", tuple((verb, frozenset(subjects)) for verb, subjects in grants.items())
    )
    with home.lobes.database().begin() as unit:
        before = load_facts(unit.reader)
        space = unit.spaces.get("prj_a")
        assert space is not None
        unit.spaces.save(replace(space, permission=dump_permission(permission)))
        after = load_facts(unit.reader)
        notify_of_rights(home.lobes, home.me, unit, SPACE, before=before, after=after)
        unit.commit()


def of(home: AHome, who: str) -> Noticed:
    return list_notices(home.lobes, caller(who))


def test_a_grant_tells_the_person_and_nobody_else(three: AHome) -> None:
    grant(three, read_content=("user:bob",), read_meta=("user:bob",))
    (told,) = of(three, "user:bob").items
    assert (told.event, told.about, told.who) == ("permission.gained", "space/prj_a", "user:ada")
    assert told.sentence == "ada gave you more rights in Prj_A: read_meta, read_content."
    assert of(three, "user:eve") == Noticed((), 0, 0)
    assert of(three, f"user:{OWNER}") == Noticed((), 0, 0)


def test_what_was_taken_away_is_told_without_its_name(three: AHome) -> None:
    grant(three, read_content=("user:bob",), read_meta=("user:bob",))
    grant(three)
    newest, older = of(three, "user:bob").items
    assert newest.sentence == f"ada took rights in {HIDDEN} from you."
    assert older.sentence == f"ada gave you more rights in {HIDDEN}."
    assert (newest.about, older.about) == ("", "")


def test_notices_are_seen_once_and_by_their_person_only(three: AHome) -> None:
    grant(three, read_meta=("user:bob",))
    (told,) = of(three, "user:bob").items
    assert not told.is_seen
    assert mark_seen(three.lobes, caller("user:eve"), [told.id]) == 0
    assert of(three, "user:bob").unseen == 1
    assert mark_seen(three.lobes, caller("user:bob"), [told.id]) == 1
    assert mark_seen(three.lobes, caller("user:bob"), [told.id]) == 0
    assert (of(three, "user:bob").total, of(three, "user:bob").unseen) == (1, 0)
    assert list_notices(three.lobes, caller("user:bob"), unseen_only=True).items == ()


@pytest.mark.parametrize("who", ["ai:ada/editor@prj_a", "ai:bob/reader@prj_a"])
def test_an_agent_sees_no_notice(three: AHome, who: str) -> None:
    grant(three, read_meta=("user:bob",), read_content=("user:bob",))
    with pytest.raises(NotFound):
        list_notices(three.lobes, caller(who))
    with pytest.raises(NotFound):
        mark_seen(three.lobes, caller(who), ["01HZZZZZZZZZZZZZZZZZZZZZZZ"])


def test_a_unit_that_is_not_committed_notifies_nobody(three: AHome) -> None:
    with three.lobes.database().begin() as unit:
        notify(three.lobes, three.me, unit, "access.requested", SPACE, to=("bob",))
    assert of(three, "user:bob").total == 0


def test_unknown_persons_and_the_acting_one_get_none(three: AHome) -> None:
    with three.lobes.database().begin() as unit:
        notify(three.lobes, three.me, unit, "group.changed", SPACE, to=("ada", "nobody", "eve"))
        unit.commit()
    assert three.rows("SELECT person FROM notice") == [("eve",)]
    with three.lobes.database().begin() as unit:
        agent = Caller(parse_actor("ai:ada/editor@prj_a"), "cli")
        notify(three.lobes, agent, unit, "group.changed", SPACE, to=("ada",))
        unit.commit()
    assert of(three, "user:ada").items[0].who == "ai:ada/editor@prj_a"


def test_what_was_seen_long_ago_goes_and_what_waits_stays(three: AHome) -> None:
    for _ in range(2):
        grant(three, read_meta=("user:bob",))
        grant(three)
    ids = [one.id for one in of(three, "user:bob").items]
    mark_seen(three.lobes, caller("user:bob"), ids[:1])
    with three.lobes.database().begin() as unit:
        later = replace(three.lobes, clock=lambda: unit.now + timedelta(days=91))
        unit.notices._now = later.clock()
        notify(later, three.me, unit, "group.changed", SPACE, to=("eve",))
        unit.commit()
    assert [one.id for one in of(three, "user:bob").items] == ids[1:]


def test_pages_join_without_a_gap(three: AHome) -> None:
    for _ in range(3):
        grant(three, read_meta=("user:bob",))
        grant(three)
    whole = of(three, "user:bob").items
    first = list_notices(three.lobes, caller("user:bob"), limit=4)
    rest = list_notices(three.lobes, caller("user:bob"), before=first.items[-1].id)
    assert (*first.items, *rest.items) == whole
    assert first.total == 6


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_has_a_sentence_with_and_without_detail(event: str) -> None:
    for detail in ("", "Notes"):
        text = notice_sentence(event, who="ada", what="{who}", detail=detail)
        assert text.endswith(".")
        assert "{detail}" not in text
        assert "\0" not in text
        assert text.count("{who}") == EVENTS[event].count("{what}"), "a name is data"
