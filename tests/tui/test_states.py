"""When things go wrong: each state is said where it matters, and what still works goes on."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource

from lobes.domain.errors import LobesError, Unavailable
from lobes.tui.app import LobesApp
from lobes.tui.screens.search import SearchScreen
from lobes.tui.views.chrome import IndexState
from lobes.tui.widgets.toast import Toast


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


async def test_a_full_disk_is_a_banner_and_decisions_are_refused_until_it_is_looked_again() -> None:
    source = FixedSource()
    source.fail["archive"] = Unavailable("The disk is full.", reason="disk_full")
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("A")
        await settled(pilot)
        assert "can't write to the home: disk full. Nothing you decide now" in frame(app)[2]
        await pilot.press("A")
        await settled(pilot)
        assert source.count("archive") == 1
        assert "Nothing was decided" in app.screen.query_one(Toast).text
        await pilot.press("j", "2")
        await settled(pilot)
        assert app.current_mode == "search"
        await pilot.press("escape", "1")
        await settled(pilot)
        del source.fail["archive"]
        await pilot.press("ctrl+r", "A")
        await settled(pilot)
        assert source.count("archive") == 2
        assert "can't write" not in text(app)


async def test_a_busy_store_keeps_the_draft_and_names_the_key() -> None:
    source = FixedSource(current="prj_initech")
    source.fail["save"] = Unavailable("Another window is writing.", reason="store_busy")
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("space")
        await until(pilot, lambda: "instead of" in text(app))
        await pilot.press("ctrl+s")
        await settled(pilot)
        said = "Not saved: the store is busy. Your change is kept here; press ctrl+s again."
        assert app.screen.query_one(Toast).text == said
        assert "1 change not saved" in text(app)
        del source.fail["save"]
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "not saved" not in text(app))


async def test_a_slow_search_says_how_long_and_esc_stops_it() -> None:
    hold = Event()
    source = FixedSource()
    source.gate = lambda name: None if name != "search" else (hold.wait(20) and None)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync")
        while "looking… " not in text(app):
            await pilot.pause(0.02)
        while "esc stops" not in text(app):
            await pilot.pause(0.02)
        await pilot.press("escape")
        await pilot.pause()
        assert "looking" not in text(app)
        assert "stopped" in text(app)
        hold.set()
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SearchScreen)
        assert screen.found is None


async def test_words_only_and_a_rebuilt_index_are_named() -> None:
    source = FixedSource()
    source.found = replace(source.found, degraded=("words_only",))
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync")
        await until(pilot, lambda: source.count("search") > 0)
        assert "by words only · 1 of 9" in text(app)
        app.index = IndexState("rebuilding", 1, 10)
        app.screen.query_one("#context").refresh()
        await pilot.pause()
        assert "the index is being rebuilt; nothing is lost" in frame(app)[1]


async def test_a_slow_search_says_so_where_there_is_no_heading() -> None:
    hold = Event()
    source = FixedSource()
    source.gate = lambda name: None if name != "search" else (hold.wait(20) and None)
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("2", *"sync")
        while "looking… " not in frame(app)[1]:
            await pilot.pause(0.02)
        hold.set()
        await until(pilot, lambda: "looking" not in text(app))
        screen = app.screen
        assert isinstance(screen, SearchScreen)
        assert screen.found is not None, "it was waited for, and not given up"
        assert source.count("search") == 1


async def test_old_answers_stay_muted_until_new_ones_arrive_and_after_a_stop() -> None:
    hold = Event()
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync")
        await until(pilot, lambda: source.count("search") > 0)
        screen = app.screen
        assert isinstance(screen, SearchScreen)
        source.gate = lambda name: None if name != "search" else (hold.wait(20) and None)
        await pilot.press("x")
        assert screen.old
        assert "Conflict copies keep both bodies" in text(app)
        while "esc stops" not in text(app):
            await pilot.pause(0.02)
        await pilot.press("escape")
        await pilot.pause()
        assert screen.old
        assert "old: stopped" in text(app)
        hold.set()
        await settled(pilot)
        assert screen.found is not None
        assert screen.found.question == "sync"


async def test_an_engine_that_stopped_leaves_the_answers_marked_old() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync")
        await until(pilot, lambda: source.count("search") > 0)
        source.fail["search"] = Unavailable("The index engine stopped.", reason="engine_down")
        await pilot.press("x")
        await until(pilot, lambda: "old: search is off" in text(app))
        assert "Conflict copies keep both bodies" in text(app)


async def test_before_a_question_the_screen_says_who_is_asked_and_who_is_not() -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2")
        await settled(pilot)
        words = " ".join(line.split("│")[0].strip() for line in frame(app)[5:12])
        assert "It draws on 5 lobes; 4 won't answer." in words
        assert "Asked: Notidian, Me, Core, Writing, Postgres notes." in words
        assert "Not asked: Internal, Initech, Globex, Health." in words


async def test_no_answer_says_who_asks_first_and_how_far_meaning_is() -> None:
    source = FixedSource()
    source.found = replace(source.found, answers=(), degraded=("meaning_behind",))
    app = make(source)
    app.index = IndexState("meaning", 412, 1_830)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync")
        await until(pilot, lambda: "Nothing found" in text(app))
        words = " ".join(" ".join(line.split("│")[0].split()) for line in frame(app)[5:12])
        assert "Nothing found in 5 lobes. 1 more asks first." in words
        assert "Words were searched, meaning wasn't yet (412 of 1,830)." in words


async def test_why_gives_sentences_with_their_codes() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync")
        await until(pilot, lambda: source.count("search") > 0)
        await pilot.press("down", "w")
        await settled(pilot)
        shown = text(app)
        assert "this Space's own lobe  own" in shown
        assert "By meaning it came 1st of 40 and by words it came 3rd of 22." in shown
        assert "Globex is private, so Notidian may not draw on it.  private" in shown


@pytest.mark.parametrize(
    ("call", "keys"),
    [("spaces", []), ("lobe", ["6"]), ("activity", ["7"]), ("search", ["2", *"sync"])],
)
async def test_a_screen_that_could_not_be_read_is_not_blank(call: str, keys: list[str]) -> None:
    broken = LobesError("The store can't be read.", hint="lobes doctor says more.")
    source = FixedSource(fail={call: broken})
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
        await settled(pilot)
        body = frame(app)[2:-4]
        assert any("The store can't be read." in line for line in body)
        assert any("ctrl+r looks again." in line for line in body)
        assert "reading" not in frame(app)[1]
        source.fail.clear()
        await pilot.press("ctrl+r")
        await settled(pilot)
        assert not any("can't be read" in line for line in frame(app)[2:-4])
