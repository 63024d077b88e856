"""What an agent is told of an error: a fixed code, a reason and our own words, from one table.

Nothing of what was sent is told back, no path, no SQL, no trace. A sentence of a service is used
only where it stands here: most are written for the person at their own screen.
"""

from __future__ import annotations

from collections.abc import Mapping

from lobes.domain.errors import LobesError, NotFound, Unavailable
from lobes.domain.reasons import REASONS, remedy, sentence

Said = tuple[str, str]
"""What happened, and what to do about it."""

CODES: Mapping[str, Said] = {
    "invalid": ("That can't be taken as it is.", "Look at the tool's schema."),
    "not_found": ("There is nothing with that name here.", "Use an id that search gave."),
    "forbidden": ("That isn't allowed here.", "Ask the person."),
    "conflict": ("It changed meanwhile, or is there already.", "Look at it again."),
    "unavailable": ("Lobes can't do that now.", "Go on without it, and tell the person."),
    "limit": ("This session has had all that it may.", "Go on with what you have."),
    "internal_error": ("Something broke in Lobes.", "Go on without it, and tell the person."),
}
"""Every code that a tool answers with."""

MESSAGES: Mapping[str, Said] = {
    "unknown_field": ("It was called with a field that it doesn't have.", "See its schema."),
    "no_part": ("This part of Lobes isn't there yet.", "Go on without it."),
    "bad_cursor": ("That cursor is of no page.", "Use the `next` of the page before."),
    "bad_range": ("The last line stands before the first.", "Swap them."),
    "bad_date": ("That is no day.", "Write YYYY-MM-DD."),
    "no_statement": ("There is nothing to remember.", "Say it in full sentences."),
    "too_long": ("That is too long for one memory.", "Make several of it."),
    "bad_text": ("That is no text.", "Send it as UTF-8."),
    "not_a_statement": (
        "A question, or context that you were given, is nothing to remember.",
        "Propose what was learned, in words of its own.",
    ),
    "too_many": (
        "Agents have proposed more than a person reviews.",
        "Stop proposing, and tell the person that it waits.",
    ),
    "bad_validity": ("It would end before it begins.", "Look at the two days."),
    "bad_subject": ("That subject can't be taken.", "A word or two, and no secret."),
    "bad_evidence": ("That evidence can't be taken.", "Name ids that search gave."),
    "bad_id": ("That category can't be taken.", "Use a-z, 0-9, _ and -."),
    "bad_name": ("That is no name of a file in a pack.", "Such as notes/today.md."),
    "too_large": ("That is more than a pack takes of one file.", "Split it into several files."),
    "bad_why": ("That is too long for a reason.", "Say why in a sentence."),
    "already_exists": (
        "A file with this name exists already.",
        "Read it with read_source, then propose a change of it by its content_hash.",
    ),
    "changed_on_disk": (
        "The file isn't the one that was read.",
        "Read it again, then propose the change of that. Where it reads as before, a change of it "
        "waits for the person: go on without this one.",
    ),
    "masked_text": (
        "What stands for a hidden secret was moved or doubled.",
        "Leave every such place where it is.",
    ),
    "no_summary": ("There is nothing to record.", "Say in a sentence what was done."),
    "not_a_summary": (
        "Context that you were given is nothing to record.",
        "Say what was done, in words of its own.",
    ),
    "turn_too_long": ("That is too long for one turn.", "Say less, or make several of it."),
    "session_full": ("This session holds all that it may.", "Go on without recording."),
    "too_many_turns": (
        "Agents have recorded more turns than they may in an hour.",
        "Go on without recording.",
    ),
    "limit_turns": (
        "This session has recorded all that it may.",
        "Go on without recording.",
    ),
    "limit_characters": (
        "This session has read all that it may.",
        "Go on with what you have, or ask the person to start a new session.",
    ),
    "limit_proposals": (
        "This session has proposed all that it may.",
        "Ask the person to review what waits.",
    ),
}
"""Reasons with words of their own."""

_OWN_WORDS = frozenset({"missing_field", "bad_field"})
"""Their sentence names a field of ours, and nothing else."""
_ALIASES = {"corrupt": "unavailable", "failed": "internal_error", "no_presence": "forbidden"}


def body(error: LobesError) -> dict[str, object]:
    """The error in the shape that every face gives it."""
    code = _ALIASES.get(error.code, error.code)
    reason, (message, hint) = _said(error, code)
    return {"error": {"code": code, "reason": reason, "message": message, "hint": hint}}


def broken() -> dict[str, object]:
    """A fault of ours, of which nothing is told."""
    return body(LobesError("", reason="internal_error"))


def unavailable() -> LobesError:
    """The answer of a tool whose part doesn't exist yet."""
    return Unavailable("", reason="no_part")


def _said(error: LobesError, code: str) -> tuple[str, Said]:
    if isinstance(error, NotFound):
        return "not_found", CODES["not_found"]
    if code == "internal_error":
        return code, CODES[code]
    if error.reason in MESSAGES:
        return error.reason, MESSAGES[error.reason]
    if error.reason in _OWN_WORDS:
        return error.reason, (error.message, error.hint or CODES["invalid"][1])
    if error.reason in REASONS:
        return error.reason, (sentence(error.reason), remedy(error.reason) or CODES[code][1])
    return code, CODES.get(code, CODES["internal_error"])
