"""Every text that comes in is looked at: what it says of itself and what is found in it.

The level that is stored never falls by a look; a person lowers it, with a reason
(`services.sensitivity`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lobes.classify import VERSION
from lobes.classify.masking import masked
from lobes.domain.errors import Invalid
from lobes.domain.front_matter import front_matter
from lobes.domain.memories import Memory, Provenance, statement_hash
from lobes.domain.regions import without_private
from lobes.domain.sensitivity import Finding, Level, effective, parse_level
from lobes.domain.spaces import check_words
from lobes.store.read_sensitivity import StoredSensitivity, sensitivities

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork

_LONG_WORD = re.compile(r"[\w+=.:-]{20}")
"""No token of a vendor is shorter; in a name nothing else tells a secret."""
_GIVEN = re.compile(r"sensitivity[ \t]*:[ \t]*(.*?)[ \t]*(?:#.*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Assessed:
    """What one look at a text gave."""

    given: Level | None
    findings: tuple[Finding, ...]


def assess(text: str) -> Assessed:
    from lobes.classify.scan import scan  # not before there is a text to look at

    return Assessed(given_level(text), scan(text))


@lru_cache(maxsize=50_000)
def names_a_secret(path: str) -> bool:
    """Whether there is a secret in the name of a file or of a folder above it. Names stand in lists
    and in answers as they are, so such a file isn't taken in."""
    if not _LONG_WORD.search(path):
        return False
    from lobes.classify.scan import scan

    return any(one.detector.is_secret for one in scan(path))


def as_kept(came: Provenance) -> Provenance:
    """What is kept of where a text comes from: how an agent's program calls itself is a text from
    outside like others."""
    return replace(came, client=program_told(came.client))


@lru_cache(maxsize=100)
def program_told(name: str) -> str:
    """How a program calls itself, without what is private or secret in it."""
    return masked(without_private(name)[0])


def check_typed(*, name: str | None = None, description: str | None = None) -> None:
    """`Invalid` (`bad_name`) where these can't be the words of a Space, or hold a secret: what a
    person types is refused for it, where what a file says is masked. None isn't looked at."""
    from lobes.classify.scan import scan

    check_words(name, description)
    for what, text in (("name", name), ("description", description)):
        if text and any(one.detector.is_secret for one in scan(text)):
            raise Invalid(
                f"There is a secret in the {what}.", hint="Leave it out.", reason="bad_name"
            )


def reworded(memory: Memory, text: str) -> Memory:
    """The memory with other words, looked at as every text that comes in."""
    look = assess(text)
    level = effective(
        memory.level, given=memory.given, findings=look.findings, setting=memory.setting
    )
    return replace(
        memory,
        statement=text,
        content_hash=statement_hash(text),
        level=level,
        findings=tuple(one.kept for one in look.findings),
        classifier=VERSION,
    )


def looked_at_anew(memory: Memory) -> Memory:
    """The memory as this classifier alone sees it; no level falls by that."""
    return reworded(memory, memory.statement)


def looked_at(memory: Memory) -> Memory:
    """The memory as this classifier sees it, for what is decided on it now: what an older one found
    counts too."""
    if memory.classifier == VERSION:
        return memory
    seen = looked_at_anew(memory)
    return replace(seen, findings=tuple(dict.fromkeys((*memory.findings, *seen.findings))))


def given_level(text: str) -> Level | None:
    """What the head of a file says (`sensitivity: restricted`), None where it says nothing.
    A word that is no level is meant to hide something: it counts as confidential."""
    if not text.startswith("---") or "ensitivity" not in text:
        return None
    lines = text.split("\n", 400)
    for line in lines[1 : front_matter(lines)]:
        if found := _GIVEN.fullmatch(line.rstrip("\r")):
            word = found[1].strip("'\"").casefold()
            return (parse_level(word) or "confidential") if word else None
    return None


def store_assessed(unit: UnitOfWork, assessed: Mapping[str, Assessed]) -> None:
    """Store what looks at documents (by id) gave, over what was known of them."""
    before = sensitivities(unit.reader, assessed)
    unit.sensitivities.put_all([_risen(id, look, before.get(id)) for id, look in assessed.items()])


def _risen(document: str, look: Assessed, before: StoredSensitivity | None) -> StoredSensitivity:
    level = effective(
        before.level if before else None,
        given=look.given,
        findings=look.findings,
        setting=before.setting if before else None,
    )
    kept = tuple(one.kept for one in look.findings)
    setting = before.setting if before else None
    return StoredSensitivity(document, level, look.given, kept, VERSION, setting)
