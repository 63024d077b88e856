"""A claim read once, to be compared with many: first its words, then what its clauses say."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from lobes.domain.claims import changes
from lobes.domain.claims.canonical import Canonical, canonical, content_hash
from lobes.domain.claims.claim import Claim
from lobes.domain.claims.clauses import Clause, clauses, unquoted
from lobes.domain.claims.forms import Word, stem
from lobes.domain.claims.kept import Kept
from lobes.domain.claims.lexicon import CHOICES, OLD, POLES, TURNS
from lobes.domain.claims.words import content, named, words

_WEIGHTY = frozenset(
    stem(word) for rows in (*TURNS, *POLES) for row in rows[1:] for word in row.split()
).union(OLD, *CHOICES)
_SILENT_KINDS = frozenset({"question"})
"""Kinds that assert nothing."""

_CHARACTERS = 400_000
"""Of statements that stay read: of a lobe's neighbours the same ones come again and again. Some 90
bytes each, so 36 MB at most; short statements of 5,000 memories."""


@dataclass(frozen=True, slots=True)
class Skim:
    """The words of a claim: a third of the time that reading it takes."""

    hash: str
    text: Canonical
    spoken: list[Word]
    content: frozenset[str]
    named: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the clauses of a claim say, and how clearly it tells of a change."""

    claim: Claim
    skim: Skim
    clauses: tuple[Clause, ...]
    change: int
    senses: frozenset[Hashable]


def skim(claim: Claim) -> Skim:
    """The claim as words; total, and linear in the length up to what is read."""
    return _skimmed(claim.statement)


def _skim(statement: str) -> Skim:
    text = canonical(statement)
    spoken = words(text.text)
    return Skim(content_hash(statement), text, spoken, content(spoken), named(spoken))


_skimmed = Kept(_skim, most=_CHARACTERS)


def read(claim: Claim, skimmed: Skim | None = None) -> Reading:
    """The claim as clauses; `skimmed` are its words, where known. Total and linear, too."""
    said, change, senses = _understood(claim.statement)
    if claim.kind in _SILENT_KINDS:
        said, senses = (), frozenset[Hashable]()
    return Reading(claim, skimmed or skim(claim), said, change, senses)


def _understand(statement: str) -> tuple[tuple[Clause, ...], int, frozenset[Hashable]]:
    seen = _skimmed(statement)
    plain = unquoted(seen.text.text)
    spoken = seen.spoken if plain == seen.text.text else words(plain)
    found = clauses(plain, spoken)
    return found, changes.strength(plain), frozenset([one.sense for one in found])


_understood = Kept(_understand, most=_CHARACTERS)


def differ_in_weight(new: Skim, old: Skim) -> bool:
    """Whether a word that differs makes another claim of the same sentence: a number, a negator,
    one end of something, one name in the place of another."""
    mine, theirs = new.content - old.content, old.content - new.content
    if any(one in _WEIGHTY or not one.isalpha() for one in mine | theirs):
        return True
    return bool(mine & new.named and theirs & old.named)
