"""Who sees a Space, as Lobe shows and changes it.

A draft is a whole permission; what is saved is the change that leads to it, so that what others
changed meanwhile is not undone with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lobes.domain.permission_change import PermissionChange
from lobes.domain.permissions import PUBLIC, Permission, Visibility
from lobes.domain.roles import Role, role_verbs
from lobes.domain.verbs import VERBS


@dataclass(frozen=True, slots=True)
class Named:
    """Whom a list names or could name. `kind` is a person, a kind of group, or everybody;
    `trouble` says that there is nobody of this name (any more): such an entry is void."""

    subject: str
    name: str
    kind: str = "person"
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Access:
    """The permission of a Space as it is stored, for whoever may change it."""

    permission: Permission
    version: str
    owner: str
    """The owner's subject."""
    is_own: bool = True
    """Whether the person owns the Space: "only me" then."""
    group: str = ""
    group_name: str = ""
    known: tuple[Named, ...] = ()
    """Everybody who can be named, and those named already."""
    groups: tuple[Named, ...] = ()
    """The groups that the Space could be put into."""

    def named(self, subject: str) -> Named:
        for one in self.known:
            if one.subject == subject:
                return one
        return Named(subject, subject.partition(":")[2] or "Everyone known here", "everybody")


EVERYBODY = Named("all", "Everyone known here", "everybody")


@dataclass(frozen=True, slots=True)
class Placing:
    """A Space that would be put into a group (none: ""): to whom that opens and closes it."""

    group: str
    group_name: str
    before: str
    gains: tuple[str, ...]
    loses: tuple[str, ...]


def held(permission: Permission, subject: str) -> frozenset[str]:
    """The verbs whose lists name the subject."""
    return frozenset(verb for verb, subjects in permission.grants if subject in subjects)


def subjects(permission: Permission) -> frozenset[str]:
    """Everybody in any list."""
    return frozenset(one for _, named in permission.grants for one in named)


def holding(permission: Permission, subject: str, verbs: Iterable[str]) -> Permission:
    """The permission with the subject in the lists of exactly these verbs."""
    wanted = set(verbs)
    lists = {verb: set(named) - {subject} for verb, named in permission.grants}
    for verb in wanted:
        lists.setdefault(verb, set()).add(subject)
    grants = tuple((verb, frozenset(who)) for verb, who in sorted(lists.items()) if who)
    return replace(permission, grants=grants)


def in_role(permission: Permission, subject: str, role: Role) -> Permission:
    """The same, with the role in the place of the one that they had; rights beyond roles stay."""
    beyond = held(permission, subject) - set(role_verbs("editor"))
    return holding(permission, subject, beyond.union(role_verbs(role)))


def seen_by(permission: Permission, visibility: Visibility) -> Permission:
    """The same for others to see. One that can't be read is replaced whole, with empty lists."""
    before = permission if permission.sound else PUBLIC
    return replace(before, visibility=visibility)


def leading(old: Permission, new: Permission) -> PermissionChange:
    """What leads from one permission to the other."""
    turned = new.visibility != old.visibility or not old.sound
    visibility = new.visibility if turned and new.sound else None
    if not old.sound:
        return PermissionChange(visibility)
    pairs = [(verb, who) for verb in VERBS for who in sorted(subjects(old) | subjects(new))]
    return PermissionChange(
        visibility,
        tuple(p for p in pairs if p[1] in new.subjects(p[0]) - old.subjects(p[0])),
        tuple(p for p in pairs if p[1] in old.subjects(p[0]) - new.subjects(p[0])),
    )


def touched(old: Permission, new: Permission) -> int:
    """How many settings differ: who sees it counts as one, and so does each who is named."""
    changed = {who for who in subjects(old) | subjects(new) if held(old, who) != held(new, who)}
    return len(changed) + (new.visibility != old.visibility or new.sound != old.sound)


_WORDS = (
    ("read_content", "reads"),
    ("edit_content", "changes"),
    ("add_content", "adds"),
    ("propose", "proposes"),
    ("read_chat", "reads sessions"),
    ("converse", "holds sessions"),
    ("write_meta", "renames"),
    ("change_permission", "decides who sees it"),
    ("review", "reviews"),
    ("promote", "promotes"),
    ("execute", "runs commands"),
    ("use_terminal", "opens a shell"),
    ("export", "takes copies"),
)
SHOWN = 4


def rights(verbs: Iterable[str], *, shown: int = SHOWN) -> str:
    """What these verbs let one do, the most telling first: "reads, changes, proposes"."""
    listed = set(verbs)
    listed -= {"add_content"} if "edit_content" in listed else set()
    words = [word for verb, word in _WORDS if verb in listed]
    if not words:
        return "knows that it exists" if "read_meta" in listed else "nothing"
    more = len(words) - shown
    return ", ".join(words[:shown]) + (f" and {more} more" if more > 0 else "")
