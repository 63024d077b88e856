"""The keys of a home, under which name the secret store has them; that of the audit's seal.

It is asked for once a process, made once a home, never made again. A name follows from the home
itself, so that neither the audit nor the copy of its head says whether there should be one.
"""

from __future__ import annotations

import hashlib
import os
from typing import Literal

from lobes.domain.secrets import SECRET_BYTES, Answer, Secret
from lobes.services.installation import Installation
from lobes.store import read
from lobes.store.audit import Key

Asking = Literal["person", "once", "never"]
"""`person` wants to know now, and unlocks what is locked; `once`: ask, unless the answer was no
before; `never`: what the chain itself tells is enough."""


def seal_key(lobes: Installation, *, asking: Asking) -> Key:
    """The key as the secret store tells it; unasked where it can't be had."""
    if asking == "never":
        return Key()
    return _told(lobes.secrets().get(account_of(lobes, "audit-seal"), patient=asking == "person"))


def new_key(lobes: Installation) -> Key:
    """A key for a home that never had one, kept and read back."""
    return _told(
        lobes.secrets().put(account_of(lobes, "audit-seal"), Secret(os.urandom(SECRET_BYTES)))
    )


def _told(said: Answer) -> Key:
    return Key(said.secret, asked=said.state == "ready")


def account_of(lobes: Installation, what: Literal["audit-seal", "memory-seal"]) -> str:
    """The name of this key: the same wherever the home is moved, and after a backup is put back."""
    with lobes.reading() as store:
        made = read.home_made(store)
    name = f"{lobes.owner}\n{made}"
    return f"{what}/{hashlib.sha256(name.encode()).hexdigest()[:32]}"
