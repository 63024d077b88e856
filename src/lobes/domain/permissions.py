"""Permissions: visibility and, per verb, a list of who is named. Broken means owner only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, cast, get_args

from lobes.domain.ids import is_slug
from lobes.domain.strict_json import loads_strict
from lobes.domain.verbs import VERBS

Visibility = Literal["public", "restricted", "private"]
VISIBILITIES: tuple[Visibility, ...] = get_args(Visibility)


@dataclass(frozen=True, slots=True)
class Permission:
    """`grants` pairs a verb with its subjects: `user:<id>`, `group:<id>` or `all`.

    Lists always persist; they bind unless visibility is private. The owner is implicit: never in
    a list, never removable. `sound` is False where the stored text could not be taken.
    """

    visibility: Visibility = "public"
    grants: tuple[tuple[str, frozenset[str]], ...] = ()
    sound: bool = True

    def subjects(self, verb: str) -> frozenset[str]:
        for name, subjects in self.grants:
            if name == verb:
                return subjects
        return frozenset()


PUBLIC = Permission()
OWNER_ONLY = Permission("private", (), sound=False)


def parse_permission(stored: str | None) -> Permission:
    """What is stored, as a value. NULL is public; `{}`, broken or misspelt is owner only."""
    if stored is None:
        return PUBLIC
    try:
        data: object = loads_strict(stored)
    except ValueError:
        return OWNER_ONLY
    if not isinstance(data, dict):
        return OWNER_ONLY
    fields = cast("dict[str, object]", data)
    if set(fields) - {"visibility", "grants"}:
        return OWNER_ONLY
    grants = _parse_grants(fields.get("grants", {}))
    for visibility in VISIBILITIES:
        if fields.get("visibility") == visibility and grants is not None:
            return Permission(visibility, grants)
    return OWNER_ONLY


def _parse_grants(data: object) -> tuple[tuple[str, frozenset[str]], ...] | None:
    if not isinstance(data, dict):
        return None
    grants: list[tuple[str, frozenset[str]]] = []
    for verb, subjects in sorted(cast("dict[str, object]", data).items()):
        if verb not in VERBS or not isinstance(subjects, list):
            return None
        named = cast("list[object]", subjects)
        if not all(is_subject(one) for one in named):
            return None
        grants.append((verb, frozenset(cast("list[str]", named))))
    return tuple(grants)


def is_subject(text: object) -> bool:
    """Whether this names somebody: `user:<id>`, `group:<id>` or `all`, to the letter."""
    if not isinstance(text, str):
        return False
    kind, _, name = text.partition(":")
    return text == "all" or (kind in ("user", "group") and is_slug(name))


def dump_permission(permission: Permission) -> str:
    grants = {verb: sorted(subjects) for verb, subjects in permission.grants}
    return json.dumps({"visibility": permission.visibility, "grants": grants}, sort_keys=True)
