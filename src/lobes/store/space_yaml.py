"""`space.yaml` as a `SpaceYaml`: known keys are strictly typed, unknown keys are named warnings."""

from __future__ import annotations

import re
from typing import get_args

from lobes.domain.errors import Invalid
from lobes.domain.ids import is_slug
from lobes.domain.packs import ROLES
from lobes.domain.space_yaml import (
    ASKING_FIELDS,
    Asking,
    CrossSpace,
    Instruction,
    Kind,
    Policy,
    Repository,
    Scope,
    ScopeWord,
    SpaceYaml,
    Status,
)
from lobes.store.names import parse_name
from lobes.store.yaml_fields import Section, fault
from lobes.store.yaml_strict import ListNode, parse_yaml

MAX_NAME = 120

_TOP = (
    "id",
    "type",
    "name",
    "description",
    "status",
    "review_every",
    "resources",
    "context",
    "context_pack",
    "memory",
    "policy",
    "routing",
)
_RESOURCES = ("primary_root", "allowed_roots", "repositories")
_CONTEXT = ("roles", "instructions", "skills", "knowledge_sources")
_MEMORY = (
    "namespace",
    "inherit_global_categories",
    "cross_space_retrieval",
    "cross_project_retrieval",
)
_ROUTING = ("default_capability", "coding_capability", "independent_review")
_REVIEW = re.compile(r"[1-9][0-9]{0,2}[dwmy]|daily|weekly|monthly|quarterly|yearly", re.ASCII)
_SCOPES: tuple[ScopeWord, ...] = get_args(ScopeWord)


def load_space_yaml(text: str) -> SpaceYaml:
    """The manifest in `text`, or `Invalid` with the line: `bad_yaml` (form), `bad_space_yaml`."""
    top = Section(parse_yaml(text))
    kind = _required_kind(top)
    warnings = top.unknown(_TOP)
    resources = _known(top, "resources", _RESOURCES, warnings)
    context = _context(top, warnings)
    memory = _known(top, "memory", _MEMORY, warnings)
    routing = _known(top, "routing", _ROUTING, warnings)
    repositories = _repositories(resources, kind, warnings)
    roles = _roles(context, kind, warnings)
    instructions = _instructions(context, warnings)
    policy = _policy(top, kind, warnings)
    return SpaceYaml(
        id=_required_id(top),
        kind=kind,
        name=_required_name(top),
        description=top.text("description"),
        status=_status(top, kind),
        roles=roles,
        instructions=instructions,
        skills=context.texts("skills"),
        knowledge_sources=context.texts("knowledge_sources"),
        primary_root=_primary_root(resources),
        allowed_roots=_allowed_roots(resources),
        repositories=repositories,
        namespace=memory.text("namespace"),
        cross_space=_cross_space(memory),
        inherit_categories=_categories(memory),
        policy=policy,
        routing={key: routing.text(key) for key in _ROUTING if routing.has(key)},
        review_every=_review_every(top),
        warnings=tuple(warnings),
    )


def _known(top: Section, key: str, keys: tuple[str, ...], warnings: list[str]) -> Section:
    section = top.section(key)
    warnings += section.unknown(keys)
    return section


def _missing(top: Section, key: str) -> Invalid:
    return fault(f"{key} is missing", top.node.line)


def _required_kind(top: Section) -> Kind:
    if not top.has("type"):
        raise _missing(top, "type")
    # The default is never used: a missing type was refused, and a kind is never guessed.
    return top.word("type", get_args(Kind), "project")


def _required_id(top: Section) -> str:
    if not top.has("id"):
        raise _missing(top, "id")
    found = top.text("id")
    if not is_slug(found):
        raise top.fault("id", "1 to 63 of a-z, 0-9, _ and -, starting with a letter or digit")
    return found


def _required_name(top: Section) -> str:
    if not top.has("name"):
        raise _missing(top, "name")
    found = top.text("name")
    if len(found) > MAX_NAME or "\n" in found:
        raise top.fault("name", f"one line of at most {MAX_NAME} characters")
    return found


def _status(top: Section, kind: Kind) -> Status:
    found: Status = top.word("status", get_args(Status), "active")
    if found == "finished" and kind == "area":
        raise top.fault("status", "active or archived: an Area goes on, only a Project can finish")
    return found


def _context(top: Section, warnings: list[str]) -> Section:
    """Both forms load; both at once would leave open which one holds."""
    if top.has("context") and top.has("context_pack"):
        raise top.fault("context_pack", "left out, as there is a context section")
    return _known(top, "context_pack" if top.has("context_pack") else "context", _CONTEXT, warnings)


