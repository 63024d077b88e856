"""A suite that can't fail proves nothing: each mistake put into the core must be seen."""

from __future__ import annotations

import pytest
from mutants import MUTANTS, Mutant, caught


def test_the_unchanged_copy_is_not_accused() -> None:
    assert caught(None, worlds=20, every=7) is None


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=range(len(MUTANTS)))
def test_the_mistake_is_seen(mutant: Mutant) -> None:
    assert caught(mutant) is not None, f"{mutant.old} → {mutant.new}"
