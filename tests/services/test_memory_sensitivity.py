"""How sensitive a memory is: raised freely, lowered with a reason, by a person, and taken back."""

from __future__ import annotations

import pytest
from tests.unit.classify.labelled import GITHUB

from decided import asked, claim, get, reasons, remember, remember_all
from homes import AHome
from lobes.access.explain import Turn, those_concerned
from lobes.access.facts import Facts, Resource
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Conflict, Forbidden, Invalid, LobesError, NoPresence, NotFound
from lobes.domain.permission_change import PermissionChange
from lobes.domain.roles import parse_right
from lobes.domain.sensitivity import Level
from lobes.services import notices, people
from lobes.services.decisions import Decided
from lobes.services.group_changes import NewGroup, add_group, join_group
from lobes.services.ingress import assess
from lobes.services.installation import Caller
from lobes.services.memory_sensitivity import (
    clear_lines,
    lower,
    raise_to,
    set_levels,
    show_sensitivity,
    undo_levels,
)
from lobes.services.notices import list_notices
from lobes.services.permissions import save_permission
from lobes.services.reviewing import decide
from lobes.services.space_groups import place_space

SECRET = f"The deploy key is\n{GITHUB}\nfor now."
BOB = Caller(parse_actor("user:bob"), "cli", is_present=True)


@pytest.fixture
def one(home: AHome) -> AHome:
    home.a_space("prj_a", {"a.md": "# A\n"})
    return home


def about(id: str) -> Resource:
    return Resource("memory", id)


def secret(home: AHome, **fields: object) -> str:
    found = tuple(one.kept for one in assess(SECRET).findings)
    return remember(home, SECRET, level="confidential", findings=found, **fields)


def put(home: AHome, level: Level, *ids: str, reason: str = "") -> Decided:
    return set_levels(home.lobes, home.me, asked(home, *ids), level, reason=reason)


def test_raising_needs_no_reason_and_lowering_does(one: AHome) -> None:
    id = remember(one, claim(1))
    assert put(one, "restricted", id).left == ()
    assert get(one, id).level == "restricted"
    assert "sensitive" in get(one, id).waits_for
    assert reasons(put(one, "internal", id)) == {id: "no_reason"}
    assert reasons(put(one, "internal", id, reason="ok")) == {id: "no_reason"}
    assert put(one, "internal", id, reason="everybody knows it").left == ()
    memory = get(one, id)
    assert (memory.level, memory.waits_for) == ("internal", ("inferred",))
    assert memory.setting is not None
    assert (memory.setting.by, memory.setting.reason) == ("user:ada", "everybody knows it")
    assert reasons(put(one, "internal", id)) == {id: "bad_level"}
    acts = one.rows("SELECT act, reason FROM memory_version WHERE memory = ? ORDER BY version", id)
    assert acts == [("propose", ""), ("raise", ""), ("lower", "everybody knows it")]


def test_the_record_tells_of_the_act_and_never_of_the_reason(one: AHome) -> None:
    id = remember(one, claim(1))
    raise_to(one.lobes, one.me, about(id), "confidential", reason="about a person")
    lower(one.lobes, one.me, about(id), "public", reason="it was published")
    (up,), (down,) = (one.audited(f"memory.sensitivity_{act}") for act in ("raised", "lowered"))
    for row in (up, down):
        assert (row["verb"], row["resources"]) == ("change_permission", [f"memory/{id}"])
    assert "sensitivity/internal" in up["text"]
    assert "sensitivity/confidential" in down["text"]
    assert "published" not in repr(down)


def test_it_is_a_persons_and_its_owners(one: AHome) -> None:
    id = remember(one, claim(1), status="active")
    people.add_person(one.lobes, one.me, "bob")
    with pytest.raises(NoPresence):
        raise_to(one.lobes, one.absent, about(id), "restricted")
    with pytest.raises((Forbidden, NotFound)):
        raise_to(one.lobes, one.agent("prj_a", preset="editor"), about(id), "restricted")
    with pytest.raises(NotFound):
        raise_to(one.lobes, BOB, about(id), "restricted")
    grants = tuple((verb, "user:bob") for verb in parse_right("editor"))
    change = PermissionChange(visibility="restricted", grant=grants)
    save_permission(one.lobes, one.me, Resource("space", "prj_a"), change)
    with pytest.raises(Forbidden):
        raise_to(one.lobes, BOB, about(id), "restricted")
    assert get(one, id).level == "internal"
    assert len(one.audited("access.denied")) == 4


def test_who_loses_it_by_that_is_told_and_doesnt_find_it(one: AHome) -> None:
    """In a group's Space what is confidential is its owner's."""
    id = remember(one, claim(1), status="active")
    people.add_person(one.lobes, one.me, "bob")
    add_group(one.lobes, one.me, NewGroup("crew", "team"))
    join_group(one.lobes, one.me, "crew", "bob")
    place_space(one.lobes, one.me, "prj_a", "crew")
    before = list_notices(one.lobes, BOB).total
    assert show_sensitivity(one.lobes, BOB, about(id)).level == "internal"
    decided = put(one, "confidential", id)
    with pytest.raises(LobesError):
        show_sensitivity(one.lobes, BOB, about(id))
    told = list_notices(one.lobes, BOB)
    assert told.items[0].event == "permission.lost"
    undo_levels(one.lobes, one.me, decided)
    assert show_sensitivity(one.lobes, BOB, about(id)).level == "internal"
    assert list_notices(one.lobes, BOB).total == before + 2


