"""Edits of pack files that wait for a person: an agent's proposal, or what changed outside of Lobes
in a Space that holds such changes.

The text is kept byte for byte: nothing is added to a file, no head and no id. An edit names the
file as it was seen (`base_hash`); what is in the file by now is never replaced unseen.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from lobes.domain.errors import Conflict, Invalid
from lobes.domain.front_matter import front_matter
from lobes.domain.reasons import remedy, sentence
from lobes.domain.recalled import says_the_tag
from lobes.domain.sensitivity import Kept, Level
from lobes.domain.texts import require_text

LONGEST_WHY = 500
"""Characters of why an edit is proposed, and of why it was rejected."""
MOST_BYTES = 1024 * 1024
"""Of a text: what a pack takes of one file."""

EditStatus = Literal["proposed", "accepted", "rejected"]
Cause = Literal["proposed", "changed_outside"]

StaleEdit = Literal[
    "file_changed", "file_gone", "file_appeared", "file_says_so", "file_unreadable", "space_gone"
]
"""Why an edit can't be taken as it was put: found anew whenever it is opened or accepted."""


@dataclass(frozen=True, slots=True)
class PackEdit:
    """One edit: the whole text that the file has by it.

    `base_hash` is "" for a file that isn't there yet, `content_hash` for one that is gone. Of what
    changed outside nobody is known to be the author: its `person` is "".
    """

    id: str
    space: str
    path: str
    base_hash: str
    text: str
    content_hash: str
    status: EditStatus
    cause: Cause
    person: str
    created: datetime
    session: str = ""
    client: str = ""
    tool: str = ""
    is_external: bool = False
    why: str = ""
    level: Level = "internal"
    findings: tuple[Kept, ...] = ()
    decided: datetime | None = None
    reason: str = ""
    decided_by: str = ""

    @property
    def is_new(self) -> bool:
        return not self.base_hash

    @property
    def is_removal(self) -> bool:
        return not self.content_hash


def edit_hash(edit: PackEdit) -> str:
    """SHA-256 of all that a person approves: an approval that names it holds for this alone."""
    shown = [edit.id, edit.space, edit.path, edit.base_hash, edit.content_hash, edit.cause]
    return hashlib.sha256(json.dumps(shown).encode()).hexdigest()


def text_hash(text: str) -> str:
    """The hash that a file with this text has, without a byte order mark."""
    return hashlib.sha256(text.encode()).hexdigest()


def stale(code: StaleEdit) -> Conflict:
    """The refusal with its sentence, and what to do."""
    return Conflict(sentence(code), hint=remedy(code), reason=code)


# What may be proposed --------------------------------------------------------------------------


def checked_text(text: str) -> str:
    """The text as it may be in a file, or `Invalid`; nothing is cut or mended."""
    require_text(text)
    if len(text.encode()) > MOST_BYTES:
        raise Invalid(
            "That is more than a pack takes of one file.",
            hint="Split it into several files.",
            reason="too_large",
        )
    if says_the_tag(text):
        raise Invalid(
            "That is context which an agent was given, not something new.",
            hint="Propose what was learned, in words of its own.",
            reason="not_a_statement",
        )
    _check_head(text.removeprefix("\ufeff").split("\n"))
    return text


_KEY = re.compile(r"[A-Za-z_][\w .-]*:(\s.*)?|\s+.*|#.*|-\s.*|")


def _check_head(lines: list[str]) -> None:
    """Exactly one head or none: one that is never closed hides the file, a second one is read as
    text."""
    if lines[0].rstrip() != "---":
        return
    end = front_matter(lines)
    fields = [one.rstrip("\r") for one in lines[1:]]
    if not end:
        if len(fields) and _KEY.fullmatch(fields[0]) and fields[0].strip():
            raise _bad_head("The head of the file never ends.")
        return
    second = front_matter(lines[end:])
    inside = [one.rstrip() for one in lines[end + 1 : end + second - 1]]
    if second and inside and all(_KEY.fullmatch(one) for one in inside):
        raise _bad_head("The file would have two heads.")


def _bad_head(message: str) -> Invalid:
    return Invalid(message, hint="One block between two lines of ---.", reason="bad_head")


def with_ends_of(text: str, before: str) -> str:
    """The text with the line ends that all lines of the file have: they are no change."""
    if "\r" in text or before.count("\n") != before.count("\r\n") or "\n" not in before:
        return text
    return text.replace("\n", "\r\n")


def with_head_of(text: str, before: str) -> str:
    """The text behind the file's own head where it comes without one: whoever reads passages sees
    no head, and what they leave out isn't theirs to take away."""
    lines = before.split("\n")
    end = front_matter(lines)
    if not end or front_matter(text.split("\n")):
        return text
    return "\n".join((*lines[:end], text))
