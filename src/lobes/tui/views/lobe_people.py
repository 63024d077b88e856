"""The part of Lobe about persons and agents: who sees the Space, who is named, what agents may."""

from __future__ import annotations

from lobes.domain.permissions import VISIBILITIES, Permission
from lobes.domain.roles import ROLES, Role, collapsed
from lobes.domain.verbs import VERBS
from lobes.tui.access import Access, Named, Placing, held, rights
from lobes.tui.paint import (
    BLANK,
    Line,
    Look,
    Span,
    fitted,
    heading,
    ink,
    muted,
    paragraph,
    spread,
    title,
    trimmed,
    width_of,
)
from lobes.tui.views.lobe_draft import Draft, FormRow
from lobes.tui.views.setting_row import LABEL, chosen, if_room, label_of

NAME, ROLE = 17, 13
AGENTS_MAY = ("Reader", "Proposer", "Editor")
AGENTS_SEE = ("Up to restricted", "Confidential too")


def seen_options(access: Access) -> tuple[str, str, str]:
    """What the visibilities are called, from the widest to the closest."""
    only = "Only me" if access.is_own else "Only its owner"
    return "My group", "Named people", only


def seen_word(access: Access, permission: Permission) -> str:
    """The present one; of a permission that can't be read, the closest."""
    return seen_options(access)[VISIBILITIES.index(permission.visibility)]


def row(entry: FormRow, width: int, lit: bool, draft: Draft, look: Look) -> Line:
    """One row of the part; a row that needs what the person may not see says whose it is."""
    access, permission = draft.view.access, draft.permission
    if access is None or permission is None:
        return (muted("Who sees it is for its owner to say."),)
    match entry.kind:
        case "seen":
            spans = _seen(access, permission, lit, width)
        case "group":
            return _group(access, lit, width, look)
        case "no_one":
            hint = [label_of("Named", False), muted("no one")]
            return spread(hint, [muted(f"{look.key('people_here')} names somebody")], width, look)
        case "agents_may":
            config, stored = draft.config, draft.view.config
            now, was = config.agent_preset.capitalize(), stored.agent_preset.capitalize()
            spans = chosen("Agents may", AGENTS_MAY, now, was, lit, width)
            spans = if_room(spans, [muted("   at most")], width)
        case "agents_see":
            now = AGENTS_SEE[draft.config.agents_see_confidential]
            was = AGENTS_SEE[draft.view.config.agents_see_confidential]
            spans = chosen("Agents see", AGENTS_SEE, now, was, lit, width)
        case _:
            return _named(entry, width, lit, draft, look)
    return trimmed(spans, width, look)


def _seen(access: Access, permission: Permission, lit: bool, width: int) -> list[Span]:
    now, was = seen_word(access, permission), seen_word(access, access.permission)
    if not permission.sound:
        return [label_of("Seen by", lit), Span("can't be read: its owner only", "error")]
    spans = chosen("Seen by", seen_options(access), now, was, lit, width)
    if permission.visibility == "public" and not access.group:
        spans = if_room(spans, [muted("   in no group")], width)
    return spans


def _group(access: Access, lit: bool, width: int, look: Look) -> Line:
    name = ink(access.group_name) if access.group else muted("none")
    hint = "changes" if access.group else "puts it into one"
    told = [muted(f"{look.key('choice')} {hint}")]
    spans = [label_of("Group", lit), name]
    is_room = width_of(spans) + width_of(told) < width
    return spread(spans, told if is_room else [], width, look)


def _named(entry: FormRow, width: int, lit: bool, draft: Draft, look: Look) -> Line:
    access, permission = draft.view.access, draft.permission
    assert access is not None
    assert permission is not None
    one = access.named(entry.subject)
    label = label_of("Named" if entry.kind == "first_named" else "", False)
    now, was = role_of(permission, one.subject), role_of(access.permission, one.subject)
    name = fitted(ink(one.name, bold=lit), NAME, look)
    end = _difference(access.permission, permission, one.subject, was)
    told = muted("" if end else _told(permission, one.subject))
    told = ink(one.trouble, "warning") if one.trouble else told
    role = fitted(ink(now or was, "foreground"), ROLE, look)
    if width < LABEL + NAME + ROLE:
        name = fitted(ink(one.name, bold=lit), LABEL - 1, look)
        return spread([name, Span(" "), role], end or [told], width, look)
    return spread([label, name, role, told], end, width, look)


