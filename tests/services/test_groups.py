"""Groups as their owners change them, and what that opens and closes for whom."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from homes import AHome, opened_home
from lobes.access.facts import Facts
from lobes.domain.actors import Human, parse_actor
from lobes.domain.errors import Conflict, Forbidden, Invalid, LobesError, NoPresence, NotFound
from lobes.domain.groups import GroupKind
from lobes.domain.ids import Slug
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import parse_subscription
from lobes.services import group_changes, groups, people
from lobes.services.group_changes import NewGroup
from lobes.services.installation import Caller, Installation
from lobes.services.lobe_changes import save
from lobes.services.lobes import list_lobes, lobe_view, ties
from lobes.services.notices import list_notices
from lobes.services.space_groups import place_space, preview_place
from lobes.services.spaces import list_spaces, show_space
from lobes.store.facts import load_facts


def by(person: str) -> Caller:
    return Caller(Human(Slug(person)), "cli", is_present=True)


def facts(home: AHome) -> Facts:
    with home.lobes.reading() as store:
        return load_facts(store)


def a_group(home: AHome, id: str, kind: GroupKind, parent: str = "") -> None:
    group_changes.add_group(home.lobes, home.me, NewGroup(id, kind, parent=parent))


@pytest.fixture
def nested(home: AHome) -> AHome:
    """ada owns all; bob is in the team, cyd in the department, eve in nothing."""
    for person in ("bob", "cyd", "eve"):
        people.add_person(home.lobes, home.me, person, name=person.title())
    a_group(home, "acme", "organization")
    a_group(home, "eng", "department", "acme")
    a_group(home, "core", "team", "eng")
    group_changes.join_group(home.lobes, home.me, "core", "bob")
    group_changes.join_group(home.lobes, home.me, "eng", "cyd")
    home.a_space("prj_a", {"a.md": "# A\n\nzephyr\n"})
    return home


def spaces_of(home: AHome, person: str) -> list[str]:
    return [row.id for row in list_spaces(home.lobes, by(person))]


# Nesting ---------------------------------------------------------------------------------------


def test_membership_is_handed_upwards_hop_by_hop(nested: AHome) -> None:
    found = facts(nested).groups
    assert {id: group.hops.get("bob") for id, group in found.items()} == {
        "core": 1, "eng": 2, "acme": 3}  # fmt: skip
    assert {id: group.hops.get("cyd") for id, group in found.items()} == {
        "core": None, "eng": 1, "acme": 2}  # fmt: skip
    assert all(group.owners == {"ada"} for group in found.values())


def test_the_shortest_way_up_counts(nested: AHome) -> None:
    group_changes.join_group(nested.lobes, nested.me, "acme", "bob")
    assert facts(nested).groups["acme"].hops["bob"] == 1
    assert facts(nested).groups["eng"].hops["bob"] == 2


def test_a_lobe_of_a_group_weighs_by_hops(nested: AHome) -> None:
    place_space(nested.lobes, nested.me, "prj_a", "core")
    seen = lobe_view(nested.lobes, by("bob"), "prj_a").sources
    weights = {one.lobe: round(one.weight, 2) for one in seen if one.reason == "member"}
    assert weights == {"team/core": 0.5, "department/eng": 0.33, "organization/acme": 0.25}


@pytest.mark.parametrize(
    ("id", "kind", "parent"),
    [
        ("x", "team", "core"),
        ("x", "department", "core"),
        ("x", "organization", "core"),
        ("x", "department", "eng"),
        ("x", "organization", "acme"),
    ],
)
def test_wrong_nesting_is_refused(nested: AHome, id: str, kind: GroupKind, parent: str) -> None:
    with pytest.raises(Invalid) as refused:
        a_group(nested, id, kind, parent)
    assert refused.value.reason == "wrong_nesting"
    assert id not in facts(nested).groups


@pytest.mark.parametrize(("id", "parent"), [("eng", "core"), ("acme", "eng"), ("core", "core")])
def test_a_cycle_is_refused(nested: AHome, id: str, parent: str) -> None:
    before = facts(nested).groups
    with pytest.raises(Invalid) as refused:
        group_changes.edit_group(nested.lobes, nested.me, id, parent=parent)
    assert refused.value.reason == "wrong_nesting"
    assert facts(nested).groups == before


def test_a_cycle_behind_our_back_ends_and_opens_nothing(nested: AHome) -> None:
    """Rows that no service writes: two that lie in each other, then each one in itself."""
    place_space(nested.lobes, nested.me, "prj_a", "core")
    nested.execute("UPDATE person_group SET parent = 'core' WHERE id = 'acme'")
    assert set(facts(nested).groups["core"].hops) == {"ada", "bob"}
    nested.execute("UPDATE person_group SET parent = id")
    found = facts(nested).groups
    assert (set(found["acme"].hops), set(found["eng"].hops)) == ({"ada"}, {"ada", "cyd"})
    assert spaces_of(nested, "cyd") == []


def test_rows_that_nobody_can_read_count_for_nothing(nested: AHome) -> None:
    place_space(nested.lobes, nested.me, "prj_a", "core")
    for broken in (
        "UPDATE membership SET role = 'Owner' WHERE person = 'bob'",
        "UPDATE membership SET role = 'member ' WHERE person = 'bob'",
        "UPDATE person_group SET kind = 'tribe' WHERE id = 'core'",
        "UPDATE person_group SET parent = 'gone' WHERE id = 'core'",
    ):
        broken_home(nested, broken)
        assert spaces_of(nested, "bob") == [] or "parent" in broken
        assert spaces_of(nested, "ada") == ["prj_a"]
        groups.list_groups(nested.lobes, nested.me)


def broken_home(home: AHome, statement: str) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(home.folders.store, timeout=10)) as store, store:
        store.execute("PRAGMA ignore_check_constraints = ON")
        store.execute(statement)


# Who may know, who may change ------------------------------------------------------------------


def test_a_group_is_there_for_its_members_alone(nested: AHome) -> None:
    known = {
        person: [one.id for one in groups.list_groups(nested.lobes, by(person))]
        for person in ("ada", "bob", "cyd", "eve")
    }
    assert known == {
        "ada": ["acme", "core", "eng"],
        "bob": ["acme", "core", "eng"],
        "cyd": ["acme", "eng"],
        "eve": [],
    }
    roles = {one.id: one.role for one in groups.list_groups(nested.lobes, by("bob"))}
    assert roles == {"acme": "below", "core": "member", "eng": "below"}


def test_a_wider_group_shows_only_what_the_caller_may_know(nested: AHome) -> None:
    """cyd isn't in core, so of core there is no trace: no name, no parent, no `through`."""
    place_space(nested.lobes, nested.me, "prj_a", "core")
    seen = groups.show_group(nested.lobes, by("cyd"), "eng")
    assert (seen.below, seen.in_it, seen.spaces) == ((), (), 0)
    assert [(one.person, one.through) for one in seen.people] == [
        ("ada", ""),
        ("cyd", ""),
        ("bob", ""),
    ]
    mine = groups.show_group(nested.lobes, nested.me, "eng")
    assert (mine.below, mine.people[-1].through) == (("core",), "core")


