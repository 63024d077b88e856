"""A large lobe in memory is a dictionary of vectors: whatever comes and goes, it answers as one.

Few dimensions and coarse numbers, so that equal and nearly equal cosines are common.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lobes.engine import coded
from lobes.engine.coded import Large, cosines, fit
from lobes.engine.vectors import halves

DIM = 6
IDS = [f"{number:026}" for number in range(24)]

numbers = st.lists(st.integers(-2, 2), min_size=DIM, max_size=DIM).filter(any)
vectors = numbers.map(lambda found: unit(np.array(found, np.float32)))
steps = st.lists(
    st.tuples(
        st.sets(st.sampled_from(IDS), max_size=12),
        st.dictionaries(st.sampled_from(IDS), vectors, max_size=12),
    ),
    max_size=8,
)


def unit(found: NDArray[np.float32]) -> NDArray[np.float32]:
    return found / np.linalg.norm(found)


def stored(found: Mapping[str, NDArray[np.float32]]) -> dict[str, bytes]:
    return dict(zip(found, halves(np.array(list(found.values()))), strict=True)) if found else {}


def expected(held: Mapping[str, bytes], query: NDArray[np.float32]) -> dict[str, float]:
    rows = np.frombuffer(b"".join(held.values()), "<f2").reshape(len(held), DIM)
    return dict(zip(held, cosines(rows, query), strict=True))


def check(lobe: Large, held: Mapping[str, bytes], query: NDArray[np.float32], depth: int) -> None:
    right = expected(held, query)
    assert lobe.count == len(held)
    assert lobe.holds(held)
    assert not any(lobe.holds({id}) for id in set(IDS) - set(held))
    total, squares = lobe.sums.of(query)
    assert total == pytest.approx(sum(right.values()), abs=1e-5)
    assert squares == pytest.approx(sum(one * one for one in right.values()), abs=1e-5)
    look = lobe.look(query)
    sure = sorted(look.least(depth).tolist())[-depth:]
    best = sorted(right.values())[-depth:]
    assert all(low <= high for low, high in zip(sure, best, strict=True))
    found = look.reaching(sure[0])
    assert len(dict(found)) == len(found)
    assert dict(found).items() <= right.items()
    assert {id for id, score in right.items() if score >= best[0]} <= dict(found).keys()


@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    first=st.dictionaries(st.sampled_from(IDS), vectors, min_size=3, max_size=20),
    changes=steps,
    query=vectors,
    depth=st.integers(1, 30),
)
def test_a_large_lobe_is_what_came_and_did_not_go(
    first: dict[str, NDArray[np.float32]],
    changes: list[tuple[set[str], dict[str, NDArray[np.float32]]]],
    query: NDArray[np.float32],
    depth: int,
) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(coded, "CODED_ABOVE", 2)
        patch.setattr(coded, "TAIL_MOST", 2)
        patch.setattr(coded, "PARTS_MOST", 2)
        held = stored(first)
        lobe = fit(held, dim=DIM, folder=Path(name))
        assert isinstance(lobe, Large)
        check(lobe, held, query, depth)
        for drop, add in changes:
            held = {id: one for id, one in held.items() if id not in drop} | stored(add)
            after = lobe.changed(drop=drop, add=stored(add))
            assert (after is None) == (len(held) <= 2)
            if after is None:
                break
            lobe = after
            check(lobe, held, query, depth)
