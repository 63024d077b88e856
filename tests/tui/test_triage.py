"""Triage with a double: nothing is decided unseen, each item has its outcome, one undo a batch."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from threading import Event

import pytest
from tests.tui.double import ACTIONS, DoubleScreen, Pool, Proposal, Ticks, triage_app
from tests.tui.frames import frame, running, settled, until
from textual.events import Key
from textual.pilot import Pilot

from lobes.domain.errors import Unavailable
from lobes.keys import actions
from lobes.tui.app import LobesApp
from lobes.tui.screens.triage import Found

WIDE = (120, 40)


@pytest.fixture(autouse=True)
def keys_of_the_double(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "ACTIONS", (*actions.ACTIONS, *ACTIONS))


@dataclass
class Closed(Pool):
    """Proposals that can't be read."""

    is_closed: bool = True

    def read(self, view: str) -> Found[Proposal]:
        if self.is_closed:
            raise Unavailable("The store is closed.", hint="Open it.")
        return super().read(view)


@dataclass
class Scene:
    app: LobesApp
    pilot: Pilot[None]
    pool: Pool
    ticks: Ticks

    @property
    def screen(self) -> DoubleScreen:
        assert isinstance(self.app.screen, DoubleScreen)
        return self.app.screen

    @property
    def cursor(self) -> str:
        return self.screen.listing.cursor

    @property
    def text(self) -> str:
        return "\n".join(frame(self.app))

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await settled(self.pilot)

    async def painted(self) -> None:
        """Until what is under the cursor stands on the screen as it is."""

        def stands() -> bool:
            screen, id = self.screen, self.cursor
            item = screen.item(id) if id else None
            if item is None:
                return screen.found is not None
            far = self.ticks.now + 1e6
            return screen.listing.is_painted(id) and screen.guard.may(id, item.stamp, far)

        await until(self.pilot, stands)

    async def wait(self, seconds: float = 1.0) -> None:
        await self.painted()
        self.ticks.now += seconds

    async def others(self) -> None:
        """Somebody else wrote to the store."""
        self.screen.others_wrote()
        await settled(self.pilot)
        await self.painted()


@asynccontextmanager
async def scene(
    pool: Pool | None = None, size: tuple[int, int] = WIDE, *, rested: bool = True
) -> AsyncIterator[Scene]:
    ticks, pool = Ticks(), pool or Pool()
    app = triage_app(pool, ticks)
    async with running(app, size) as pilot:
        app.go("review")
        await settled(pilot)
        one = Scene(app, pilot, pool, ticks)
        if rested:
            await one.wait()
        yield one


# One item ----------------------------------------------------------------------------------------


async def test_a_key_decides_and_the_cursor_goes_on() -> None:
    async with scene() as on:
        await on.press("a")
        assert on.pool.records == [("accept", ("p00",), "")]
        assert on.cursor == "p01"
        assert "Accepted   z undoes" in on.text
        await on.press("a")
        assert on.pool.records[1:] == [("accept", ("p01",), "")]


async def test_at_the_end_the_cursor_goes_to_the_row_before() -> None:
    async with scene() as on:
        await on.press("G", "a")
        assert (on.pool.records[0][1], on.cursor) == (("p29",), "p28")


async def test_undo_brings_it_back_and_redo_takes_it_away_again() -> None:
    async with scene() as on:
        await on.press("a", "z")
        assert "p00" in on.pool.waiting
        assert "Undone: it waits again   Z redoes" in on.text
        await on.press("Z")
        assert "p00" not in on.pool.waiting
        await on.press("z")
        assert "p00" in on.pool.waiting


async def test_a_failure_is_told_and_the_row_stays() -> None:
    async with scene() as on:
        on.pool.fault = Unavailable("The store is busy.", reason="busy")
        await on.press("a")
        assert "The store is busy." in on.text
        on.pool.fault = None
        await on.press("g", "a")
        assert on.pool.records == [("accept", ("p00",), "")]


async def test_undo_pressed_while_an_act_fails_undoes_no_older_one() -> None:
    """The key meant the act that was under way; with nothing done, there is nothing to undo."""
    async with scene() as on:
        await on.press("a")
        await on.wait()
        on.pool.hold = Event()
        on.pool.fault = Unavailable("The store is busy.", reason="busy")
        await on.pilot.press("a")
        await on.pilot.pause()
        await on.pilot.press("z")
        await on.pilot.pause()
        on.pool.hold.set()
        await settled(on.pilot)
        assert "The store is busy." in on.text
        assert on.pool.records == [("accept", ("p00",), "")]


async def test_what_changed_in_the_store_is_refused_and_still_there() -> None:
    async with scene() as on:
        on.pool.stale.add("p00")
        await on.press("a")
        assert on.pool.records == []
        assert "It couldn't be accepted: it changed. It's still here." in on.text


# 300 ms ------------------------------------------------------------------------------------------


async def test_nothing_is_decided_before_it_has_been_there_for_300_ms() -> None:
    async with scene(rested=False) as on:
        await on.press("a")
        await on.painted()
        on.ticks.now += 0.29
        await on.press("a")
        assert on.pool.records == []
        on.ticks.now += 0.02
        await on.press("a")
        assert on.pool.records == [("accept", ("p00",), "")]


