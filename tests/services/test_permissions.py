"""Who may do what: shown, changed, tried out, and by whom that may be done."""

from __future__ import annotations

import json

import pytest

from homes import OWNER, AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Conflict, Forbidden, Invalid, NoPresence, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.domain.permission_change import PermissionChange, parse_subject
from lobes.domain.resources import Resource
from lobes.domain.roles import parse_right
from lobes.services import lobe_changes
from lobes.services.doctor import examine
from lobes.services.group_changes import NewGroup, add_group, join_group
from lobes.services.installation import Caller
from lobes.services.notices import list_notices
from lobes.services.permissions import (
    PermissionEffect,
    PermissionView,
    preview_permission,
    save_permission,
    show_permission,
)
from lobes.services.search import search
from lobes.services.space_changes import Edit, edit_space
from lobes.services.spaces import show_pack

SPACE = Resource("space", "prj_a")
READS = ("read_meta", "read_content")


def by(who: str) -> Caller:
    return Caller(parse_actor(who), "cli", is_present=who.startswith("user:"))


BOB, EVE = by("user:bob"), by("user:eve")


@pytest.fixture
def shared(home: AHome) -> AHome:
    home.a_space("prj_a", {"a.md": "# A\n\nzephyr\n", "b.md": "# B\n\nzephyr crane\n"})
    home.index()
    for person in ("bob", "eve"):
        home.execute(
            "INSERT INTO person (id, name, created) VALUES (?, ?, '2026-01-01')", person, person
        )
    return home


def giving(right: str, subject: str) -> PermissionChange:
    return PermissionChange(grant=tuple((verb, subject) for verb in parse_right(right)))


def taking(right: str, subject: str) -> PermissionChange:
    return PermissionChange(revoke=tuple((verb, subject) for verb in parse_right(right)))


def save(
    home: AHome, change: PermissionChange, *, of: Resource = SPACE, who: Caller | None = None
) -> PermissionEffect:
    return save_permission(home.lobes, who or home.me, of, change)


def show(home: AHome, of: Resource = SPACE) -> PermissionView:
    return show_permission(home.lobes, home.me, of)


def document(home: AHome, path: str) -> Resource:
    ((id,),) = home.rows("SELECT id FROM document WHERE path = ?", path)
    return Resource("document", id)


def stored(home: AHome) -> str | None:
    ((text,),) = home.rows("SELECT permission FROM space WHERE id = 'prj_a'")
    return text


# Roles and lists --------------------------------------------------------------------------------


def test_a_role_is_given_and_taken_as_a_whole(shared: AHome) -> None:
    effect = save(shared, giving("viewer", "user:bob"))
    assert [(one.person, one.gained, one.lost) for one in effect.turns] == [("bob", READS, ())]
    (bob,) = show(shared).people
    assert (bob.subject, bob.role, bob.verbs, bob.trouble) == ("user:bob", "viewer", (), "")
    assert {path for _, path in shared.found("zephyr", "prj_a", by=BOB)} == {"a.md", "b.md"}
    effect = save(shared, taking("viewer", "user:bob"))
    assert [(one.person, one.lost) for one in effect.turns] == [("bob", READS)]
    assert show(shared).people == ()
    with pytest.raises(NotFound):
        shared.ask("zephyr", "prj_a", by=BOB)


def test_to_edit_is_to_add(shared: AHome) -> None:
    """AZ-06."""
    save(shared, giving("read_meta", "user:bob"))
    effect = save(shared, giving("edit_content", "user:bob"))
    assert [one.gained for one in effect.turns] == [("add_content", "edit_content")]


def test_a_list_rests_while_private_and_comes_back_as_it_was(shared: AHome) -> None:
    """AZ-07."""
    save(shared, PermissionChange(visibility="restricted"))
    for right, subject in (("editor", "user:bob"), ("viewer", "all"), ("review", "user:eve")):
        save(shared, giving(right, subject))
    before, text = show(shared), stored(shared)
    gone = save(shared, PermissionChange(visibility="private"))
    assert {one.person for one in gone.turns if one.lost} == {"bob", "eve"}
    assert show(shared).is_dormant
    with pytest.raises(NotFound):
        shared.ask("zephyr", "prj_a", by=BOB)
    back = save(shared, PermissionChange(visibility="restricted"))
    assert stored(shared) == text
    assert show(shared) == before
    assert [(one.person, one.gained) for one in back.turns] == [
        (one.person, one.lost) for one in gone.turns
    ]


