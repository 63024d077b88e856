"""Every reason code has one sentence, the same in the TUI, the CLI and the MCP server.

`{a}` is the Space that asks, `{b}` the lobe or thing asked for, `{by}` what decided: a tag, or the
Space whose setting it was. Names are data: the faces pass the result through the display gate.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """`change` says what would change it, for who may change it; "" where nothing would. It stands
    behind "What would change it:", so it begins small; `remedy` makes a sentence of it."""

    sentence: str
    change: str = ""


REASONS: dict[str, Reason] = {
    # which lobes a Space may draw on
    "own": Reason("This is {a}'s own lobe."),
    "personal": Reason("Your own lobe: only the categories {a} inherits.", "Inherits, in Lobe"),
    "member": Reason("You belong to {by}, so {a} draws on its lobe.", "mute it"),
    "sibling": Reason("{a} and {b} are both open to your other Spaces.", "My Spaces"),
    "subscribed": Reason("{a} subscribes to {by}.", "remove the source"),
    "shared": Reason("{by} shares {b} with you, read-only.", "mute it, or leave the share"),
    "once": Reason("You let {b} answer this one question."),
    "excluded": Reason("{a} and {b} are kept apart by you, both ways.", 'end "Never with" in {by}'),
    "inactive": Reason("{b} is archived.", "restore {b}"),
    "private": Reason("{b} is private, so {a} may not draw on it.", "turn Private off in {b}"),
    "muted": Reason("{a} mutes {b}.", "unmute it"),
    "ask": Reason(
        "{by} asks before your other Spaces draw on each other.", "allow it once, or My Spaces"
    ),
    "closed": Reason(
        "{by} is closed: it neither draws on your other Spaces nor answers them.", "My Spaces"
    ),
    "not_linked": Reason("{a} isn't linked to {b}.", "add it as a source"),
    "no_access": Reason("You may see that {b} exists, not read it.", "ask its owner"),
    # who may do what
    "owner": Reason("You own it."),
    "public": Reason("Everyone in the group may do this."),
    "granted": Reason("You were given this right by name."),
    "not_granted": Reason("This right wasn't given to you by name.", "its owner can give it"),
    "not_found": Reason("There is nothing with that name here."),
    "owner_only": Reason("Only its owner may do this."),
    "unknown_verb": Reason("Lobes has no such right."),
    "share_is_read_only": Reason("It's shared with you for reading.", "adopt it into your Space"),
    "ceiling": Reason("This agent was started without that right.", "start it with another preset"),
    "ai_bar": Reason("Agents can't do this, whoever they work for.", "do it yourself"),
    "superuser": Reason("You run this installation."),
    "no_presence": Reason("That needs a person at the keyboard.", "do it in the TUI: run lobes"),
    "internal_error": Reason("Lobes couldn't decide, so the answer is no.", "run lobes doctor"),
}


def sentence(code: str, *, a: str = "", b: str = "", by: str = "") -> str:
    """The sentence of a code with the names filled in; an unknown code reads as undecided."""
    reason = REASONS.get(code, REASONS["internal_error"])
    return _filled(reason.sentence, a, b, by)


def would_change(code: str, *, a: str = "", b: str = "", by: str = "") -> str:
    """What would change it; "" where nothing would."""
    reason = REASONS.get(code, REASONS["internal_error"])
    return _filled(reason.change, a, b, by)


def remedy(code: str) -> str:
    """What would change it as a sentence of its own, to stand behind the reason's; "" where
    nothing would, or where it takes a name to say so."""
    change = would_change(code, a="\0", b="\0", by="\0")
    return f"{change[0].upper()}{change[1:]}." if change and "\0" not in change else ""


def _filled(text: str, a: str, b: str, by: str) -> str:
    """Plain replacement in one pass: a name with braces is data, never a format."""
    parts = (
        text.replace("{a}", "\0a\0").replace("{by}", "\0y\0").replace("{b}", "\0b\0").split("\0")
    )
    names = {"a": a, "b": b, "y": by or b}
    return "".join(names[p] if i % 2 else p for i, p in enumerate(parts))
