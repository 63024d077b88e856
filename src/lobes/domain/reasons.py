"""Every reason code has one sentence, the same in the TUI, the CLI and the MCP server.

`{a}` is the Space that asks, `{b}` the lobe or thing asked for, `{by}` what decided: a tag, or the
Space whose setting it was. Names are data: the faces pass the result through the display gate.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """`change` says what would change it, for who may change it; "" where nothing would. It stands
    behind "What would change it:", so it begins small; `remedy` makes a sentence of it.

    `others` is the sentence where what it says isn't of your doing, or isn't about you but about
    {by}; "" where `sentence` holds for everybody."""

    sentence: str
    change: str = ""
    others: str = ""


REASONS: dict[str, Reason] = {
    # which lobes a Space may draw on
    "own": Reason("This is {a}'s own lobe."),
    "personal": Reason("Your own lobe: only the categories {a} inherits.", "Inherits, in Lobe"),
    "member": Reason(
        "You belong to {by}, so {a} draws on its lobe.",
        "mute it",
        "{a} belongs to {by}, so it draws on its lobe.",
    ),
    "sibling": Reason("{a} and {b} are both open to your other Spaces.", "My Spaces"),
    "subscribed": Reason("{a} subscribes to {by}.", "remove the source"),
    "shared": Reason("{by} shares {b} with you, read-only.", "mute it, or leave the share"),
    "once": Reason("You let {b} answer this one question."),
    "excluded": Reason(
        "{a} and {b} are kept apart by you, both ways.",
        'end "Never with" in {by}',
        "{a} and {b} are kept apart by the owner of {by}, both ways.",
    ),
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
    "owner": Reason("You own it.", others="{by} owns it."),
    "public": Reason("Everyone in the group may do this."),
    "granted": Reason(
        "You were given this right by name.", others="This right was given to {by} by name."
    ),
    "not_granted": Reason(
        "This right wasn't given to you by name.",
        "its owner can give it",
        "This right wasn't given to {by} by name.",
    ),
    "not_found": Reason(
        "There is nothing with that name here.", others="For {by} there is nothing there."
    ),
    "owner_only": Reason("Only its owner may do this."),
    "unknown_verb": Reason("Lobes has no such right."),
    "share_is_read_only": Reason(
        "It's shared with you for reading.",
        "adopt it into your Space",
        "It's shared with {by} for reading.",
    ),
    "ceiling": Reason("This agent was started without that right.", "start it with another preset"),
    "ai_bar": Reason("Agents can't do this, whoever they work for.", "do it yourself"),
    "superuser": Reason("You run this installation.", others="{by} runs this installation."),
    "no_presence": Reason(
        "That needs a person at the keyboard.", "do it in the TUI, or type the code that it shows"
    ),
    "internal_error": Reason("Lobes couldn't decide, so the answer is no.", "run lobes doctor"),
    # why what was proposed isn't taken as it is
    "changed": Reason("It changed since you saw it.", "look at it again"),
    "not_shown": Reason(
        "An approval names what was shown.", "show it, then accept it with --shown HASH"
    ),
    "needs_choice": Reason(
        "It contradicts what is in use, or replaces what a person wrote.",
        "supersede, dispute or reject it",
    ),
    "needs_recheck": Reason(
        "It contradicts another one that waits, or says what was superseded.",
        "look at both and decide on that one first, or check it again with recheck",
    ),
    "needs_look": Reason("It isn't decided among others.", "look at it, then decide on it alone"),
    "needs_confirmation": Reason(
        "It is sensitive or holds something hidden, so it takes a yes of its own.", "confirm it"
    ),
    "stays": Reason(
        "What is restricted, confidential or holds a secret goes no further.",
        "lower its sensitivity, with a reason",
    ),
    "target_changed": Reason(
        "What it would replace has changed since it was proposed.",
        "look at both, then check it again with recheck",
    ),
    "duplicate_since": Reason(
        "The same is in use already.", "reject it, or merge it into that one"
    ),
    "over_limit": Reason("It is longer than a memory may be.", "edit it, or reject it"),
    "space_gone": Reason("The Space it belongs to is archived.", "restore the Space, or reject it"),
    "suppressed_since": Reason(
        "You rejected the same words since it was proposed.", "reject it, or confirm it"
    ),
    "conflict_since": Reason(
        "Something came into use since that contradicts it.", "supersede, dispute or reject it"
    ),
    # why an edit of a file isn't taken as it is
    "file_changed": Reason(
        "The file has changed since this was put before you.",
        "check it again against the file as it is now, then look at the difference",
    ),
    "file_gone": Reason(
        "The file that it would change is no longer there.",
        "reject it, or check it again to make the file anew",
    ),
    "file_appeared": Reason(
        "There is a file with that name by now.",
        "check it again against that file, then look at the difference",
    ),
    "file_says_so": Reason("The file says just that already.", "reject it"),
    "file_unreadable": Reason(
        "The file can't be read now, so nobody can say what would change.",
        "see lobes status, then try again",
    ),
    "not_taken": Reason(
        "A pack holds Markdown files that aren't ignored, and no others.",
        "name one below the Space's folder, such as notes/today.md",
    ),
    "nothing_changes": Reason("The file says just that already."),
    "bad_head": Reason(
        "The head of the file would be broken.", "give it one block between two lines of ---"
    ),
    "not_inherited": Reason("{a} doesn't inherit that category.", "Inherits, in Lobe"),
}


CAUSES: dict[str, Reason] = {
    "unknown": Reason("There is nothing with that name here."),
    "private": Reason("Only its owner sees it.", "let others see it, then give {by} the right"),
    "not named": Reason("It isn't given to {by}, nor to a group of theirs.", "give {by} a right"),
    "not_granted": Reason("This right wasn't given to {by} by name.", "give {by} the right"),
    "restricted": Reason(
        "It's restricted: in a group's Space it takes a grant on the thing itself.",
        "give {by} a right on it",
    ),
    "confidential": Reason(
        "It's confidential: in a group's Space it's its owner's, and an agent gets it where its"
        " Space says so.",
        "lower its sensitivity, with a reason",
    ),
    "share_is_read_only": Reason("It's shared with {by} for reading."),
    "outside its Space": Reason("{by} is bound to another Space.", "start it in that Space"),
    "its Space may not draw on that lobe": Reason(
        "The Space of {by} may not draw on that lobe.", "My Spaces, in Lobe"
    ),
    "category not inherited": Reason(
        "The Space of {by} doesn't inherit that category.", "Inherits, in Lobe"
    ),
    "preset of its Space": Reason(
        "Agents in its Space don't have that right.", "raise what agents may do, in Lobe"
    ),
    "its Space's links are missing": Reason("The settings of its Space can't be read."),
    "ill-typed permission": Reason(
        "Its permission can't be read, so only its owner may do anything.", "set it anew"
    ),
    "no rule matched": Reason("Lobes couldn't decide, so the answer is no.", "run lobes doctor"),
}
"""What is behind a code that hides it, for those who may change the thing; never for the actor."""


def sentence(code: str, *, a: str = "", b: str = "", by: str = "", others: bool = False) -> str:
    """The sentence of a code with the names filled in; an unknown code reads as undecided.

    `others`: it is not of your doing, or about {by} instead of you.
    """
    reason = REASONS.get(code, REASONS["internal_error"])
    return _filled((others and reason.others) or reason.sentence, a, b, by)


def about_another(code: str, *, name: str) -> str:
    """The sentence of a right's code about somebody else."""
    return sentence(code, by=name, others=True)


