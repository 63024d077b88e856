"""A first guess at the kind of a statement, by words in it; a person has the last word."""

from __future__ import annotations

import re

from lobes.domain.memories import Kind

_LOOKED_AT = 400
"""Characters in which the words must stand."""

_WORDS: dict[Kind, str] = {
    "decision": r"\b(?:decided|decision|we chose|agreed to|settled on)\b",
    "preference": r"\b(?:prefers?|preferences?|(?:dis)?likes?|loves?|hates?|favou?rite"
    r"|wants? (?:me|you) to|would rather)\b",
    "error_fix": r"\b(?:fix(?:ed|es)? (?:by|with|for)|work-?around|root cause"
    r"|fails? (?:with|unless|when)|errors? (?:when|if|means))\b",
    "command": r"^(?:run|execute)\b|^`[a-z.][^`]*`\s*(?:[-–—:#]|$)"
    r"|^`(?:\./|make|npm|pnpm|yarn|uv|pip|cargo|go|git|docker|pytest|bun)\b",
    "pattern": r"^(?:always|never|do not|don't|must|use|avoid|keep|write|make sure|ensure|follow"
    r"|when)\b|\b(?:must|never|always|should)\b",
}
_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(words, re.IGNORECASE)) for kind, words in _WORDS.items()
)
_COMMANDS = re.compile(r"\bcommands?\b", re.IGNORECASE)


def kind_of(text: str, *, about: str = "", otherwise: Kind = "context") -> Kind:
    """The kind by the statement's words, by what it is about, or `otherwise`."""
    begin = text[:_LOOKED_AT]
    for kind, pattern in _PATTERNS:
        if pattern.search(begin):
            return kind
    return "command" if _COMMANDS.search(about) else otherwise
