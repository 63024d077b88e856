"""What holds a decision back, as facts of the item; and the words of rejecting.

A brake is never a matter of the face: the same item is braked in the TUI, the CLI and a batch.
"""

from __future__ import annotations

from typing import Literal, Protocol

from lobes.domain.display import is_hidden
from lobes.domain.errors import Conflict
from lobes.domain.memories import HIGH_CATEGORIES, Author, Wait
from lobes.domain.reasons import remedy, sentence
from lobes.domain.sensitivity import STAYS, Kept, Level

Brake = Literal[
    "conflict", "retires_yours", "replaces", "near_copy", "hidden", "confirm", "secret", "outside"
]
"""What keeps it out of a batch. Of one alone `conflict` and `retires_yours` ask for a choice
instead of an acceptance, `hidden`, `confirm` and `secret` for an explicit yes."""

CHOOSE: frozenset[Brake] = frozenset({"conflict", "retires_yours"})
CONFIRM: frozenset[Brake] = frozenset({"hidden", "confirm", "secret"})

Decides = Literal[
    "accept",
    "edit",
    "reject",
    "reopen",
    "merge",
    "supersede",
    "archive",
    "restore",
    "dispute",
    "settle",
    "recheck",
    "move",
    "delete",
    "promote",
]
"""What a person decides. `recheck`: it still holds; of a proposal: look at it against what there is
now. `move`: it was proposed in the wrong lobe, and waits in another one."""

BINDING: frozenset[Decides] = frozenset({"accept", "edit", "merge", "supersede", "dispute", "move"})
"""What approves a text, or where it goes, and so must carry the hash of what was shown."""

Stale = Literal[
    "target_changed",
    "duplicate_since",
    "over_limit",
    "space_gone",
    "suppressed_since",
    "conflict_since",
]
"""Why what was proposed can't be taken as it was proposed: found anew whenever it is opened and
once more when it is accepted."""

Held = Literal[
    "changed",
    "not_shown",
    "needs_choice",
    "needs_recheck",
    "needs_look",
    "needs_confirmation",
    "stays",
]
"""Why a decision on it isn't taken: by how it was asked for."""

REJECTIONS: dict[str, str] = {
    "wrong": "wrong",
    "not_worth_keeping": "not worth keeping",
    "too_vague": "too vague",
    "belongs_elsewhere": "belongs elsewhere",
    "secret_or_personal": "secret or personal",
}
"""Reasons of rejecting by their code; any other text is the person's own."""
USUAL_REJECTION = "not_worth_keeping"

_PLAIN = frozenset("\n\t")


def hidden_in(text: str) -> int:
    """How many characters of it a terminal wouldn't draw, or would obey."""
    if text.isascii() and text.isprintable():
        return 0
    return sum(is_hidden(char) for char in text if char not in _PLAIN)


class Weighed(Protocol):
    """What of a memory decides about its brakes."""

    @property
    def statement(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def waits_for(self) -> tuple[Wait, ...]: ...
    @property
    def category(self) -> str: ...
    @property
    def level(self) -> Level: ...
    @property
    def findings(self) -> tuple[Kept, ...]: ...
    @property
    def is_external(self) -> bool: ...


def brakes(memory: Weighed, replaces: Author | Literal[""] = "") -> tuple[Brake, ...]:
    """What holds accepting it back; `replaces` is who wrote what it says it would replace.

    What a person wrote is never retired by accepting something else: that takes `supersede`.
    """
    found: list[Brake] = []
    if "conflict" in memory.waits_for:
        found.append("conflict")
    if replaces:
        found.append("retires_yours" if replaces == "user" else "replaces")
    if "near_copy" in memory.waits_for:
        found.append("near_copy")
    if hidden_in(memory.statement) or hidden_in(memory.subject):
        found.append("hidden")
    if memory.category in HIGH_CATEGORIES or memory.level in STAYS:
        found.append("confirm")
    if "secret" in memory.waits_for or any(one.is_secret for one in memory.findings):
        found.append("secret")
    if memory.is_external or "outside" in memory.waits_for:
        found.append("outside")
    return tuple(found)


class Sensitive(Protocol):
    """What of a memory decides how far it may go."""

    @property
    def level(self) -> Level: ...
    @property
    def findings(self) -> tuple[Kept, ...]: ...


def is_held_here(memory: Sensitive) -> bool:
    """Whether it goes no further than where it is: restricted, confidential, or with a secret."""
    return memory.level in STAYS or any(one.is_secret for one in memory.findings)


def held(code: Stale | Held) -> Conflict:
    """The refusal with its sentence, and what to do."""
    return Conflict(sentence(code), hint=remedy(code), reason=code)


class NeedsChoice(Conflict):
    """Accepting it alone would be wrong; one of `options` can be decided instead."""

    def __init__(self, options: tuple[Decides, ...], code: Stale | Held = "needs_choice") -> None:
        super().__init__(sentence(code), hint=remedy(code), reason=code)
        self.options = options
