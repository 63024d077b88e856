"""Secrets: a value that never shows itself, and the port to the system's store of secrets.

A store answers with a state, never with an exception: `ready` it answered; `locked` it wants to be
unlocked and wasn't; `unavailable` there is none, or it didn't answer; `refused` what is there keeps
secrets in the open or not at all, so nothing is written into it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn, Protocol

SecretState = Literal["ready", "locked", "unavailable", "refused"]
SECRET_BYTES = 32
"""What a store is asked to keep: seeds and keys. Windows takes no more than 2.5 KB anyway."""


class Secret:
    """Bytes that no repr, log, traceback or pickle shows; `reveal` is the only way to them."""

    __slots__ = ("_bytes",)

    def __init__(self, value: bytes) -> None:
        self._bytes = value

    def reveal(self) -> bytes:
        return self._bytes

    def fingerprint(self) -> str:
        """Which secret it is, for a place outside the store: tells nothing of the secret."""
        return hmac.new(self._bytes, b"lobes fingerprint 1", hashlib.sha256).hexdigest()[:32]

    def __repr__(self) -> str:
        return "<secret>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._bytes, other._bytes)

    def __hash__(self) -> int:
        raise TypeError("a secret is no key of a table")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret isn't written anywhere")


@dataclass(frozen=True, slots=True)
class Answer:
    """What the store said.

    `secret` is None where none is kept under that name (state `ready`) or where it can't be told.
    `backend` is what was asked, "" for none; `ignored` are others that are installed and are never
    asked. `cause` is the code of a sentence in `CAUSES`.
    """

    state: SecretState
    secret: Secret | None = None
    backend: str = ""
    ignored: tuple[str, ...] = ()
    cause: str = ""

    @property
    def sentence(self) -> str:
        """What happened, in one sentence."""
        text = CAUSES.get(self.cause, CAUSES[self.state])[0]
        names = ", ".join((self.backend,) if self.backend else self.ignored)
        return text.format(names=names)

    @property
    def hint(self) -> str:
        """What to do about it; "" where nothing is to be done."""
        return CAUSES.get(self.cause, CAUSES[self.state])[1]


_GOES_ON = "Everything that needs no secret goes on."
CAUSES: Mapping[str, tuple[str, str]] = {
    "ready": ("Secrets are kept in {names}.", ""),
    "locked": (
        "The secret store is locked.",
        "Unlock it, as at logging in, then try again; nothing asks again by itself.",
    ),
    "unavailable": (
        "There is no secret store here that Lobes uses.",
        f"Start the desktop's keyring, or log in there. {_GOES_ON}",
    ),
    "refused": (
        "What keeps secrets here isn't used, as it keeps them in the open or not at all: {names}.",
        f"Start the desktop's keyring, or remove that one. {_GOES_ON}",
    ),
    "no_answer": (
        "The secret store didn't answer in time.",
        f"See whether a window waits to be answered, then try again. {_GOES_ON}",
    ),
    "not_kept": (
        "The secret store didn't give back what it was given: {names}.",
        f"Nothing relies on it now. See whether another program changes it. {_GOES_ON}",
    ),
    "turned_off": (
        "The secret store is turned off, by your keyring's configuration: {names}.",
        f"Take that out of it to use one. {_GOES_ON}",
    ),
    "setting": (
        "The secret store is turned off in the settings.",
        'Write secret_store = "system" into lobes.toml; lobes config path says where it is.',
    ),
    "failed": (
        "The secret store failed: {names}.",
        f"See what its own program says of it. {_GOES_ON}",
    ),
}
"""State or cause → (sentence, hint)."""


class SecretStore(Protocol):
    """The system's store of secrets. Each call may take seconds: never on the screen's thread.

    `patient`: a person asked for it just now, so there is time to unlock, and an answer that was
    not `ready` before is asked for again; else it is repeated without asking anybody.
    """

    def status(self, *, patient: bool = False) -> Answer:
        """Which back end would be asked; reads no secret."""
        ...

    def get(self, account: str, *, patient: bool = False) -> Answer: ...

    def put(self, account: str, secret: Secret, *, patient: bool = False) -> Answer:
        """Keep it, then read it back through another process; `refused` where another came back."""
        ...

    def delete(self, account: str, *, patient: bool = False) -> Answer: ...

    def close(self) -> None:
        """End a call that is under way; its answer is `unavailable`."""
        ...


class NoSecretStore:
    """The store of whoever turned it off in the settings: nobody is asked."""

    def status(self, *, patient: bool = False) -> Answer:
        return Answer("unavailable", cause="setting")

    def get(self, account: str, *, patient: bool = False) -> Answer:
        return self.status()

    def put(self, account: str, secret: Secret, *, patient: bool = False) -> Answer:
        return self.status()

    def delete(self, account: str, *, patient: bool = False) -> Answer:
        return self.status()

    def close(self) -> None:
        return
