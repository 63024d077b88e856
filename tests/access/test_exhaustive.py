"""Every combination of actor, verb, permission and thing: the core answers like the oracle."""

from __future__ import annotations

from collections import Counter

import pytest
from comparison import (
    PERMISSIONS,
    authorize_difference,
    drawn,
    enumerated_cases,
    enumerated_world,
    resolve_difference,
)
from oracle import answer, verdict
from worlds import every_lobe

from lobes.access.authorize import authorize
from lobes.access.resolve import resolve


def test_every_combination_answers_like_the_oracle() -> None:
    cases = enumerated_cases(["ai/editor", "job/proposer"])
    for permission in PERMISSIONS[::2]:
        world = enumerated_world(permission)
        assert authorize_difference(authorize, world, cases) is None


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_preset_and_every_permission_answers_like_the_oracle() -> None:
    kinds = ["ai/reader", "ai/proposer", "ai/editor", "job/reader", "job/proposer", "job/editor"]
    cases = enumerated_cases(kinds)
    for permission in PERMISSIONS:
        world = enumerated_world(permission)
        assert authorize_difference(authorize, world, cases) is None


@pytest.mark.parametrize("seed", range(4))
def test_drawn_worlds_answer_like_the_oracle(seed: int) -> None:
    for world, cases, questions in drawn(seed, 40):
        assert authorize_difference(authorize, world, cases) is None
        for who, space in questions:
            assert resolve_difference(resolve, world, who, space) is None


def test_the_sweeps_reach_every_answer() -> None:
    """A sweep that never sees a reason proves nothing about it."""
    said: Counter[str] = Counter()
    for permission in PERMISSIONS[::2]:
        world = enumerated_world(permission)
        said.update(answer(world, *case)[1] for case in enumerated_cases(["ai/reader"]))
    resolved: Counter[str] = Counter()
    for world, _, questions in drawn(0, 300):
        for who, space in questions:
            found = (verdict(world, who, space, lobe) for lobe in every_lobe(world))
            resolved.update(one[1] for one in found if one)
    wanted = "unknown_verb ai_bar superuser ceiling not_found owner owner_only granted not_granted "
    wanted += "shared share_is_read_only public"
    assert set(said) == set(wanted.split())
    codes = "no_access own excluded inactive private personal muted member sibling subscribed "
    codes += "shared once ask closed not_linked"
    assert set(resolved) == set(codes.split())
    assert min(resolved.values()) >= 5
