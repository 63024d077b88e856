"""The frequent jobs take as few keys as the design promises; typed text doesn't count.

Jobs 3 to 6 belong to Review, which is not in this release.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from textual.pilot import Pilot

from lobes.domain.lobes import LobeConfig
from lobes.tui.screens.search import SearchScreen
from lobes.tui.values import LobeView

TEXT = "sync"


async def pressed(pilot: Pilot[None], keys: Sequence[str], *, text_after: int = 0) -> int:
    """Press them, with the text after so many of them; how many keys that took."""
    for number, key in enumerate(keys, 1):
        await pilot.press(key)
        await settled(pilot)
        if number == text_after:
            await pilot.press(*TEXT)
            await settled(pilot)
    return len(keys)


def text(pilot: Pilot[None]) -> str:
    return "\n".join(frame(pilot.app))  # pyright: ignore[reportArgumentType]


async def test_job_1_asks_and_reads_the_best_answer_in_2_keys() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        assert await pressed(pilot, ["2"], text_after=1) == 1
        await until(pilot, lambda: source.count("search") > 0)
        assert await pressed(pilot, ["down"]) == 1
        shown = text(pilot)
    assert "Conflict copies keep both bodies" in shown
    assert "A conflict never overwrites." in shown


async def test_job_2_says_why_an_answer_is_there_in_1_key() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pressed(pilot, ["2"], text_after=1)
        await until(pilot, lambda: source.count("search") > 0)
        await pressed(pilot, ["down"])
        assert await pressed(pilot, ["w"]) == 1
        assert "this Space's own lobe" in text(pilot)


async def test_job_7_switches_to_another_space_in_2_keys() -> None:
    app = make(FixedSource())
    async with running(app, (80, 24)) as pilot:
        await pilot.press("ctrl+o")
        await settled(pilot)
        await pilot.press(*"writ")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert app.space_id == "area_writing"


async def test_job_8_lets_a_lobe_that_asks_answer_once_in_2_keys() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pressed(pilot, ["2"], text_after=1)
        await until(pilot, lambda: source.count("search") > 0)
        await pressed(pilot, ["down"])
        assert await pressed(pilot, ["o", "enter"]) == 2
        assert ("allow_once", "prj_notidian", "space/area_internal", TEXT) in source.calls


async def test_job_9_makes_a_space_private_in_3_keys() -> None:
    source = FixedSource(current="prj_initech")
    source.view = _open(source)
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        assert await pressed(pilot, ["6", "space", "ctrl+s"]) == 3
        await until(pilot, lambda: source.count("save") > 0)
        saved = next(call[1] for call in source.calls if call[0] == "save")
    assert isinstance(saved, LobeConfig)
    assert saved.is_private


def _open(source: FixedSource) -> LobeView:
    return replace(source.view, config=replace(source.view.config, is_private=False))


async def test_job_10_sees_what_an_agent_was_given_in_3_keys() -> None:
    app = make(FixedSource())
    async with running(app, (80, 24)) as pilot:
        assert await pressed(pilot, ["7", "j", "enter"]) == 3
        shown = text(pilot)
    assert "Globex" in shown
    assert "reader" in shown


async def test_search_opens_on_its_question_so_that_letters_are_text() -> None:
    app = make(FixedSource())
    async with running(app, (80, 24)) as pilot:
        await pilot.press("2")
        await settled(pilot)
        assert isinstance(app.screen, SearchScreen)
        await pilot.press(*"qDA")
        await settled(pilot)
        assert app.is_running
        assert "qDA" in text(pilot)
