"""Edits of files in Review: the same queue and keys as memories, decided each by its service."""

from __future__ import annotations

from collections import Counter
from threading import Event, current_thread, main_thread
from typing import Any

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from tests.tui.sample_edits import NOTE, OUTSIDE, WithEdits, edit, opened
from tests.tui.sample_review import WAITS
from tests.tui.test_hostile import ALL, clean
from tests.tui.test_review import SIZES, Scene, scene

from lobes.domain.errors import Unavailable
from lobes.domain.line_diff import DiffLine
from lobes.tui.outcomes import Outcome
from lobes.tui.paint import Line
from lobes.tui.reviewing_edits import together
from lobes.tui.screens import laying
from lobes.tui.triage import Settlement
from lobes.tui.views import review_diff

ONE, PLAIN = NOTE.id, WAITS[1]


def with_edits(**changes: Any) -> WithEdits:
    review = WithEdits(memories={PLAIN.id: PLAIN})
    review.changes[ONE] = changes
    return review


async def at(on: Scene, id: str) -> None:
    on.screen.listing.select(id)
    await until(on.pilot, lambda: on.is_painted(id))


@pytest.mark.parametrize("size", SIZES)
async def test_edits_stand_in_the_queue_with_what_a_person_goes_by(size: tuple[int, int]) -> None:
    async with scene(with_edits(), size) as on:
        await at(on, ONE)
        text = on.text
        assert "3 Review 3" in text
        assert "3 waiting" in text
        assert "docs/sync.md" in text
        assert "pack edit" in text
        assert "outside edit" in text
        assert size[0] == 80 or "changed outside" in text
        assert "The code says five minutes." in text
        assert "claude-code, session s1," in text
        await on.press("tab", "G")
        assert "Retries back off up to 60 seconds." in on.text
        assert "At most 5 minutes." in on.text
        if size[0] < 100:
            await on.press("g")
            assert "you, agents bound to Notidian, 4 Spaces" in on.text
        else:
            assert "Who will be able to read it" in on.text
            assert "Initech, Globex, Internal, Writing" in " ".join(on.text.split())
        await on.press("escape")
        await at(on, OUTSIDE.id)
        assert "outside of Lobes; nobody is known" in on.text


async def test_of_a_file_that_would_be_gone_nobody_is_named() -> None:
    async with scene(with_edits(readers=None), (160, 50)) as on:
        await at(on, ONE)
        assert "nobody: the file would be gone" in on.text
        assert "Who will be able to read it" not in on.text
        assert "since yesterday" in on.text


async def test_accepting_and_rejecting_come_back_by_one_key() -> None:
    review = with_edits()
    async with scene(review) as on:
        await at(on, ONE)
        await on.press("a")
        assert on.acts() == [("accept", (ONE,))]
        assert "Accepted   z undoes" in on.text
        await on.press("z")
        assert review.edits[ONE].status == "proposed"
        assert "1 edit waits again" in on.text
        await at(on, ONE)
        await on.press("r", "1")
        assert review.edits[ONE].status == "rejected"
        assert on.review.decided[-1][2].reason == "wrong"


async def test_what_was_rejected_is_reopened() -> None:
    review = with_edits()
    review.edits = {ONE: edit("1", "docs/sync.md", status="rejected", reason="wrong")}
    async with scene(review) as on:
        await on.press("f", "f", "f")
        await until(on.pilot, lambda: on.is_painted(ONE))
        await on.press("A")
        assert on.acts() == [("reopen", (ONE,))]


@pytest.mark.parametrize("key", ["s", "m", "d", "e", "A", "D", "p", "="])
async def test_what_is_for_memories_alone_says_so(key: str) -> None:
    async with scene(with_edits()) as on:
        await at(on, ONE)
        await on.press(key)
        assert "That is for memories." in on.text
        assert on.acts() == []


async def test_memories_and_edits_marked_together_are_one_toast_and_one_undo() -> None:
    review = with_edits()
    async with scene(review) as on:
        for id in (ONE, OUTSIDE.id, PLAIN.id):
            await at(on, id)
        await on.press("*", "a")
        assert on.acts() == [("accept", (PLAIN.id,)), ("accept", (ONE, OUTSIDE.id))]
        assert "Accepted 3 items" in on.text
        assert "nothing waiting" in on.text
        await on.press("z")
        assert "Undone: 2 edits wait again; 1 memory waits again" in on.text
        assert review.edits[ONE].status == review.memories[PLAIN.id].status == "proposed"