def test_of_many_each_is_told_and_the_rules_are_asked_once_for_all_alike(
    one: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is locked for as long as they are asked."""
    people.add_person(one.lobes, one.me, "bob")
    add_group(one.lobes, one.me, NewGroup("crew", "team"))
    join_group(one.lobes, one.me, "crew", "bob")
    place_space(one.lobes, one.me, "prj_a", "crew")
    ids = remember_all(one, [claim(number) for number in range(20)], status="active")
    waits = remember(one, claim(30))
    asked_on: list[Resource] = []

    def noted(before: Facts, after: Facts, about: Resource) -> tuple[Turn, ...]:
        asked_on.append(about)
        return those_concerned(before, after, about)

    monkeypatch.setattr(notices, "those_concerned", noted)
    put(one, "confidential", *ids, waits)
    assert len(asked_on) <= 2
    told = [item for item in list_notices(one.lobes, BOB).items if item.event == "permission.lost"]
    lost = one.rows("SELECT resource FROM notice WHERE event = 'permission.lost'")
    assert {f"memory/{id}" for id in ids} <= {name for (name,) in lost}
    assert len(told) == len(lost)


def test_many_are_one_act_each_with_its_own_outcome(one: AHome) -> None:
    ids = remember_all(one, [claim(number) for number in range(4)])
    there = remember(one, claim(9), level="restricted")
    shown = asked(one, *ids, there)
    decide(one.lobes, one.me, "edit", asked(one, ids[0]), text="Otherwise.")
    decided = set_levels(one.lobes, one.me, shown, "restricted")
    assert reasons(decided) == {ids[0]: "changed", there: "bad_level"}
    assert [get(one, id).level for id in ids[1:]] == ["restricted"] * 3
    assert len(one.audited("memory.sensitivity_raised")) == 1
    back = undo_levels(one.lobes, one.me, decided)
    assert back.is_undone
    assert [get(one, id).level for id in ids] == ["internal"] * 4
    again = undo_levels(one.lobes, one.me, back)
    assert [get(one, id).level for id in ids[1:]] == ["restricted"] * 3
    assert not again.is_undone


def test_what_changed_since_is_not_taken_back(one: AHome) -> None:
    id = remember(one, claim(1))
    decided = put(one, "restricted", id)
    put(one, "confidential", id)
    assert reasons(undo_levels(one.lobes, one.me, decided)) == {id: "changed"}
    assert get(one, id).level == "confidential"


def test_a_lowered_level_stays_until_something_new_is_found(one: AHome) -> None:
    id = secret(one, status="active", waits_for=())
    put(one, "internal", id, reason="a made-up key")
    same = asked(one, id, confirmed=True)
    decide(one.lobes, one.me, "edit", same, text=f"{SECRET} Really.")
    assert get(one, id).level == "internal"
    other = f"{SECRET} password: hunter2-and-More9"
    decide(one.lobes, one.me, "edit", asked(one, id, confirmed=True), text=other)
    assert get(one, id).level == "confidential"


def test_what_is_in_use_tells_the_index_and_stays_in_use(one: AHome) -> None:
    id = remember(one, claim(1), status="active", waits_for=())
    one.execute("DELETE FROM outbox")
    put(one, "restricted", id)
    assert one.rows("SELECT op, id FROM outbox") == [("upsert", id)]
    assert (get(one, id).status, get(one, id).waits_for) == ("active", ())


def test_what_is_gone_has_no_level_to_set(one: AHome) -> None:
    id = remember(one, claim(1), status="deleted")
    with pytest.raises(NotFound):
        raise_to(one.lobes, one.me, about(id), "restricted")
    with pytest.raises(Invalid):
        lower(one.lobes, one.me, about(id), "public", reason=" ")
    assert put(one, "restricted").done == ()


def test_its_owner_sees_its_secret_and_the_record_says_so(one: AHome) -> None:
    id = secret(one, status="active")
    (line,) = clear_lines(one.lobes, one.me, about(id))
    assert (line.detector, line.line, line.text) == ("github-token", 2, GITHUB)
    (row,) = one.audited("memory.secret_shown")
    assert (row["resources"], GITHUB in repr(row)) == ([f"memory/{id}"], False)
    with pytest.raises(NoPresence):
        clear_lines(one.lobes, one.absent, about(id))
    people.add_person(
        one.lobes,
        one.me,
        "bob",
    )
    save_permission(
        one.lobes,
        one.me,
        Resource("space", "prj_a"),
        PermissionChange(
            visibility="restricted", grant=(("read_meta", "user:bob"), ("read_content", "user:bob"))
        ),
    )
    with pytest.raises(LobesError):
        clear_lines(one.lobes, BOB, about(id))
    assert len(one.audited("memory.secret_shown")) == 1


def test_two_at_once_leave_one_level_and_one_refusal(one: AHome) -> None:
    id = remember(one, claim(1))
    first, second = asked(one, id), asked(one, id)
    set_levels(one.lobes, one.me, first, "restricted")
    late = set_levels(one.lobes, one.me, second, "confidential")
    assert isinstance(late.left[0].error, Conflict)
    assert get(one, id).level == "restricted"
