"""Three gates before a source: it is offered, attached and drawn on only by who may read it."""

from __future__ import annotations

import json

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Forbidden, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import Subscription
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save
from lobes.services.lobes import lobe_view

BOB = Caller(parse_actor("user:bob"), "cli", is_present=True)
SUBSCRIBED = LobeChange(subscribe=(Subscription("space", "prj_a"),))


def let(home: AHome, *verbs: str) -> None:
    grants = {verb: ["user:bob"] for verb in verbs}
    text = json.dumps({"visibility": "restricted", "grants": grants})
    home.execute("UPDATE space SET permission = ? WHERE id = 'prj_a'", text)


@pytest.fixture
def two(home: AHome) -> AHome:
    """Bob's Space beside Ada's."""
    home.a_space("prj_a", {"a.md": "# A\n\nzephyr\n"})
    home.a_space("prj_b", {"b.md": "# B\n\nother\n"})
    home.index()
    home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026-01-01')")
    home.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_b'")
    return home


def reason(home: AHome) -> str:
    sources = lobe_view(home.lobes, BOB, "prj_b").sources
    return next((one.reason for one in sources if one.lobe == "space/prj_a"), "")


def test_what_may_not_be_read_is_offered_and_attached_to_nobody(two: AHome) -> None:
    assert reason(two) == ""
    with pytest.raises(NotFound):
        save(two.lobes, BOB, "prj_b", SUBSCRIBED)
    let(two, "read_meta")
    assert reason(two) == "no_access"
    with pytest.raises(Forbidden) as refused:
        save(two.lobes, BOB, "prj_b", SUBSCRIBED)
    assert refused.value.reason == "no_access"


def test_each_turn_asks_again(two: AHome) -> None:
    let(two, "read_meta", "read_content")
    save(two.lobes, BOB, "prj_b", SUBSCRIBED)
    agent = Caller(parse_actor("ai:bob/reader@prj_b"), "cli")
    for who in (BOB, agent):
        assert two.found("zephyr", "prj_b", by=who) == {("prj_a", "a.md")}
    let(two, "read_meta")
    for who in (BOB, agent):
        assert two.found("zephyr", "prj_b", by=who) == set()
