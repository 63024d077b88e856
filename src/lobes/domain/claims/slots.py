"""One word in the place of another, where there is room for one only.

What is called so, written in that, kept there, owned by her, is the default, is the lead. "We use
X" has room for many, so it says nothing.
"""

from __future__ import annotations

import re

from lobes.domain.claims.clauses import Clause
from lobes.domain.claims.forms import stem
from lobes.domain.claims.lexicon import CHOICES, OLD, wordset
from lobes.domain.claims.pairing import LEAST, Conflict, Pair, fits, replaced
from lobes.domain.claims.traits import BE

_ONE_ONLY = frozenset(
    map(
        stem,
        wordset(
            "called named main default written stored kept live hosted owns leads maintains manages"
            " served formatted region comes resolved"
        ),
    )
)
"""Words of which there is but one at a time."""
_CHOSEN = frozenset().union(*CHOICES)
_MANY = frozenset(map(stem, wordset("speaks knows learns learned understands reads sells ships")))
"""What is done with several things of one kind."""
_DEFAULTS = frozenset(map(stem, wordset("default main current minimum maximum")))
"""What a thing that is so called is, whether that looks like a name or not."""
_PREPOSITIONS = wordset("by via through under")
_PAST = re.compile(r"(?:ed|was|were|did|took|went)$")


def other_word(pair: Pair) -> Conflict | None:
    """One word in the place of another, where there can be but one."""
    new, old = pair.new, pair.old
    if _values_differ(new, old):
        return None
    chosen = not (pair.mine.isdisjoint(_CHOSEN) or pair.theirs.isdisjoint(_CHOSEN))
    if pair.mine & pair.theirs & _MANY and not pair.is_told:
        return None
    for choice in (*(CHOICES if chosen else ()), pair.ranks):
        mine, theirs = pair.mine & choice, pair.theirs & choice
        if mine and theirs and mine.isdisjoint(theirs):
            if not fits(pair.mine - mine, pair.theirs - theirs):
                return None
            return replaced(pair, mine, theirs, "other_choice")
    mine, theirs = pair.mine - pair.theirs, pair.theirs - pair.mine
    if not mine or not theirs or not pair.mine & pair.theirs:
        return None
    told = pair.is_told
    mine, theirs = _names(new, mine, is_told=told), _names(old, theirs, is_told=told)
    if not mine or not theirs or not fits(pair.mine - mine, pair.theirs - theirs, least=1):
        return None
    if _is_single(pair, mine, theirs):
        return replaced(pair, mine, theirs, "other_name")
    return None


def _values_differ(new: Clause, old: Clause) -> bool:
    mine, theirs = new.traits.counted, old.traits.counted
    return bool(mine) and bool(theirs) and mine != theirs


def _names(clause: Clause, differing: frozenset[str], *, is_told: bool) -> frozenset[str]:
    """Those of the words that stand in the place of a name."""
    is_one = is_told or not clause.subject.isdisjoint(_DEFAULTS)
    told = clause.traits.complements if is_one else frozenset[str]()
    return differing & (clause.traits.placed | told)


def _is_single(pair: Pair, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether both clauses have room for one only."""
    new, old = pair.new, pair.old
    common = {one.stem for one in new.words} & {one.stem for one in old.words}
    if pair.is_told or common & _ONE_ONLY:
        return True
    if len(mine) > 2 or len(theirs) > 2:
        return False
    told = new.words[0].norm == "use" or "prefer" in common
    if told and len(new.rest & old.rest) >= LEAST:
        return True
    if _is_what_it_is(new, mine) and _is_what_it_is(old, theirs):
        return True
    frames = _frame(new, mine) & _frame(old, theirs)
    return bool(frames) and len(new.rest & old.rest) >= LEAST


def _frame(clause: Clause, names: frozenset[str]) -> set[str]:
    """The preposition before the names of a claim in the present, and an `as` behind them."""
    spoken = clause.words
    places = [n for n, one in enumerate(spoken) if one.stem in names]
    if not places or _PAST.search(spoken[clause.verb].norm):
        return set()
    before = {spoken[n].norm for n in (places[0] - 1,) if n >= 0}
    after = {spoken[n].norm for n in (places[-1] + 1,) if n < len(spoken)}
    return (before & _PREPOSITIONS) | (after & {"as"})


def _is_what_it_is(clause: Clause, names: frozenset[str]) -> bool:
    """`X is NAME`, or `NAME is the X`."""
    spoken = clause.words
    if spoken[clause.verb].norm not in BE:
        return False
    place = next(n for n, one in enumerate(spoken) if one.stem in names)
    if place > clause.verb:
        return all(one.is_filler or one.stem in names for one in spoken[clause.verb : place])
    return clause.traits.is_definite


def renewed(pair: Pair) -> Conflict | None:
    """The old thing and the new one, where it is told that one took the other's place."""
    mine, theirs = pair.mine & OLD, pair.theirs & OLD
    if not mine or not theirs or not fits(pair.mine - OLD, pair.theirs - OLD):
        return None
    return replaced(pair, mine, theirs, "other_choice")
