"""A memory's own permission: it only tightens, holds on every path at once, and is a version."""

from __future__ import annotations

import pytest

from decided import do, done, get, remember
from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Forbidden, Invalid, NotFound
from lobes.domain.permission_change import PermissionChange
from lobes.domain.permissions import Permission
from lobes.domain.resources import Resource
from lobes.services.doctor import examine
from lobes.services.installation import Caller
from lobes.services.memories import list_memories, show_memory
from lobes.services.permissions import (
    find_permission,
    preview_permission,
    save_permission,
    show_permission,
)
from lobes.services.search import search
from lobes.store.read_memories import Where, versions

BOB = Caller(parse_actor("user:bob"), "cli", is_present=True)
WORDS = "Herons nest in March."


@pytest.fixture
def shared(home: AHome) -> AHome:
    """A Space that its owner lets one other person read."""
    home.a_space("prj_a", {"a.md": "# A\n\nzephyr\n"})
    home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026-01-01')")
    grant = tuple((verb, "user:bob") for verb in ("read_meta", "read_content"))
    save_permission(home.lobes, home.me, Resource("space", "prj_a"), PermissionChange(grant=grant))
    return home


def close(home: AHome, id: str, visibility: str = "private") -> None:
    change = PermissionChange(visibility=visibility)  # type: ignore[arg-type]
    save_permission(home.lobes, home.me, Resource("memory", id), change)


def sees(home: AHome, caller: Caller, id: str) -> tuple[bool, bool, bool]:
    """Whether it is found, listed and shown."""
    found = search(home.lobes, caller, "herons nest", space="prj_a")
    listed = list_memories(home.lobes, caller, Where(), space="prj_a")
    try:
        show_memory(home.lobes, caller, id)
        shown = True
    except NotFound:
        shown = False
    return (
        any(hit.id == id for hit in found.items),
        any(one.memory.id == id for one in listed.items),
        shown,
    )


def test_what_is_closed_does_not_exist_for_others_and_comes_back(shared: AHome) -> None:
    id = remember(shared, WORDS, status="active")
    shared.index()
    assert sees(shared, BOB, id) == (True, True, True)
    close(shared, id)
    assert sees(shared, BOB, id) == (False, False, False)
    assert sees(shared, shared.me, id) == (True, True, True)
    close(shared, id, "inherit")
    assert sees(shared, BOB, id) == (True, True, True)


def test_it_only_tightens(shared: AHome) -> None:
    """Named by the memory's list, kept out by its Space."""
    shared.execute("INSERT INTO person (id, name, created) VALUES ('eve', 'Eve', '2026-01-01')")
    id = remember(shared, WORDS, status="active")
    change = PermissionChange(
        visibility="restricted", grant=(("read_meta", "user:eve"), ("read_content", "user:eve"))
    )
    effect = save_permission(shared.lobes, shared.me, Resource("memory", id), change)
    assert "It only tightens: its Space has to let them in as well." in effect.notes
    eve = Caller(parse_actor("user:eve"), "cli", is_present=True)
    with pytest.raises(NotFound):
        show_memory(shared.lobes, eve, id)


def test_the_effect_is_told_before_and_the_record_after(shared: AHome) -> None:
    id = remember(shared, WORDS, status="active")
    resource = Resource("memory", id)
    change = PermissionChange(visibility="private")
    told = preview_permission(shared.lobes, shared.me, resource, change)
    assert [(one.person, one.gained) for one in told.turns] == [("bob", ())]
    assert get(shared, id).permission is None
    close(shared, id)
    assert get(shared, id).permission == Permission("private")
    assert show_permission(shared.lobes, shared.me, resource).name == id
    (row,) = shared.audited("memory.permission_changed")
    assert "user:bob/read_content" in row["text"]
    assert WORDS not in str(row)
    with shared.lobes.reading() as store:
        assert [one.act for one in versions(store, id)] == ["add", "permit"]


def test_what_waits_or_is_in_no_space_has_none(shared: AHome) -> None:
    waiting = remember(shared, "One.")
    own = remember(shared, "Two.", lobe="personal/ada", status="active")
    for id in (waiting, own):
        with pytest.raises(Invalid) as refused:
            close(shared, id)
        assert refused.value.reason == "no_permission"
        assert get(shared, id).permission is None


def test_nobody_else_changes_it_or_learns_of_it(shared: AHome) -> None:
    id = remember(shared, WORDS, status="active")
    close(shared, id)
    resource, change = Resource("memory", id), PermissionChange(visibility="inherit")
    with pytest.raises(NotFound):
        save_permission(shared.lobes, BOB, resource, change)
    assert find_permission(shared.lobes, BOB, resource) is None
    for caller in (shared.agent("prj_a", preset="editor"), shared.absent):
        with pytest.raises((Forbidden, NotFound)):
            save_permission(shared.lobes, caller, resource, change)
    assert get(shared, id).permission == Permission("private")


def test_a_decision_that_was_taken_on_the_older_one_is_not_lost(shared: AHome) -> None:
    """It is a version: what was shown before is told from what is there now."""
    id = remember(shared, WORDS, status="active")
    close(shared, id)
    done(do(shared, "archive", id))
    assert (get(shared, id).status, get(shared, id).permission) == (
        "archived",
        Permission("private"),
    )


def test_one_that_cannot_be_read_is_its_owners_and_named(shared: AHome) -> None:
    id = remember(shared, WORDS, status="active")
    shared.execute("UPDATE memory SET permission = '{' WHERE id = ?", id)
    with pytest.raises(NotFound):
        show_memory(shared.lobes, BOB, id)
    texts = [one.text for one in examine(shared.lobes, shared.me)]
    assert any(id in one and "permission can't be read" in one for one in texts)
    close(shared, id, "inherit")
    assert get(shared, id).permission is None
