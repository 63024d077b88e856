"""A statement as clauses, each with what it asserts: of what, which way, under which condition.

Quoted text asserts nothing, nor does a question or who only asks, thinks or wonders. A clause
without a subject of its own has that of the clause before it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Iterable, Sequence
from dataclasses import dataclass

from lobes.domain.claims.changes import CHANGES
from lobes.domain.claims.forms import Word
from lobes.domain.claims.lexicon import (
    CONDITIONS,
    DOUBTS,
    POLES,
    TURNS,
    VERBS,
    wordset,
)
from lobes.domain.claims.traits import Traits, traits
from lobes.domain.claims.values import Value, values

MOST = 12
"""Clauses of a statement that are compared."""

_QUOTED = re.compile(r'"[^"\n]{1,400}"|«[^»\n]{1,400}»|`{3}.*?`{3}|^>.*$', re.S | re.M)
_FULL = re.compile(r"[.!?;。！？；\n]|\s[-–—]\s|—")
_JOINS = wordset("because but so whereas although though aber weil sondern sino mais но а")
_CAUSAL = wordset("since as und and which")
_PRONOUNS = wordset("it they he she this that er sie")
_ADDS = wordset("not never nor nicht nie niemals nunca jamais")
_TITLES = wordset("dr mr mrs ms st prof no vs e.g i.e etc ca approx")
_INSTEAD = (("instead", "of"), ("rather", "than"), ("and", "not"), ("but", "not"))
_TURN = {word: (name, sign) for name, plus, minus in TURNS
         for sign, row in ((1, plus), (-1, minus)) for word in row.split()}  # fmt: skip
_POLE = {word: (name, sign) for name, plus, minus in POLES
         for sign, row in ((1, plus), (-1, minus)) for word in row.split()}  # fmt: skip
_AFTER_STATE = frozenset(("", *wordset("by unless in if when for at on during only")))
_HELPS = wordset("is was has does needs gets")
_STATES = wordset("is are was were be been stay stays turn turns turned switch switched")


@dataclass(frozen=True, slots=True)
class Clause:
    """What one clause says.

    `rest` are its words of content without what turns it (`sign` is -1 where it is turned), the
    `poles` (name → end, place of the word), the `values`, the `rejected` and the `condition`.
    `verb` is the place of the first verb; what stands before it is the subject; `heir` is the
    subject of the clause before, where this one has none of its own; `about` are all the words that
    tell what it is about, but for poles. Two clauses of one `sense` say the same.
    """

    words: tuple[Word, ...]
    sign: int
    turns: tuple[int, ...]
    poles: dict[str, tuple[int, int]]
    values: tuple[Value, ...]
    rest: frozenset[str]
    heir: frozenset[str]
    subject: frozenset[str]
    rejected: frozenset[str]
    condition: frozenset[str]
    verb: int
    about: frozenset[str]
    traits: Traits
    sense: Hashable

    def place(self, stem: str) -> int:
        """The first place of a word; -1 where it was inherited."""
        return next((n for n, one in enumerate(self.words) if one.stem == stem), -1)


def unquoted(text: str) -> str:
    """The text with what is quoted blanked out: every other character keeps its place. A quotation
    of one or two words is a name or a term, and stays."""
    return _QUOTED.sub(_blanked, text)


def _blanked(match: re.Match[str]) -> str:
    return match[0] if match[0].count(" ") < 2 else " " * len(match[0])


def clauses(text: str, spoken: Sequence[Word]) -> tuple[Clause, ...]:
    """The clauses that assert something. `text` is canonical and unquoted, `spoken` its words."""
    found: list[Clause] = []
    heir: frozenset[str] = frozenset()
    for part, is_question in _parts(text, spoken):
        if len(found) == MOST:
            break
        if is_question or any(one.norm in DOUBTS for one in part):
            heir = frozenset()
            continue
        clause = _clause(part, heir)
        found.append(clause)
        heir = clause.subject or heir
    return tuple(found)


def _parts(text: str, spoken: Sequence[Word]) -> Iterable[tuple[list[Word], bool]]:
    part: list[Word] = []
    for at, word in enumerate(spoken):
        between = text[part[-1].end : word.start] if part else ""
        if part and _splits(between, part, spoken, at):
            yield part, "?" in between
            part = []
        part.append(word)
    if part:
        yield part, "?" in text[part[-1].end :]


def _splits(between: str, part: Sequence[Word], spoken: Sequence[Word], at: int) -> bool:
    word = spoken[at]
    if _FULL.search(between):
        return part[-1].norm not in _TITLES
    if word.norm in _JOINS:
        return not (word.norm == "so" and at + 1 < len(spoken) and spoken[at + 1].norm == "that")
    if ":" in between:
        return _has_verb(part)
    if "," not in between:
        return False
    if _is_open_condition(part):
        return False
    if word.norm in _ADDS or word.norm in _CAUSAL:
        return True
    return part[0].norm not in CONDITIONS and _has_verb(part) and _has_verb(_until(spoken, at))


def _is_open_condition(part: Sequence[Word]) -> bool:
    """Whether the comma that follows ends a condition, so that what is said is still to come."""
    return part[0].norm in CONDITIONS and not any(_comma(part, n) for n in range(1, len(part)))


def first_verb(spoken: Sequence[Word], *, passed: Container[int] = ()) -> int:
    """The place of the first verb, -1 for none. Of two in a row a form such as `retries` is the
    noun: "Sync retries back off"."""
    for n, one in enumerate(spoken):
        if one.norm not in VERBS or n in passed:
            continue
        follows = spoken[n + 1].norm if n + 1 < len(spoken) else ""
        if not (one.norm.endswith("s") and one.norm not in _HELPS and follows in VERBS):
            return n
    return _by_ending(spoken, passed)


def _by_ending(spoken: Sequence[Word], passed: Container[int]) -> int:
    """A verb that isn't in the list: `happens` behind a noun, before anything else than a name."""
    for n in range(1, len(spoken)):
        one, before = spoken[n], spoken[n - 1]
        ends = one.norm.endswith("s") and not one.norm.endswith(("ss", "us", "is"))
        if ends and not (one.is_capital or one.is_filler or before.is_filler or n in passed):
            return n
    return -1