def test_edits_that_were_undone_are_told_of_where_the_memories_beside_them_stayed() -> None:
    undone: list[str] = []

    def edits() -> Outcome:
        undone.append("edits")
        return Outcome("Undone: 1 edit waits again", lambda: Outcome("Redone: 1 edit"))

    def memories() -> Outcome:
        raise Unavailable("The store is locked.")

    both = together(Settlement(("m",), undo=memories), Settlement(("e",), undo=edits))
    assert both.undo is not None
    found = both.undo()
    assert found.text == "Undone: 1 edit waits again. The rest stayed: the store is locked"
    assert undone == ["edits"]
    assert found.undo is not None
    assert found.undo().text == "Redone: 1 edit"
    neither = together(Settlement(("m",), undo=edits), Settlement(("e",), undo=memories))
    assert neither.undo is not None
    with pytest.raises(Unavailable):
        neither.undo()
    assert undone == ["edits"]


async def test_an_edit_whose_difference_was_not_shown_is_left_out_of_a_batch() -> None:
    async with scene(with_edits()) as on:
        await at(on, PLAIN.id)
        on.screen._read_whole.clear()
        await on.press("*", "a")
        assert on.acts() == [("accept", (PLAIN.id,))]
        assert "left 2 that need a look" in on.text


async def test_a_difference_longer_than_the_pane_is_read_to_its_end_first() -> None:
    long = tuple(DiffLine("+", f"line {number}") for number in range(90))
    async with scene(with_edits(diff=long)) as on:
        await at(on, ONE)
        await on.press("a")
        assert on.acts() == []
        assert "Read what it changes to the end first." in on.text
        await on.press("G", "a")
        assert on.acts() == [("accept", (ONE,))]


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, bool]]:
    """How many lines of a difference were laid out each time, how wide, and whether keys waited
    for it."""
    found: list[tuple[int, int, bool]] = []

    def difference(diff: tuple[DiffLine, ...], width: int, *more: Any, **named: Any) -> list[Line]:
        found.append((len(diff), width, current_thread() is main_thread()))
        return review_diff.difference(diff, width, *more, **named)

    monkeypatch.setattr(laying, "difference", difference)
    return found


async def test_no_key_waits_for_a_long_difference_to_be_laid_out(
    laid: list[tuple[int, int, bool]],
) -> None:
    """However often it is looked at, and it is still read to its end before it is taken."""
    number = 5_000
    long = tuple(DiffLine("+", f"line {place}") for place in range(number))
    async with scene(with_edits(diff=long)) as on:
        await at(on, ONE)
        await until(on.pilot, lambda: "line 1" in on.text)
        await on.press("a")
        assert "Read what it changes to the end first." in on.text
        await on.press("tab", "escape", "tab", "G")
        assert f"line {number - 1}" in on.text
        by_width = Counter[int]()
        for lines, width, waited in laid:
            by_width[width] += lines
            assert not waited or lines < 10
        assert {*by_width.values()} == {number}, "once beside the list, and once as wide as all"
        await on.press("u", "escape", "a")
        assert on.acts() == [("accept", (ONE,))]


async def test_a_difference_that_is_being_laid_out_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, held = Event(), Event()

    def difference(diff: tuple[DiffLine, ...], *given: Any, **named: Any) -> list[Line]:
        if current_thread() is not main_thread():
            begun.set()
            held.wait(20)
        return review_diff.difference(diff, *given, **named)

    monkeypatch.setattr(laying, "difference", difference)
    review = with_edits(diff=tuple(DiffLine("+", f"line {place}") for place in range(500)))
    review.edits = {OUTSIDE.id: OUTSIDE, ONE: NOTE}
    async with scene(review, (80, 24)) as on:
        on.screen.listing.select(ONE)
        while not begun.is_set():
            await on.pilot.pause(0.01)
        await on.pilot.press("a")
        await on.pilot.pause()
        assert on.acts() == []
        held.set()
        await until(on.pilot, lambda: "line 1" in on.text)
        await on.press("a")
        assert on.acts() == []
        await on.press("G", "a")
        assert on.acts() == [("accept", (ONE,))]


