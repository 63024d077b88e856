"""Presence: the app shows a code, a terminal types it, and counts as attended for a while.

What is shown, typed, refused and ended is in the record with its channel; never a code.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from lobes.access.facts import HOME
from lobes.domain.actors import name_of
from lobes.domain.errors import Conflict, Invalid, LobesError, NoPresence, PresenceWanted
from lobes.domain.presence import (
    CODE_DIGITS,
    CODE_HOLDS,
    LEAST_PASSPHRASE,
    PRESENT_FOR,
    Terminal,
    code_of,
    holds,
)
from lobes.services.authority import facts_for, no_presence, require
from lobes.services.installation import Caller, Installation
from lobes.store.presence import PresenceFile, Secret, SecretKind

# Interactive logins: about 0.1 s and 32 MB a guess, so that all codes take a core longer than a
# day, and each is void after minutes. https://www.rfc-editor.org/rfc/rfc7914
_N, _R, _P = 2**15, 8, 1
_MOST_MEMORY = 2 * 128 * _N * _R
_SALT_BYTES = 16

CodeState = Literal["holds", "used", "over", "replaced"]


@dataclass(frozen=True, slots=True)
class ShownCode:
    """A code as the app shows it; `mark` tells it from later ones without telling it."""

    digits: str
    until: datetime
    mark: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How a terminal stands: `until` is None where nobody has shown to be there."""

    asks: bool
    until: datetime | None
    has_passphrase: bool


# In the app --------------------------------------------------------------------------------------


def show_code(lobes: Installation, caller: Caller, *, asked: bool = True) -> ShownCode:
    """A new code, good once and for five minutes; the one before is void.

    `asked`: a person asked for it just now, so what was tried wrong before counts no longer. Raises
    `Conflict` (`asks_nobody`) in a home without presence.
    """
    _owner_there(lobes, caller)
    if lobes.presence == "off":
        raise asks_nobody()
    digits = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
    until = lobes.clock() + CODE_HOLDS
    secret = _hidden(digits, until)
    file = PresenceFile(lobes.folders.presence)
    file.put("code", secret)
    if asked:
        file.forgive()
        _audit(lobes, caller, "presence.code_shown", "owner")
    return ShownCode(digits, until, secret.hash)


def state_of(lobes: Installation, shown: ShownCode) -> CodeState:
    """What became of a code that is on the screen."""
    now = lobes.clock()
    stored = PresenceFile(lobes.folders.presence).get("code")
    if stored is None:
        return "used" if now < shown.until else "over"
    if stored.hash != shown.mark:
        return "replaced"
    return "holds" if now < shown.until else "over"


def hide_code(lobes: Installation, shown: ShownCode) -> None:
    """The code is void, unless another one has taken its place: the app that showed it ends."""
    PresenceFile(lobes.folders.presence).drop("code", only=shown.mark)


# In a terminal -----------------------------------------------------------------------------------


def attended_until(lobes: Installation, terminal: Terminal) -> datetime | None:
    """Until when somebody is known to be at this terminal; None for nobody, and where the file
    with the proofs can't be read."""
    try:
        until = PresenceFile(lobes.folders.presence).attended_until(terminal)
    except LobesError:
        return None
    return until if until is not None and holds(until, lobes.clock()) else None


def confirm(lobes: Installation, caller: Caller, terminal: Terminal, typed: str) -> datetime:
    """Take a code or the passphrase; until when the terminal counts as attended.

    Raises `NoPresence`: `wrong_code`, or `wait` after several wrong ones.
    """
    file = PresenceFile(lobes.folders.presence)
    now = lobes.clock()
    reserved = file.reserve(now)
    if reserved.until is not None:
        seconds = int((reserved.until - now).total_seconds()) + 1
        _audit(lobes, caller, "access.denied", "wait")
        raise NoPresence(
            f"Too many wrong codes; the next try is in {seconds} s.",
            hint="Or do it in the app.",
            reason="wait",
        )
    digits = code_of(typed)
    kind: SecretKind = "passphrase" if digits is None else "code"
    secret = reserved.secrets.get(kind)
    fits = _fits(typed if digits is None else digits, secret, now)
    if secret is not None and fits and file.was_right(kind, secret, terminal, now=now):
        _audit(lobes, caller, "presence.given", kind)
        return now + PRESENT_FOR
    file.was_wrong(reserved.secrets.get("code"))
    _audit(lobes, caller, "access.denied", "wrong_code")
    raise NoPresence(
        "That isn't the code.",
        hint="The app shows it: press : and choose the presence code.",
        reason="wrong_code",
    )


