"""Roles: names for bundles of verbs, so that nobody has to grant seven of them one by one.

Only verbs are stored. A role is spelled out when it is granted and found again when lists are
shown, so a role never holds more than its verbs, and two faces never disagree about it. The largest
holds what an agent with the preset `editor` holds; what goes further is granted verb by verb.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from lobes.domain.errors import Invalid
from lobes.domain.permissions import Permission
from lobes.domain.verbs import VERBS

Role = Literal["viewer", "collaborator", "editor"]
ROLES: tuple[Role, ...] = get_args(Role)
"""From the smallest to the largest; each holds the one before."""

_VIEWER = ("read_meta", "read_content")
_COLLABORATOR = (*_VIEWER, "read_chat", "converse", "propose")
_EDITOR = (*_COLLABORATOR, "add_content", "edit_content")
_VERBS: dict[Role, tuple[str, ...]] = {
    "viewer": _VIEWER,
    "collaborator": _COLLABORATOR,
    "editor": _EDITOR,
}


def role_verbs(role: Role) -> tuple[str, ...]:
    """The verbs that this role stands for."""
    return _VERBS[role]


def parse_right(text: str) -> tuple[str, ...]:
    """The verbs of a role's name, or the verb of that name; `Invalid` for what is neither and for
    what nobody but the owner can hold."""
    for role in ROLES:
        if text == role:
            return _VERBS[role]
    verb = VERBS.get(text)
    if verb is None:
        raise Invalid(
            "Lobes has no such right.",
            hint=f"Roles: {', '.join(ROLES)}. Rights: {', '.join(_grantable())}.",
            reason="unknown_verb",
        )
    if verb.kind == "owner":
        raise Invalid(
            f"Only an owner can ever hold {verb.name}; it can't be given.",
            hint=f"Rights: {', '.join(_grantable())}.",
            reason="owner_only",
        )
    return (verb.name,)


def _grantable() -> list[str]:
    return [verb.name for verb in VERBS.values() if verb.kind != "owner"]


class Held(NamedTuple):
    """What the lists give to one subject: the largest role that they hold whole, "" for none, and
    the verbs beyond it."""

    subject: str
    role: Role | Literal[""]
    verbs: tuple[str, ...]


def collapsed(permission: Permission) -> tuple[Held, ...]:
    """The lists turned round: each subject once, sorted."""
    by_subject: dict[str, set[str]] = {}
    for verb, subjects in permission.grants:
        for subject in subjects:
            by_subject.setdefault(subject, set()).add(verb)
    return tuple(_held(subject, verbs) for subject, verbs in sorted(by_subject.items()))


def _held(subject: str, listed: Iterable[str]) -> Held:
    verbs = set(listed)
    implied = {one.name for one in VERBS.values() if verbs.intersection(one.also_by)}
    role: Role | Literal[""] = ""
    for one in ROLES:
        if verbs | implied >= set(_VERBS[one]):
            role = one
    within = set(_VERBS[role]) if role else set[str]()
    return Held(subject, role, tuple(verb for verb in VERBS if verb in verbs - within))
