"""Context packs: which role a file has, and what a folder without `space.yaml` looks like.

Roles are semantic and file names are free; a name is only a guess where the pack says nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from lobes.domain.space_yaml import (
    ORDERS,
    Instruction,
    Kind,
    Policy,
    Repository,
    SpaceYaml,
    Status,
    effective,
    widens,
)

__all__ = [
    "ORDERS",
    "ROLES",
    "SPACE_YAML",
    "Instruction",
    "Kind",
    "Policy",
    "Proposal",
    "Repository",
    "SpaceYaml",
    "Status",
    "effective",
    "propose",
    "role_for",
    "widens",
]

SPACE_YAML = "space.yaml"

_PROJECT_ROLES = (
    "identity",
    "goals",
    "current_state",
    "architecture",
    "conventions",
    "decisions",
    "active_work",
    "sources",
    "agent_instructions",
)
_AREA_ONLY = (
    "routines",
    "preferences",
    "constraints",
    "observations",
    "questions",
    "evidence_policy",
)
ROLES: Mapping[str, tuple[str, ...]] = {
    "project": _PROJECT_ROLES,
    "area": (*_PROJECT_ROLES, *_AREA_ONLY),
}

_BY_STEM: Mapping[str, str] = {
    **{role: role for role in (*_PROJECT_ROLES, *_AREA_ONLY)},
    "readme": "identity",
    "about": "identity",
    "goal": "goals",
    "roadmap": "goals",
    "current": "current_state",
    "status": "current_state",
    "state": "current_state",
    "now": "current_state",
    "design": "architecture",
    "contributing": "conventions",
    "style": "conventions",
    "styleguide": "conventions",
    "decision_log": "decisions",
    "todo": "active_work",
    "tasks": "active_work",
    "plan": "active_work",
    "references": "sources",
    "agents": "agent_instructions",
    "claude": "agent_instructions",
    "gemini": "agent_instructions",
    "copilot_instructions": "agent_instructions",
    "evidence": "evidence_policy",
    "open_questions": "questions",
}
_DECISION_FOLDERS = frozenset({"decisions", "adr", "adrs"})
# Deeper down, a README or a plan speaks for its own folder, not for the Space.
_PACK_FOLDERS = frozenset({"", ".", "docs", "doc", "context", "lobes"})


@dataclass(frozen=True, slots=True)
class Proposal:
    """What Lobes would make of a folder; `imports` are instruction files of other tools."""

    id: str
    kind: Kind
    name: str
    roles: Mapping[str, str]
    imports: tuple[str, ...]

    @property
    def manifest(self) -> SpaceYaml:
        """The proposal as the manifest that it would be."""
        instructions = tuple(Instruction("file", path) for path in self.imports)
        return SpaceYaml(self.id, self.kind, self.name, roles=self.roles, instructions=instructions)


def role_for(path: str, roles: Mapping[str, str]) -> str:
    """The role that `space.yaml` names for the file, else the one its name suggests, else ""."""
    for role, named in roles.items():
        if named == path:
            return role
    guess = _guess(path)
    # Another file was named for it: this one is not a second current state.
    taken = guess in roles and guess not in {"agent_instructions", "decisions"}
    return "" if taken else guess


def propose(found_paths: Sequence[str], *, folder_name: str, kind: Kind | None = None) -> Proposal:
    """Id, kind, name and roles for a folder that holds these files; `kind` as the person chose."""
    roles: dict[str, str] = {}
    imports: list[str] = []
    for path in sorted(found_paths, key=lambda path: (path.count("/"), path.lower(), path)):
        role = _guess(path)
        if role == "agent_instructions":
            imports.append(path)
        if role and not _is_one_of_many(path):
            roles.setdefault(role, path)
    if kind is None:
        kind = "area" if any(role in roles for role in _AREA_ONLY) else "project"
    ordered = {role: roles[role] for role in ROLES[kind] if role in roles}
    words = re.sub(r"[\s_-]+", " ", folder_name).strip()
    name = (words[:1].upper() + words[1:])[:80] or "Space"
    return Proposal(id_from(folder_name, kind), kind, name, ordered, tuple(imports))


def _guess(path: str) -> str:
    pure = PurePosixPath(path)
    if _is_one_of_many(path):
        return "decisions"
    stem = re.sub(r"[\s.-]+", "_", pure.stem.lower())
    role = _BY_STEM.get(stem, "")
    if role == "agent_instructions" or str(pure.parent).lower() in _PACK_FOLDERS:
        return role
    return ""


def _is_one_of_many(path: str) -> bool:
    return any(part.lower() in _DECISION_FOLDERS for part in PurePosixPath(path).parts[:-1])


def id_from(name: str, kind: Kind) -> str:
    """The id that a Space of this name gets: `prj_` or `area_`, then what of it can stand there."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "space"
    return f"{'prj' if kind == 'project' else 'area'}_{words}"[:63].rstrip("-_")