def test_a_list_changed_while_it_rests_opens_nothing(shared: AHome) -> None:
    save(shared, PermissionChange(visibility="private"))
    effect = save(shared, giving("viewer", "user:bob"))
    assert effect.turns == ()
    assert any("rest" in note for note in effect.notes)


def test_the_owner_is_in_no_list_and_stays_owner(shared: AHome) -> None:
    """AZ-08."""
    for change in (giving("viewer", f"user:{OWNER}"), taking("viewer", f"user:{OWNER}")):
        with pytest.raises(Invalid) as refused:
            save(shared, change)
        assert refused.value.reason == "owner_is_implicit"
    save(shared, PermissionChange(visibility="private"))
    assert shared.found("zephyr", "prj_a")
    save(shared, PermissionChange(visibility="public"))


@pytest.mark.parametrize("subject", ["user:nobody", "group:core", "group:co"])
def test_nobody_unknown_is_given_anything(shared: AHome, subject: str) -> None:
    """AZ-09: a grant to nobody would come to life with the first of that name."""
    with pytest.raises(Invalid) as refused:
        save(shared, giving("viewer", subject))
    assert refused.value.reason == "unknown_subject"
    assert stored(shared) is None


@pytest.mark.parametrize(
    "text",
    ["user:Bob", "user:bob ", " user:bob", "user:bo\u0301b", "user:b\u043eb", "bob", "user:",
     "group:x:y", "ALL", "all ", "user:bob\n", "person:bob", "user/bob"],
)  # fmt: skip
def test_a_subject_is_taken_to_the_letter(text: str) -> None:
    """AZ-10."""
    with pytest.raises(Invalid):
        parse_subject(text)


def test_who_became_unknown_is_shown_so_and_can_be_taken_out(shared: AHome) -> None:
    grants = {"read_meta": ["user:gone", "group:gone", "user:bob"]}
    text = json.dumps({"visibility": "restricted", "grants": grants})
    shared.execute("UPDATE space SET permission = ?", text)
    assert {one.subject: one.trouble for one in show(shared).people} == {
        "group:gone": "unknown group",
        "user:bob": "",
        "user:gone": "unknown person",
    }
    save(shared, taking("read_meta", "group:gone"))
    save(shared, taking("read_meta", "user:gone"))
    assert [one.subject for one in show(shared).people] == ["user:bob"]


def test_a_right_without_the_entry_gate_says_that_it_opens_nothing(shared: AHome) -> None:
    """AZ-05."""
    effect = save(shared, giving("edit_content", "user:bob"))
    assert effect.turns == ()
    assert any("read_meta" in note for note in effect.notes)


def test_what_was_taken_and_is_held_by_another_entry_is_said(shared: AHome) -> None:
    save(shared, giving("viewer", "all"))
    save(shared, giving("viewer", "user:bob"))
    effect = save(shared, taking("viewer", "user:bob"))
    assert effect.turns == ()
    assert any(note.startswith("bob still may") for note in effect.notes)


def test_the_same_again_changes_nothing_and_tells_nobody(shared: AHome) -> None:
    save(shared, giving("viewer", "user:bob"))
    told = list_notices(shared.lobes, BOB).total
    effect = save(shared, giving("viewer", "user:bob"))
    assert not effect.is_change
    assert list_notices(shared.lobes, BOB).total == told == 1


# Broken -----------------------------------------------------------------------------------------

BROKEN = ["{}", "{broken", '{"visibility": "pubic"}', "[]", "", '{"visibility": "public", "x": 1}']