async def test_a_text_that_changes_under_the_cursor_waits_again() -> None:
    async with scene() as on:
        on.pool.waiting["p00"] = replace(on.pool.waiting["p00"], text="Another.", stamp="2")
        await on.others()
        await on.press("a")
        assert on.pool.records == []
        await on.wait(0.31)
        await on.press("a")
        assert on.pool.records == [("accept", ("p00",), "")]


async def test_a_row_that_goes_leaves_none_to_be_decided_in_its_place() -> None:
    async with scene() as on:
        del on.pool.waiting["p00"]
        await on.others()
        assert (on.cursor, "it is gone" in on.text) == ("p00", True)
        await on.press("a")
        await on.others()
        assert on.cursor == "p01"
        await on.press("a")
        assert on.pool.records == []
        await on.wait(0.31)
        await on.press("a")
        assert on.pool.records == [("accept", ("p01",), "")]


async def test_a_refresh_that_changes_nothing_holds_no_key_back() -> None:
    async with scene() as on:
        await on.others()
        await on.press("a")
        assert on.pool.records == [("accept", ("p00",), "")]


async def test_moving_holds_no_key_back() -> None:
    async with scene() as on:
        await on.press("j", "j", "a")
        assert on.pool.records == [("accept", ("p02",), "")]


async def test_new_rows_wait_in_the_heading_until_they_are_asked_for() -> None:
    async with scene() as on:
        new = {f"n{n}": Proposal(f"n{n}", f"New {n}") for n in range(3)}
        on.pool.waiting = {**new, **on.pool.waiting}
        await on.others()
        assert "3 new, ctrl+r" in on.text
        assert (on.cursor, "New 1" in on.text) == ("p00", False)
        await on.press("ctrl+r")
        assert (on.cursor, "New 1" in on.text) == ("p00", True)


async def test_a_key_before_the_first_rows_decides_nothing() -> None:
    ticks, pool = Ticks(), Pool()
    app = triage_app(pool, ticks)
    async with app.run_test(size=WIDE) as pilot:
        app.go("review")
        await pilot.press("a", "a", "enter", "a")
        await settled(pilot)
        assert pool.records == []


# Brakes ------------------------------------------------------------------------------------------


async def test_what_must_be_confirmed_asks_in_the_last_line() -> None:
    async with scene() as on:
        await on.press(*"jjjjj", "a")
        assert "restricted. Accept?" in frame(on.app)[-1]
        assert on.pool.records == []
        await on.press("escape")
        assert (on.pool.records, on.cursor) == ([], "p05")
        await on.press("a", "enter")
        assert on.pool.records == [("accept", ("p05",), "")]


async def test_two_quick_enters_answer_once_and_decide_nothing_else() -> None:
    async with scene() as on:
        await on.press(*"jjjjj")
        await on.press("a", "enter", "enter")
        assert on.pool.records == [("accept", ("p05",), "")]


async def test_while_a_question_is_open_no_key_means_anything_else() -> None:
    async with scene() as on:
        await on.press("r", "1")
        assert on.app.current_mode == "review"
        assert on.pool.records == [("reject", ("p00",), "wrong")]
        await on.press("r", "q", "a", "j", "7", "escape")
        assert (on.app.current_mode, len(on.pool.records)) == ("review", 1)
        assert on.cursor == "p01"


async def test_a_conflict_offers_what_can_be_done_instead() -> None:
    async with scene() as on:
        await on.press(*"jjj", "a")
        assert "It contradicts a memory." in frame(on.app)[-1]
        await on.press("d")
        assert on.pool.records == [("dispute", ("p03",), "")]


async def test_a_long_text_is_read_to_its_end_first() -> None:
    async with scene(size=(80, 24)) as on:
        await on.press(*"jjjjjjj", "a")
        assert "Read it to the end first." in on.text
        assert on.screen.has_class("-zoom")
        assert on.pool.records == []
        await on.press("escape", "escape", "a")
        assert on.pool.records == []
        await on.press("G", "escape", "escape", "a")
        assert on.pool.records == [("accept", ("p07",), "")]


async def test_what_changes_while_the_question_is_open_is_not_decided() -> None:
    async with scene() as on:
        await on.press("r")
        on.pool.waiting["p00"] = replace(on.pool.waiting["p00"], text="Another.", stamp="2")
        await on.others()
        await on.press("1")
        assert on.pool.records == []
        assert "it changed" in on.text


# Reasons -----------------------------------------------------------------------------------------


async def test_enter_takes_the_usual_reason() -> None:
    async with scene() as on:
        await on.press("r", "enter")
        assert on.pool.records == [("reject", ("p00",), "not worth keeping")]
        assert "Rejected: not worth keeping   z undoes" in on.text


async def test_a_reason_of_ones_own_is_typed_and_no_key_is_lost() -> None:
    async with scene() as on:
        await on.press("r", "6", *"dull 1")
        assert on.pool.records == []
        await on.press("enter")
        assert on.pool.records == [("reject", ("p00",), "dull 1")]
        await on.press("j", "r", "6", "x", "escape")
        assert len(on.pool.records) == 1
        assert on.screen.listing.has_focus


