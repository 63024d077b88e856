"""The worlds of `assertions.yaml`: each row is asked of the core, and of the oracle as well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from oracle_authorize import answer
from oracle_resolve import verdict
from worlds import actor_of, every_lobe, facts_of, resource_of

from lobes.access.authorize import authorize
from lobes.access.resolve import resolve

STORIES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "assertions.yaml").read_text(encoding="utf-8")
)


def rows(part: str) -> Iterator[Any]:
    for story in STORIES:
        for number, row in enumerate(story.get(part, ())):
            yield pytest.param(story["world"], row, id=f"{story['name'].split(':')[0]}-{number}")


@pytest.mark.parametrize(("world", "row"), rows("check"))
def test_who_may_do_what(world: dict[str, Any], row: list[str]) -> None:
    who, verb, what, allowed, reason = row
    wanted = ({"yes": True, "no": False}[allowed], reason)
    got = authorize(actor_of(who), verb, resource_of(what), facts_of(world))
    assert (got.allowed, got.reason) == wanted
    assert answer(world, who, verb, what) == wanted


@pytest.mark.parametrize(("world", "row"), rows("list"))
def test_what_somebody_gets_to_see(world: dict[str, Any], row: dict[str, Any]) -> None:
    facts = facts_of(world)
    seen = {
        name
        for name in world[f"{row['kind']}s"]
        if authorize(
            actor_of(row["who"]), "read_meta", resource_of(f"{row['kind']}/{name}"), facts
        ).allowed
    }
    assert seen == set(row["sees"])


@pytest.mark.parametrize(("world", "row"), rows("explain"))
def test_why_a_space_draws_on_a_lobe(world: dict[str, Any], row: dict[str, Any]) -> None:
    got = resolve(actor_of(row["who"]), row["in"], facts_of(world))
    assert {str(one.lobe): one.reason for one in got} == row["lobes"]
    told = {lobe: verdict(world, row["who"], row["in"], lobe) for lobe in every_lobe(world)}
    assert {lobe: one[1] for lobe, one in told.items() if one} == row["lobes"]


def test_the_consulting_case_holds_both_ways() -> None:
    """AZ-22 for decisions: no client draws on the other, and the internal Space on neither."""
    world = STORIES[0]["world"]
    for space in ("initech", "globex", "internal"):
        for who in ("me", f"ai:me/editor@{space}", f"job:me/editor@{space}"):
            drawn = {
                str(o.lobe) for o in resolve(actor_of(who), space, facts_of(world)) if o.allowed
            }
            assert not drawn & ({"space/initech", "space/globex"} - {f"space/{space}"})
