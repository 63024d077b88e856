"""Memories among the answers of Search: their rows, why they are there, and all of their text."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import ANSWERS, FixedSource
from textual.pilot import Pilot

from lobes.tui.app import LobesApp
from lobes.tui.values import Found

FACTS = (
    ("Kind", "decision, agent inference"),
    ("Author", "agent"),
    ("Contested", "the other side stands beside it"),
    ("Evidence", "× 0.60"),
    ("Freshness", "half-life 180 d  × 0.75"),
)
LONG = "Retries back off up to a minute. " + "And so on, word by word. " * 100 + "The end."
CAP = replace(
    ANSWERS[0], id="m1", title="Retry cap", path="", text=LONG, memory=FACTS, contested=True,
    stale=True, outside=True,
)  # fmt: skip
OTHER = replace(CAP, id="m2", title="Retry cap is five minutes", text="Five minutes.")
FOUND = Found("", (CAP, OTHER, ANSWERS[1]), lobes=5)


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


async def asked(pilot: Pilot[None], source: FixedSource) -> None:
    await pilot.press("2", *"sync")
    await until(pilot, lambda: source.count("search") > 0)
    await pilot.press("down")
    await settled(pilot)


async def test_a_memory_says_that_it_is_one_and_what_is_to_be_known_of_it() -> None:
    source = FixedSource(found=replace(FOUND, answers=(replace(CAP, text="A minute."), OTHER)))
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await asked(pilot, source)
        shown = frame(app)
        assert "Retry cap" in shown[6]
        assert "≠ contested ◷ stale ↳ outside" in shown[6]
        assert "Notidian  memory" in shown[7]
        assert "memory › Retry cap" in text(app)
        for label, value in FACTS:
            assert any(label in line and value in line for line in shown), label


async def test_on_one_line_its_warnings_are_their_glyphs() -> None:
    source = FixedSource(found=FOUND)
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await asked(pilot, source)
        row = next(line for line in frame(app) if "Retry cap" in line)
        assert "Retry cap ≠ ◷ ↳" in row


async def test_enter_reads_all_of_it_and_no_file() -> None:
    source = FixedSource(found=FOUND)
    app = make(source)
    async with running(app, (120, 60)) as pilot:
        await asked(pilot, source)
        assert "The end." not in text(app)
        await pilot.press("enter")
        await settled(pilot)
        assert "The end." in text(app)
        assert source.count("read_file") == 0
        await until(pilot, lambda: ("note_read", "m1") in source.calls)
        await pilot.press("escape")
        await settled(pilot)
        assert "The end." not in text(app)
        assert source.count("note_read") == 1


async def test_memories_opened_quickly_are_counted_each_in_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source, held, noted = FixedSource(found=FOUND), Event(), FixedSource.note_read

    def note_read(own: FixedSource, memory: str) -> None:
        noted(own, memory)
        if memory == CAP.id:
            held.wait(20)

    monkeypatch.setattr(FixedSource, "note_read", note_read)
    app = make(source)
    async with running(app, (120, 60)) as pilot:
        await asked(pilot, source)
        jobs = app.screen.jobs
        await pilot.press("enter", "escape", "down", "enter")
        while not source.count("note_read"):
            await pilot.pause(0.01)
        while not jobs.is_writing("use") and source.count("note_read") < 2:
            await pilot.pause(0.01)
        assert source.count("note_read") == 1
        held.set()
        await until(pilot, lambda: ("note_read", OTHER.id) in source.calls)


async def test_what_needs_a_file_says_that_it_has_none() -> None:
    source = FixedSource(found=FOUND)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await asked(pilot, source)
        await pilot.press("e")
        await settled(pilot)
        assert "A memory is in no file." in text(app)
