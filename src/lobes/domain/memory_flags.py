"""What a person should look at twice in a memory: signals, by which nothing is ever decided alone.

Where a text comes from decides how far it is trusted; that it reads like an instruction only makes
it wait.
"""

from __future__ import annotations

import re
from typing import Literal

from lobes.domain.display import is_hidden
from lobes.domain.memories import Memory, Wait
from lobes.domain.reviewing import hidden_in

Flag = Wait | Literal["hidden_characters", "reads_like_instruction"]

SENTENCES: dict[Flag, str] = {
    "asked": "It was proposed for a decision, not added.",
    "inferred": "An agent inferred it.",
    "imported": "It came with a file or an export.",
    "shared": "It came by a share.",
    "wider_scope": "It would be known more widely than where it was proposed.",
    "sensitive": "It's restricted or confidential.",
    "high_category": "Health, finance, identity, credentials and people always take your word.",
    "outside": "It derives from a text from elsewhere, or reads like an instruction.",
    "secret": "There is a secret in it, masked wherever it's shown.",
    "conflict": "It contradicts another one, or says what was superseded.",
    "near_copy": "Another one says nearly the same, or an archived one just the same.",
    "replaces": "It would take the place of another one.",
    "policy": "The Space lets everything wait.",
    "unsealed": "It has no seal, and this home puts nothing in use without one.",
    "hidden_characters": "There are characters in it that nobody sees.",
    "reads_like_instruction": "It speaks to an agent rather than of a thing.",
}

_INSTRUCTION = re.compile(
    r"(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your)"
    r"\b.{0,40}\b(?:instruction|rule|prompt|message|guideline|polic)"
    r"|\b(?:call|use|invoke|run)\s+(?:the\s+)?\S{1,40}\s+tool\b"
    r"|\byou\s+(?:are|must)\s+now\b"
    r"|\b(?:system|developer)\s+(?:prompt|message)\b"
    r"|\b(?:send|post|upload|exfiltrate)\b.{0,80}\bhttps?://",
    re.IGNORECASE | re.DOTALL,
)


def flags(memory: Memory) -> tuple[Flag, ...]:
    """Why it waits, then what is odd about its text."""
    found: list[Flag] = list(memory.waits_for)
    if hidden_in(memory.statement):
        found.append("hidden_characters")
    if looks_like_instruction(memory.statement):
        found.append("reads_like_instruction")
    return tuple(found)


def looks_like_instruction(statement: str) -> bool:
    """Whether it speaks to an agent rather than of a thing."""
    seen = "".join(one for one in statement if one.isspace() or not is_hidden(one))
    return _INSTRUCTION.search(seen) is not None
