"""Roles by name, proposals, and the rule that a manifest never widens by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.ids import is_slug
from lobes.domain.packs import (
    ROLES,
    Policy,
    Repository,
    SpaceYaml,
    Status,
    effective,
    propose,
    role_for,
    widens,
)

BASE = SpaceYaml(
    "prj_a",
    "project",
    "A",
    primary_root="~/a",
    allowed_roots=("~/a", "~/b"),
    repositories=(Repository("~/a"),),
    cross_space="ask",
    inherit_categories=("style", "people"),
    policy=Policy(read=("notes", "logs"), write="primary_root", network="ask", computer_use="deny"),
)


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        (replace(BASE, allowed_roots=("~/a", "~/c")), "new allowed root: ~/c"),
        (replace(BASE, primary_root="~"), "primary root: ~/a → ~"),
        (replace(BASE, repositories=(Repository("/x"),)), "new repository: /x"),
        (replace(BASE, cross_space="open"), "other Spaces: ask → open"),
        (replace(BASE, cross_space=None), "other Spaces: ask → not set"),
        (replace(BASE, inherit_categories=None), "inherited categories: no longer limited"),
        (replace(BASE, inherit_categories=("health",)), "new inherited category: health"),
        (replace(BASE, kind="area"), "kind: project → area"),
        (replace(BASE, id="prj_b"), "id: prj_a → prj_b"),
        (replace(BASE, policy=replace(BASE.policy, network="allow")), "network: ask → allow"),
        (
            replace(BASE, policy=replace(BASE.policy, computer_use="ask")),
            "computer_use: deny → ask",
        ),
        (
            replace(BASE, policy=replace(BASE.policy, read=("notes", "all"))),
            "filesystem read: notes, logs → notes, all",
        ),
        (
            replace(BASE, policy=replace(BASE.policy, read="allowed_roots")),
            "filesystem read: notes, logs → allowed_roots",
        ),
        (
            replace(BASE, policy=replace(BASE.policy, write="allowed_roots")),
            "filesystem write: primary_root → allowed_roots",
        ),
    ],
)
def test_each_way_to_widen_is_named_and_has_no_effect(changed: SpaceYaml, line: str) -> None:
    assert widens(BASE, changed) == (line,)
    assert widens(BASE, effective(BASE, changed)) == ()


@pytest.mark.parametrize("status", ["active", "finished"])
def test_leaving_the_archive_widens_and_entering_it_does_not(status: Status) -> None:
    live, away = replace(BASE, status=status), replace(BASE, status="archived")
    assert widens(away, live) == (f"status: archived → {status}",)
    assert effective(away, live).status == "archived"
    assert widens(live, away) == ()
    assert effective(live, away).status == "archived"


def test_narrowing_and_harmless_changes_hold_at_once() -> None:
    """AZ-23: narrowing accepted."""
    seen = replace(
        BASE,
        name="B",
        description="new",
        status="finished",
        roles={"goals": "g.md"},
        skills=("x",),
        allowed_roots=("~/a",),
        repositories=(),
        cross_space="deny",
        inherit_categories=(),
        policy=Policy(
            read="none", write="none", network="deny", external_actions="deny", computer_use="deny"
        ),
    )
    assert widens(BASE, seen) == ()
    assert effective(BASE, seen) == seen


ASKING = st.sampled_from(["allow", "ask-on-first-use", "ask", "always-ask", "deny"])
NAMES = st.lists(st.sampled_from("abc"), unique=True, max_size=3).map(tuple)
SCOPES = st.sampled_from(["allowed_roots", "primary_root", "none"]) | NAMES
MANIFESTS = st.builds(
    SpaceYaml,
    id=st.sampled_from(["a", "b"]),
    kind=st.sampled_from(["project", "area"]),
    name=st.sampled_from("AB"),
    status=st.sampled_from(["active", "finished", "archived"]),
    primary_root=st.sampled_from(["", "~/a", "~/b"]),
    allowed_roots=NAMES,
    repositories=NAMES.map(lambda names: tuple(map(Repository, names))),
    cross_space=st.sampled_from([None, "open", "ask", "deny"]),
    inherit_categories=st.none() | NAMES,
    policy=st.builds(
        Policy,
        read=SCOPES,
        write=SCOPES,
        network=ASKING,
        external_actions=ASKING,
        computer_use=ASKING,
        repositories=ASKING,
        github_credentials=ASKING,
    ),
)


@given(MANIFESTS, MANIFESTS)
def test_what_holds_never_widens_either_side(trusted: SpaceYaml, seen: SpaceYaml) -> None:
    """AZ-23."""
    holds = effective(trusted, seen)
    assert widens(trusted, holds) == ()
    assert widens(trusted, trusted) == ()
    assert effective(trusted, holds) == holds
    assert (holds.id, holds.kind, holds.name) == (trusted.id, trusted.kind, seen.name)
    # Beyond the places, which stay as trusted, it is no looser than what the file says now.
    placed = replace(holds, id=seen.id, kind=seen.kind, primary_root=seen.primary_root)
    assert widens(seen, placed) == ()
    if not widens(trusted, seen):
        assert set(holds.allowed_roots) == set(seen.allowed_roots)
        assert holds.policy == seen.policy


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("README.md", "identity"),
        ("readme.markdown", "identity"),
        ("AGENTS.md", "agent_instructions"),
        ("CLAUDE.md", "agent_instructions"),
        ("packages/x/AGENTS.md", "agent_instructions"),
        ("goals.md", "goals"),
        ("current-state.md", "current_state"),
        ("Current State.md", "current_state"),
        ("docs/ARCHITECTURE.md", "architecture"),
        ("CONTRIBUTING.md", "conventions"),
        ("docs/adr/0001-use-sqlite.md", "decisions"),
        ("decisions/README.md", "decisions"),
        ("evidence.md", "evidence_policy"),
        ("packages/x/README.md", ""),
        ("notes/goals.md", ""),
        ("other.md", ""),
    ],
)
def test_role_by_file_name(path: str, role: str) -> None:
    assert role_for(path, {}) == role


def test_named_role_wins_over_the_name() -> None:
    roles = {"current_state": "docs/today.md", "goals": "README.md", "agent_instructions": "AI.md"}
    assert role_for("docs/today.md", roles) == "current_state"
    assert role_for("README.md", roles) == "goals"
    assert role_for("current.md", roles) == ""
    assert role_for("CLAUDE.md", roles) == "agent_instructions"


def test_folder_without_a_manifest_gets_a_proposal() -> None:
    project = ["docs/architecture.md", "architecture.md", "README.md", "CLAUDE.md", "AGENTS.md"]
    found = propose(
        [*project, "src/pkg/README.md", "decisions/1.md", "decisions.md"],
        folder_name="My  Über_Tool",
    )
    assert (found.id, found.kind, found.name) == ("prj_my-uber-tool", "project", "My Über Tool")
    assert dict(found.roles) == {
        "identity": "README.md",
        "architecture": "architecture.md",
        "decisions": "decisions.md",
        "agent_instructions": "AGENTS.md",
    }
    assert found.imports == ("AGENTS.md", "CLAUDE.md")
    assert found.manifest.roles == found.roles
    assert propose(["routines.md"], folder_name="Health").kind == "area"


@given(st.text(max_size=80), st.lists(st.text(max_size=20), max_size=4))
def test_any_folder_gives_a_valid_id(folder: str, paths: list[str]) -> None:
    found = propose(paths, folder_name=folder)
    assert is_slug(found.id)
    assert found.name.strip()
    assert set(found.roles) <= set(ROLES[found.kind])
