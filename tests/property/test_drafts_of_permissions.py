"""What Lobe saves leads exactly from what is stored to what was wanted, and touches nobody else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.permission_change import PermissionChange, changed
from lobes.domain.permissions import OWNER_ONLY, VISIBILITIES, Permission
from lobes.domain.roles import ROLES, role_verbs
from lobes.domain.verbs import VERBS
from lobes.tui.access import held, holding, in_role, leading, rights, seen_by, subjects, touched

WHO = ("user:bob", "user:mei", "group:core", "all")
verbs = st.sampled_from(sorted(VERBS))
permissions = st.builds(
    lambda visibility, lists: Permission(
        visibility, tuple((verb, who) for verb, who in sorted(lists.items()) if who)
    ),
    st.sampled_from(VISIBILITIES),
    st.dictionaries(verbs, st.frozensets(st.sampled_from(WHO)), max_size=6),
)


@given(permissions, permissions)
def test_the_change_leads_to_what_was_wanted(old: Permission, new: Permission) -> None:
    assert changed(old, leading(old, new)) == new
    assert (touched(old, new) == 0) == (old == new)
    assert (leading(old, new) == PermissionChange()) == (old == new)


@given(permissions, st.sampled_from(WHO), st.frozensets(verbs))
def test_naming_one_touches_no_other(old: Permission, who: str, wanted: frozenset[str]) -> None:
    new = holding(old, who, wanted)
    assert held(new, who) == wanted
    for other in subjects(old) - {who}:
        assert held(new, other) == held(old, other)
    assert touched(old, new) <= 1


@given(permissions, st.sampled_from(WHO), st.sampled_from(ROLES))
def test_a_role_replaces_the_one_before_and_keeps_what_lies_beyond(
    old: Permission, who: str, role: str
) -> None:
    wanted = next(one for one in ROLES if one == role)
    new = held(in_role(old, who, wanted), who)
    whole = set(role_verbs("editor"))
    assert new & whole == set(role_verbs(wanted))
    assert new - whole == held(old, who) - whole


@given(permissions, st.sampled_from(VISIBILITIES))
def test_another_visibility_leaves_every_list(old: Permission, visibility: str) -> None:
    wanted = next(one for one in VISIBILITIES if one == visibility)
    new = seen_by(old, wanted)
    assert (new.visibility, new.grants) == (wanted, old.grants)


def test_what_cannot_be_read_is_replaced_whole() -> None:
    new = seen_by(OWNER_ONLY, "private")
    assert new == Permission("private")
    assert leading(OWNER_ONLY, new) == PermissionChange("private")
    assert leading(OWNER_ONLY, OWNER_ONLY) == PermissionChange()
    assert touched(OWNER_ONLY, new) == 1


@given(st.frozensets(verbs))
def test_every_right_has_its_words(listed: frozenset[str]) -> None:
    """An entry that gives anything beyond knowing never reads as nothing."""
    said = rights(listed, shown=20)
    givable = {one for one in listed if VERBS[one].kind != "owner"}
    assert (said == "nothing") == (not givable)
    assert ("knows that it exists" in said) == (givable == {"read_meta"})
