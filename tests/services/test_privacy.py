"""What other tools leaked between compartments, people and sites, asked of this one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import LobesError, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.domain.permission_change import PermissionChange
from lobes.domain.resources import Resource
from lobes.domain.roles import parse_right
from lobes.services import people, sensitivity
from lobes.services.finding import find_named
from lobes.services.installation import Caller
from lobes.services.lobes import lobe_view
from lobes.services.matrix import matrix
from lobes.services.permissions import save_permission
from lobes.services.space_adding import new_space
from lobes.services.space_changes import trash_space
from lobes.services.spaces import list_spaces, pack_text

BOB = Caller(parse_actor("user:bob"), "cli", is_present=True)
MARK = "zephyr"


@pytest.fixture
def pool(home: AHome) -> AHome:
    """`prj_foo` beside a base pool that everybody draws on and one that answers nobody."""
    home.a_space("prj_foo", {"own.md": f"# Own\n\n{MARK} of foo\n"})
    home.a_space("area_base", {"base.md": f"# Base\n\n{MARK} of the base\n"})
    shut = LobeChange(is_private=True)
    home.a_space("prj_other", {"hidden.md": f"# Hidden\n\n{MARK} of the other\n"}, shut)
    people.add_person(home.lobes, home.me, "bob")
    home.index()
    return home


def shared(home: AHome, right: str) -> None:
    """Bob is named in `prj_other`, and alone."""
    grants = tuple((verb, "user:bob") for verb in parse_right(right))
    change = PermissionChange(visibility="restricted", grant=grants)
    save_permission(home.lobes, home.me, Resource("space", "prj_other"), change)


PATHS: dict[str, Callable[[AHome, Caller], object]] = {
    "search": lambda home, who: home.ask(MARK, "prj_foo", by=who).items,
    "list": lambda home, who: list_spaces(home.lobes, who),
    "find": lambda home, who: find_named(home.lobes, who, "hidden"),
    "lobe": lambda home, who: lobe_view(home.lobes, who, "prj_foo"),
    "matrix": lambda home, who: matrix(home.lobes, who),
}


@pytest.mark.parametrize("path", PATHS)
def test_no_path_of_an_agent_shows_what_its_space_may_not_draw_on(pool: AHome, path: str) -> None:
    """Privacy, "agent foo asks for context while a shared base pool exists", "new session in repo
    B after work in repo A", "vector results filtered, graph results not"."""
    shown = repr(PATHS[path](pool, pool.agent("prj_foo")))
    for hidden in ("prj_other", "hidden.md", "of the other"):
        assert hidden not in shown


def test_what_an_agent_draws_on_is_its_own_and_what_is_open(pool: AHome) -> None:
    agent = pool.agent("prj_foo")
    assert {space for space, _ in pool.found(MARK, "prj_foo", by=agent)} == {"prj_foo", "area_base"}
    closed = LobeChange(cross_space="deny")
    pool.a_space("prj_alone", {"a.md": f"# A\n\n{MARK}\n"}, closed)
    pool.index()
    alone = pool.found(MARK, "prj_alone", by=pool.agent("prj_alone"))
    assert {space for space, _ in alone} == {"prj_alone"}


REACHES: dict[str, Callable[[AHome, Resource], object]] = {
    "raise": lambda home, doc: sensitivity.raise_to(home.lobes, BOB, doc, "restricted"),
    "lower": lambda home, doc: sensitivity.lower(home.lobes, BOB, doc, "public", reason="mine"),
    "reveal": lambda home, doc: sensitivity.clear_lines(home.lobes, BOB, doc),
    "read": lambda home, _: pack_text(home.lobes, BOB, "prj_other", "hidden.md"),
    "trash": lambda home, _: trash_space(home.lobes, BOB, "prj_other"),
}


@pytest.mark.parametrize("act", REACHES)
def test_a_thing_is_never_acted_on_by_its_id_alone(pool: AHome, act: str) -> None:
    """Privacy, "delete by id for an item outside the compartment", "GET by UUID without check"."""
    ((id,),) = pool.rows("SELECT id FROM document WHERE path = 'hidden.md'")
    with pytest.raises(NotFound):
        REACHES[act](pool, Resource("document", id))
    assert pool.audited("access.denied")
    assert pool.rows("SELECT status FROM space WHERE id = 'prj_other'") == [("active",)]


def test_who_was_given_a_space_reaches_that_one_by_its_name_and_no_twin(pool: AHome) -> None:
    """Privacy, "grantee uses the shared name"."""
    shared(pool, "viewer")
    assert MARK in pack_text(pool.lobes, BOB, "prj_other", "hidden.md").text
    with pytest.raises(LobesError):
        new_space(pool.lobes, BOB, "prj_other")
    assert pool.rows("SELECT owner FROM space WHERE id = 'prj_other'") == [("ada",)]
    assert not any("prj_other-" in id for (id,) in pool.rows("SELECT id FROM space"))


@pytest.mark.parametrize("right", ["viewer", "collaborator", "editor"])
def test_who_was_given_a_space_may_not_put_it_away(pool: AHome, right: str) -> None:
    """Privacy, "grantee calls forget on a shared dataset"."""
    shared(pool, right)
    with pytest.raises(LobesError) as refused:
        trash_space(pool.lobes, BOB, "prj_other")
    assert refused.value.reason == "owner_only"
    assert pool.rows("SELECT status FROM space WHERE id = 'prj_other'") == [("active",)]
    assert (pool.root("prj_other") / "hidden.md").exists()


def test_a_secret_that_came_in_is_no_ones_to_read_but_its_owners(pool: AHome) -> None:
    """Privacy, ".env read by the agent lands in transcript": what looks like one is never taken
    in, and a secret in a file that is takes its document from agents."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    pool.write("prj_foo", ".env", f"TOKEN={token}\n")
    pool.write("prj_foo", "log.md", f"# Log\n\n{MARK} transcript TOKEN={token}\n")
    pool.index()
    assert not pool.rows("SELECT 1 FROM document WHERE path = '.env'")
    assert token not in repr(pool.ask(MARK, "prj_foo").items)
    assert ("prj_foo", "log.md") not in pool.found(MARK, "prj_foo", by=pool.agent("prj_foo"))
