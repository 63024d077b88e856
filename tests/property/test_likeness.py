"""Those found by their words are those that a look at each of them would find."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lobes.domain.likeness import Alike, likeness, words_of

_WORDS = ["uploader", "retries", "seconds", "queue", "mail", "Ada", "Lisbon", "部署", "42", "the"]
_STATEMENTS = st.lists(st.sampled_from(_WORDS), max_size=9).map(" ".join)
_STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "put", "put", "drop"]), st.integers(0, 30), _STATEMENTS),
    max_size=60,
)


@given(
    steps=_STEPS,
    copies=st.integers(0, 25),
    asked=_STATEMENTS,
    most=st.integers(1, 20),
    least=st.sampled_from([0.01, 0.15, 0.45, 0.7, 1.0]),
)
@settings(max_examples=300, deadline=None)
def test_the_most_alike_are_found_without_a_look_at_each(
    steps: list[tuple[str, int, str]], copies: int, asked: str, most: int, least: float
) -> None:
    alike, there = Alike(), dict[str, str]()
    for number in range(copies):  # so many that their words are kept in the other form
        there[f"c{number:02}"] = f"uploader retries {_WORDS[number % 10]}"
        alike.put(f"c{number:02}", there[f"c{number:02}"])
    for act, number, statement in steps:
        id = f"m{number:02}"
        if act == "put":
            there[id] = statement
            alike.put(id, statement)
        else:
            there.pop(id, None)
            alike.drop(id)
    mine = words_of(asked)
    all_of_them = [(-likeness(mine, words_of(said)), id) for id, said in there.items()]
    found = sorted(one for one in all_of_them if one[0] and -one[0] >= least)
    assert alike.near(asked, most=most, least=least) == [(id, -less) for less, id in found[:most]]
    assert len(alike) == len(there)
