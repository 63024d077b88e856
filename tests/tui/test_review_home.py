"""Review over a real home: what is decided on the screen is so in the store, and comes back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from tests.world_home import AHome, edit_id, write_edit

from lobes.domain.actors import Ai
from lobes.domain.errors import Unavailable
from lobes.domain.ids import LobeAddress
from lobes.domain.memories import Provenance
from lobes.domain.proposals import Origin, Proposal
from lobes.domain.reviewing import Decides
from lobes.services import reviewing
from lobes.services.decisions import Decided
from lobes.services.installation import Caller, Installation
from lobes.services.pack_proposing import propose_pack_edit
from lobes.services.proposing import propose
from lobes.services.waiting import waiting_in
from lobes.store import read_pack_edits
from lobes.tui.home import Home
from lobes.tui.reviewing import Order, Row, Waiting
from lobes.tui.reviewing_edits import OpenedEdit
from lobes.tui.triage import Asked

SPACE = "prj_notidian"


@pytest.fixture
def sample(a_home: Callable[..., AHome]) -> AHome:
    return a_home(samples=True)


def source_of(home: AHome) -> Home:
    source = Home(home.folders, first=SPACE)
    source._opened = home.lobes, home.lobes.owner_at("tui", is_present=True)
    return source


def proposed(home: AHome, text: str) -> str:
    agent = Caller(Ai(home.lobes.owner, "proposer", SPACE), "mcp")
    origin = Origin("agent", Provenance("mcp", "s1", "claude-code", "propose_memory"))
    return propose(home.lobes, agent, SPACE, Proposal(text), origin).id


def row(source: Home, id: str) -> Row:
    views = ("waiting", "active", "archived", "rejected")
    found = [one for view in views for one in source.review().queue(view).items]
    return next(one for one in found if one.id == id)


def shown(source: Home, id: str) -> Waiting:
    found = row(source, id)
    assert isinstance(found, Waiting)
    return found


def asked(source: Home, id: str) -> Asked:
    found = row(source, id)
    return Asked(id, found.stamp, found.kind)


def test_new_words_are_accepted_with_it_and_one_undo_takes_both_back(sample: AHome) -> None:
    source = source_of(sample)
    id = proposed(sample, "Quokkas ring the bell")
    order = Order(text="Quokkas ring the bell at noon", confirmed=True)
    done = source.review().reword(asked(source, id), order)
    now = shown(source, id).item.row
    assert (now.status, now.statement) == ("active", "Quokkas ring the bell at noon")
    assert done.undo is not None
    undone = done.undo()
    assert "1 memory waits again" in undone.text
    back = shown(source, id).item.row
    assert (back.status, back.statement) == ("proposed", "Quokkas ring the bell")
    assert undone.undo is not None
    undone.undo()
    again = shown(source, id).item.row
    assert (again.status, again.statement) == ("active", "Quokkas ring the bell at noon")


def test_new_words_that_could_not_be_accepted_are_told_of_and_can_be_undone(
    sample: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = source_of(sample)
    id = proposed(sample, "Quokkas ring the bell")
    decide = reviewing.decide

    def locked(lobes: Installation, me: Caller, act: Decides, *rest: Any, **more: Any) -> Decided:
        if act == "accept":
            raise Unavailable("The store is locked.")
        return decide(lobes, me, act, *rest, **more)

    monkeypatch.setattr(reviewing, "decide", locked)
    order = Order(text="Quokkas ring the bell at noon", confirmed=True)
    done = source.review().reword(asked(source, id), order)
    assert (done.done, done.text) == ((id,), "Edited, and still waiting: the store is locked")
    assert shown(source, id).item.row.statement == "Quokkas ring the bell at noon"
    assert done.undo is not None
    done.undo()
    back = shown(source, id).item.row
    assert (back.status, back.statement) == ("proposed", "Quokkas ring the bell")


def test_what_is_out_of_use_is_named_without_its_secret(sample: AHome) -> None:
    source, key = source_of(sample), "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    old, new = proposed(sample, f"Deploy with {key}"), proposed(sample, "Quokkas ring the bell")
    sure = Order(confirmed=True)
    source.review().decide("accept", [asked(source, old)], sure)
    order = Order(confirmed=True, target=asked(source, old))
    done = source.review().decide("supersede", [asked(source, new)], order)
    assert done.done == (new,)
    assert key not in done.text
    assert "hidden]" in done.text


def test_what_changed_since_it_was_shown_is_refused(sample: AHome) -> None:
    source = source_of(sample)
    id = proposed(sample, "Quokkas ring the bell")
    found = source.review().decide("accept", [Asked(id, "another")], Order())
    assert found.done == ()
    assert "changed" in found.refused[0].why


def test_every_view_holds_what_is_in_its_status(sample: AHome) -> None:
    source = source_of(sample)
    texts = ("Quokkas ring bells", "Trams stop at nine", "Tea is green", "Maps face north")
    ids = [proposed(sample, text) for text in texts]
    review = source.review()
    review.decide("reject", [asked(source, ids[0])], Order(reason="wrong"))
    for id in ids[1:3]:
        review.decide("accept", [asked(source, id)], Order())
    review.decide("archive", [asked(source, ids[2])], Order())
    views = {
        view: [one.id for one in review.queue(view).items] for view in ("rejected", "archived")
    }
    assert views == {"rejected": [ids[0]], "archived": [ids[2]]}
    assert ids[1] in [one.id for one in review.queue("active").items]
    assert [one.id for one in review.queue("waiting").items] == [ids[3]]


def test_spaces_count_what_waits_in_them(sample: AHome) -> None:
    source = source_of(sample)
    for number in range(3):
        proposed(sample, f"Statement of its own, {'abc'[number] * 9}")
    assert waiting_in(*source._opened or ()) == {f"space/{SPACE}": 3}
    counted = {row.id: row.waiting for row in source.spaces("active")}
    assert counted[SPACE] == 3
    assert sum(counted.values()) == 3


def test_a_memory_in_use_is_proposed_in_the_persons_own_lobe(sample: AHome) -> None:
    source = source_of(sample)
    id = proposed(sample, "Quokkas ring the bell")
    source.review().decide("accept", [asked(source, id)], Order())
    lobe = LobeAddress("personal", sample.lobes.owner)
    assert lobe in [one.lobe for one in source.review().places()]
    assert source.review().promotion(id, lobe).lobe == lobe
    done = source.review().promote([asked(source, id)], lobe)
    assert done.done == (id,)
    waiting = source.review().queue("waiting").items
    assert [(one.where, one.item.statement) for one in waiting if isinstance(one, Waiting)] == [
        (str(lobe), "Quokkas ring the bell")
    ]


def test_memories_and_edits_are_decided_together_and_come_back_together(sample: AHome) -> None:
    source, root = source_of(sample), sample.root(SPACE)
    agent = Caller(Ai(sample.lobes.owner, "proposer", SPACE), "mcp")
    origin = Origin("agent", Provenance("mcp", "s1", "claude-code", "propose_edit"))
    memory = proposed(sample, "Quokkas ring the bell")
    edit = propose_pack_edit(
        sample.lobes, agent, SPACE, "plans/bells.md", base_hash="", text="# Bells\n", origin=origin
    ).id
    found = source.review().queue("waiting")
    assert {one.id: one.kind for one in found.items} == {memory: "memory", edit: "pack_edit"}
    assert (found.counters.waiting, found.oldest is not None) == (2, True)
    assert waiting_in(*source._opened or ()) == {f"space/{SPACE}": 2}
    opened = source.review().open(row(source, edit))
    assert isinstance(opened, OpenedEdit)
    assert (opened.evidence.added, opened.evidence.stale) == (1, None)

    both = [Asked(one.id, one.stamp, one.kind) for one in found.items]
    done = source.review().decide("accept", both, Order())
    assert (set(done.done), done.refused, done.nouns) == ({memory, edit}, (), ("item", "items"))
    assert (root / "plans/bells.md").read_text() == "# Bells\n"
    assert waiting_in(*source._opened or ()) == {}
    assert done.undo is not None
    undone = done.undo()
    assert undone.text == "Undone: 1 edit waits again; 1 memory waits again"
    assert not (root / "plans/bells.md").exists()
    assert waiting_in(*source._opened or ()) == {f"space/{SPACE}": 2}
    assert undone.undo is not None
    undone.undo()
    assert (root / "plans/bells.md").exists()
    assert source.review().queue("waiting").items == ()


def test_deciding_on_memories_reads_no_edits(
    sample: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = source_of(sample)
    wanted = asked(source, proposed(sample, "Quokkas ring the bell"))
    read: list[str] = []
    rows = read_pack_edits.rows
    monkeypatch.setattr(
        read_pack_edits, "rows", lambda store, sql, *given: read.append(sql) or rows(store, sql)
    )
    done = source.review().decide("accept", [wanted], Order())
    assert (done.done, read) == ((wanted.id,), [])


def test_an_edit_is_rejected_and_reopened_and_nothing_else(sample: AHome) -> None:
    source = source_of(sample)
    agent = Caller(Ai(sample.lobes.owner, "proposer", SPACE), "mcp")
    origin = Origin("agent", Provenance("mcp", "s1", "claude-code", "propose_edit"))
    id = propose_pack_edit(
        sample.lobes, agent, SPACE, "plans/bells.md", base_hash="", text="# Bells\n", origin=origin
    ).id
    review = source.review()
    refused = review.decide("archive", [asked(source, id)], Order())
    assert (refused.done, refused.refused[0].why) == ((), "that is for memories")
    review.decide("reject", [asked(source, id)], Order(reason="wrong"))
    assert [one.id for one in review.queue("rejected").items] == [id]
    review.decide("reopen", [asked(source, id)], Order())
    assert [one.id for one in review.queue("waiting").items] == [id]


def test_a_rejected_edit_is_listed_behind_any_number_of_accepted_ones(
    sample: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = source_of(sample)
    monkeypatch.setattr(read_pack_edits, "DECIDED", 3)
    with closing(sqlite3.connect(sample.folders.store)) as store, store:
        write_edit(store, SPACE, name="rejected", status="rejected")
        for number in range(4):
            write_edit(store, SPACE, name=f"accepted-{number}", status="accepted")
        store.execute("UPDATE pack_edit SET decided = created")
    found = source.review().queue("rejected").items
    assert [one.id for one in found] == [edit_id(SPACE, "rejected")]


def test_how_sensitive_it_is_is_set_and_taken_back(sample: AHome) -> None:
    source = source_of(sample)
    id = proposed(sample, "Vault blocks keep their ids when they move.")
    review = source.review()
    done = review.set_level([asked(source, id)], "restricted", "")
    assert (done.text, done.refused) == ("It is restricted now", ())
    assert shown(source, id).item.row.level == "restricted"
    refused = review.set_level([asked(source, id)], "public", "")
    assert [one.why for one in refused.refused] == ["lowering takes a reason"]
    assert done.undo is not None
    undone = done.undo()
    assert undone.text == "Undone: 1 memory as sensitive as before"
    assert shown(source, id).item.row.level == "internal"
    assert undone.undo is not None
    undone.undo()
    assert shown(source, id).item.row.level == "restricted"
