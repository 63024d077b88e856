"""What a pack's `space.yaml` says, and the one rule about it: it may narrow, never widen.

Whoever can write the folder can write this file, so a change that would open more than the
person last trusted has no effect until they trust the new content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal, TypeVar, cast, get_args

_T = TypeVar("_T")

Kind = Literal["project", "area"]
Status = Literal["active", "finished", "archived"]
CrossSpace = Literal["open", "ask", "deny"]
Asking = Literal["allow", "ask-on-first-use", "ask", "always-ask", "deny"]
ScopeWord = Literal["allowed_roots", "primary_root", "none"]
# Named readings (an Area lists them) are a tuple.
Scope = ScopeWord | tuple[str, ...]

# Every order of strictness, the loosest word first. `named` stands for a list of names.
ORDERS: Mapping[str, tuple[str, ...]] = {
    "cross_space": get_args(CrossSpace),
    "asking": get_args(Asking),
    "scope": ("allowed_roots", "primary_root", "named", "none"),
}
_NAMED_SPANS = {"daily": 1, "weekly": 7, "monthly": 30, "quarterly": 91, "yearly": 365}
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
ASKING_FIELDS = (
    "network",
    "external_actions",
    "computer_use",
    "repositories",
    "github_credentials",
)


def kind_of(text: str) -> Kind:
    """The kind that a text names: what is no Area is a Project."""
    return "area" if text == "area" else "project"


@dataclass(frozen=True, slots=True)
class Policy:
    """What agents and Lobes may do for the Space; the defaults hold for what isn't written."""

    read: Scope = "allowed_roots"
    write: Scope = "primary_root"
    network: Asking = "ask-on-first-use"
    external_actions: Asking = "always-ask"
    computer_use: Asking = "ask"
    repositories: Asking = "allow"
    github_credentials: Asking = "ask"


@dataclass(frozen=True, slots=True)
class Repository:
    path: str
    default_branch: str = ""


@dataclass(frozen=True, slots=True)
class Instruction:
    """`text` is the instruction itself when inline, else the name of a pack file."""

    kind: Literal["inline", "file"]
    text: str


@dataclass(frozen=True, slots=True)
class SpaceYaml:
    """A valid `space.yaml`. Roots are as written (`~` not expanded); empty means not written."""

    id: str
    kind: Kind
    name: str
    description: str = ""
    status: Status = "active"
    roles: Mapping[str, str] = field(default_factory=dict[str, str])
    instructions: tuple[Instruction, ...] = ()
    skills: tuple[str, ...] = ()
    knowledge_sources: tuple[str, ...] = ()
    primary_root: str = ""
    allowed_roots: tuple[str, ...] = ()
    repositories: tuple[Repository, ...] = ()
    namespace: str = ""
    cross_space: CrossSpace | None = None
    inherit_categories: tuple[str, ...] | None = None
    policy: Policy = Policy()
    routing: Mapping[str, str] = field(default_factory=dict[str, str])
    review_every: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def review_every_days(self) -> int | None:
        """The span between two reviews in days (a month is 30, a year 365), if one is written."""
        if not self.review_every:
            return None
        named = _NAMED_SPANS.get(self.review_every)
        if named is not None:
            return named
        return int(self.review_every[:-1]) * _DAYS[self.review_every[-1]]

    def as_fields(self) -> dict[str, str]:
        """What is written, one text a field under its dotted name, to compare two manifests."""
        found: dict[str, str] = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, Policy):
                found.update(
                    (f"policy.{part.name}", _as_text(getattr(value, part.name)))
                    for part in fields(value)
                )
            elif one.name != "warnings" and value not in (None, "", (), {}):
                found[one.name] = _as_text(value)
        return found


def _as_text(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, str]", value).items()
        return ", ".join(f"{key} = {text}" for key, text in pairs)
    if isinstance(value, tuple):
        return ", ".join(map(_as_text, cast("tuple[object, ...]", value)))
    if isinstance(value, Repository):
        return f"{value.path} {value.default_branch}".strip()
    return value.text if isinstance(value, Instruction) else str(value)


