"""What a statement is about, as a short key, where its proposer gave none."""

from __future__ import annotations

from lobes.domain.claims.canonical import canonical
from lobes.domain.claims.changes import CHANGES
from lobes.domain.claims.clauses import first_verb, unquoted
from lobes.domain.claims.forms import Word
from lobes.domain.claims.lexicon import PERSONS, wordset
from lobes.domain.claims.words import words

MOST = 3
"""Words of a key."""

LONGEST = 32
"""Characters of one of them."""

_TOPIC = wordset("for in on of")


def subject_of(statement: str) -> str:
    """Up to three words in lower case, in the order of the text; "" where there are none.

    What stands before the first verb; of an order ("Use snake_case for JSON keys") what it is for.
    The same statement always has the same key, and nothing hidden changes it.
    """
    spoken = words(unquoted(canonical(statement).text))
    verb = first_verb(spoken)
    before = _said(spoken[: max(verb, 0)])
    if before:
        return _key(before[-MOST:])
    after = spoken[verb + 1 :]
    topic = next((n for n, one in enumerate(after) if n and one.norm in _TOPIC), None)
    return _key((_said(after[topic:]) if topic is not None else []) or _said(after))


def _said(spoken: list[Word]) -> list[Word]:
    return [
        one
        for one in spoken
        if not one.is_filler
        and not one.is_negator
        and not one.is_number
        and one.stem not in PERSONS
        and one.norm not in CHANGES
    ]


def _key(said: list[Word]) -> str:
    return " ".join((one.norm or one.stem)[:LONGEST] for one in said[:MOST])