async def test_a_question_that_is_closed_before_its_field_stands_leaves_none() -> None:
    async with scene() as on:
        await on.press("r")
        assert on.screen.takes(Key("6", "6"))
        assert on.screen.takes(Key("escape", None))
        await settled(on.pilot)
        assert not on.screen.query("#note")
        assert not on.screen.is_asking
        await on.press("a")
        assert [word for word, _, _ in on.pool.records] == ["accept"]


async def test_a_list_that_can_not_be_read_says_so_and_is_read_again() -> None:
    pool = Closed()
    async with scene(pool, rested=False) as on:
        assert "The store is closed. Open it." in on.text
        assert "ctrl+r looks again." in on.text
        assert "reading" not in on.text
        pool.is_closed = False
        await on.press("ctrl+r")
        assert "Proposal number 0 says something." in on.text
        pool.is_closed = True
        await on.press("ctrl+r")
        assert "Proposal number 0 says something." in on.text
        assert "The store is closed." in on.text, "in a toast, over what stands there"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_all_reasons_can_be_read_at_any_width(size: tuple[int, int]) -> None:
    async with scene(size=size) as on:
        await on.press("r")
        for words in ("1 wrong", "3 too vague", "5 secret or personal", "6 other", "esc no"):
            assert words in on.text
        await on.press("escape")
        assert "1 wrong" not in on.text


# Batches -----------------------------------------------------------------------------------------


async def test_a_batch_is_one_record_one_undo_and_leaves_what_needs_a_look() -> None:
    async with scene() as on:
        await on.press("v", *"jjjjjj", "a")
        done = ("p00", "p01", "p02", "p04", "p06")
        assert on.pool.records == [("accept", done, "")]
        assert "Accepted 5, left 2 that need a look   z undoes" in on.text
        assert not on.screen.listing.marks.ids
        await on.press("z")
        assert len(on.pool.waiting) == 30
        await on.press("Z")
        assert set(done).isdisjoint(on.pool.waiting)


async def test_a_run_of_six_is_rejected_with_eight_keys_and_one_undo() -> None:
    async with scene() as on:
        await on.press("G", "v", *"kkkkk", "r", "1")
        assert on.pool.records[0][0::2] == ("reject", "wrong")
        assert len(on.pool.records[0][1]) == 6
        assert "Rejected 6 memories: wrong   z undoes" in on.text
        await on.press("z")
        assert len(on.pool.waiting) == 30


async def test_of_a_batch_the_refused_one_is_named_and_still_there() -> None:
    async with scene() as on:
        on.pool.stale.add("p25")
        await on.press("G", "v", *"kkkkk", "r", "1")
        assert "p25" in on.pool.waiting
        assert "1 of 6 couldn't be rejected: it changed. It's still here." in on.text
        assert len(on.pool.records) == 1


async def test_marks_outlive_filter_and_refresh_and_a_changed_one_is_refused() -> None:
    """Marks + filter + refresh + bulk action with one refused item."""
    async with scene() as on:
        await on.press("x", "j", "x", "j", "x")
        assert "3 marked" in on.text
        await on.press("/", *"number 2")
        assert "3 marked, 2 hidden" in on.text
        on.pool.waiting["p01"] = replace(on.pool.waiting["p01"], text="Another.", stamp="2")
        await on.others()
        assert "3 marked" in on.text
        await on.press("enter")
        await on.wait()
        await on.press("a")
        assert on.pool.records == [("accept", ("p00", "p02"), "")]
        assert "1 of 3 couldn't be accepted: it changed. It's still here." in on.text
        await on.press("z")
        assert len(on.pool.waiting) == 30


async def test_marking_all_marks_what_the_filter_leaves() -> None:
    async with scene() as on:
        await on.press("/", *"number 1", "enter", "*")
        assert "11 marked" in on.text
        assert "11 of 30" in on.text
        await on.press("*")
        assert "marked" not in on.text


async def test_what_is_decided_one_at_a_time_takes_no_marks() -> None:
    async with scene() as on:
        await on.press("x", "c")
        assert on.pool.records == []
        assert "esc clears the marks" in on.text
        await on.press("escape", "escape", "c")
        assert on.pool.records == [("confirm", ("p00",), "")]


# The rest of the screen --------------------------------------------------------------------------


async def test_the_empty_list_says_what_became_of_all() -> None:
    async with scene(Pool(waiting={})) as on:
        assert "Nothing waits for you." in on.text
        assert "Proposed by agents and imports" in on.text
        assert "nothing waiting" in on.text


async def test_a_third_pane_stands_from_150_columns() -> None:
    async with scene(size=(160, 50)) as on:
        assert on.text.count("what was read of p00") == 2
    async with scene(size=(120, 40)) as on:
        assert on.text.count("what was read of p00") == 1


async def test_the_view_changes_and_the_filter_holds_in_it() -> None:
    async with scene() as on:
        await on.press("a", "/", *"p0", "enter", "f")
        assert "Decided" in on.text
        assert on.screen.counted() == (1, 1)