def cause_sentence(cause: str, *, name: str) -> str:
    """What is behind a code, about somebody; an unknown cause reads as undecided."""
    return _filled(CAUSES.get(cause, CAUSES["no rule matched"]).sentence, "", "", name)


def cause_change(cause: str, *, name: str) -> str:
    """What would change it, for those who may; "" where nothing would."""
    found = CAUSES.get(cause) or REASONS.get(cause, REASONS["internal_error"])
    return _filled(found.change, "", "", name)


def would_change(code: str, *, a: str = "", b: str = "", by: str = "") -> str:
    """What would change it; "" where nothing would."""
    reason = REASONS.get(code, REASONS["internal_error"])
    return _filled(reason.change, a, b, by)


def remedy(code: str) -> str:
    """What would change it as a sentence of its own, to stand behind the reason's; "" where
    nothing would, or where it takes a name to say so."""
    change = would_change(code, a="\0", b="\0", by="\0")
    return f"{change[0].upper()}{change[1:]}." if change and "\0" not in change else ""


def nobody(*, is_whole: bool) -> str:
    """Who gains by a change where nobody is shown to: where the one who makes it may not know of
    all whom it concerns, only of those can it be said."""
    return "no one" if is_whole else "no one you know of"


def _filled(text: str, a: str, b: str, by: str) -> str:
    """Plain replacement in one pass: a name with braces is data, never a format."""
    parts = (
        text.replace("{a}", "\0a\0").replace("{by}", "\0y\0").replace("{b}", "\0b\0").split("\0")
    )
    names = {"a": a, "b": b, "y": by or b}
    return "".join(names[p] if i % 2 else p for i, p in enumerate(parts))