CHANGES: dict[str, Callable[[Installation, Caller, str], Any]] = {
    "join": lambda lobes, who, id: group_changes.join_group(lobes, who, id, "eve"),
    "owner": lambda lobes, who, id: group_changes.join_group(lobes, who, id, "bob", role="owner"),
    "take out": lambda lobes, who, id: group_changes.leave_group(lobes, who, id, "ada"),
    "edit": lambda lobes, who, id: group_changes.edit_group(lobes, who, id, name="X"),
    "remove": group_changes.remove_group,
    "impact": groups.group_impact,
    "restore": group_changes.restore_group,
}


@pytest.mark.parametrize("name", CHANGES)
def test_only_its_owners_change_a_group(nested: AHome, name: str) -> None:
    before = nested.rows("SELECT * FROM membership"), nested.rows("SELECT * FROM person_group")
    with pytest.raises(Forbidden):
        CHANGES[name](nested.lobes, by("bob"), "core")
    with pytest.raises(NotFound):
        CHANGES[name](nested.lobes, by("eve"), "core")
    with pytest.raises(NoPresence):
        CHANGES[name](nested.lobes, nested.absent, "core")
    with pytest.raises(Forbidden) as barred:
        CHANGES[name](nested.lobes, nested.agent("prj_a", preset="editor"), "core")
    assert barred.value.reason == "ai_bar"
    after = nested.rows("SELECT * FROM membership"), nested.rows("SELECT * FROM person_group")
    assert after == before