def _told(permission: Permission, subject: str) -> str:
    listed = held(permission, subject)
    if permission.visibility == "private":
        return "rests"
    return rights(listed, shown=2) if listed else ""


def _difference(old: Permission, new: Permission, subject: str, was: str) -> list[Span]:
    before, after = held(old, subject), held(new, subject)
    if before == after:
        return []
    if not after:
        return [Span("goes", "warning")]
    return [Span(f"was {was}" if before else "new", "warning")]


def role_of(permission: Permission, subject: str) -> str:
    """The role that they hold whole, "+" for rights beyond it, or "rights" for rights alone."""
    for one in collapsed(permission):
        if one.subject == subject:
            return (
                f"{one.role} +{len(one.verbs)}"
                if one.role and one.verbs
                else (one.role or "rights")
            )
    return ""


def pane(subject: str, draft: Draft, width: int, look: Look) -> list[Line]:
    """Beside the form: all that an entry gives, whether it binds, and the keys that change it."""
    access, permission = draft.view.access, draft.permission
    if access is None or permission is None:
        return []
    one, listed = access.named(subject), held(permission, subject)
    facts = [muted(role_of(permission, subject) or "goes")]
    lines: list[Line] = [BLANK, heading([title(f"What {one.name} may do")], facts, width, look)]
    if one.trouble:
        text = f"{one.trouble.capitalize()}: the entry gives nothing to anybody."
        return [*lines, *paragraph(text, width, colour="warning")]
    for verb in VERBS.values():
        if verb.name in listed:
            lines += paragraph(verb.description, width)
    if permission.visibility == "private":
        rests = f"While it is {seen_word(access, permission)}, none of it holds."
        lines += [BLANK, *paragraph(rests, width, colour="muted")]
    keys = (("choice", "next role"), ("remove_source", "take out"), ("raw_rights", "single rights"))
    hints = [Span(look.key(id), "accent", bold=True, action=id) for id, _ in keys]
    spans = [
        part
        for (_, word), key in zip(keys, hints, strict=True)
        for part in (key, muted(f" {word}   "))
    ]
    return [*lines, BLANK, trimmed(spans, width, look)]


# What is asked ---------------------------------------------------------------------------------

_ROLES: dict[Role, str] = {
    "viewer": "Viewer reads.",
    "collaborator": "Collaborator also reads and holds sessions, and proposes.",
    "editor": "Editor also changes what it says.",
}


def about(one: Named, access: Access, permission: Permission, space: str) -> list[str]:
    """What is said before somebody is named: what the roles give, and what they have already."""
    now = role_of(permission, one.subject)
    if one.trouble:
        return [f"{one.trouble.capitalize()}: this entry gives nothing to anybody."]
    lines = [f"Named as {now}."] if now else []
    lines.append(" ".join(_ROLES[role] for role in ROLES))
    if permission.visibility == "public":
        lines.append(
            f"Everyone in {access.group_name} may read and change it already."
            if access.group
            else f"{space} is in no group, so only its owner and who is named come in."
        )
    elif permission.visibility == "private":
        lines.append(f"While it is {seen_word(access, permission)}, nobody named comes in.")
    if one.kind not in ("person", "everybody"):
        lines.append("Whoever is in it or in a group below it counts, now and later.")
    return lines


def rights_of(permission: Permission, subject: str) -> list[tuple[str, str, bool]]:
    """Each right that can be given: its name, what it lets one do, whether they are listed."""
    listed = held(permission, subject)
    return [
        (verb.name, verb.description, verb.name in listed)
        for verb in VERBS.values()
        if verb.kind != "owner"
    ]


def moving(placing: Placing, space: str) -> list[str]:
    """What is said before a Space is put into another group."""
    gains, loses = ", ".join(placing.gains), ", ".join(placing.loses)
    where = f"be in {placing.group_name}" if placing.group else "be in no group"
    lines = [f"{space} would {where}."]
    lines.append(f"It opens to {gains}." if gains else "It opens to no one.")
    if loses:
        lines.append(f"It closes to {loses}.")
    if placing.group:
        lines.append("Whoever joins that group later comes in too, where its members see it.")
    return lines
