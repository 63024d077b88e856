"""One look at one text: every hit, with its place, in the order of the text.

A text is read with hidden characters and without them; shapes that no prose takes by chance are
looked for across soft line breaks, and inside Base64, too. No hit's text leaves here: only its
place and its mark.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterable

from lobes.classify import personal, secrets
from lobes.classify.folding import joined, seen
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
_WRAPPED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{40,4000}={0,2}(?![A-Za-z0-9+/_-])")

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
    spans = _spans(known, [*plugin_rules(known), *(one for one in _OWN if applies(one, known))])
    if _may_hold(known):
        spans += _across_breaks(text, spans)
    return spans + _wrapped(text) if known.is_mixed else spans


def _spans(text: Text, rules: Iterable[Rule]) -> list[Span]:
    return [
        (*found.span(rule.group), rule.detector) for rule in rules for found in matches(rule, text)
    ]


def _whole_in(text: str) -> list[Span]:
    """Whole tokens alone."""
    known = read(text)
    own = [one for one in _OWN if one.is_whole and applies(one, known)]
    return _spans(known, [*(one for one in plugin_rules(known) if one.is_whole), *own])


def _across_breaks(text: str, plain: list[Span]) -> list[Span]:
    """Whole tokens that soft line breaks split. A token that is whole already goes on in the next
    line only where that goes on like a token."""
    flat = joined(text)
    found: list[Span] = []
    for start, end, detector in _whole_in(flat.text):
        if flat.bridges(start, end):
            begin, stop = flat.origin(start, end)
            known = [one for one in plain if one[0] < stop and begin < one[1]]
            tail = text[known[-1][1] : stop] if known else "0"
            if any(one.isdigit() for one in tail):
                found.append((begin, stop, detector))
    return found


def _wrapped(text: str) -> list[Span]:
    """Base64 with a whole token in it."""
    return [
        (*wrapped.span(), detector)
        for wrapped in _WRAPPED.finditer(text)
        if (inner := _decoded(wrapped.group()))
        for _, _, detector in _whole_in(inner)[:1]
    ]


def _may_hold(text: Text) -> bool:
    return any(gate in text.tokens for gate in _WHOLE_GATES)


def _decoded(text: str) -> str:
    """The ASCII text that this is the Base64 of, or ""."""
    try:
        padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
        inner = base64.b64decode(padded, altchars=b"-_" if "-" in text or "_" in text else None)
        return inner.decode("ascii")
    except (binascii.Error, ValueError):
        return ""


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
