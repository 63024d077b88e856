"""A claim read once, to be compared with many: first its words, then what its clauses say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from lobes.domain.claims import changes
from lobes.domain.claims.canonical import Canonical, canonical, content_hash
from lobes.domain.claims.claim import Claim
from lobes.domain.claims.clauses import Clause, clauses, unquoted
from lobes.domain.claims.forms import Word, stem
from lobes.domain.claims.lexicon import CHOICES, OLD, POLES, TURNS
from lobes.domain.claims.words import content, named, words

_WEIGHTY = frozenset(
    stem(word) for rows in (*TURNS, *POLES) for row in rows[1:] for word in row.split()
).union(OLD, *CHOICES)
_SILENT_KINDS = frozenset({"question"})
"""Kinds that assert nothing."""

_KEPT = 1024
"""How many statements stay read: of a lobe's neighbours the same ones come again and again. Some
10 kB each."""


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


def skim(claim: Claim) -> Skim:
    """The claim as words; total, and linear in the length up to what is read."""
    return _skimmed(claim.statement)


@lru_cache(_KEPT)
def _skimmed(statement: str) -> Skim:
    text = canonical(statement)
    spoken = words(text.text)
    return Skim(content_hash(statement), text, spoken, content(spoken), named(spoken))


def read(claim: Claim, skimmed: Skim | None = None) -> Reading:
    """The claim as clauses; `skimmed` are its words, where known. Total and linear, too."""
    said, change = _said(claim.statement)
    said = () if claim.kind in _SILENT_KINDS else said
    return Reading(claim, skimmed or skim(claim), said, change)


@lru_cache(_KEPT)
def _said(statement: str) -> tuple[tuple[Clause, ...], int]:
    seen = _skimmed(statement)
    plain = unquoted(seen.text.text)
    spoken = seen.spoken if plain == seen.text.text else words(plain)
    return clauses(plain, spoken), changes.strength(plain)


def differ_in_weight(new: Skim, old: Skim) -> bool:
    """Whether a word that differs makes another claim of the same sentence: a number, a negator,
    one end of something, one name in the place of another."""
    mine, theirs = new.content - old.content, old.content - new.content
    if any(one in _WEIGHTY or not one.isalpha() for one in mine | theirs):
        return True
    return bool(mine & new.named and theirs & old.named)
