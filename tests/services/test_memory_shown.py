"""What is shown of a memory: masked whoever looked last, and nothing made of hidden words."""

from __future__ import annotations

import json

from decided import do, reasons, remember
from homes import AHome
from lobes.domain.actors import Human
from lobes.domain.ids import Slug, parse_address
from lobes.services.installation import Caller
from lobes.services.memories import list_memories, show_memory
from lobes.services.review_evidence import evidence
from lobes.services.review_queue import queue
from lobes.store.read_memories import Where

KEY = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


def test_a_secret_that_an_older_classifier_missed_is_masked_wherever_it_is_shown(
    home: AHome,
) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    used = remember(home, f"Deploy with {KEY}.", status="active", classifier=0)
    waits = remember(home, f"Deploy with {KEY} now.", classifier=0)
    found = list_memories(home.lobes, home.me, Where()).items
    texts = [one.memory.statement for one in found]
    texts += [show_memory(home.lobes, home.me, id).memory.statement for id in (used, waits)]
    texts += [one.statement for one in queue(home.lobes, home.me).items]
    looked = evidence(home.lobes, home.me, waits)
    texts += [looked.memory.statement, *(one.memory.statement for one in looked.neighbours)]
    texts += [line.text for line in looked.diff]
    assert len(texts) >= 6
    assert [text for text in texts if KEY in text or "hidden]" not in text] == []


def test_an_agent_gets_no_hash_to_guess_a_masked_secret_by(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    secret = remember(home, f"Deploy with {KEY}.", status="active")
    plain = remember(home, "The port is 8080.", status="active")
    agent = home.agent("prj_a", preset="editor")
    rows = {one.memory.id: one.memory for one in list_memories(home.lobes, agent, Where()).items}
    assert (rows[secret].content_hash, bool(rows[plain].content_hash)) == ("", True)
    for id in (secret, plain):
        assert show_memory(home.lobes, agent, id).shown == ""
        assert show_memory(home.lobes, home.me, id).shown
    assert show_memory(home.lobes, agent, secret).memory.content_hash == ""


def test_of_words_that_may_not_be_read_there_is_no_hash_to_test_a_guess_on(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, '2026-01-01')")
    grants = {"visibility": "restricted", "grants": {"read_meta": ["user:bob"]}}
    home.execute("UPDATE space SET permission = ?", json.dumps(grants))
    remember(home, "The port is 8080.", status="active")
    bob = Caller(Human(Slug("bob")), "cli")
    (row,) = list_memories(home.lobes, bob, Where()).items
    assert (row.memory.statement, row.memory.content_hash) == ("", "")
    (mine,) = list_memories(home.lobes, home.me, Where()).items
    assert mine.memory.content_hash


def test_a_secret_that_an_older_classifier_missed_goes_no_further_and_takes_a_yes(
    home: AHome,
) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    used = remember(home, f"Deploy with {KEY}.", status="active", classifier=0)
    waits = remember(home, f"Run with {KEY} now.", classifier=0)
    personal = parse_address("personal/ada")
    assert reasons(do(home, "promote", used, lobe=personal)) == {used: "stays"}
    assert reasons(do(home, "move", waits, lobe=personal)) == {waits: "stays"}
    assert reasons(do(home, "accept", waits)) == {waits: "needs_confirmation"}
