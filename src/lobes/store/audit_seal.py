"""The seal of the audit: a MAC over the head, with a key that lies in the secret store.

Whoever rewrites the whole chain can make everything fit but this. It speaks for all rows up to the
one that was sealed; a process without the key appends behind it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from lobes.domain.secrets import Secret
from lobes.store.audit_chain import Anchor, SealState, Verdict, Walk

_LABEL = "lobes audit seal 1"


@dataclass(frozen=True, slots=True)
class Seal:
    """`rows` counts every row that was ever written; `key` tells which key made the MAC."""

    seq: int
    hash: str
    rows: int
    anchor_seq: int
    anchor_hash: str
    at: str
    key: str
    mac: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """What the secret store said: `secret` is None where it keeps none; `asked` is False where
    nobody asked, or it didn't tell."""

    secret: Secret | None = None
    asked: bool = False


UNASKED = Key()


def made(seal: Seal, key: Secret) -> Seal:
    """The seal with its MAC."""
    return replace(seal, mac=_mac(seal, key))


def _mac(seal: Seal, key: Secret) -> str:
    parts = (
        _LABEL,
        str(seal.seq),
        seal.hash,
        str(seal.rows),
        str(seal.anchor_seq),
        seal.anchor_hash,
        seal.at,
        seal.key,
    )
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hmac.new(key.reveal(), text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def to_json(seal: Seal | None) -> dict[str, Any]:
    return {} if seal is None else {"seal": asdict(seal)}


def from_json(data: Mapping[str, Any]) -> Seal | None:
    """The seal in the head file; one that can't be read is none. Raises nothing."""
    found = data.get("seal")
    if not isinstance(found, dict):
        return None
    read = cast("dict[str, Any]", found)
    try:
        return Seal(
            seq=int(read["seq"]),
            hash=str(read["hash"]),
            rows=int(read["rows"]),
            anchor_seq=int(read["anchor_seq"]),
            anchor_hash=str(read["anchor_hash"]),
            at=str(read["at"]),
            key=str(read["key"]),
            mac=str(read["mac"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def is_ours(seal: Seal, key: Secret) -> bool:
    return hmac.compare_digest(seal.mac.encode("utf-8", "surrogatepass"), _mac(seal, key).encode())


def sealed(
    verdict: Verdict, walked: Walk, seal: Seal | None, key: Key, *, anchor: Anchor, cut: str
) -> Verdict:
    """The verdict with what the seal adds. `cut` is the time before which retention takes rows."""
    if not key.asked or key.secret is None or seal is None:
        return _without(verdict, seal, key)
    if seal.key != key.secret.fingerprint():
        return _worse(verdict, "key_changed", "broken")
    if not is_ours(seal, key.secret):
        return _worse(verdict, "rewritten", "broken", anchor.seq + 1)
    if seal.seq > walked.last and verdict.is_whole:
        state = "truncated" if walked.rows else "empty"
        return Verdict(state, walked.rows, walked.last + 1, "broken")
    if not verdict.is_whole:
        return replace(verdict, seal="broken")
    state = _standing(walked, seal, anchor=anchor, cut=cut)
    if state == "broken":
        return _worse(verdict, "rewritten", "broken", anchor.seq + 1)
    return replace(verdict, seal=state, sealed_to=seal.seq, sealed_at=seal.at)


def _without(verdict: Verdict, seal: Seal | None, key: Key) -> Verdict:
    if not key.asked:
        return replace(verdict, seal="unchecked" if seal else "none")
    if key.secret is None:
        return _worse(verdict, "key_missing", "no_key") if seal else replace(verdict, seal="none")
    if not verdict.rows:
        return _worse(verdict, "empty", "missing", 1)
    return _worse(verdict, "seal_missing", "missing")


def _worse(verdict: Verdict, state: Any, seal: SealState, seq: int = 0) -> Verdict:
    """What the chain itself tells goes before: it names the row."""
    if not verdict.is_whole:
        return replace(verdict, seal=seal)
    return replace(verdict, state=state, seal=seal, seq=seq)


def _standing(walked: Walk, seal: Seal, *, anchor: Anchor, cut: str) -> SealState:
    """Whether the rows are those that were sealed. Rows before the anchor can have gone rightly
    only after the seal was made, and the sealed row itself only when it was old enough."""
    if anchor.seq < seal.anchor_seq:
        return "broken"
    if anchor.seq == seal.anchor_seq and anchor.hash != seal.anchor_hash:
        return "broken"
    if seal.seq < anchor.seq:
        return "lapsed" if seal.at < cut else "broken"
    there = anchor.hash if seal.seq == anchor.seq else walked.hashes.get(seal.seq)
    counted = anchor.rows + seal.seq - anchor.seq
    return "whole" if there == seal.hash and counted == seal.rows else "broken"
