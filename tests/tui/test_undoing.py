"""Undo and redo, one step after the other: no key is lost, and none overtakes another one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
from tests.tui.frames import frame, make, running, settled
from tests.tui.sample import FixedSource
from tests.tui.test_waiting import held
from textual.pilot import Pilot

from lobes.domain.errors import Conflict, LobesError, Unavailable
from lobes.tui.app import LobesApp


def restored(source: FixedSource) -> list[object]:
    return [call[1] for call in source.calls if call[0] == "restore"]


@asynccontextmanager
async def two_archived(source: FixedSource) -> AsyncIterator[tuple[LobesApp, Pilot[None]]]:
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        for _ in range(2):
            await pilot.press("A")
            await settled(pilot)
        yield app, pilot


async def test_undo_pressed_twice_at_once_undoes_two_acts_the_last_one_first() -> None:
    source = FixedSource()
    async with two_archived(source) as (app, pilot):
        archived = [call[1] for call in source.calls if call[0] == "archive"]
        with held(source, "restore") as go:
            await pilot.press("z", "z")
            assert len(restored(source)) <= 1, "the second waits for the first"
            go.set()
            while len(restored(source)) < 2:
                await settled(pilot)
        await settled(pilot)
        assert restored(source) == archived[::-1]
        assert not app._undo
        assert not app._steps


@pytest.mark.parametrize(
    ("fault", "kept"),
    [
        (Unavailable("The store is busy.", reason="store_busy"), 2),
        (Conflict("It changed.", reason="changed"), 1),
    ],
)
async def test_an_undo_that_fails_takes_no_older_act_with_it(fault: LobesError, kept: int) -> None:
    source = FixedSource(fail={"restore": fault})
    async with two_archived(source) as (app, pilot):
        with held(source, "restore"):
            await pilot.press("z", "z")
        await settled(pilot)
        await settled(pilot)
        assert len(restored(source)) == 1
        assert fault.message in "\n".join(frame(app))
        assert len(app._undo) == kept


async def test_the_undo_of_an_act_that_failed_undoes_no_older_one() -> None:
    source = FixedSource()
    async with two_archived(source) as (_app, pilot):
        with held(source, "archive"):
            source.fail["archive"] = Conflict("It changed.", reason="changed")
            await pilot.press("A", "z")
        await settled(pilot)
        await settled(pilot)
        assert source.count("archive") == 3
        assert restored(source) == []
        await pilot.press("z")
        await settled(pilot)
        assert len(restored(source)) == 1, "the next key means the last act that was done"


async def test_two_spaces_begun_at_once_are_both_made_and_both_told() -> None:
    source, told = FixedSource(), list[str]()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        jobs = app.jobs
        with held(source, "new_space") as go:
            for name in ("one", "two"):
                jobs.start(
                    "act",
                    partial(source.new_space, name, "area"),
                    lambda done: told.append(done.text),
                )
            assert jobs.is_writing("act")
            go.set()
            while len(told) < 2:
                await settled(pilot)
        assert [call[1] for call in source.calls if call[0] == "new_space"] == ["one", "two"]
        assert not jobs.is_writing("act")


async def test_what_was_undone_in_two_steps_is_redone_in_two() -> None:
    source = FixedSource()
    async with two_archived(source) as (app, pilot):
        archived = [call[1] for call in source.calls if call[0] == "archive"]
        for key in ("z", "z", "Z", "Z"):
            await pilot.press(key)
            await settled(pilot)
        again = [call[1] for call in source.calls if call[0] == "archive"]
        assert again == [*archived, *archived]
        assert len(app._undo) == 2
        assert not app._redo