@pytest.mark.parametrize("name", [*CHANGES, "show"])
def test_a_hidden_group_answers_like_one_that_never_was(nested: AHome, name: str) -> None:
    """AZ-14."""
    act = {**CHANGES, "show": groups.show_group}[name]
    said: list[tuple[str, ...]] = []
    for id in ("core", "nowhere"):
        with pytest.raises(NotFound) as refused:
            act(nested.lobes, by("eve"), id)
        said.append((refused.value.message, refused.value.hint, refused.value.reason))
    assert said[0] == said[1]


def test_an_owner_of_a_wider_group_owns_nothing_below(nested: AHome) -> None:
    group_changes.join_group(nested.lobes, nested.me, "eng", "cyd", role="owner")
    with pytest.raises(NotFound):
        group_changes.join_group(nested.lobes, by("cyd"), "core", "cyd")
    group_changes.join_group(nested.lobes, by("cyd"), "eng", "bob")


def test_a_person_that_the_owner_may_not_know_is_no_person(nested: AHome) -> None:
    group_changes.join_group(nested.lobes, nested.me, "eng", "cyd", role="owner")
    for person in ("eve", "nobody"):
        with pytest.raises(NotFound):
            group_changes.join_group(nested.lobes, by("cyd"), "eng", person)
        with pytest.raises(Conflict, match="never joined"):
            group_changes.leave_group(nested.lobes, by("cyd"), "eng", person)


@pytest.mark.parametrize("alias", ["Bob", "bob ", " bob", "ｂob", "b\u043eb", "bo\u0301b", ""])
def test_no_alias_of_an_id_is_that_person(nested: AHome, alias: str) -> None:
    """AZ-10."""
    before = nested.rows("SELECT * FROM membership")
    with pytest.raises(LobesError):
        group_changes.join_group(nested.lobes, nested.me, "core", alias or "-", role="owner")
    with pytest.raises(LobesError):
        group_changes.leave_group(nested.lobes, nested.me, "core", alias or "-")
    with pytest.raises(LobesError):
        people.add_person(nested.lobes, nested.me, alias)
    with pytest.raises(LobesError):
        a_group(nested, alias, "team")
    assert nested.rows("SELECT * FROM membership") == before


def test_a_grant_to_a_group_matches_that_id_to_the_letter(nested: AHome) -> None:
    """AZ-09."""
    for subject, sees in (("group:core", ["prj_a"]), ("group:cor", []), ("group:coreX", [])):
        grants = f'{{"read_meta": ["{subject}"], "read_content": ["{subject}"]}}'
        text = f'{{"visibility": "restricted", "grants": {grants}}}'
        nested.execute("UPDATE space SET permission = ?", text)
        assert spaces_of(nested, "bob") == sees


# Joining, leaving, removing --------------------------------------------------------------------


def test_the_last_owner_stays_or_hands_over(nested: AHome) -> None:
    for act in (
        lambda: group_changes.leave_group(nested.lobes, nested.me, "core"),
        lambda: group_changes.join_group(nested.lobes, nested.me, "core", "ada", role="member"),
    ):
        with pytest.raises(Conflict) as refused:
            act()
        assert refused.value.reason == "last_owner"
    group_changes.join_group(nested.lobes, nested.me, "core", "bob", role="owner")
    group_changes.leave_group(nested.lobes, nested.me, "core")
    assert facts(nested).groups["core"].owners == {"bob"}
    assert [one.id for one in groups.list_groups(nested.lobes, nested.me)] == ["acme", "eng"]


def test_whoever_joined_may_leave_by_themself(nested: AHome) -> None:
    assert group_changes.leave_group(nested.lobes, by("bob"), "core").name == "Bob"
    assert "bob" not in facts(nested).groups["acme"].hops
    with pytest.raises(NotFound):
        group_changes.leave_group(nested.lobes, by("bob"), "core")


