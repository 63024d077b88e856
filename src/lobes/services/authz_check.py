"""The worlds that come with Lobes, asked of the core of this very installation."""

from __future__ import annotations

from collections.abc import Iterator

from lobes.access.authorize import authorize
from lobes.access.facts import Facts
from lobes.access.resolve import resolve
from lobes.services.authz_worlds import Story, actor_of, facts_of, resource_of, stories


def differences() -> tuple[int, list[str]]:
    """How many rows were asked, and in words each that this installation answers otherwise."""
    asked = 0
    found: list[str] = []
    for story in stories():
        asked += len(story.check) + len(story.list) + len(story.explain)
        found += [f"{story.name}: {one}" for one in wrong_rows(story)]
    return asked, found


def wrong_rows(story: Story) -> Iterator[str]:
    """What doesn't hold in this world, one sentence a row."""
    facts = facts_of(story.world)
    for who, verb, what, wanted, reason in story.check:
        got = authorize(actor_of(who), verb, resource_of(what), facts)
        if (got.allowed, got.reason) != (wanted == "yes", reason):
            answer = "yes" if got.allowed else "no"
            yield f"{who} {verb} {what}: {wanted} ({reason}) is right, {answer} ({got.reason}) came"
    for row in story.list:
        seen = listed(row["who"], row["kind"], story, facts)
        if seen != set(row["sees"]):
            right = ", ".join(sorted(row["sees"]))
            yield f"{row['who']} sees of each {row['kind']}: {right} is right, {_said(seen)} came"
    for row in story.explain:
        decisions = resolve(actor_of(row["who"]), row["in"], facts)
        lobes = {str(one.lobe): one.reason for one in decisions}
        for lobe in sorted({*lobes, *row["lobes"]}):
            right, came = row["lobes"].get(lobe, "nothing"), lobes.get(lobe, "nothing")
            if right != came:
                yield f"{row['who']} in {row['in']}, {lobe}: {right} is right, {came} came"


def listed(who: str, kind: str, story: Story, facts: Facts) -> set[str]:
    """All of a kind that they may know of."""
    actor = actor_of(who)
    return {
        name
        for name in story.world[f"{kind}s"]
        if authorize(actor, "read_meta", resource_of(f"{kind}/{name}"), facts).allowed
    }


def _said(seen: set[str]) -> str:
    return ", ".join(sorted(seen)) or "nothing"
