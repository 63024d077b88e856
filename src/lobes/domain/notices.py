"""What happened, in words, for those whom it concerns: one table for every face.

`{who}` acted, `{what}` is the thing, `{detail}` says more: a right, a role, a Space.
"""

from __future__ import annotations

EVENTS: dict[str, str] = {
    "lobe.changed": "{who} changed how {what} answers other Spaces.",
    "lobe.answers": "{what} answers {detail} now: {who} changed its lobe.",
    "lobe.withheld": "{what} no longer answers {detail}: {who} changed its lobe.",
    "lobe.drawn_on": "{who} lets another Space draw on {what}.",
    "lobe.left": "A Space of {who} no longer draws on {what}.",
    "permission.changed": "{who} changed who may do what in {what}.",
    "permission.gained": "{who} gave you more rights in {what}: {detail}.",
    "permission.lost": "{who} took rights in {what} from you: {detail}.",
    "group.joined": "{who} took you into {what}: {detail}.",
    "group.left": "{who} left {what}.",
    "group.removed_you": "{who} took you out of {what}.",
    "group.changed": "{who} changed {what}.",
    "group.gone": "{who} removed {what}.",
    "group.back": "{who} brought {what} back.",
    "person.superuser_added": "{who} made you a superuser of this installation.",
    "person.superuser_removed": "{who} made you an ordinary person of this installation again.",
    "share.offered": "{who} offers you {what}.",
    "share.accepted": "{who} accepted {what}.",
    "share.declined": "{who} declined {what}.",
    "share.suspended": "{what} is suspended: its lobe went private.",
    "share.revoked": "{who} ended sharing {what}.",
    "share.left": "{who} left {what}.",
    "access.requested": "{who} asks for access to {what}.",
}
"""Event → sentence. An event that isn't here can't be notified."""

HIDDEN = "something that you can't see now"
"""In place of a thing's name, where the person may no longer know of the thing."""


def notice_sentence(event: str, *, who: str, what: str, detail: str = "") -> str:
    """The sentence with the names filled in, in one pass: a name with braces is data. Without a
    detail what would say it goes too."""
    text = EVENTS.get(event, "{who} changed {what}.")
    if not detail:
        text = text.replace(": {detail}", "").replace("{detail}", "a Space of yours")
    parts = text.replace("{who}", "\0w\0").replace("{what}", "\0t\0").replace("{detail}", "\0d\0")
    names = {"w": who, "t": what, "d": detail}
    filled = "".join(names[p] if i % 2 else p for i, p in enumerate(parts.split("\0")))
    return (
        filled[:1].upper() + filled[1:] if text.startswith("{what}") and what == HIDDEN else filled
    )