def test_who_is_in_by_a_group_below_is_told_to_leave_that_one(nested: AHome) -> None:
    with pytest.raises(Conflict) as refused:
        group_changes.leave_group(nested.lobes, by("bob"), "eng")
    assert (refused.value.reason, "below" in refused.value.hint) == ("not_a_member", True)


def test_joining_twice_changes_the_role_or_nothing(nested: AHome) -> None:
    with pytest.raises(Conflict):
        group_changes.join_group(nested.lobes, nested.me, "core", "bob")
    group_changes.join_group(nested.lobes, nested.me, "core", "bob", role="owner")
    assert facts(nested).groups["core"].owners == {"ada", "bob"}


def test_removing_voids_grants_and_spaces_until_it_is_brought_back(nested: AHome) -> None:
    place_space(nested.lobes, nested.me, "prj_a", "core")
    nested.a_space("prj_b", {})
    nested.execute(
        "UPDATE space SET permission = ? WHERE id = 'prj_b'",
        '{"visibility": "restricted", "grants": {"read_meta": ["group:core"]}}',
    )
    assert spaces_of(nested, "bob") == ["prj_a", "prj_b"]
    impact = groups.group_impact(nested.lobes, nested.me, "core")
    assert (impact.people, impact.spaces, impact.below) == (("ada", "bob"), ("prj_a",), ())
    group_changes.remove_group(nested.lobes, nested.me, "core")
    assert spaces_of(nested, "bob") == []
    assert spaces_of(nested, "ada") == ["prj_a", "prj_b"]
    detail = show_space(nested.lobes, nested.me, "prj_a")
    assert (detail.row.group, detail.group_is_known) == ("core", False)
    assert "bob" not in facts(nested).groups["eng"].hops
    group_changes.restore_group(nested.lobes, nested.me, "core")
    assert spaces_of(nested, "bob") == ["prj_a", "prj_b"]
    assert facts(nested).groups["acme"].hops["bob"] == 3


def test_a_removed_group_never_lends_its_id_to_another(nested: AHome) -> None:
    """Else whoever makes a group of that name reads what was granted to the old one."""
    group_changes.remove_group(nested.lobes, nested.me, "core")
    with pytest.raises(Conflict) as refused:
        a_group(nested, "core", "team")
    assert refused.value.reason == "exists"
    with pytest.raises(NotFound):
        group_changes.join_group(nested.lobes, nested.me, "core", "eve")


def test_a_removed_group_leaves_those_below_it_alone(nested: AHome) -> None:
    group_changes.remove_group(nested.lobes, nested.me, "eng")
    found = facts(nested).groups
    assert (set(found["core"].hops), set(found["acme"].hops)) == ({"ada", "bob"}, {"ada"})
    rows = {one.id: one.parent for one in groups.list_groups(nested.lobes, nested.me)}
    assert rows == {"acme": "", "core": ""}


def test_each_change_is_audited_and_told(nested: AHome) -> None:
    group_changes.leave_group(nested.lobes, by("bob"), "core")
    group_changes.remove_group(nested.lobes, nested.me, "core")
    (row,) = nested.audited("group.removed")
    assert (row["actor"], row["resources"], row["answer"]) == ("user:ada", ["group/core"], "owner")
    assert nested.audited("group.left")[0]["resources"] == ["group/core", "person/bob"]
    assert len(nested.audited("group.joined")) == 2
    told = [one.event for one in list_notices(nested.lobes, by("bob")).items]
    assert "group.joined" in told
    assert [one.event for one in list_notices(nested.lobes, nested.me).items] == ["group.left"]


# Spaces in groups ------------------------------------------------------------------------------