@pytest.mark.parametrize("text", BROKEN)
def test_what_can_not_be_read_is_not_edited_until_the_owner_replaces_it(
    shared: AHome, text: str
) -> None:
    """AZ-01."""
    shared.execute("UPDATE space SET permission = ?", text)
    view = show(shared)
    assert view.permission is not None
    assert (view.permission.sound, view.stored) == (False, text)
    for change in (giving("viewer", "user:bob"), taking("viewer", "user:bob")):
        with pytest.raises(Invalid) as refused:
            save(shared, change)
        assert refused.value.reason == "broken_permission"
        assert "permission set" in refused.value.hint
    assert stored(shared) == text
    named = [
        one for one in examine(shared.lobes, shared.me, areas=("authz",)) if "prj_a" in one.text
    ]
    assert [one.level for one in named] == ["problem"]
    assert "lobes permission set" in named[0].hint
    effect = save(shared, PermissionChange(visibility="restricted"))
    assert effect.replaced == text
    assert any("replaced whole" in note for note in effect.notes)
    assert json.loads(stored(shared) or "") == {"visibility": "restricted", "grants": {}}
    assert not [
        one for one in examine(shared.lobes, shared.me, areas=("authz",)) if "prj_a" in one.text
    ]


def test_what_can_not_be_read_lets_nobody_but_the_owner_in(shared: AHome) -> None:
    """AZ-01."""
    save(shared, giving("editor", "user:bob"))
    shared.execute("UPDATE space SET permission = '{}'")
    for call in (
        lambda: shared.ask("zephyr", "prj_a", by=BOB),
        lambda: save(shared, PermissionChange(visibility="public"), who=BOB),
    ):
        with pytest.raises(NotFound):
            call()


# Who may change it ------------------------------------------------------------------------------


def test_an_agent_changes_and_sees_no_permission(shared: AHome) -> None:
    """AZ-03."""
    agent = shared.agent("prj_a", preset="editor")
    for call in (
        lambda: save(shared, giving("viewer", "user:bob"), who=agent),
        lambda: preview_permission(shared.lobes, agent, SPACE, giving("viewer", "user:bob")),
        lambda: show_permission(shared.lobes, agent, SPACE),
    ):
        with pytest.raises(Forbidden) as refused:
            call()
        assert refused.value.reason == "ai_bar"
    assert len(shared.audited("access.denied")) == 3


def test_it_takes_a_person_who_is_there(shared: AHome) -> None:
    with pytest.raises(NoPresence):
        save(shared, giving("viewer", "user:bob"), who=shared.absent)
    preview_permission(shared.lobes, shared.absent, SPACE, giving("viewer", "user:bob"))
    assert stored(shared) is None


def test_a_reader_may_not_change_and_a_stranger_finds_nothing(shared: AHome) -> None:
    save(shared, giving("viewer", "user:bob"))
    with pytest.raises(Forbidden) as refused:
        save(shared, giving("viewer", "user:eve"), who=BOB)
    assert refused.value.reason == "not_granted"
    with pytest.raises(NotFound) as hidden:
        save(shared, giving("viewer", "user:eve"), who=EVE)
    with pytest.raises(NotFound) as unknown:
        save(shared, giving("viewer", "user:eve"), who=EVE, of=Resource("space", "prj_no"))
    assert hidden.value.args == unknown.value.args


@pytest.fixture
def delegated(shared: AHome) -> AHome:
    """Bob reads and may change who may do what; he knows Eve."""
    add_group(shared.lobes, shared.me, NewGroup("crew", "team"))
    for person in ("bob", "eve"):
        join_group(shared.lobes, shared.me, "crew", person)
    save(shared, giving("viewer", "user:bob"))
    save(shared, giving("change_permission", "user:bob"))
    return shared


def test_a_delegate_hands_on_what_they_hold(delegated: AHome) -> None:
    effect = save(delegated, giving("viewer", "user:eve"), who=BOB)
    assert [(one.person, one.gained) for one in effect.turns] == [("eve", READS)]
    assert delegated.found("zephyr", "prj_a", by=EVE)


@pytest.mark.parametrize("right", ["collaborator", "editor", "review", "promote", "export"])
def test_a_delegate_gives_nobody_what_they_do_not_hold(delegated: AHome, right: str) -> None:
    text = stored(delegated)
    for subject in ("user:eve", "user:bob", "all"):
        with pytest.raises(Forbidden) as refused:
            save(delegated, giving(right, subject), who=BOB)
        assert refused.value.reason == "beyond_own"
    assert stored(delegated) == text


