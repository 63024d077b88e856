"""How a new claim stands to an old one. The contradiction test comes before the duplicate test.

What is told to have changed, or holds for a later period, succeeds; it doesn't contradict. Claims
of disjoint periods never contradict each other. No verdict does anything by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lobes.domain.claims import changes
from lobes.domain.claims.canonical import Canonical, canonical
from lobes.domain.claims.claim import DUPLICATE, MERGE, Cause, Claim, Relation, Span, Verdict
from lobes.domain.claims.clauses import Clause
from lobes.domain.claims.conflict import Conflict, conflict
from lobes.domain.claims.forms import NOT
from lobes.domain.claims.lexicon import PERSONS
from lobes.domain.claims.reading import Reading, differ_in_weight, read
from lobes.domain.claims.words import content, jaccard, words

_TOLD = 3
_COVERED = 0.5
"""Least part of the old claim's words that a new one has which says that it has changed."""
_LEAST_SCORE = 0.1
"""Below it, clauses that clash are two remarks of long texts."""
_FEW = 4
"""Words of content of a claim so short that one in common says what it is about."""


def compare(new: Claim, old: Claim) -> Relation:
    """How `new` stands to `old`; total, deterministic, and without any effect."""
    return compare_read(read(new), read(old))


def compare_read(new: Reading, old: Reading) -> Relation:
    """`compare` of what has been read before."""
    if new.skim.hash == old.skim.hash:
        return _repeat(new, old)
    score = jaccard(new.skim.content, old.skim.content)
    clash = _clash(new, old, score)
    return (
        _by_period(new, old, clash, score)
        or _by_change(new, old, clash, score)
        or (_relation("contradicts", score, new, old, clash) if clash else None)
        or _by_words(new, old, score)
    )


def _repeat(new: Reading, old: Reading) -> Relation:
    if _is_apart(new.claim, old.claim):
        return Relation("related", 1.0, "other_period")
    return Relation("repeat", 1.0, "same_text")


class _Clash(NamedTuple):
    """The first pair of clauses that can't both hold."""

    new: Clause
    old: Clause
    found: Conflict


def _clash(new: Reading, old: Reading, score: float) -> _Clash | None:
    """What both say is no matter of dispute, though another part of one text may oppose it."""
    subject = same_subject(new.claim, old.claim)
    if score < _LEAST_SCORE and not subject:
        return None
    is_told = new.change > old.change or _is_later(new.claim, old.claim)
    few = bool(subject) or min(len(new.skim.content), len(old.skim.content)) <= _FEW
    said, known = new.senses, old.senses
    for mine in new.clauses:
        if mine.sense in known:
            continue
        for theirs in old.clauses:
            if theirs.sense in said:
                continue
            found = conflict(mine, theirs, is_told=is_told, subject=subject)
            if found and (few or len(mine.rest & theirs.rest) > 1):
                return _Clash(mine, theirs, found)
    return None


def same_subject(new: Claim, old: Claim) -> frozenset[str]:
    """The words of the key that both were given, for one subject."""
    same = new.subject and new.subject.casefold() == old.subject.casefold()
    return content(words(canonical(new.subject).text)) if same else frozenset[str]()


def _is_later(new: Claim, old: Claim) -> bool:
    return bool(new.valid_from and (not old.valid_from or old.valid_from < new.valid_from))


def _by_period(new: Reading, old: Reading, clash: _Clash | None, score: float) -> Relation | None:
    """Where the periods alone settle it."""
    one, other = new.claim, old.claim
    if _is_apart(one, other):
        follows = one.valid_from and other.valid_to and other.valid_to <= one.valid_from
        if follows and (clash or _is_the_same_matter(new, old)):
            return _relation("succeeds", score, new, old, clash, cause="later_period")
        return Relation("related", score, "other_period")
    if clash and _is_later(one, other):
        return _relation("succeeds", score, new, old, clash, cause="later_period")
    return None


def _is_apart(one: Claim, other: Claim) -> bool:
    """Whether the periods have no moment in common."""
    return bool(
        (one.valid_to and other.valid_from and one.valid_to <= other.valid_from)
        or (other.valid_to and one.valid_from and other.valid_to <= one.valid_from)
    )


def _is_the_same_matter(new: Reading, old: Reading) -> bool:
    """The same subject and the same verb, or the same key given by both."""
    if same_subject(new.claim, old.claim):
        return True
    if not new.clauses or not old.clauses:
        return False
    mine, theirs = new.clauses[0], old.clauses[0]
    same_verb = mine.words[mine.verb].stem == theirs.words[theirs.verb].stem
    return same_verb and bool(mine.subject) and mine.subject == theirs.subject


def _by_change(new: Reading, old: Reading, clash: _Clash | None, score: float) -> Relation | None:
    """Where the new text says that something has changed, and the old one doesn't say so too."""
    if not new.change or new.change <= old.change:
        return None
    if not clash and (new.change < _TOLD or not _covers(new, old)):
        return None
    return _relation("succeeds", score, new, old, clash, cause="change_told")


def _covers(new: Reading, old: Reading) -> bool:
    if not new.clauses or not old.clauses:
        return False
    words_of_old = old.skim.content - PERSONS - {NOT}
    common = len(new.skim.content & words_of_old)
    return common >= min(2, len(words_of_old)) and common >= _COVERED * len(words_of_old)


def _relation(
    verdict: Verdict,
    score: float,
    new: Reading,
    old: Reading,
    clash: _Clash | None,
    *,
    cause: Cause | None = None,
) -> Relation:
    mine = _spans(new.skim.text, clash.new, clash.found.new) if clash else ()
    theirs = _spans(old.skim.text, clash.old, clash.found.old) if clash else ()
    if not clash and cause == "change_told":
        mine = tuple(
            Span(*new.skim.text.written(start, end))
            for start, end in changes.told(new.skim.text.text)
        )
    return Relation(
        verdict, score, cause or (clash.found.cause if clash else "some_words"), mine, theirs
    )


def _spans(text: Canonical, clause: Clause, places: Iterable[int]) -> tuple[Span, ...]:
    said = [clause.words[n] for n in sorted(set(places)) if n >= 0]
    return tuple(Span(*text.written(one.start, one.end)) for one in said if one.start < one.end)


def _by_words(new: Reading, old: Reading, score: float) -> Relation:
    if score >= DUPLICATE and not differ_in_weight(new.skim, old.skim):
        return Relation("near_duplicate", score, "same_words")
    if score >= MERGE:
        return Relation("merge_candidate", score, "many_words")
    if score:
        return Relation("related", score, "some_words")
    return Relation("unrelated", 0.0, "no_words")