def _until(spoken: Sequence[Word], at: int) -> Sequence[Word]:
    return spoken[at : at + 8]


def _has_verb(part: Sequence[Word]) -> bool:
    return any(one.norm in VERBS for one in part)


def _clause(part: list[Word], heir: frozenset[str]) -> Clause:
    spoken = tuple(part)
    measured = tuple(values(spoken))
    conditional = _conditional(spoken)
    rejected = _rejected(spoken)
    taken = {n for value in measured for n in range(value.first, value.last + 1)}
    turns, poles = _ways(spoken, conditional | taken | rejected)
    verb = max(first_verb(spoken, passed=conditional), 0)
    sign = 1
    for n in turns:
        sign *= -1 if spoken[n].is_negator else _TURN[spoken[n].norm][1]
    left_out = conditional | taken | rejected | set(turns) | {n for _, n in poles.values()}
    rest = _stems(spoken, (n for n in range(len(spoken)) if n not in left_out))
    subject = _stems(spoken, (n for n in range(verb) if n not in left_out))
    condition = _stems(spoken, conditional)
    ends = frozenset((name, end) for name, (end, _) in poles.items())
    counted = frozenset((one.key, one.value) for one in measured)
    inherited = heir if _is_without_subject(spoken) else frozenset[str]()
    ruled_out = _stems(spoken, rejected)
    subject = subject or inherited
    about = rest | inherited | condition if inherited or condition else rest
    said = about.union([spoken[n].stem for _, n in poles.values()]) if poles else about
    return Clause(
        words=spoken,
        sign=sign,
        turns=tuple(turns),
        poles=poles,
        values=measured,
        rest=rest,
        heir=inherited,
        subject=subject,
        rejected=ruled_out,
        condition=condition,
        verb=verb,
        about=about,
        traits=traits(spoken, verb, measured, subject=subject, said=said),
        sense=(sign, ends, counted, rest | inherited, condition, ruled_out),
    )


def _is_without_subject(spoken: Sequence[Word]) -> bool:
    first = next((one for one in spoken if one.norm not in _JOINS), spoken[0])
    return first.norm in _PRONOUNS or first.is_negator


def _stems(spoken: Sequence[Word], places: Iterable[int]) -> frozenset[str]:
    return frozenset(
        spoken[n].stem for n in places if not spoken[n].is_filler and spoken[n].norm not in CHANGES
    )


def _conditional(spoken: Sequence[Word]) -> set[int]:
    """The places of a condition: from its word to the comma or the end."""
    for n, one in enumerate(spoken):
        if one.norm in CONDITIONS:
            last = len(spoken)
            if n == 0:
                last = next((m for m in range(1, last) if _comma(spoken, m)), last)
            return set(range(n, last)) if last > n else set()
    return set()


def _comma(spoken: Sequence[Word], at: int) -> bool:
    # Words of one clause are apart by a blank; by more where a comma stands between them.
    return spoken[at].start - spoken[at - 1].end > 1


def _rejected(spoken: Sequence[Word]) -> set[int]:
    """The places of what is named only to be ruled out: "instead of X", "rather than X"."""
    places: set[int] = set()
    for n in range(len(spoken) - 2):
        if (spoken[n].norm, spoken[n + 1].norm) in _INSTEAD:
            places.update((n, n + 1))
            m = n + 2
            while m < len(spoken) and spoken[m].is_filler:
                m += 1
            if m < len(spoken):
                places.add(m)
    return places


def _ways(spoken: Sequence[Word], passed: set[int]) -> tuple[list[int], dict[str, tuple[int, int]]]:
    turns: list[int] = []
    poles: dict[str, tuple[int, int]] = {}
    for n, one in enumerate(spoken):
        if n in passed:
            continue
        if (one.is_negator and not _is_harmless(spoken, n)) or one.norm in _TURN:
            turns.append(n)
        elif (norm := _pole_word(spoken, n)) in _POLE and _is_pole(spoken, n):
            name, sign = _POLE[norm]
            poles.setdefault(name, (sign, n))
    return turns, poles


def _pole_word(spoken: Sequence[Word], at: int) -> str:
    is_by_hand = at > 0 and spoken[at].norm == "hand" and spoken[at - 1].norm == "by"
    return "by-hand" if is_by_hand else spoken[at].norm


def _is_harmless(spoken: Sequence[Word], at: int) -> bool:
    """`no more than`, `no later than`, `not only` bound a claim, they don't turn it."""
    follows = spoken[at + 1].norm if at + 1 < len(spoken) else ""
    second = spoken[at + 2].norm if at + 2 < len(spoken) else ""
    return follows == "only" or (second == "than" and follows in ("more", "later", "less", "fewer"))


def _is_pole(spoken: Sequence[Word], at: int) -> bool:
    """`on` and `off` are prepositions unless something is, or is turned, on or off."""
    if spoken[at].norm not in ("on", "off"):
        return True
    before = spoken[at - 1].norm if at else ""
    follows = spoken[at + 1].norm if at + 1 < len(spoken) else ""
    ends = follows in _AFTER_STATE
    turned = any(
        one.norm in ("turn", "turns", "switch", "turned", "switched") for one in spoken[:at]
    )
    return ends and (before in _STATES or turned or follows == "by")
