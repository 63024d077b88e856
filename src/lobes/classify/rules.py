"""What a detector is made of, and when a match is a placeholder instead of a secret.

A rule is asked only where one of its gates, a literal in lower case, stands in the text, and where
as many digits follow each other as it needs: looking for literals is a hundred times faster than
matching, and most texts hold none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from lobes.domain.sensitivity import Detector

Holds = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """`group` is the part of a match that is the secret; `holds` has the last word on it.

    Where it `begins_at_gate`, only the gates' own places are tried. `is_token`: it is at least
    `TOKEN` characters without a sign between. `is_whole` is a token that no prose makes by chance,
    so it is looked for across soft line breaks and inside Base64 too.
    """

    detector: Detector
    gates: tuple[str, ...]
    pattern: str
    group: int = 0
    holds: Holds | None = None
    digits: int = 0
    begins_at_gate: bool = False
    is_token: bool = False
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A text with what the gates ask of it; `lowered` has a place for each of its characters."""

    text: str
    lowered: str
    digits: int
    """The longest run, as far as it is asked for; blanks, dots and hyphens don't end it."""
    tokens: str
    """What could be a token: the long words in lower case, line breaks aside."""
    is_mixed: bool
    """Whether one of them has capitals, small letters and digits, as Base64 has, or is as long as
    a token in hexadecimal."""


_WRAPPED = 32
"""Characters of Base64 between two signs, in a text long enough to hold a token."""
TOKEN = 20
"""Characters of the shortest token that is known by its shape: an AWS key id."""
_RUNS = (7, 8, 9, 10, 11, 14, 15)
_DIGITS = bytes(48 if 48 <= one <= 57 else 120 for one in range(256))
_HEX = b"0123456789abcdefABCDEF"
_TOKENS = bytes(one if bytes((one,)).isalnum() or one in b"+_-=.:" else 32 for one in range(256))


def read(text: str) -> Text:
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter whose lower case is two
        lowered = "".join(one.lower() if one.isascii() else one for one in text)
    raw = text.encode("utf-8", "replace")
    words = _long_words(raw)
    mixed = any(len(word) >= _WRAPPED and _is_mixed(word) for word in words)
    return Text(text, lowered, _longest_run(raw), b" ".join(words).lower().decode(), mixed)


_MARGIN = re.compile(rb"\n[ \t>]+")
"""What stands before a line's first word: it splits no token that goes on there."""


def _longest_run(raw: bytes) -> int:
    flat = raw.translate(_DIGITS, b" .-")
    longest = 0
    for run in _RUNS:
        if b"0" * run not in flat:
            break
        longest = run
    return longest


def _long_words(raw: bytes) -> list[bytes]:
    if b"\n " in raw or b"\n>" in raw or b"\n\t" in raw:
        raw = _MARGIN.sub(b"\n", raw)
    words = raw.translate(_TOKENS, b"\n\r\t\\>").split()
    return [word for word in words if len(word) >= TOKEN]


def _is_mixed(word: bytes) -> bool:
    letters = word.translate(None, b"+_-=.:")
    if len(letters) >= 2 * TOKEN and not letters.translate(None, _HEX):
        return True
    return not (letters.islower() or letters.isupper() or letters.isalpha() or letters.isdigit())


def applies(rule: Rule, text: Text) -> bool:
    """Whether the rule could find anything here."""
    if rule.digits > text.digits:
        return False
    where = text.tokens if rule.is_token else text.lowered
    return not rule.gates or any(gate in where for gate in rule.gates)


def matches(rule: Rule, text: Text) -> Iterator[re.Match[str]]:
    """What the rule finds, with the last word said."""
    pattern = _compiled(rule.pattern)
    if rule.begins_at_gate:
        found = _at_gates(rule.gates, pattern, text)
    elif rule.digits:
        found = _at_runs(rule.digits, pattern, text)
    else:
        found = pattern.finditer(text.text)
    for one in found:
        if rule.holds is None or rule.holds(one.group(rule.group)):
            yield one


# Of all patterns as few are made as the texts need: making all takes longer than a search.
_compiled = cache(re.compile)


def _at_gates(
    gates: tuple[str, ...], pattern: re.Pattern[str], text: Text
) -> Iterator[re.Match[str]]:
    for gate in gates:
        place = text.lowered.find(gate)
        while place >= 0:
            if found := pattern.match(text.text, place):
                yield found
            place = text.lowered.find(gate, place + 1)


_RUN = re.compile(r"[0-9](?:[ .-]?[0-9]){6,}")
_AROUND = 60
"""Characters about a run of digits in which its name, or the letters of an IBAN, may stand."""


def _at_runs(digits: int, pattern: re.Pattern[str], text: Text) -> Iterator[re.Match[str]]:
    for run in _RUN.finditer(text.text):
        start, end = run.span()
        if end - start >= digits:
            yield from pattern.finditer(text.text, max(0, start - _AROUND), end + _AROUND)


_PLACEHOLDER = re.compile(
    r"""(?ix)
      ^[<{$%\[(] | [>})\]]$ | \.\.\. | … | \*\*\* | x{5,} | (.)\1{7,}
    | example | sample | dummy | placeholder | redacted | hidden | insert | replace
    | your[-_ ]?(?:api|key|token|secret|pass|own) | my[-_]?(?:key|token|secret|pass(?:word)?)$
    | change[-_]?me | not[-_ ]?a[-_ ]?(?:real|secret) | ^!(?:vault|secret|ref|sub|env|include)\w*$
    | ^(?:none|null|true|false|undefined|todo|string|boolean|number|integer|bearer|required
        |optional|password|secret)$
    """
)
_WORDS = re.compile(r"(?:[^\W\d_]+|\d{1,4})(?:[-_./:+&]+(?:[^\W\d_]+|\d{1,4}))*(?:[\[(].*)?")
"""Words and small numbers with a sign between them: a name, a date, a phrase."""
_REFERENCE = re.compile(
    r"(?i)^(?:os\.|env|process\.|config|settings|vault|op://|file:|https?:|[~./\\])"
)


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret instead of being one."""
    return bool(_PLACEHOLDER.search(value))


def looks_random(value: str) -> bool:
    """Digits among letters: what a made token has, and a word or a name hasn't."""
    return (
        any(one.isdigit() for one in value)
        and any(one.isalpha() for one in value)
        and not is_placeholder(value)
    )


def is_written_out(value: str) -> bool:
    """Whether an assigned value is the password itself: no name, no path, no call, no variable."""
    if len(value) < 6 or is_placeholder(value) or _REFERENCE.search(value):
        return False
    return not _WORDS.fullmatch(value.rstrip(".,;:!?*_")) and not value.isdigit()


def is_quoted_password(value: str) -> bool:
    """In quotes a plain word may be the password too."""
    return len(value) >= 6 and not is_placeholder(value) and not _REFERENCE.search(value)
