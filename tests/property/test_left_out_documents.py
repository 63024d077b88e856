"""A document that doesn't count has never been there: no id, order, length or bit of a score.

Checked on the real index, for words, meaning and the fused list, against an index that was made
without it, while it is written again and again, beside others who leave other documents out.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index_world import BagOfWords, World, embed_all, find, packed, settled
from lobes.engine import coded
from lobes.engine.index import Index

WORDS = ("alpha", "beta", "gamma", "delta", "retry_after", "café", "部署", "the", "who")
QUERIES = ("alpha beta", "gamma", "retry_after 部署", "gam", "who the", "café delta nothing")
SPACES = ("a", "b", "c")
PATHS = [f"{n}.md" for n in range(6)]
DEPTHS = (1, 60)

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
worlds = st.fixed_dictionaries(
    {space: st.dictionaries(st.sampled_from(PATHS), texts, max_size=6) for space in SPACES}
)
hidden_sets = st.fixed_dictionaries({space: st.sets(st.sampled_from(PATHS)) for space in SPACES})
edits = st.lists(
    st.tuples(
        st.sampled_from(["put", "remove", "warm", "compact"]),
        st.sampled_from(SPACES),
        st.sampled_from(PATHS),
        texts,
    ),
    max_size=6,
)

Hidden = dict[str, set[str]]
Edits = Sequence[tuple[str, str, str, str]]


def answers(index: Index, hidden: Hidden) -> list[tuple[object, ...]]:
    return [
        packed(find(index, query, *SPACES, depth=depth, without=hidden))
        for query in QUERIES
        for depth in DEPTHS
    ]


def check(packs: dict[str, dict[str, str]], hidden: Hidden, other: Hidden, changes: Edits) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        world, seen = World(folder / "store.db"), World(folder / "seen.db")
        for space, found in packs.items():
            world.put_all(space, found)
            shown = [path for path in found if path not in hidden[space]]
            for path in sorted(shown, reverse=True):
                seen.put(space, path, found[path])
        only = settled(folder / "only", seen, BagOfWords())
        expected = answers(only, {})
        only.close()
        index = settled(folder / "index", world, BagOfWords())
        whole = answers(index, {})
        assert answers(index, hidden) == expected
        answers(index, other)
        assert answers(index, hidden) == expected
        assert answers(index, {}) == whole
        for act, space, path, text in changes:
            if act == "warm":
                index.warm()
            elif act == "compact":
                index.maintain()
            elif path in hidden[space]:
                world.put(space, path, text) if act == "put" else world.remove(space, path)
                index.apply_outbox()
                assert answers(index, hidden) == expected, "before its vectors"
                embed_all(index)
            assert answers(index, hidden) == expected, (act, space, path)
        index.close()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(packs=worlds, hidden=hidden_sets, other=hidden_sets, changes=edits)
def test_what_is_left_out_leaves_no_trace(
    packs: dict[str, dict[str, str]], hidden: Hidden, other: Hidden, changes: Edits
) -> None:
    check(packs, hidden, other, changes)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(packs=worlds, hidden=hidden_sets, other=hidden_sets, changes=edits)
@pytest.mark.slow
def test_what_is_left_out_leaves_no_trace_where_lobes_are_large(
    packs: dict[str, dict[str, str]], hidden: Hidden, other: Hidden, changes: Edits
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coded, "CODED_ABOVE", 2)
        patch.setattr(coded, "TAIL_MOST", 2)
        check(packs, hidden, other, changes)


def test_leaving_out_does_something(tmp_path: Path) -> None:
    """The properties above can fail: what counts moves the scores of the others."""
    world = World(tmp_path / "store.db")
    world.put_all("a", {"0.md": " ".join(WORDS[:3]), "1.md": "alpha alpha beta", "2.md": "gamma"})
    index = settled(tmp_path / "index", world, BagOfWords())
    whole = find(index, "alpha beta", "a")
    thin = find(index, "alpha beta", "a", without={"a": ["1.md"]})
    assert len(thin.candidates) == len(whole.candidates) - 1
    kept = {one.id: one.bm25 for one in thin.candidates}
    assert any(kept.get(one.id, one.bm25) != one.bm25 for one in whole.candidates)
    index.close()
