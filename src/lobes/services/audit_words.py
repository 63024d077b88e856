"""What a verdict on the audit means, in sentences: one table for all faces."""

from __future__ import annotations

from collections.abc import Mapping

from lobes.store.audit import Verdict

_KEEP = (
    "Keep a copy of audit.db and audit.head and compare them with a backup. "
    "lobes audit renew puts both aside and begins anew."
)
VERDICTS: Mapping[str, tuple[str, str]] = {
    "ok": ("The record is as it was written.", ""),
    "unsealed": ("The record is whole; its last rows came after its head was noted.", ""),
    "edited": ("A row was changed or taken out at row {seq}.", _KEEP),
    "reordered": ("Row {seq} belongs elsewhere: rows were swapped.", _KEEP),
    "rewritten": ("All rows fit together, but they aren't those that were written.", _KEEP),
    "truncated": ("The rows from {seq} on were cut off.", _KEEP),
    "empty": ("The record was emptied.", _KEEP),
    "head_missing": ("The copy of the head is gone, so a cut end would not show.", _KEEP),
    "seal_missing": ("The record was sealed before and isn't now: it may be another one.", _KEEP),
    "key_missing": ("The key that sealed the record is gone from the secret store.", _KEEP),
    "key_changed": ("The key in the secret store isn't the one that sealed the record.", _KEEP),
}
"""State → (sentence, hint)."""

SEALS: Mapping[str, str] = {
    "none": "It isn't sealed: somebody who rewrites it and its head together isn't found.",
    "unchecked": "It is sealed, but the key wasn't asked for or couldn't be had.",
    "whole": "Sealed up to row {to}.",
    "missing": "It carries no seal, though there is a key for one.",
    "broken": "The seal doesn't fit.",
    "no_key": "It carries a seal, and there is no key for it.",
    "lapsed": "The sealed row is older than what is kept, so its seal tells nothing any more.",
}


def verdict_words(verdict: Verdict) -> tuple[str, str]:
    """What was found, and what to do about it."""
    sentence, hint = VERDICTS[verdict.state]
    return sentence.format(seq=f"{verdict.seq:,}"), hint


def seal_words(verdict: Verdict) -> str:
    return SEALS[verdict.seal].format(to=f"{verdict.sealed_to:,}")
