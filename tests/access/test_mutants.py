"""A suite that can't fail proves nothing: each mistake put into the core must be seen."""

from __future__ import annotations

import pytest
from mutants import MUTANTS, SOURCES, Mutant, caught


def test_the_unchanged_copy_is_not_accused() -> None:
    assert caught(None, worlds=20, every=7) is None


def test_each_mistake_has_its_one_place() -> None:
    lost = [one.old for one in MUTANTS if SOURCES[one.module].count(one.old) != 1]
    assert not lost


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=range(len(MUTANTS)))
def test_the_mistake_is_seen(mutant: Mutant) -> None:
    assert caught(mutant) is not None, f"{mutant.old} → {mutant.new}"
