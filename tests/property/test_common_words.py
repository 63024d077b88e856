"""Words that stand in many passages: whatever ties, the best are those of naming every passage."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lobes.domain.ids import derived_id
from lobes.engine.analyse import analyse, parse_query
from lobes.engine.lobe import Lobe
from lobes.engine.postings import STOPS, Entry
from lobes.engine.words import WordHit, words_leg

WORDS = ("crane", "harbour", "zephyr", "the", "of", "crate")
QUERIES = ("crane", "harbour zephyr", "cra", "the", "of the", "crane the har", "nothing")
PASSAGES = 400
GONE = range(0, PASSAGES, 7)


def entry(number: int, *, of: Random) -> Entry:
    text = " ".join(of.choices(WORDS, k=of.choice((2, 3))))
    id = derived_id("passage", str(number))
    return Entry(id, derived_id("note", str(number)), text, text.encode(), analyse(text))


def filled(folder: Path, name: str, *, of: Random) -> Lobe:
    lobe = Lobe(f"space/{name}", folder / name, model="m", dim=4, step=lambda step: None)
    lobe.open()
    # Some ids are in several lobes, and some numbers are free again.
    entries = [entry(of.randrange(10 * PASSAGES), of=of) for _ in range(PASSAGES)]
    entries = list({one.id: one for one in entries}.values())
    lobe.replace({one.document: one.content_hash for one in entries}, entries)
    lobe.replace({entries[number].document: "" for number in GONE if number < len(entries)}, [])
    return lobe


@pytest.fixture(scope="module")
def lobes() -> Iterator[list[Lobe]]:
    of = Random(7)
    with tempfile.TemporaryDirectory() as folder:
        made = [filled(Path(folder), name, of=of) for name in ("a", "b", "c")]
        yield made
        for lobe in made:
            lobe.release()


def ask(lobes: Sequence[Lobe], query: str, depth: int) -> list[WordHit]:
    return words_leg(lobes, parse_query(query), depth)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    query=st.sampled_from(QUERIES),
    depth=st.integers(1, 120),
    chosen=st.sets(st.sampled_from(range(3)), min_size=1),
    warm=st.sets(st.sampled_from(range(3))),
)
def test_the_best_of_many_that_tie_are_the_first_of_all(
    lobes: list[Lobe], query: str, depth: int, chosen: set[int], warm: set[int]
) -> None:
    for number, lobe in enumerate(lobes):
        lobe.forget()
        if number in warm:
            assert lobe.warm()
    asked = [lobes[number] for number in sorted(chosen)]
    whole = ask(asked, query, len(lobes) * PASSAGES)
    assert ask(asked, query, depth) == whole[:depth]
    assert whole == sorted(whole, key=lambda hit: (-hit.score, hit.id))
    if query == "cra":
        assert len(whole) > 120, "many tie"


@settings(max_examples=25, deadline=None)
@given(
    edits=st.lists(st.sets(st.integers(0, 30), min_size=1, max_size=9), min_size=1, max_size=5),
    seed=st.integers(0, 9),
)
def test_stop_words_in_memory_follow_what_is_saved(edits: list[set[int]], seed: int) -> None:
    of = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        lobe = filled(Path(folder), "a", of=of)
        assert len(lobe.stop_words()) == STOPS.size * lobe.stats.count
        for numbers in edits:
            entries = [entry(number, of=of) for number in numbers]
            named = {one.document: one.content_hash for one in entries}
            lobe.replace(named, [one for one in entries if of.random() < 0.7])
            held = lobe.stop_words()
            lobe.forget()
            assert held == lobe.stop_words()
            assert len(held) == STOPS.size * lobe.stats.count
        lobe.release()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE passage SET terms = 'harbour' WHERE id = ?",
        "UPDATE passage SET hash = 'another' WHERE id = ?",
        "UPDATE passage SET id = '!' || substr(id, 2) WHERE id = ?",
    ],
)
def test_a_row_that_was_changed_by_others_is_damage_and_no_hit(tmp_path: Path, change: str) -> None:
    """DU-08: whatever a search brings from the file is checked, however many passages tie."""
    lobe = filled(tmp_path, "a", of=Random(11))
    first = ask([lobe], "cra", 3)[0].id
    lobe.release()
    with closing(sqlite3.connect(tmp_path / "a" / "lex.db")) as words, words:
        assert words.execute(change, (first,)).rowcount == 1
    assert ask([lobe], "cra", 3) == []
    assert lobe.damaged


@pytest.mark.parametrize("bit", [1, 4, 64])
def test_a_flipped_bit_in_an_id_is_damage_or_changes_nothing(tmp_path: Path, bit: int) -> None:
    """DU-08: in the passage's row or where the ids are kept in order, at any letter."""
    lobe = filled(tmp_path, "a", of=Random(11))
    right = ask([lobe], "cra", 3)
    lobe.release()
    path = tmp_path / "a" / "lex.db"
    whole = path.read_bytes()
    found = [spot.start() for spot in re.finditer(right[-1].id.encode(), whole)]
    assert len(found) == 2
    for place in (start + letter for start in found for letter in range(26)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
        hurt = Lobe("space/a", tmp_path / "a", model="m", dim=4, step=lambda step: None)
        hurt.open()
        assert ask([hurt], "cra", 3) in ([], right)
        hurt.release()
