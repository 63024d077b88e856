"""Ids: slugs for persons, groups and Spaces; ULIDs for records; addresses for lobes.

Parsed strictly at the edge, so that two spellings never name one thing: no case folding, no
trimming, no width or number aliases.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from typing import Literal, NamedTuple, NewType, get_args

from lobes.domain.errors import Invalid

Slug = NewType("Slug", str)
Ulid = NewType("Ulid", str)
NewId = Callable[[], Ulid]

_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}", re.ASCII)
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", re.ASCII)
_TO_CROCKFORD = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

LobeKind = Literal["space", "personal", "team", "department", "organization", "guest"]
LOBE_KINDS: tuple[LobeKind, ...] = get_args(LobeKind)


def parse_slug(text: str, *, what: str = "id") -> Slug:
    """The slug, or `Invalid` with what a slug looks like."""
    if not _SLUG.fullmatch(text):
        raise Invalid(
            f"This is no {what}.",
            hint="Use 1 to 63 of a-z, 0-9, _ and -, starting with a letter or digit.",
            reason="bad_id",
        )
    return Slug(text)


def is_slug(text: object) -> bool:
    return isinstance(text, str) and _SLUG.fullmatch(text) is not None


def is_ulid(text: object) -> bool:
    return isinstance(text, str) and _ULID.fullmatch(text) is not None


class LobeAddress(NamedTuple):
    """`space/<id>`, `personal/<person>`, `team/<id>`, …, `guest/<share>`."""

    kind: LobeKind
    id: str

    @property
    def is_from_outside(self) -> bool:
        """Whether what it holds was written by nobody of this installation."""
        return self.kind == "guest"

    def __str__(self) -> str:
        return f"{self.kind}/{self.id}"


def parse_address(text: str) -> LobeAddress:
    """The lobe's address, or `Invalid`."""
    kind, _, name = text.partition("/")
    for known in LOBE_KINDS:
        if kind == known:
            fits = is_ulid(name) if known == "guest" else is_slug(name)
            if fits:
                return LobeAddress(known, name)
    raise Invalid("This is no lobe.", hint="Write space/<id> or personal/<id>.", reason="bad_id")


def derived_id(*parts: str) -> Ulid:
    """An id that is a pure function of `parts`: 128 bits of SHA-256 in the ULID alphabet.

    Lengths are hashed with the parts, so that ("ab", "c") and ("a", "bc") differ.
    """
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    # 20 bytes are 32 letters of five bits; the upper 32 bits are zero, so 26 letters hold all.
    letters = base64.b32encode(bytes(4) + digest.digest()[:16])[6:]
    return Ulid(letters.translate(_TO_CROCKFORD).decode("ascii"))