def nobody_there(lobes: Installation, caller: Caller, wanted: PresenceWanted) -> NoPresence:
    """The refusal of an act for which nobody showed to be there, once it is in the record."""
    lobes.audit.append(
        "access.denied",
        actor=name_of(caller.actor),
        verb=wanted.verb,
        resources=[wanted.resource],
        channel=caller.channel,
        correlation=caller.correlation,
        answer="no_presence",
    )
    return no_presence()


def forget(lobes: Installation, caller: Caller, terminal: Terminal | None) -> int:
    """End the presence of this terminal, or of all; how many counted as attended."""
    ended = PresenceFile(lobes.folders.presence).forget(terminal)
    if ended:
        _audit(lobes, caller, "presence.forgotten", "owner", terminals=ended)
    return ended


def standing(lobes: Installation, terminal: Terminal | None) -> Standing:
    """What `lobes presence` tells."""
    until = None if terminal is None else attended_until(lobes, terminal)
    phrase = PresenceFile(lobes.folders.presence).get("passphrase")
    return Standing(lobes.presence == "on", until, phrase is not None)


def may_set_passphrase(lobes: Installation, caller: Caller) -> None:
    """Raise unless this caller, present just now, may set the passphrase of the home."""
    _owner_there(lobes, caller)
    if lobes.presence == "off":
        raise asks_nobody()


def set_passphrase(lobes: Installation, caller: Caller, passphrase: str | None) -> None:
    """Set the passphrase, or none any more. Every terminal has to show its person anew."""
    may_set_passphrase(lobes, caller)
    file = PresenceFile(lobes.folders.presence)
    if passphrase is None:
        file.drop("passphrase")
    else:
        if len(passphrase) < LEAST_PASSPHRASE:
            raise Invalid(
                f"A passphrase has at least {LEAST_PASSPHRASE} characters.",
                hint="Take four words that nobody would guess.",
                reason="short_passphrase",
            )
        file.put("passphrase", _hidden(passphrase, None))
    file.forget()
    event = "presence.passphrase_removed" if passphrase is None else "presence.passphrase_set"
    _audit(lobes, caller, event, "owner")


def asks_nobody() -> Conflict:
    return Conflict(
        "This home was made without presence: it asks nobody.",
        hint="A home made by lobes init asks.",
        reason="asks_nobody",
    )


# ------------------------------------------------------------------------------------------------


def _owner_there(lobes: Installation, caller: Caller) -> None:
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    require(lobes, caller, "write_meta", HOME, facts=facts, human_only=True)


def _hidden(text: str, until: datetime | None) -> Secret:
    salt = secrets.token_bytes(_SALT_BYTES)
    return Secret(salt.hex(), _hash(text, salt).hex(), until)


def _fits(typed: str, secret: Secret | None, now: datetime) -> bool:
    """Whether it is what was stored; one that isn't there or is over takes as long."""
    stored = secret or Secret("00" * _SALT_BYTES, "")
    same = hmac.compare_digest(_hash(typed, bytes.fromhex(stored.salt)).hex(), stored.hash)
    is_live = secret is not None and (secret.until is None or now < secret.until)
    return same and is_live


def _hash(text: str, salt: bytes) -> bytes:
    word = text.encode("utf-8", "surrogateescape")
    return hashlib.scrypt(word, salt=salt, n=_N, r=_R, p=_P, maxmem=_MOST_MEMORY, dklen=32)


def _audit(lobes: Installation, caller: Caller, event: str, answer: str, **counts: int) -> None:
    lobes.audit.append(
        event,
        actor=name_of(caller.actor),
        verb="write_meta",
        resources=[str(HOME)],
        channel=caller.channel,
        correlation=caller.correlation,
        answer=answer,
        counts=counts,
    )
