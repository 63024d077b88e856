"""One look at one text: every hit, with its place, in the order of the text.

A text is read with hidden characters and without them; shapes that no prose takes by chance are
looked for across soft line breaks, in other spellings of their signs, and inside Base64 and
hexadecimal, too. No hit's text leaves here: only its place and its mark.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable

from lobes.classify import personal, secrets
from lobes.classify.folding import Folded, joined, plain, rejoined, seen
from lobes.classify.rules import Rule, Text, applies, matches, read
from lobes.classify.vendors import PLUGINS, plugin_rules
from lobes.domain.sensitivity import Detector, Finding

MOST = 200
"""Findings kept of one text; its level is the same with more."""
_MARK = 12

_OWN = (*secrets.RULES, *personal.RULES)
_WHOLE_GATES = tuple(
    dict.fromkeys(gate for one in (*_OWN, *PLUGINS) if one.is_whole for gate in one.gates)
)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{40,16000}={0,2}(?![A-Za-z0-9+/_-])")
_HEX = re.compile(r"(?<![A-Za-z0-9])(?:[0-9a-fA-F]{2}){20,8000}(?![A-Za-z0-9])")
_READABLE = re.compile(rb"[ -~]{20}")
_BEGINS = 4
"""Lines that are tried as the first of a wrapped text: the word before may run into it."""

_LAYERS = 3
"""Encodings in one another that are opened: each costs some two and a half times as much as the one
around it, so without an end a few thousand characters would keep whoever looks for seconds."""

Span = tuple[int, int, Detector]


def scan(text: str) -> tuple[Finding, ...]:
    """What the text holds, in its order; where two hits overlap, the one that begins first."""
    if not text:
        return ()
    folded = seen(text)
    spans = [(*folded.origin(start, end), one) for start, end, one in _all_spans(folded.text)]
    if folded.text != text:
        # What nobody sees also ends a token that goes on in the folded text.
        spans += _all_spans(text)
    return tuple(_finding(text, one) for one in _apart(spans)[:MOST])


def _all_spans(text: str) -> list[Span]:
    known = read(text)
    found = _spans(known, [*plugin_rules(known), *(one for one in _OWN if applies(one, known))])
    found += _out_of_sight(known, found)
    other = plain(text)
    if other.text != text:
        found += [(*other.origin(start, end), one) for start, end, one in _tokens(other.text)]
    return found


def _tokens(text: str, layers: int = _LAYERS) -> list[Span]:
    """Whole tokens, wherever they are."""
    known = read(text)
    found = _whole_in(known)
    return found + _out_of_sight(known, found, layers)


def _out_of_sight(known: Text, found: list[Span], layers: int = _LAYERS) -> list[Span]:
    """Whole tokens that nobody reads as they stand there, beside those `found`."""
    may_hold = any(gate in known.tokens for gate in _WHOLE_GATES)
    may_wrap = known.is_mixed and layers > 0
    if not may_hold and not may_wrap:
        return []
    flat = joined(known.text)
    spans = _wrapped(flat, layers - 1) if may_wrap else []
    if may_hold:
        spans += _across_breaks(known.text, flat, found)
        whole = rejoined(known.text)
        if whole.text != known.text:
            spans += _across_breaks(known.text, whole, found)
    return spans


def _spans(text: Text, rules: Iterable[Rule]) -> list[Span]:
    return [
        (*found.span(rule.group), rule.detector) for rule in rules for found in matches(rule, text)
    ]


def _whole_in(known: Text) -> list[Span]:
    """Whole tokens alone."""
    own = [one for one in _OWN if one.is_whole and applies(one, known)]
    return _spans(known, [*(one for one in plugin_rules(known) if one.is_whole), *own])


def _across_breaks(text: str, flat: Folded, found: list[Span]) -> list[Span]:
    """Whole tokens that soft line breaks split. A token that is whole already goes on in the next
    line only where that goes on like a token."""
    spans: list[Span] = []
    for start, end, detector in _whole_in(read(flat.text)):
        if flat.bridges(start, end):
            begin, stop = flat.origin(start, end)
            known = [one for one in found if one[0] < stop and begin < one[1]]
            tail = text[known[-1][1] : stop] if known else "0"
            if any(one.isdigit() for one in tail):
                spans.append((begin, stop, detector))
    return spans


def _wrapped(flat: Folded, layers: int) -> list[Span]:
    """Base64 and hexadecimal with a whole token in it, in one line or in several; `layers` more
    are opened in there."""
    spans: list[Span] = []
    for pattern, read_back in ((_BASE64, _from_base64), (_HEX, _from_hex)):
        for run in pattern.finditer(flat.text):
            for begin in (run.start(), *flat.cuts_in(*run.span()))[:_BEGINS]:
                if inside := _token_inside(read_back(flat.text[begin : run.end()]), layers):
                    spans.append((*flat.origin(begin, run.end()), inside))
                    break
    return spans


def _token_inside(content: bytes, layers: int) -> Detector | None:
    found = _tokens(content.decode("latin-1"), layers) if _READABLE.search(content) else []
    return found[0][2] if found else None


def _from_base64(text: str) -> bytes:
    """The content; what the last characters lack of a whole byte is left out."""
    body = text.rstrip("=").replace("-", "+").replace("_", "/")
    size = len(body) - (len(body) % 4 == 1)
    return base64.b64decode(body[:size] + "=" * (-size % 4))


def _from_hex(text: str) -> bytes:
    return bytes.fromhex(text[: len(text) // 2 * 2])


def _apart(spans: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for one in sorted(spans, key=_first):
        if not kept or one[0] >= kept[-1][1]:
            kept.append(one)
        elif one[1] > kept[-1][1]:
            kept[-1] = (kept[-1][0], one[1], _of_both(kept[-1][2], one[2]))
    return kept


_first: Callable[[Span], tuple[int, int]] = lambda span: (span[0], -span[1])  # noqa: E731


def _of_both(one: Detector, other: Detector) -> Detector:
    """Of two hits that run into each other: a secret before what is none."""
    return other if other.is_secret and not one.is_secret else one


def _finding(text: str, span: Span) -> Finding:
    start, end, detector = span
    digest = hashlib.sha256(text[start:end].encode("utf-8", "surrogatepass")).hexdigest()
    first = text.count("\n", 0, start) + 1
    return Finding(
        detector, start, end, first, first + text.count("\n", start, end), digest[:_MARK]
    )
