"""A lobe and who sees its Space are saved as one: both or neither, and both go back."""

from __future__ import annotations

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Conflict, Forbidden, NoPresence
from lobes.domain.lobe_change import LobeChange
from lobes.domain.permission_change import PermissionChange
from lobes.domain.resources import Resource
from lobes.domain.roles import role_verbs
from lobes.services.audit_log import list_audit
from lobes.services.group_changes import NewGroup, add_group, join_group
from lobes.services.installation import Caller
from lobes.services.lobe_saving import SavedBoth, Wanted, save_both
from lobes.services.lobes import lobe_view
from lobes.services.offers import offered_sources, offered_subjects
from lobes.services.people import add_person
from lobes.services.permissions import PermissionView, find_permission, show_permission

A = Resource("space", "prj_a")
BOB = Caller(parse_actor("user:bob"), "tui", is_present=True)
VIEWER = PermissionChange(grant=tuple((verb, "user:bob") for verb in role_verbs("viewer")))
NARROWER = LobeChange(is_private=True)


@pytest.fixture
def two(home: AHome) -> AHome:
    home.a_space("prj_a", {"a.md": "# A\n"}, LobeChange(tag=("craft",)))
    home.a_space("prj_b", {"b.md": "# B\n"})
    add_person(home.lobes, home.me, "bob", name="Bob")
    return home


def permission(home: AHome) -> PermissionView:
    return show_permission(home.lobes, home.me, A)


def both(home: AHome, wanted: Wanted, *, who: Caller | None = None) -> SavedBoth:
    return save_both(home.lobes, who or home.me, "prj_a", wanted)


def events(home: AHome) -> list[str]:
    return [one.event for one in list_audit(home.lobes, home.me, limit=50)[0]]


def test_one_save_changes_both_and_each_is_in_the_record(two: AHome) -> None:
    saved = both(two, Wanted(NARROWER, VIEWER))
    assert lobe_view(two.lobes, two.me, "prj_a").config.is_private
    assert [one.subject for one in permission(two).people] == ["user:bob"]
    assert saved.version == lobe_view(two.lobes, two.me, "prj_a").version
    assert {"lobe.changed", "space.permission_changed"} <= set(events(two))


def test_where_one_may_not_be_saved_the_other_is_not_either(two: AHome) -> None:
    """The version shown of the permission is another by now: the lobe stays as it was too."""
    shown = permission(two).version
    both(two, Wanted(rights=VIEWER))
    before = lobe_view(two.lobes, two.me, "prj_a")
    with pytest.raises(Conflict):
        both(two, Wanted(NARROWER, VIEWER, shown=shown))
    after = lobe_view(two.lobes, two.me, "prj_a")
    assert (after.config, after.version) == (before.config, before.version)


def test_both_go_back_as_one(two: AHome) -> None:
    saved = both(two, Wanted(NARROWER, VIEWER))
    assert saved.lobe is not None
    assert saved.rights is not None
    taken = PermissionChange(revoke=VIEWER.grant)
    back = Wanted(saved.lobe.before, taken, saved.version, saved.rights.after.version)
    both(two, back)
    assert not lobe_view(two.lobes, two.me, "prj_a").config.is_private
    assert permission(two).people == ()


def test_what_is_left_as_it_is_leaves_no_row_and_no_version(two: AHome) -> None:
    before = lobe_view(two.lobes, two.me, "prj_a").version
    saved = both(two, Wanted(LobeChange(), PermissionChange(), before))
    assert (saved.lobe, saved.rights, saved.version) == (None, None, before)
    assert lobe_view(two.lobes, two.me, "prj_a").version == before


def test_nobody_saves_who_may_not_or_is_not_there(two: AHome) -> None:
    both(two, Wanted(rights=VIEWER))
    with pytest.raises(Forbidden):
        both(two, Wanted(NARROWER), who=BOB)
    with pytest.raises(NoPresence):
        both(two, Wanted(NARROWER), who=two.absent)
    assert not lobe_view(two.lobes, two.me, "prj_a").config.is_private


def test_what_is_shown_beside_other_things_is_no_attempt(two: AHome) -> None:
    """Who may not change it gets nothing, and the record has no row of a refusal."""
    both(two, Wanted(rights=VIEWER))
    assert find_permission(two.lobes, BOB, A) is None
    assert "access.denied" not in events(two)
    assert find_permission(two.lobes, two.me, A) == permission(two)
    assert find_permission(two.lobes, two.me, Resource("space", "prj_no")) is None


# What is offered -------------------------------------------------------------------------------


def sources(home: AHome, who: Caller, space: str) -> list[str]:
    offered = offered_sources(home.lobes, who, space)
    return [f"{one.source.type}:{one.source.id}" for one in offered]


def test_sources_of_every_kind_are_offered_but_only_what_may_be_read(two: AHome) -> None:
    add_group(two.lobes, two.me, NewGroup("core", "team", "Core"))
    expected = ["space:prj_a", "tag:craft", "team:core", "user:bob"]
    assert sources(two, two.me, "prj_b") == expected
    # Bob's own Space: he knows neither the group nor Ada's Spaces, nor any tag of hers.
    two.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_b'")
    assert sources(two, BOB, "prj_b") == []
    meta = PermissionChange(grant=(("read_meta", "user:bob"),))
    both(two, Wanted(rights=meta))
    assert sources(two, BOB, "prj_b") == [], "to know of it is not to read it"
    both(two, Wanted(rights=VIEWER))
    assert sources(two, BOB, "prj_b") == ["space:prj_a"]


def test_an_archived_space_and_its_own_are_no_source(two: AHome) -> None:
    two.execute("UPDATE space SET status = 'archived' WHERE id = 'prj_a'")
    assert "space:prj_a" not in sources(two, two.me, "prj_b")
    assert "space:prj_b" not in sources(two, two.me, "prj_b")


def test_those_who_can_be_named_are_those_who_may_be_known(two: AHome) -> None:
    add_group(two.lobes, two.me, NewGroup("core", "team", "Core"))

    def subjects(who: Caller) -> list[str]:
        return [one.subject for one in offered_subjects(two.lobes, who)]

    assert subjects(two.me) == ["user:ada", "user:bob", "group:core"]
    assert subjects(BOB) == ["user:bob"]
    join_group(two.lobes, two.me, "core", "bob")
    assert subjects(BOB) == ["user:ada", "user:bob", "group:core"]
