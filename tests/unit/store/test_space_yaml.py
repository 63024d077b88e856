"""`space.yaml`: both forms, strict types with the line, named warnings."""

from __future__ import annotations

from pathlib import Path

import pytest

from lobes.domain.errors import Invalid
from lobes.domain.packs import Instruction, Policy, Repository
from lobes.store.names import valid_name
from lobes.store.space_yaml import load_space_yaml
from lobes.store.templates import TEMPLATES, render_pack, render_space_yaml

FULL = """\
id: prj_notidian
type: project                 # project | area
name: Notidian
description: Local-first personal knowledge workspace
status: active
resources:
  primary_root: ~/Sites/notidian
  allowed_roots: [~/Sites/notidian]
  repositories: [{path: ~/Sites/notidian, default_branch: main}]
context:
  roles: {architecture: docs/architecture.md, current_state: current.md}
  instructions: [{kind: inline, text: "Keep data local."}, {kind: file, path: AGENTS.md}]
  skills: [notidian-development]
  knowledge_sources: []
memory:
  namespace: project:notidian
  inherit_global_categories: [communication_preferences, development_preferences]
  cross_space_retrieval: ask
policy:
  filesystem: {read: allowed_roots, write: primary_root}
  network: ask-on-first-use
  external_actions: always-ask
  computer_use: ask
routing: {default_capability: general, coding_capability: coding-high}
"""
HEAD = "id: a\ntype: project\nname: A\n"
AREA = "id: a\ntype: area\nname: A\n"


def _line(text: str) -> str:
    with pytest.raises(Invalid) as caught:
        load_space_yaml(text)
    assert caught.value.reason == "bad_space_yaml"
    assert caught.value.hint
    return caught.value.message


def test_documented_form_loads() -> None:
    found = load_space_yaml(FULL)
    assert (found.id, found.kind, found.name, found.status) == (
        "prj_notidian",
        "project",
        "Notidian",
        "active",
    )
    assert found.roles == {"architecture": "docs/architecture.md", "current_state": "current.md"}
    assert found.instructions == (
        Instruction("inline", "Keep data local."),
        Instruction("file", "AGENTS.md"),
    )
    assert found.repositories == (Repository("~/Sites/notidian", "main"),)
    assert found.primary_root == found.allowed_roots[0] == "~/Sites/notidian"
    assert found.cross_space == "ask"
    assert found.inherit_categories == ("communication_preferences", "development_preferences")
    assert found.policy == Policy()
    assert found.warnings == ()


def test_area_form_loads_with_its_named_readings() -> None:
    found = load_space_yaml(
        AREA
        + "review_every: 2w\n"
        + "context_pack: {roles: {goals: goals.md, evidence_policy: evidence.md}}\n"
        + "policy: {repositories: deny, github_credentials: deny,\n"
        + "  filesystem: {read: [selected-health-notes]}}\n"
    )
    assert found.roles == {"goals": "goals.md", "evidence_policy": "evidence.md"}
    assert found.policy.read == ("selected-health-notes",)
    assert found.policy.repositories == "deny"
    assert found.review_every_days == 14


def test_smallest_manifest_takes_the_defaults() -> None:
    found = load_space_yaml(HEAD)
    assert found.cross_space is None
    assert found.inherit_categories is None
    assert found.review_every_days is None
    assert load_space_yaml(AREA).policy.repositories == "deny"


@pytest.mark.parametrize("key", ["id", "type", "name"])
def test_missing_key_is_refused(key: str) -> None:
    text = "".join(line for line in HEAD.splitlines(True) if not line.startswith(key))
    assert f"{key} is missing" in _line(text)


@pytest.mark.parametrize("kind", ["Project", "PROJECT", "projects", "'area '", "1", "[area]", "~"])
def test_kind_is_never_coerced(kind: str) -> None:
    assert "type must be project or area" in _line(f"id: a\ntype: {kind}\nname: A\n")


@pytest.mark.parametrize(
    ("extra", "line", "about"),
    [
        ("memory: {cross_space_retrieval: off}", 4, "memory.cross_space_retrieval must be open"),
        ("memory: {cross_space_retrieval: false}", 4, "open or ask or deny"),
        ("memory:\n  cross_space_retrieval: Open", 5, "open or ask or deny"),
        ("memory: {cross_space_retrieval: }", 4, "open or ask or deny"),
        ("memory: no", 4, "memory must be a section"),
        ("memory:", 4, "memory must be a section"),
        ("memory: {inherit_global_categories: all}", 4, "must be a list"),
        ("memory: {inherit_global_categories: [A B]}", 4, "list of categories"),
        ("memory: {cross_space_retrieval: ask, cross_project_retrieval: open}", 4, "left out"),
        ("policy:\n  network: yes", 5, "policy.network must be allow"),
        ("policy:\n  filesystem: {write: everything}", 5, "policy.filesystem.write must be"),
        ("policy:\n  filesystem: {read: [../../etc]}", 5, "policy.filesystem.read must be"),
        ("status: done", 4, "status must be active or finished or archived"),
        ("description: 7", 4, "description must be text; quote it"),
        ("description: 2024", 4, "description must be text"),
        ("review_every: often", 4, "review_every must be a span"),
        ("review_every: 30", 4, "review_every must be text"),
        ("resources: {primary_root: ../..}", 4, "primary_root must be a folder"),
        ("resources: {primary_root: ~}", 4, "primary_root must be text"),
        ("resources: {primary_root: '~'}", 4, "primary_root must be a folder"),
        ("resources: {primary_root: /}", 4, "primary_root must be a folder"),
        (
            "resources: {allowed_roots: [~/x/../../..]}",
            4,
            "allowed_roots must be a list of folders",
        ),
        ("resources: {allowed_roots: ~/x}", 4, "must be a list"),
        ("resources: {repositories: [~/x]}", 4, "must be a list of sections"),
        ("resources: {repositories: [{default_branch: main}]}", 4, "path must be a folder"),
        ("context: {roles: {goals: ../goals.md}}", 4, "context.roles.goals must be a file below"),
        ("context: {roles: {goals: /goals.md}}", 4, "must be a file below"),
        ("context: {roles: {goals: [a.md, b.md]}}", 4, "must be text"),
        ("context: {roles: {goals: CON.md}}", 4, "must be a file below"),
        ("context: {instructions: [{kind: url, path: x}]}", 4, "kind must be inline or file"),
        ("context: {instructions: [{kind: file, path: ../x}]}", 4, "path must be a file below"),
        ("context: {instructions: [{kind: inline}]}", 4, "must be followed by text"),
        ("context: {skills: [1]}", 4, "must be a list of texts"),
        ("context: {}\ncontext_pack: {}", 5, "context_pack must be left out"),
        ("routing: {default_capability: 3}", 4, "must be text"),
    ],
)
def test_known_key_of_the_wrong_type_is_refused(extra: str, line: int, about: str) -> None:
    """PA-19: no coercion, and the line is named."""
    message = _line(f"{HEAD}{extra}\n")
    assert message.startswith(f"Line {line}:")
    assert about in message


