"""The worlds of `tests/authz`: each row is asked of the core, and of the oracle as well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from oracle import answer, verdict
from worlds import every_lobe

from lobes.access.resolve import resolve
from lobes.services import authz_check
from lobes.services.authz_worlds import Story, actor_of, facts_of, stories

STORIES = list(stories())
NAMED = [pytest.param(one, id=one.name.split(":")[0]) for one in STORIES]


def checks() -> Iterator[Any]:
    for story in STORIES:
        for row in story.check:
            yield pytest.param(story, row, id=" ".join(row))


@pytest.mark.parametrize("story", NAMED)
def test_what_is_written_holds(story: Story) -> None:
    assert list(authz_check.wrong_rows(story)) == []


@pytest.mark.parametrize(("story", "row"), checks())
def test_the_oracle_reads_a_check_like_its_author(story: Story, row: list[str]) -> None:
    who, verb, what, allowed, reason = row
    assert answer(story.world, who, verb, what) == ({"yes": True, "no": False}[allowed], reason)


@pytest.mark.parametrize("story", NAMED)
def test_the_oracle_reads_lists_and_lobes_like_their_author(story: Story) -> None:
    for row in story.list:
        kind = row["kind"]
        every = story.world[f"{kind}s"]
        seen = [
            one for one in every if answer(story.world, row["who"], "read_meta", f"{kind}/{one}")[0]
        ]
        assert set(seen) == set(row["sees"]), row
    for row in story.explain:
        told = {
            lobe: verdict(story.world, row["who"], row["in"], lobe)
            for lobe in every_lobe(dict(story.world))
        }
        assert {lobe: one[1] for lobe, one in told.items() if one} == row["lobes"], row


def test_a_row_that_does_not_hold_is_named() -> None:
    world = {"owner": "me", "people": ["me"], "spaces": {"x": {"owner": "me"}}}
    story = Story(
        "Wrong",
        world,
        check=[["me", "erase", "space/x", "no", "owner_only"]],
        list=[{"who": "me", "kind": "space", "sees": []}],
        explain=[{"who": "me", "in": "x", "lobes": {"space/x": "own"}}],
    )
    assert list(authz_check.wrong_rows(story)) == [
        "me erase space/x: no (owner_only) is right, yes (owner) came",
        "me sees of each space:  is right, x came",
        "me in x, personal/me: nothing is right, personal came",
    ]


def test_the_consulting_case_holds_both_ways() -> None:
    """AZ-22 for decisions: no client draws on the other, and the internal Space on neither."""
    world = next(one.world for one in STORIES if one.name.startswith("Consulting: two clients"))
    for space in ("initech", "globex", "internal"):
        for who in ("me", f"ai:me/editor@{space}", f"job:me/editor@{space}"):
            drawn = {
                str(o.lobe) for o in resolve(actor_of(who), space, facts_of(world)) if o.allowed
            }
            assert not drawn & ({"space/initech", "space/globex"} - {f"space/{space}"})
