"""What a person should look at twice in a memory: signals, by which nothing is ever decided alone.

Where a text comes from decides how far it is trusted; that it reads like an instruction only makes
it wait.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from lobes.domain.instructions import looks_like_instruction
from lobes.domain.memories import Memory, Wait
from lobes.domain.reviewing import hidden_in

Flag = Wait | Literal["ended", "not_yet", "hidden_characters", "reads_like_instruction"]

SENTENCES: dict[Flag, str] = {
    "asked": "It was proposed for a decision, not added.",
    "inferred": "An agent inferred it.",
    "imported": "It came with a file or an export.",
    "shared": "It came by a share.",
    "wider_scope": "It would be known more widely than where it was proposed.",
    "sensitive": "It's restricted or confidential.",
    "high_category": "Health, finance, identity, credentials and people always take your word.",
    "outside": (
        "It derives from a text from elsewhere, reads like an instruction or hides something."
    ),
    "secret": "There is a secret in it, masked wherever it's shown.",
    "conflict": "It contradicts another one, or says what was superseded.",
    "near_copy": "Another one says nearly the same, or an archived one just the same.",
    "replaces": "It would take the place of another one.",
    "policy": "The Space lets everything wait.",
    "unsealed": "It has no seal, and this home puts nothing in use without one.",
    "ended": "It holds no more: its end is past.",
    "not_yet": "It doesn't hold yet.",
    "hidden_characters": "There are characters in it that nobody sees.",
    "reads_like_instruction": "It speaks to an agent rather than of a thing.",
}


def flags(memory: Memory, *, now: datetime | None = None) -> tuple[Flag, ...]:
    """Why it waits, whether it holds `now` (where that is asked), what is odd about its text."""
    found: list[Flag] = list(memory.waits_for)
    if now is not None and not memory.holds_at(now):
        has_ended = memory.valid_to is not None and memory.valid_to <= now
        found.append("ended" if has_ended else "not_yet")
    if hides_something(memory):
        found.append("hidden_characters")
    if reads_like_instruction(memory):
        found.append("reads_like_instruction")
    return tuple(found)


def hides_something(memory: Memory) -> bool:
    """Whether there are characters in it, or in its subject, that nobody sees."""
    return bool(hidden_in(memory.statement) or hidden_in(memory.subject))


def reads_like_instruction(memory: Memory) -> bool:
    """Whether its statement, or its subject, which stands above it, speaks to an agent."""
    return looks_like_instruction(memory.statement) or looks_like_instruction(memory.subject)
