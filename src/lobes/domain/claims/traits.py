"""What is asked of a clause again with each other one that it is compared with, found once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lobes.domain.claims.forms import Word, stem
from lobes.domain.claims.lexicon import wordset
from lobes.domain.claims.values import Value

OWNS = frozenset(map(stem, ("owns", "leads", "manages", "maintains")))
BE = wordset("is are was were be")
_NAMERS = wordset("called named prefer prefers using")
_DEFINITE = wordset("the our my")
_ADDS = wordset("too also additionally well besides another auch también aussi également")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")

Keyed = Mapping[str, frozenset[str]]
"""The values under each key."""


@dataclass(frozen=True, slots=True)
class Traits:
    """`adds`: it says something besides what was said; `is_definite`: `… is the X`.

    `said` are all words that tell what it is about, poles too. `ordinals` are those of its subject,
    `ranks` of all. `identity` are the values before the verb that tell which thing, `counted` all
    values. `placed`
    are the words that stand in the place of a name: a name, what is called so, what the clause
    prefers or tells to use; `complements` what it says the thing is.
    """

    adds: bool
    is_definite: bool
    ordinals: frozenset[str]
    said: frozenset[str]
    ranks: frozenset[str]
    identity: Keyed
    counted: Keyed
    placed: frozenset[str]
    complements: frozenset[str]


def traits(
    spoken: Sequence[Word],
    verb: int,
    measured: Sequence[Value],
    *,
    subject: frozenset[str],
    said: frozenset[str],
) -> Traits:
    """Of a clause with these words, values, subject, and words that tell what it is about."""
    definite = _is_definite(spoken, verb)
    places = range(len(spoken))
    placed = (n for n in places if spoken[n].is_name or _is_in_place(spoken, verb, n, definite))
    after = places[verb + 1 :] if spoken[verb].norm in BE else ()
    return Traits(
        adds=any(one.norm in _ADDS for one in spoken),
        is_definite=definite,
        ordinals=ordinals(subject),
        said=said,
        ranks=ordinals(said),
        identity=keyed(one for one in measured if one.names and one.first < verb),
        counted=keyed(measured),
        placed=frozenset(spoken[n].stem for n in placed),
        complements=frozenset(
            spoken[n].stem for n in after if all(one.is_filler for one in spoken[verb:n])
        ),
    )


def keyed(found: Iterable[Value]) -> Keyed:
    by_key: dict[str, set[str]] = {}
    for one in found:
        by_key.setdefault(one.key, set()).add(one.value)
    return {key: frozenset(values) for key, values in by_key.items()}


def ordinals(stems: Iterable[str]) -> frozenset[str]:
    """First, second, last."""
    return frozenset(
        [one for one in stems if one == "last" or (one[:1].isdigit() and _ORDINAL.fullmatch(one))]
    )


def _is_definite(spoken: Sequence[Word], verb: int) -> bool:
    return spoken[verb].norm in BE and verb + 1 < len(spoken) and spoken[verb + 1].norm in _DEFINITE


def _is_in_place(spoken: Sequence[Word], verb: int, at: int, is_definite: bool) -> bool:
    if at == 0:
        return spoken[verb].stem in OWNS or is_definite
    before = next((spoken[n].norm for n in range(at - 1, -1, -1) if not spoken[n].is_filler), "")
    if spoken[at - 1].norm == "as":
        return True
    return before in _NAMERS or (spoken[0].norm == before == "use")
