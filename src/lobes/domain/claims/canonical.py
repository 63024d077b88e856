"""One spelling of a statement, so that what looks alike is alike: NFC, nothing hidden, one blank.

The hash of it, with the case folded, is what "an exact repeat" means. Every place in the canonical
text leads back to the text as it was written, so that a face can mark what decided.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from lobes.domain.display import is_hidden

READ = 4_000
"""Characters of a statement that are compared; the hash is of the whole."""

_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "‟": '"'})


@dataclass(frozen=True, slots=True)
class Canonical:
    """`origins` has the place in the written text of each character; None where nothing moved."""

    text: str
    origins: tuple[int, ...] | None
    length: int

    def written(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters `start` up to `end` were written."""
        if self.origins is None or start >= end:
            return start, end
        last = end if end < len(self.origins) else None
        return self.origins[start], self.length if last is None else self.origins[last]


def canonical(statement: str, *, limit: int = READ) -> Canonical:
    """The first `limit` characters of `statement` in one spelling; total."""
    taken = statement[:limit]
    if taken.isascii() and taken.isprintable() and "  " not in taken:
        return Canonical(taken, None, len(taken))
    letters: list[str] = []
    origins: list[int] = []
    for start, piece in _pieces(taken):
        for char in unicodedata.normalize("NFC", piece).translate(_QUOTES):
            if char.isspace():
                if letters and letters[-1] == " ":
                    continue
                letters.append(" ")
                origins.append(start)
            elif not is_hidden(char):
                letters.append(char)
                origins.append(start)
    return Canonical("".join(letters), tuple(origins), len(taken))


def content_hash(statement: str) -> str:
    """`sha256:…` of the statement; the same for what differs in case, white space, hidden
    characters, the form of quotes, the composition of accents, or a full stop at the end."""
    text = statement
    if not (text.isascii() and text.isprintable()):
        seen = (char for char in text if char.isspace() or not is_hidden(char))
        text = unicodedata.normalize("NFC", "".join(seen)).translate(_QUOTES)
    folded = unicodedata.normalize("NFC", text.casefold())
    plain = _SPACES.sub(" ", folded).strip().rstrip(".").rstrip()
    return f"sha256:{hashlib.sha256(plain.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """A letter with all that may be composed with it, and where it starts."""
    start = 0
    for at in range(1, len(text)):
        if not _continues(text[at]):
            yield start, text[start:at]
            start = at
    if text:
        yield start, text[start:]


def _continues(char: str) -> bool:
    # Hangul vowels and final consonants are composed though their combining class is 0.
    return char > "\u02ff" and (
        unicodedata.combining(char) > 0 or "\u1160" <= char <= "\u11ff" or is_hidden(char)
    )
