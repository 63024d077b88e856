"""How groups nest: each step up is wider, so no chain leads back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from lobes.domain.errors import Invalid
from lobes.domain.groups import (
    GROUP_KINDS,
    Group,
    GroupKind,
    a_kind,
    chain_upwards,
    check_name,
    check_nesting,
    fits_in,
)
from lobes.domain.ids import LobeAddress, Slug


@pytest.mark.parametrize("kind", GROUP_KINDS)
@pytest.mark.parametrize("wider", GROUP_KINDS)
def test_a_group_lies_in_a_wider_one_only(kind: GroupKind, wider: GroupKind) -> None:
    allowed = {
        ("team", "department"),
        ("team", "organization"),
        ("department", "organization"),
    }
    assert fits_in(kind, wider) == ((kind, wider) in allowed)
    if (kind, wider) in allowed:
        check_nesting("a", kind, "b", wider)
    else:
        with pytest.raises(Invalid, match="can't lie in"):
            check_nesting("a", kind, "b", wider)


def test_a_group_in_itself_is_refused() -> None:
    with pytest.raises(Invalid, match="itself"):
        check_nesting("a", "team", "a", "organization")


@pytest.mark.parametrize("kind", ["", "Team", "team ", "tribe"])
def test_what_is_no_kind_lies_nowhere(kind: str) -> None:
    assert not fits_in(kind, "organization")
    assert not fits_in("team", kind)


def test_the_chain_begins_with_the_group_itself() -> None:
    parents = {"core": "eng", "eng": "acme", "acme": None}
    assert list(chain_upwards("core", parents)) == ["core", "eng", "acme"]
    assert list(chain_upwards("unknown", parents)) == ["unknown"]


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\x1b[2J", "x" * 65])
def test_a_name_is_one_line(name: str) -> None:
    with pytest.raises(Invalid):
        check_name(name)


def test_a_name_may_hold_any_script() -> None:
    assert check_name("Технический отдел 👩‍💻") == "Технический отдел 👩‍💻"


def test_the_lobe_of_a_group_is_named_by_its_kind() -> None:
    group = Group(Slug("core"), "team", "Core", None, datetime(2026, 1, 1, tzinfo=UTC))
    assert group.lobe == LobeAddress("team", "core")
    assert [a_kind(kind) for kind in GROUP_KINDS] == ["a team", "a department", "an organization"]