async def test_a_difference_that_failed_to_be_laid_out_is_laid_out_when_it_is_shown_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failing = iter([Unavailable("No memory is left.")])

    def difference(diff: tuple[DiffLine, ...], *given: Any, **named: Any) -> list[Line]:
        if current_thread() is not main_thread() and (error := next(failing, None)):
            raise error
        return review_diff.difference(diff, *given, **named)

    monkeypatch.setattr(laying, "difference", difference)
    long = tuple(DiffLine("+", f"line {place}") for place in range(500))
    async with scene(with_edits(diff=long)) as on:
        on.screen.listing.select(ONE)
        await until(on.pilot, lambda: "No memory is left." in on.text)
        assert "line 1" not in on.text
        await at(on, PLAIN.id)
        on.screen.listing.select(ONE)
        await until(on.pilot, lambda: "line 1" in on.text)
        await on.press("tab", "G", "escape", "a")
        assert on.acts() == [("accept", (ONE,))]


async def test_what_was_read_in_a_narrow_pane_is_read_again_in_a_wide_one() -> None:
    """At another width they are other lines: the last one of before says nothing of these."""
    long = tuple(DiffLine("+", f"line {place} {'word ' * 12}") for place in range(60))
    async with scene(with_edits(diff=long), (120, 40)) as on:
        await at(on, ONE)
        await on.press("tab", "pagedown", "pagedown")
        lowest = on.screen.detail.lowest
        await on.press("g")
        await on.pilot.resize_terminal(99, 40)
        await settled(on.pilot)
        assert len(on.screen.detail.lines()) < lowest
        await on.press("escape", "a")
        assert on.acts() == []
        assert "Read what it changes to the end first." in on.text


async def test_what_was_read_to_its_end_stays_read_at_another_width() -> None:
    long = tuple(DiffLine("+", f"line {place} {'word ' * 12}") for place in range(60))
    async with scene(with_edits(diff=long), (120, 40)) as on:
        await at(on, ONE)
        await on.press("tab", "G", "g")
        await on.pilot.resize_terminal(99, 40)
        await settled(on.pilot)
        await on.press("escape", "a")
        assert on.acts() == [("accept", (ONE,))]


async def test_a_file_that_changed_asks_to_be_held_against_it() -> None:
    async with scene(with_edits(stale="file_changed")) as on:
        await at(on, ONE)
        await on.press("a")
        assert on.acts() == []
        await on.press("c")
        assert on.acts() == [("recheck", (ONE,))]


async def test_a_confidential_one_takes_a_yes_of_its_own() -> None:
    review = with_edits()
    review.edits = {ONE: edit("1", "docs/sync.md", level="confidential")}
    async with scene(review) as on:
        await at(on, ONE)
        await on.press("a")
        assert "confidential, into a file of Notidian. Accept?" in on.text
        await on.press("enter")
        assert on.acts() == [("accept", (ONE,))]
        assert on.review.decided[0][2].confirmed


@pytest.mark.parametrize("text", ALL, ids=lambda t: ascii(t[:12]))
@pytest.mark.parametrize("size", [(80, 24), pytest.param((160, 50), marks=pytest.mark.slow)])
async def test_hostile_text_stays_text_in_an_edit(text: str, size: tuple[int, int]) -> None:
    part = text[:4_000]
    one = edit("1", part, part, why=part, client=part, tool=part, session=part)
    review = WithEdits(memories={}, edits={one.id: one})
    review.changes[one.id] = {
        "diff": (*opened(one).evidence.diff, DiffLine("-", part), DiffLine("+", part)),
        "detectors": (part,),
        "stale": "file_changed",
        "hidden": 3,
    }
    source = FixedSource(reviewed=review)
    app = make(source)
    async with running(app, size) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: source.count("inspect") > 0)
        for keys in (["u"], ["tab", "G"], ["escape", "?"], ["escape", "a"]):
            await pilot.press(*keys)
            await settled(pilot)
            clean(frame(app), size)
        assert app.is_running
        assert review.decided == []
