"""A group as its dialog shows it: who is in it, which Spaces, which groups; what removing does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lobes.domain.display import one_line
from lobes.tui.cells import plural
from lobes.tui.paint import BLANK, Line, Look, Span, fitted, heading, muted, title, whole
from lobes.tui.widgets.picker import Choice

if TYPE_CHECKING:
    from lobes.services.groups import GroupDetail, GroupImpact, GroupView, Member
    from lobes.services.people import PersonView
    from lobes.tui.people import Everybody

NEW_PERSON, NEW_GROUP = "+person", "+group"
_NAME, _ROLE = 30, 10
_ROLES = {
    "": "You are not in it.",
    "below": "You are in it by a group below.",
    "member": "You are a member.",
    "owner": "You are an owner.",
}


def choices(found: Everybody) -> list[Choice]:
    """Groups by name, then persons, then what can be made. Where there is nobody, that says so."""
    groups = [
        Choice(f"group/{one.id}", one_line(one.name), one.kind, also=f"{one.kind} {one.id}")
        for one in found.groups
    ]
    people = [
        Choice(f"person/{one.id}", one_line(one.name), _who(one), also=one.id)
        for one in found.people
    ]
    return [
        *groups,
        *people,
        Choice(NEW_GROUP, "New group…", "of these persons"),
        Choice(NEW_PERSON, "New person…", "known here"),
    ]


def _who(one: PersonView) -> str:
    if one.is_me:
        return "you"
    return "superuser" if one.is_superuser else "person"


def group_page(found: GroupDetail, look: Look, width: int, focused: bool) -> Sequence[Line]:
    above = f", in {one_line(found.parent)}" if found.parent else ""
    role = _ROLES.get(found.role, "")
    lines: list[Line] = [
        *whole(f"{found.kind.capitalize()} {found.id}{above}. {role}", width),
        BLANK,
        heading([title("Members")], [muted(f"{len(found.people):,}")], width, look),
    ]
    lines += [_member(one, width, look) for one in found.people]
    lines += [BLANK, heading([title("Spaces in it")], [muted(f"{found.spaces:,}")], width, look)]
    lines += [(Span(one_line(name)),) for _, name in found.in_it] or [
        *whole("None. A Space joins by lobes space edit --group.", width, colour="muted")
    ]
    if found.below:
        lines += [BLANK, heading([title("Groups in it")], [], width, look)]
        lines += [(Span(one_line(one)),) for one in found.below]
    lobe = f"What its lobe holds: lobes memory list --lobe {found.kind}/{found.id}."
    return [*lines, BLANK, *whole(lobe, width, colour="muted")]


def _member(one: Member, width: int, look: Look) -> Line:
    name = min(_NAME, width // 2)
    via = (
        "" if one.since else f"through {one_line(one.through) if one.through else 'a group below'}"
    )
    return (
        fitted(Span(one_line(one.name)), name, look),
        Span(" "),
        fitted(muted(one.role), _ROLE, look),
        muted(via),
    )


def person_page(one: PersonView, width: int, focused: bool) -> Sequence[Line]:
    marks = [("This is you.", one.is_me), ("Owner of this home.", one.is_owner)]
    marks.append(("Superuser: may do all but open personal lobes and shares.", one.is_superuser))
    said = [text for text, holds in marks if holds]
    groups = ", ".join(map(one_line, one.groups)) or "none that you know of"
    return [
        *(line for text in said for line in whole(text, width)),
        *whole(f"Id {one.id}", width, colour="muted"),
        *whole(f"Groups: {groups}", width),
    ]


def joining(person: str, group: GroupView) -> tuple[str, ...]:
    """What taking somebody in opens, before it is done."""
    spaces = plural(group.spaces, "Space")
    return (
        f"{one_line(person)} may then read and change what is public in {spaces} of "
        f"{one_line(group.name)}, and is in every group that it lies in.",
        "An owner also decides who is in it.",
    )


def removing(impact: GroupImpact) -> tuple[str, ...]:
    def names(some: tuple[str, ...], none: str) -> str:
        return ", ".join(map(one_line, some)) or none

    return (
        f"In it no longer: {names(impact.people, 'no one')}.",
        f"Open to their owners and whom they name only: {names(impact.spaces, 'no Space')}.",
        f"Then in no group: {names(impact.below, 'none')}.",
        "What was granted to it is void and shows as an unknown group, until it is brought back.",
    )