def widens(trusted: SpaceYaml, seen: SpaceYaml) -> tuple[str, ...]:
    """What `seen` would open beyond `trusted`, one line each; empty when nothing."""
    changes: list[str] = []
    for what in ("id", "kind"):
        old, new = getattr(trusted, what), getattr(seen, what)
        if old != new:
            changes.append(f"{what}: {old} → {new}")
    if _leaves_the_archive(trusted, seen):
        changes.append(f"status: {trusted.status} → {seen.status}")
    if seen.primary_root != trusted.primary_root:
        changes.append(
            f"primary root: {trusted.primary_root or 'this folder'} → "
            f"{seen.primary_root or 'this folder'}"
        )
    changes += [
        f"new allowed root: {root}" for root in _added(trusted.allowed_roots, seen.allowed_roots)
    ]
    changes += [
        f"new repository: {one.path}" for one in _added(trusted.repositories, seen.repositories)
    ]
    if _rank("cross_space", seen.cross_space) < _rank("cross_space", trusted.cross_space):
        changes.append(f"other Spaces: {trusted.cross_space} → {seen.cross_space or 'not set'}")
    changes += _wider_categories(trusted.inherit_categories, seen.inherit_categories)
    changes += _wider_policy(trusted.policy, seen.policy)
    return tuple(changes)


def effective(trusted: SpaceYaml, seen: SpaceYaml) -> SpaceYaml:
    """What holds now: the stricter of both in every field that can open something.

    Id, kind and places come from `trusted`; name, description, roles and the like from `seen`.
    `widens(trusted, effective(trusted, seen))` is empty.
    """
    looser = _rank("cross_space", seen.cross_space) < _rank("cross_space", trusted.cross_space)
    return replace(
        seen,
        id=trusted.id,
        kind=trusted.kind,
        status=trusted.status if _leaves_the_archive(trusted, seen) else seen.status,
        primary_root=trusted.primary_root,
        allowed_roots=_common(trusted.allowed_roots, seen.allowed_roots),
        repositories=_common(trusted.repositories, seen.repositories),
        cross_space=trusted.cross_space if looser else seen.cross_space,
        inherit_categories=_fewer(trusted.inherit_categories, seen.inherit_categories),
        policy=_stricter_policy(trusted.policy, seen.policy),
    )


def _leaves_the_archive(trusted: SpaceYaml, seen: SpaceYaml) -> bool:
    return trusted.status == "archived" != seen.status


def _rank(order: str, word: str | None) -> int:
    # A word that isn't written leaves the lobe's own setting alone, as the loosest does.
    return 0 if word is None else ORDERS[order].index(word)


def _scope_rank(scope: Scope) -> int:
    return _rank("scope", "named" if isinstance(scope, tuple) else scope)


def _added(old: Sequence[_T], new: Sequence[_T]) -> list[_T]:
    return [one for one in new if one not in old]


def _common(old: Sequence[_T], new: Sequence[_T]) -> tuple[_T, ...]:
    return tuple(one for one in old if one in new)


def _fewer(old: tuple[str, ...] | None, new: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if old is None or new is None:
        return new if old is None else old
    return _common(old, new)


def _wider_categories(old: tuple[str, ...] | None, new: tuple[str, ...] | None) -> list[str]:
    if old is None:
        return []
    if new is None:
        return ["inherited categories: no longer limited"]
    return [f"new inherited category: {one}" for one in _added(old, new)]


def _wider_policy(old: Policy, new: Policy) -> list[str]:
    changes = [
        f"{what}: {getattr(old, what)} → {getattr(new, what)}"
        for what in ASKING_FIELDS
        if _rank("asking", getattr(new, what)) < _rank("asking", getattr(old, what))
    ]
    changes += _wider_scope("read", old.read, new.read)
    changes += _wider_scope("write", old.write, new.write)
    return changes


def _wider_scope(what: str, old: Scope, new: Scope) -> list[str]:
    if _stricter_scope(old, new) == new:
        return []
    return [f"filesystem {what}: {_spelled(old)} → {_spelled(new)}"]


def _stricter_policy(old: Policy, new: Policy) -> Policy:
    words = {
        what: max(getattr(old, what), getattr(new, what), key=lambda word: _rank("asking", word))
        for what in ASKING_FIELDS
    }
    return Policy(
        read=_stricter_scope(old.read, new.read),
        write=_stricter_scope(old.write, new.write),
        **cast("dict[str, Asking]", words),
    )


def _stricter_scope(old: Scope, new: Scope) -> Scope:
    if isinstance(old, tuple) and isinstance(new, tuple):
        return new if set(new) <= set(old) else _common(old, new)
    return max(old, new, key=_scope_rank)


def _spelled(scope: Scope) -> str:
    return ", ".join(scope) if isinstance(scope, tuple) else scope