def test_a_space_in_a_group_opens_to_its_members_and_says_so(nested: AHome) -> None:
    assert spaces_of(nested, "bob") == []
    before = preview_place(nested.lobes, nested.me, "prj_a", "eng")
    placed = place_space(nested.lobes, nested.me, "prj_a", "eng")
    assert placed.gains == before.gains == ("bob", "cyd")
    assert (spaces_of(nested, "bob"), spaces_of(nested, "eve")) == (["prj_a"], [])
    moved = place_space(nested.lobes, nested.me, "prj_a", "core")
    assert (moved.gains, moved.loses) == ((), ("cyd",))
    assert place_space(nested.lobes, nested.me, "prj_a", "").loses == ("bob",)
    assert len(nested.audited("space.grouped")) == 3
    assert "permission.gained" in [one.event for one in list_notices(nested.lobes, by("cyd")).items]


def test_a_space_of_one_group_is_hidden_from_the_other(nested: AHome) -> None:
    a_group(nested, "red", "team")
    group_changes.join_group(nested.lobes, nested.me, "red", "eve")
    place_space(nested.lobes, nested.me, "prj_a", "core")
    assert (spaces_of(nested, "bob"), spaces_of(nested, "eve")) == (["prj_a"], [])
    with pytest.raises(NotFound):
        show_space(nested.lobes, by("eve"), "prj_a")


def test_a_space_goes_only_where_its_owner_is_a_member(nested: AHome) -> None:
    group_changes.join_group(nested.lobes, nested.me, "core", "bob", role="owner")
    group_changes.leave_group(nested.lobes, nested.me, "core")
    for group in ("core", "nowhere"):
        with pytest.raises(NotFound):
            place_space(nested.lobes, nested.me, "prj_a", group)
    with pytest.raises(NotFound):
        place_space(nested.lobes, by("bob"), "prj_a", "core")
    with pytest.raises(NoPresence):
        place_space(nested.lobes, nested.absent, "prj_a", "eng")
    with pytest.raises(Conflict):
        place_space(nested.lobes, nested.me, "prj_a", "")


def test_the_group_of_a_space_is_told_to_who_may_know_it(nested: AHome) -> None:
    place_space(nested.lobes, nested.me, "prj_a", "core")
    text = '{"visibility": "public", "grants": {"read_meta": ["user:eve"]}}'
    nested.execute("UPDATE space SET permission = ?", text)
    groups_seen = {
        who: list_spaces(nested.lobes, by(who))[0].group for who in ("ada", "bob", "eve")
    }
    assert groups_seen == {"ada": "core", "bob": "core", "eve": None}


def test_a_member_sees_no_setting_that_names_what_is_hidden_from_them(nested: AHome) -> None:
    nested.a_space("prj_secret", {})
    a_group(nested, "red", "team")
    sources = tuple(map(parse_subscription, ("team:red", "user:eve", "space:prj_secret", "tag:t")))
    change = LobeChange(exclude=("prj_secret",), mute=("team/red",), subscribe=sources)
    save(nested.lobes, nested.me, "prj_a", change)
    place_space(nested.lobes, nested.me, "prj_a", "core")
    seen = str(lobe_view(nested.lobes, by("bob"), "prj_a"))
    assert not any(name in seen for name in ("prj_secret", "red", "eve"))
    assert "prj_secret" in str(lobe_view(nested.lobes, nested.me, "prj_a"))


@pytest.mark.parametrize(
    ("source", "error", "reason"),
    [
        ("team:nowhere", NotFound, "not_found"),
        ("department:core", Invalid, "wrong_kind"),
        ("user:nobody", NotFound, "not_found"),
        ("user:ada", Invalid, "own_lobe"),
        ("space:prj_gone", NotFound, "not_found"),
        ("guest:00000000000000000000000001", NotFound, "not_found"),
    ],
)
def test_a_source_that_can_be_none_is_refused(
    nested: AHome, source: str, error: type[LobesError], reason: str
) -> None:
    with pytest.raises(error) as refused:
        save(nested.lobes, nested.me, "prj_a", LobeChange(subscribe=(parse_subscription(source),)))
    assert refused.value.reason == reason