@pytest.mark.parametrize("found", ["2024-01-02", "Prj", "a b", "1e3x!", "'1 '", "../x"])
def test_id_is_a_slug(found: str) -> None:
    if found == "2024-01-02":
        assert load_space_yaml(f"id: {found}\ntype: project\nname: A").id == found
        return
    assert "id must be 1 to 63" in _line(f"id: {found}\ntype: project\nname: A")


def test_numeric_id_needs_quotes() -> None:
    assert "quote it" in _line("id: 12\ntype: project\nname: A")
    assert load_space_yaml("id: '12'\ntype: project\nname: A").id == "12"


def test_area_never_has_repositories() -> None:
    for extra in ("resources: {repositories: []}", "resources: {repositories: [{path: ~/x}]}"):
        assert "an Area has no repositories" in _line(f"{AREA}{extra}\n")
    for extra in ("policy: {repositories: ask}", "policy: {github_credentials: allow}"):
        assert "deny in an Area" in _line(f"{AREA}{extra}\n")


def test_unknown_key_is_a_warning_with_what_was_meant() -> None:
    found = load_space_yaml(
        f"{HEAD}polcy: {{}}\nprivate: true\nmemory:\n  cross_space_retrival: deny\n"
        'context: {roles: {goal: goals.md}, "x\\e[31m": 1}\n'
    )
    assert found.cross_space is None
    assert found.roles == {"goal": "goals.md"}
    assert found.warnings == (
        "line 4: unknown key polcy (did you mean policy?)",
        "line 5: unknown key private",
        "line 8: unknown key context.x\\u{1b}[31m",
        "line 7: unknown key memory.cross_space_retrival (did you mean cross_space_retrieval?)",
        "line 8: unknown key context.roles.goal (did you mean goals?)",
    )


def test_old_name_of_cross_space_is_read() -> None:
    found = load_space_yaml(f"{HEAD}memory: {{cross_project_retrieval: deny}}\n")
    assert found.cross_space == "deny"
    assert found.warnings == ()


def test_broken_form_keeps_its_own_reason() -> None:
    with pytest.raises(Invalid) as caught:
        load_space_yaml(f"{HEAD}private: true\nprivate: false\n")
    assert caught.value.reason == "bad_yaml"


@pytest.mark.parametrize("sample", sorted(Path("sample_spaces").glob("*/space.yaml")), ids=str)
def test_samples_load_without_a_warning(sample: Path) -> None:
    assert load_space_yaml(sample.read_text(encoding="utf-8")).warnings == ()


@pytest.mark.parametrize("name", sorted(TEMPLATES))
@pytest.mark.parametrize("title", ["Plain", "no", 'It\'s: a # "name"', "é 🙂", "{description}"])
def test_new_pack_is_valid_and_says_what_was_typed(name: str, title: str) -> None:
    template = TEMPLATES[name]
    pack = render_pack(template, space_id="new_one", name=title, description="What: it is")
    found = load_space_yaml(pack["space.yaml"])
    assert (found.id, found.kind, found.name) == ("new_one", template.kind, title)
    assert found.description == "What: it is"
    assert found.warnings == ()
    assert set(found.roles.values()) == set(pack) - {"space.yaml"}
    assert all(map(valid_name, pack))
    assert pack["README.md"].startswith(f"# {title}\n\nWhat: it is\n")


def test_sensitive_template_is_closed_everywhere() -> None:
    template = TEMPLATES["sensitive-area"]
    found = load_space_yaml(render_space_yaml(template, space_id="a", name="A"))
    assert (found.cross_space, found.policy.network) == ("deny", "deny")
    assert template.lobe.is_private
    assert (template.lobe.cross_space, template.lobe.agent_preset) == ("deny", "reader")


def test_template_refuses_a_name_that_no_manifest_can_have() -> None:
    for space_id, name in (("A", "A"), ("a", ""), ("a", "x" * 200), ("a", "two\nlines")):
        with pytest.raises(Invalid):
            render_space_yaml(TEMPLATES["project"], space_id=space_id, name=name)


def test_an_area_never_finishes() -> None:
    assert "only a Project can finish" in _line(AREA + "status: finished\n")
    assert load_space_yaml(HEAD + "status: finished\n").status == "finished"
