"""A person at the keyboard: what a terminal has to prove, how long that holds, and what a wrong
try costs.

A terminal proves nothing by itself, because any program can make one. What counts is a code that
only the running app shows, or the home's passphrase, typed in that very terminal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

CODE_DIGITS = 6
CODE_HOLDS = timedelta(minutes=5)
"""A code is good once, and no longer than this."""

PRESENT_FOR = timedelta(minutes=15)
"""How long a terminal needs no second proof."""

TRIES_A_CODE = 5
"""Wrong tries after which a code is void: five guesses of a million."""

LEAST_PASSPHRASE = 12
"""Characters of a passphrase at least; so it can't be taken for a code either."""

_FREE_TRIES = 3
_FIRST_WAIT = timedelta(seconds=5)
_LONGEST_WAIT = timedelta(minutes=15)
_SEPARATORS = re.compile(r"[ \t-]")


@dataclass(frozen=True, slots=True)
class Terminal:
    """One terminal in one login: the device, and its session's leader with the moment it started.

    Another window has another device and leader; a number given anew has another start. `started`
    names the boot as well, because both numbers begin again with it.
    """

    device: str
    leader: int
    started: str


def wait_after(wrong: int) -> timedelta:
    """How long nobody may try again after so many wrong tries in a row, in any process: nothing
    for three, then five seconds and twice as long each time, at most a quarter of an hour."""
    if wrong <= _FREE_TRIES:
        return timedelta(0)
    return min(_FIRST_WAIT * 2 ** min(wrong - _FREE_TRIES - 1, 20), _LONGEST_WAIT)


def holds(until: datetime, now: datetime) -> bool:
    """Whether a terminal's presence still counts; one that lies further ahead than any can be was
    written under another clock, and doesn't."""
    return now < until <= now + PRESENT_FOR


def code_of(typed: str) -> str | None:
    """The digits of what looks like a code, however it is grouped; None for anything else."""
    digits = _SEPARATORS.sub("", typed.strip())
    return digits if re.fullmatch(rf"[0-9]{{{CODE_DIGITS}}}", digits) else None