def _roles(context: Section, kind: Kind, warnings: list[str]) -> dict[str, str]:
    section = context.section("roles")
    warnings += section.unknown(ROLES[kind])
    return {role: _pack_file(section, role) for role in section.node.entries}


def _pack_file(section: Section, key: str) -> str:
    try:
        return parse_name(section.text(key))
    except Invalid as error:
        if error.reason != "bad_name":
            raise
        raise section.fault(key, "a file below the Space's folder") from error


def _instructions(context: Section, warnings: list[str]) -> tuple[Instruction, ...]:
    found: list[Instruction] = []
    for one in context.sections("instructions"):
        kind = one.word("kind", ("inline", "file"), "")
        if kind == "inline":
            text = one.text("text")
        elif kind == "file":
            text = _pack_file(one, "path") if one.has("path") else ""
        else:
            raise one.fault("kind", "inline or file")
        if not text:
            raise one.fault("kind", "followed by text (inline) or path (file)")
        warnings += one.unknown(("kind", "text" if kind == "inline" else "path"))
        found.append(Instruction("inline" if kind == "inline" else "file", text))
    return tuple(found)


def _repositories(resources: Section, kind: Kind, warnings: list[str]) -> tuple[Repository, ...]:
    if kind == "area" and resources.has("repositories"):
        raise resources.fault("repositories", "left out: an Area has no repositories")
    found: list[Repository] = []
    for one in resources.sections("repositories"):
        warnings += one.unknown(("path", "default_branch"))
        path = one.text("path")
        if not _is_place(path):
            raise one.fault("path", "a folder: /…, ~/… or .")
        found.append(Repository(path, one.text("default_branch")))
    return tuple(found)


def _primary_root(resources: Section) -> str:
    root = resources.text("primary_root")
    if root and not _is_place(root):
        raise resources.fault("primary_root", "a folder: /…, ~/… or .")
    return root


def _allowed_roots(resources: Section) -> tuple[str, ...]:
    roots = resources.texts("allowed_roots")
    if not all(map(_is_place, roots)):
        raise resources.fault("allowed_roots", "a list of folders: /…, ~/… or .")
    return roots


def _is_place(path: str) -> bool:
    """A place that means the same wherever the program was started."""
    if any(part == ".." for part in path.split("/")) or not path.isprintable():
        return False
    return path == "." or (path.startswith(("/", "~/")) and path.rstrip("/") not in {"", "~"})


def _cross_space(memory: Section) -> CrossSpace | None:
    keys = [key for key in ("cross_space_retrieval", "cross_project_retrieval") if memory.has(key)]
    if len(keys) > 1:
        raise memory.fault(keys[1], "left out, as cross_space_retrieval is there")
    return memory.word(keys[0], get_args(CrossSpace), "open") if keys else None


def _categories(memory: Section) -> tuple[str, ...] | None:
    key = "inherit_global_categories"
    if not memory.has(key):
        return None
    found = memory.texts(key)
    if not all(map(is_slug, found)):
        raise memory.fault(key, "a list of categories such as development_preferences")
    return found


def _policy(top: Section, kind: Kind, warnings: list[str]) -> Policy:
    section = _known(top, "policy", ("filesystem", *ASKING_FIELDS), warnings)
    files = _known(section, "filesystem", ("read", "write"), warnings)
    usual = Policy(repositories="deny", github_credentials="deny") if kind == "area" else Policy()
    words: dict[str, Asking] = {
        what: section.word(what, get_args(Asking), getattr(usual, what)) for what in ASKING_FIELDS
    }
    for what in ("repositories", "github_credentials"):
        if kind == "area" and words[what] != "deny":
            raise section.fault(what, "deny in an Area")
    return Policy(read=_scope(files, "read"), write=_scope(files, "write"), **words)


def _scope(files: Section, key: str) -> Scope:
    """A word, or the names of what may be read: `[selected-health-notes]`."""
    if isinstance(files.node.entries.get(key), ListNode):
        names = files.texts(key)
        if not all(map(is_slug, names)):
            raise files.fault(key, "a word or a list of names")
        return names
    usual: ScopeWord = "allowed_roots" if key == "read" else "primary_root"
    word: ScopeWord = files.word(key, _SCOPES, usual)
    return word


def _review_every(top: Section) -> str:
    found = top.text("review_every")
    if found and not _REVIEW.fullmatch(found):
        raise top.fault("review_every", "a span such as 30d, 2w, 6m, 1y or monthly")
    return found
