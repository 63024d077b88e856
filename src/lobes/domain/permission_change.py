"""A change of one permission, as the command line and the screens both say it.

Lists change by subject and verb and always persist: another visibility leaves them as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from lobes.domain.errors import Invalid
from lobes.domain.permissions import PUBLIC, Permission, Visibility, is_subject

Wanted = Literal["public", "restricted", "private", "inherit"]
WANTED: tuple[Wanted, ...] = get_args(Wanted)
"""`inherit` takes a document's own permission away: then its Space's alone holds."""

Pair = tuple[str, str]
"""A verb and a subject."""


@dataclass(frozen=True, slots=True)
class PermissionChange:
    """None and () leave things as they are."""

    visibility: Wanted | None = None
    grant: tuple[Pair, ...] = ()
    revoke: tuple[Pair, ...] = ()


def parse_subject(text: str) -> str:
    """`user:ID`, `group:ID` or `all`, to the letter; else `Invalid`."""
    if not is_subject(text):
        raise Invalid(
            "This names nobody.", hint="Write user:ID, group:ID or all.", reason="bad_subject"
        )
    return text


def changed(permission: Permission | None, change: PermissionChange) -> Permission | None:
    """The permission after the change; None is a thing without one of its own.

    One that can't be read is not edited, for nobody can tell what an edit would keep: only a
    visibility without grants takes its place, with empty lists.
    """
    if change.visibility == "inherit":
        return None
    if permission is None and change.visibility is None:
        raise Invalid(
            "It has no permission of its own: whoever its Space lets in may read it.",
            hint="lobes permission set RESOURCE --visibility restricted gives it one.",
            reason="no_own_permission",
        )
    before = PUBLIC if permission is None else permission
    if not before.sound:
        if change.visibility is None or change.grant or change.revoke:
            raise unreadable()
        return Permission(change.visibility)
    visibility: Visibility = change.visibility or before.visibility
    lists = {verb: set(subjects) for verb, subjects in before.grants}
    for verb, subject in change.revoke:
        lists.get(verb, set()).discard(subject)
    for verb, subject in change.grant:
        lists.setdefault(verb, set()).add(subject)
    grants = tuple((verb, frozenset(who)) for verb, who in sorted(lists.items()) if who)
    return replace(before, visibility=visibility, grants=grants)


def unreadable() -> Invalid:
    return Invalid(
        "Its permission can't be read, so it is its owner's alone and isn't edited.",
        hint="Its owner replaces it whole: lobes permission set RESOURCE --visibility restricted.",
        reason="broken_permission",
    )
