"""What a new pack starts with: `space.yaml` and a few files worth filling in.

Few on purpose: a heading nobody fills in is noise in every context.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from lobes.domain.lobes import CrossSpace, LobeConfig
from lobes.domain.packs import ROLES, SPACE_YAML
from lobes.store.space_yaml import load_space_yaml
from lobes.store.splice import written

_MARK = re.compile(r"\{(name|description)\}")

_IDENTITY = "# {name}\n\n{description}\n\n## What belongs here\n\n- \n\n## What doesn't\n\n- \n"
_GOALS = "# Goals\n\nWhat should be true, and how we will know.\n\n- \n"
_CURRENT = "# Current state\n\nWhat is true now. This outranks old plans.\n\n- \n"
_AGENTS = (
    "# For agents\n\n"
    "- Read the current state first.\n"
    "- Propose what is worth keeping; a person decides.\n"
    "- Name the file you rely on.\n"
)
_DECISIONS = "# Decisions\n\n## YYYY-MM-DD: what was decided\n\nWhy, and what it rules out.\n"
_CONVENTIONS = "# Conventions\n\nHow things are done here.\n\n- \n"
_ARCHITECTURE = "# Architecture\n\nThe parts, what each is for, and what may depend on what.\n"
_ROUTINES = "# Routines\n\nWhat happens when, and how often.\n\n- \n"
_CONSTRAINTS = "# Constraints\n\nWhat must not happen, whatever else is asked.\n\n- \n"
_QUESTIONS = "# Open questions\n\nWhat is not known yet, and who could tell.\n\n- \n"
_EVIDENCE = (
    "# Evidence\n\n"
    "- What I observed, what somebody said, and what a professional advised stay apart.\n"
    "- A guess is marked as one, with its date.\n"
)


@dataclass(frozen=True, slots=True)
class PackFile:
    """`text` may name {name} and {description}."""

    role: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of new Space: its files, its policy and how its lobe starts.

    `cross_space` is set where the template doesn't leave it to the installation's default.
    """

    name: str
    kind: Literal["project", "area"]
    description: str
    files: tuple[PackFile, ...]
    network: str = "ask-on-first-use"
    computer_use: str = "ask"
    cross_space: CrossSpace | None = None
    review_every: str = ""
    lobe: LobeConfig = field(default_factory=LobeConfig)


_COMMON = (
    PackFile("identity", "README.md", _IDENTITY),
    PackFile("goals", "goals.md", _GOALS),
    PackFile("current_state", "current.md", _CURRENT),
    PackFile("agent_instructions", "AGENTS.md", _AGENTS),
)
_AREA = (
    *_COMMON,
    PackFile("routines", "routines.md", _ROUTINES),
    PackFile("constraints", "constraints.md", _CONSTRAINTS),
    PackFile("questions", "questions.md", _QUESTIONS),
)

TEMPLATES: Mapping[str, Template] = MappingProxyType(
    {
        "project": Template(
            "project",
            "project",
            "something that can be finished",
            (
                *_COMMON,
                PackFile("architecture", "docs/architecture.md", _ARCHITECTURE),
                PackFile("conventions", "conventions.md", _CONVENTIONS),
                PackFile("decisions", "decisions.md", _DECISIONS),
            ),
        ),
        "area": Template("area", "area", "something that goes on", _AREA, review_every="30d"),
        # Private beats every subscription, tag, share and approval; agents may only read, and what
        # is changed outside waits for a person.
        "sensitive-area": Template(
            "sensitive-area",
            "area",
            "health, finance, people: private and Closed",
            (*_AREA, PackFile("evidence_policy", "evidence.md", _EVIDENCE)),
            network="deny",
            computer_use="deny",
            cross_space="deny",
            review_every="30d",
            lobe=LobeConfig(
                is_private=True,
                cross_space="deny",
                agent_preset="reader",
                hold_external_changes=True,
            ),
        ),
    }
)


def render_space_yaml(
    template: Template, *, space_id: str, name: str, description: str = ""
) -> str:
    """The first `space.yaml` of a pack; `Invalid` for an id or name that it can't have."""
    is_project = template.kind == "project"
    lines = [
        f"id: {written(space_id)}",
        f"type: {template.kind}",
        f"name: {written(name)}",
    ]
    if description:
        lines.append(f"description: {written(description)}")
    lines.append("status: active")
    if template.review_every:
        lines.append(f"review_every: {template.review_every}")
    lines += ["context:" if is_project else "context_pack:", "  roles:"]
    by_role = {one.role: one.path for one in template.files}
    lines += [f"    {role}: {by_role[role]}" for role in ROLES[template.kind] if role in by_role]
    lines.append("memory:")
    lines.append(f"  namespace: {template.kind}:{space_id}")
    if template.cross_space:
        lines.append(f"  cross_space_retrieval: {template.cross_space}")
    lines += [
        "policy:",
        "  filesystem: {read: allowed_roots, write: primary_root}",
        f"  network: {template.network}",
        "  external_actions: always-ask",
        f"  computer_use: {template.computer_use}",
    ]
    if not is_project:
        lines += ["  repositories: deny", "  github_credentials: deny"]
    text = "\n".join(lines) + "\n"
    load_space_yaml(text)
    return text


def render_pack(
    template: Template, *, space_id: str, name: str, description: str = ""
) -> dict[str, str]:
    """Every file of a new pack by its name, `space.yaml` first."""
    manifest = render_space_yaml(template, space_id=space_id, name=name, description=description)
    words = {"name": name, "description": description or f"{template.description.capitalize()}."}
    pack = {SPACE_YAML: manifest}
    for one in template.files:
        pack[one.path] = _MARK.sub(lambda found: words[found[1]], one.text)
    return pack
