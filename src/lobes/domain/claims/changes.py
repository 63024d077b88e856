"""What a text says of a change: that what was so before isn't any longer, or since when it is so.

Then the new claim succeeds the old one; the old one was right in its time.
"""

from __future__ import annotations

import re

from lobes.domain.claims.lexicon import wordset

CHANGES = wordset(
    """
    now today longer anymore previously formerly currently nowadays
    raised raise increased increase decreased reduced lowered cut extended shortened relaxed
    changed upgraded updated bumped scaled moved migrated switched converted replaced renamed
    effective starting beginning forward
    seit ab nun inzwischen jetzt nunmehr desde ya ahora depuis désormais maintenant plus теперь
    """
)
"""Words of the change itself: no content of the claim."""

_DATED = (
    r"(?:(?:the\s+)?(?:start|beginning|end|middle)\s+of\s+)?"
    r"(?:v?\d|january|february|march|april|may\b|june|july|august|september|october|november"
    r"|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|next\b|this\b|last\b|q[1-4]"
    r"|version|release|spring|summer|autumn|winter"
    r"|(?:the|our|my)\s+(?:[\w.-]+\s+){0,3}?(?:release|version|migration|rollover|upgrade|update|move"
    r"|switch|change|launch|merge|reorganisation|reorganization|refactoring|rewrite|list|year"
    r"|audit|incident|outage|review|merger|acquisition|redesign|accident|surgery|operation|birth)\b)"
)
_STRONG = re.compile(
    r"\bno longer\b|\b(?:any ?more)\b|\bnot any longer\b|\bused to (?!\w+ing)|\bpreviously\b"
    r"|\bformerly\b|\bfrom now on\b|\bfrom today\b|\bgoing forward\b|\buntil (?:recently|then|\d)"
    r"|\b(?:is|are) (?:now )?(?:replaced|retired|deprecated|discontinued|phased out)\b"
    r"|\b(?:has|have|had|was|were|been|we|i|i've|we've|got)\s+(?:\w+\s+)?"
    r"(?:replaced|moved|migrated|switched|upgraded|updated|bumped|raised|increased|decreased|reduced"
    r"|lowered|cut|extended|shortened|relaxed|scaled|renamed|converted|retired|deprecated|discontinued"
    r"|phased out|dropped|sold|left|changed|healed|repainted)\b"
    r"|\breplaced (?:it|them|by|with)\b|\b(?:switched|moved|migrated) off\b"
    r"|\bnicht mehr\b|\bkeine? \w+ mehr\b|\bya no\b|\bne\b.{1,30}\bplus\b|\bbольше не\b|不再"
)
_DATE = re.compile(
    rf"\b(?:since|as of|as from|from|starting|starting (?:with|in|from|on)|beginning (?:with|in|on)"
    rf"|effective(?: from)?)\s+(?:on\s+)?{_DATED}"
    r"|\b(?:seit|ab)\s+(?:dem\s+)?(?:\d|[a-zä]+(?:uar|rz|ril|ai|ni|li|ust|ber)\b)"
    r"|\bdesde\s+(?:el\s+)?(?:\d|[a-z]+(?:ero|zo|ril|yo|nio|lio|sto|bre)\b)"
    r"|\bdepuis\s+(?:le\s+)?(?:\d|janvier|mars|avril|mai|juin|juillet)|\bс \d"
)
_NOW = re.compile(
    r"\b(?:now|nowadays|currently|today|these days|again|nun|jetzt|inzwischen|ahora"
    r"|maintenant|désormais)\b|теперь|现在"
)


def strength(text: str) -> int:
    """3 where a change is told, 2 where the claim holds since a date or a version, 1 where it is
    said to hold now, 0 where nothing is said. `text` is canonical and unquoted."""
    folded = text.casefold()
    if _STRONG.search(folded):
        return 3
    if _DATE.search(folded.rstrip(" .!")):
        return 2
    return 1 if _NOW.search(folded) else 0


def told(text: str) -> tuple[tuple[int, int], ...]:
    """The places that say so, for the eye of whoever decides."""
    folded = text.casefold()
    if len(folded) != len(text):
        return ()
    found = (one.search(folded) for one in (_STRONG, _DATE, _NOW))
    return next(((one.span(),) for one in found if one), ())