def test_a_subscription_to_a_group_draws_on_its_spaces(nested: AHome) -> None:
    nested.a_space("prj_b", {}, LobeChange(cross_space="deny"))
    place_space(nested.lobes, nested.me, "prj_b", "core")
    for source in ("team:core", "user:bob", "tag:t"):
        change = LobeChange(subscribe=(parse_subscription(source),))
        save(nested.lobes, nested.me, "prj_a", change)
    reasons = {one.lobe: one.reason for one in lobe_view(nested.lobes, nested.me, "prj_a").sources}
    assert reasons["space/prj_b"] == "subscribed"
    group_changes.remove_group(nested.lobes, nested.me, "core")
    reasons = {one.lobe: one.reason for one in lobe_view(nested.lobes, nested.me, "prj_a").sources}
    assert reasons["space/prj_b"] == "closed"


def test_group_lobes_and_the_own_one_are_listed(nested: AHome) -> None:
    def of(person: str) -> list[str]:
        return [one.address for one in list_lobes(nested.lobes, by(person))]

    assert of("bob") == ["personal/bob", "organization/acme", "team/core", "department/eng"]
    assert of("eve") == ["personal/eve"]
    agent = [one.address for one in list_lobes(nested.lobes, nested.agent("prj_a"))]
    assert agent[0] == "personal/ada"


def test_a_group_with_the_id_of_a_space_never_gets_its_name(nested: AHome) -> None:
    a_group(nested, "prj_b", "team")
    nested.a_space("prj_b", {})
    seen = {one.lobe: one for one in lobe_view(nested.lobes, nested.me, "prj_a").sources}
    assert (seen["team/prj_b"].name, seen["space/prj_b"].name) == ("prj_b", "Prj_B")
    assert "You belong to prj_b" in seen["team/prj_b"].sentence
    assert ("prj_b", "member") in ties(nested.lobes, nested.me, "prj_a").draws_on


# Other processes, many groups ------------------------------------------------------------------


def test_a_change_elsewhere_holds_at_the_very_next_call(nested: AHome) -> None:
    """Two open installations on one home: neither keeps a decision."""
    with opened_home(nested.folders.store.parents[1]) as other:
        assert spaces_of(other, "bob") == []
        place_space(nested.lobes, nested.me, "prj_a", "core")
        assert spaces_of(other, "bob") == ["prj_a"]
        group_changes.leave_group(other.lobes, other.me, "core", "bob")
        assert spaces_of(nested, "bob") == []
        group_changes.join_group(nested.lobes, nested.me, "core", "bob")
        assert spaces_of(other, "bob") == ["prj_a"]
        group_changes.remove_group(other.lobes, other.me, "core")
        assert spaces_of(nested, "bob") == []


def test_a_thousand_groups_are_listed_and_loaded_soon(nested: AHome) -> None:
    rows = [(f"team{n}", "team", f"Team {n}", "eng", "2026-01-01") for n in range(1000)]
    with nested.lobes.database().begin() as unit:
        store = unit.reader
        store.executemany(
            "INSERT INTO person_group (id, kind, name, parent, created) VALUES (?, ?, ?, ?, ?)",
            rows,
        )
        store.executemany(
            "INSERT INTO membership (group_id, person, role, since) VALUES (?, 'ada', 'owner', '')",
            [(row[0],) for row in rows],
        )
        unit.commit()
    begun = time.process_time()
    assert len(groups.list_groups(nested.lobes, nested.me)) == 1003
    assert len(groups.show_group(nested.lobes, nested.me, "eng").below) == 1001
    assert time.process_time() - begun < 2


def test_an_agent_knows_a_group_only_where_its_space_draws_on_it(nested: AHome) -> None:
    """It may read the lobe; who is in the group it isn't told."""
    who = Caller(parse_actor("ai:bob/reader@prj_a"), "cli")
    assert groups.list_groups(nested.lobes, who) == ()
    place_space(nested.lobes, nested.me, "prj_a", "core")
    found = groups.show_group(nested.lobes, who, "core")
    assert (found.people, found.members) == ((), 0)
    assert [one.id for one in people.list_people(nested.lobes, who)] == ["bob"]


def test_a_home_with_groups_opens_again(nested: AHome, tmp_path: Path) -> None:
    del tmp_path
    with opened_home(nested.folders.store.parents[1]) as again:
        assert [one.id for one in groups.list_groups(again.lobes, by("bob"))] == [
            "acme", "core", "eng"]  # fmt: skip