def test_a_delegate_opens_nothing_by_visibility_and_may_close(delegated: AHome) -> None:
    save(delegated, PermissionChange(visibility="restricted"), who=BOB)
    with pytest.raises(Forbidden):
        save(delegated, PermissionChange(visibility="public"), who=BOB)
    save(delegated, PermissionChange(visibility="private"), who=BOB)
    with pytest.raises(NotFound):
        save(delegated, PermissionChange(visibility="restricted"), who=BOB)
    save(delegated, PermissionChange(visibility="restricted"))


def test_a_delegate_learns_of_nobody_by_naming_everybody(delegated: AHome) -> None:
    """Of those who would gain or lose by it, only whom the delegate may know or the lists name."""
    delegated.execute("INSERT INTO person (id, name, created) VALUES ('zoe', 'Zoe', '2026-01-01')")
    everybody = giving("viewer", "all")
    effect = preview_permission(delegated.lobes, BOB, SPACE, everybody)
    assert [one.person for one in effect.turns] == ["eve"]
    saved = save(delegated, everybody, who=BOB)
    assert [one.person for one in saved.turns] == ["eve"]
    again = giving("viewer", "user:eve")
    hides = [
        preview_permission(delegated.lobes, who, SPACE, change).is_whole
        for who in (BOB, delegated.me)
        for change in (everybody, again)
    ]
    assert hides == [False, False, True, True], "the same whether somebody unknown gains or not"
    assert "user:zoe" in delegated.audited("space.permission_changed")[-1]["text"]
    said = {
        preview_permission(delegated.lobes, BOB, SPACE, taking("viewer", f"user:{who}")).notes
        for who in ("zoe", "nobody")
    }
    assert len(said) == 1


def test_what_goes_beyond_a_delegates_own_rights_is_in_the_record(delegated: AHome) -> None:
    with pytest.raises(Forbidden):
        save(delegated, giving("review", "user:eve"), who=BOB)
    (row,) = delegated.audited("access.denied")
    assert (row["actor"], row["answer"]) == ("user:bob", "beyond_own")


def test_the_record_says_by_which_reason_somebody_might(delegated: AHome) -> None:
    """Who isn't the owner is in no row as if they were."""
    lobe_changes.save(delegated.lobes, BOB, "prj_a", LobeChange(cross_space="deny"))
    search(delegated.lobes, BOB, "anything", space="prj_a")
    rows = [delegated.audited(event)[-1] for event in ("lobe.changed", "space.searched")]
    assert [(row["actor"], row["answer"]) for row in rows] == [("user:bob", "granted")] * 2


def test_a_delegate_can_not_put_the_owner_out_and_the_owner_is_told(delegated: AHome) -> None:
    """AZ-08."""
    with pytest.raises(Invalid):
        save(delegated, taking("viewer", f"user:{OWNER}"), who=BOB)
    save(delegated, PermissionChange(visibility="private"), who=BOB)
    assert delegated.found("zephyr", "prj_a")
    told = list_notices(delegated.lobes, delegated.me)
    changes = [(one.event, one.who) for one in told.items if one.event.startswith("permission")]
    assert changes == [("permission.changed", "user:bob")]


# Between two looks ------------------------------------------------------------------------------


def test_a_change_since_it_was_shown_is_a_conflict(shared: AHome) -> None:
    shown = show(shared).version
    save(shared, giving("viewer", "user:bob"))
    with pytest.raises(Conflict) as refused:
        save_permission(
            shared.lobes, shared.me, SPACE, PermissionChange(visibility="public"), shown=shown
        )
    assert refused.value.reason == "changed"
    again = show(shared).version
    save_permission(shared.lobes, shared.me, SPACE, giving("viewer", "user:eve"), shown=again)


def test_a_space_edited_from_an_older_look_does_not_bring_a_permission_back(shared: AHome) -> None:
    with shared.lobes.database().begin() as unit:
        old = unit.spaces.get("prj_a")
    assert old is not None
    save(shared, PermissionChange(visibility="private"))
    with pytest.raises(Conflict), shared.lobes.database().begin() as unit:
        unit.spaces.save(old)
    edit_space(shared.lobes, shared.me, "prj_a", Edit(description="new"))
    assert json.loads(stored(shared) or "")["visibility"] == "private"


