"""What a person may not draw on changes nothing that they get: no id, order or bit of a score.

Checked on the real index, for words, meaning and the fused list, against hidden lobes that are
filled with the query's own rare words, and against an index made from the allowed lobes alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index_world import BagOfWords, World, embed_all, find, packed, settled
from lobes.engine import coded
from lobes.engine.embed import Embedder
from lobes.engine.index import Index
from lobes.engine.minilm import MiniLm

WORDS = ("alpha", "beta", "gamma", "delta", "retry_after", "café", "部署", "the", "who")
QUERIES = ("alpha beta", "gamma", "retry_after 部署", "gam", "who the", "café delta nothing")
SPACES = ("a", "b", "c", "d", "e")
DEPTHS = (1, 60)

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
notes = st.dictionaries(st.sampled_from([f"{n}.md" for n in range(5)]), texts, max_size=5)
worlds = st.fixed_dictionaries({space: notes for space in SPACES})


@dataclass(frozen=True)
class Edit:
    """A change in a hidden lobe."""

    act: str
    path: str
    text: str


edits = st.lists(
    st.builds(
        Edit,
        act=st.sampled_from(["put", "remove", "drop", "compact", "warm", "rebuild", "reopen"]),
        path=st.sampled_from([f"{n}.md" for n in range(8)]),
        text=texts,
    ),
    min_size=1,
    max_size=6,
)


def answers(index: Index, allowed: Sequence[str]) -> list[tuple[object, ...]]:
    return [
        packed(find(index, query, *allowed, depth=depth)) for query in QUERIES for depth in DEPTHS
    ]


def changed(
    index: Index, world: World, edit: Edit, hidden: str, reopen: Callable[[], Index]
) -> Index:
    if edit.act == "put":
        world.put(hidden, edit.path, edit.text)
    elif edit.act == "remove":
        world.remove(hidden, edit.path)
    elif edit.act == "drop":
        world.drop(hidden)
    elif edit.act == "compact":
        index.maintain()
    elif edit.act == "warm":
        index.warm()
    elif edit.act == "rebuild":
        index.rebuild([f"space/{hidden}"])
    else:
        index.close()
        index = reopen()
    index.apply_outbox()
    embed_all(index)
    return index


def check(embedder: Embedder, packs: dict[str, dict[str, str]], allowed: set[str],
          changes: Sequence[Edit]) -> None:  # fmt: skip
    own = sorted(allowed)
    hidden = [space for space in SPACES if space not in allowed]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        world = World(folder / "store.db")
        alone = World(folder / "alone.db")
        for space, found in packs.items():
            world.put_all(space, found)
            if space in allowed:
                # The other way round: neither order nor numbers of writing may show.
                for path in sorted(found, reverse=True):
                    alone.put(space, path, found[path])
        index = settled(folder / "index", world, embedder)
        expected = answers(index, own)
        for number, edit in enumerate(changes):
            index = changed(
                index, world, edit, hidden[number % len(hidden)],
                lambda: settled(folder / "index", world, embedder),
            )  # fmt: skip
            assert answers(index, own) == expected, edit
        index.close()
        only = settled(folder / "only", alone, embedder)
        assert answers(only, own) == expected
        only.close()


allowed_sets = st.sets(st.sampled_from(SPACES), min_size=1, max_size=4)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(packs=worlds, allowed=allowed_sets, changes=edits)
def test_hidden_lobes_leave_no_trace(
    packs: dict[str, dict[str, str]], allowed: set[str], changes: list[Edit]
) -> None:
    check(BagOfWords(), packs, allowed, changes)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(packs=worlds, allowed=allowed_sets, changes=edits)
@pytest.mark.slow
def test_hidden_lobes_leave_no_trace_where_lobes_are_large(
    packs: dict[str, dict[str, str]], allowed: set[str], changes: list[Edit]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coded, "CODED_ABOVE", 2)
        patch.setattr(coded, "TAIL_MOST", 2)
        check(BagOfWords(), packs, allowed, changes)


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(packs=worlds, allowed=allowed_sets, changes=edits)
def test_hidden_lobes_leave_no_trace_with_the_real_model(
    packs: dict[str, dict[str, str]], allowed: set[str], changes: list[Edit]
) -> None:
    check(_MODEL, packs, allowed, changes)


_MODEL = MiniLm()