def test_trying_out_says_what_saving_does_and_saves_nothing(shared: AHome) -> None:
    change = giving("editor", "user:bob")
    tried = preview_permission(shared.lobes, shared.me, SPACE, change)
    assert stored(shared) is None
    assert save(shared, change) == tried


def test_a_change_is_audited_with_who_gained_what(shared: AHome) -> None:
    save(shared, giving("viewer", "user:bob"))
    (row,) = shared.audited("space.permission_changed")
    assert (row["actor"], row["verb"], row["answer"]) == (
        f"user:{OWNER}",
        "change_permission",
        "owner",
    )
    assert row["resources"] == ["space/prj_a"]
    assert "user:bob/read_content" in row["text"]


# Documents --------------------------------------------------------------------------------------


@pytest.fixture
def readers(shared: AHome) -> AHome:
    for person in ("bob", "eve"):
        save(shared, giving("viewer", f"user:{person}"))
    return shared


def test_a_document_follows_its_space_until_it_has_a_permission(readers: AHome) -> None:
    one = document(readers, "a.md")
    view = show(readers, one)
    assert (view.permission, view.people, view.space, view.owner) == (None, (), "prj_a", OWNER)
    with pytest.raises(Invalid) as refused:
        save(readers, giving("viewer", "user:bob"), of=one)
    assert refused.value.reason == "no_own_permission"


def test_a_document_only_tightens(readers: AHome) -> None:
    one = document(readers, "a.md")
    effect = save(readers, PermissionChange(visibility="restricted"), of=one)
    assert {turn.person for turn in effect.turns if turn.lost} == {"bob", "eve"}
    save(readers, giving("viewer", "user:bob"), of=one)
    assert readers.found("zephyr", "prj_a", by=BOB) == {("prj_a", "a.md"), ("prj_a", "b.md")}
    assert readers.found("zephyr", "prj_a", by=EVE) == {("prj_a", "b.md")}
    save(readers, taking("viewer", "user:bob"))
    with pytest.raises(NotFound):
        readers.ask("zephyr", "prj_a", by=BOB)


def test_a_document_without_its_own_again_follows_its_space(readers: AHome) -> None:
    one = document(readers, "a.md")
    save(readers, PermissionChange(visibility="private"), of=one)
    assert [file.path for file in show_pack(readers.lobes, EVE, "prj_a").pack] == ["b.md"]
    effect = save(readers, PermissionChange(visibility="inherit"), of=one)
    assert {turn.person for turn in effect.turns if turn.gained} == {"bob", "eve"}
    assert readers.rows("SELECT permission FROM document WHERE id = ?", one.id) == [(None,)]
    with pytest.raises(Invalid):
        save(readers, PermissionChange(visibility="inherit"))


def test_a_broken_document_is_its_owners_alone_and_reset_by_them(readers: AHome) -> None:
    """AZ-01."""
    one = document(readers, "a.md")
    readers.execute("UPDATE document SET permission = '{}' WHERE id = ?", one.id)
    assert readers.found("zephyr", "prj_a", by=BOB) == {("prj_a", "b.md")}
    problems = [o.text for o in examine(readers.lobes, readers.me, areas=("authz",))]
    assert any("a.md" in text for text in problems)
    assert not any("a.md" in o.text for o in examine(readers.lobes, BOB, areas=("authz",)))
    with pytest.raises(Invalid):
        save(readers, giving("viewer", "user:bob"), of=one)
    assert save(readers, PermissionChange(visibility="inherit"), of=one).replaced == "{}"
    assert len(readers.found("zephyr", "prj_a", by=BOB)) == 2


def test_who_changes_a_documents_permission_is_told_to_its_owner(readers: AHome) -> None:
    save(readers, giving("change_permission", "user:bob"))
    save(readers, PermissionChange(visibility="restricted"), of=document(readers, "a.md"), who=BOB)
    assert [one.event for one in list_notices(readers.lobes, readers.me).items] == [
        "permission.changed"
    ]
