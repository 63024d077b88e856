"""Below 40 × 10 the app shows one line, so no key may do what can't be seen; quitting works."""

from __future__ import annotations

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from textual.events import Paste

from lobes.tui.screens.lobe import LobeScreen
from lobes.tui.screens.search import SearchScreen


@pytest.mark.parametrize("size", [(39, 24), (80, 9), (20, 5)])
async def test_no_permission_changes_where_nothing_is_shown(size: tuple[int, int]) -> None:
    """TE-14: `space`, `ctrl+s` changed Private on a screen that said only that it is too small."""
    source = FixedSource(current="prj_initech")
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.resize_terminal(*size)
        await settled(pilot)
        await pilot.press("space", "1", "ctrl+s")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, LobeScreen)
        assert screen.draft is not None
        assert screen.draft.changes == 0
        assert source.count("save") == 0
        await pilot.resize_terminal(120, 40)
        await settled(pilot)
        await pilot.press("space")
        await until(pilot, lambda: "1 change not saved" in "\n".join(frame(app)))


async def test_nothing_is_typed_into_a_question_that_is_not_shown() -> None:
    """TE-14."""
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("2", *"sync")
        await settled(pilot)
        await pilot.resize_terminal(39, 9)
        await settled(pilot)
        await pilot.press(*"xyz", "backspace")
        app.post_message(Paste("pasted"))
        await pilot.click(offset=(3, 3))
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SearchScreen)
        assert screen.question.value == "sync"


@pytest.mark.parametrize("keys", [("q",), ("ctrl+q",), ("ctrl+c", "ctrl+c")])
@pytest.mark.parametrize("mode", ["1", "2"])
async def test_the_keys_that_quit_work_where_nothing_is_shown(
    mode: str, keys: tuple[str, ...]
) -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press(mode)
        await settled(pilot)
        await pilot.resize_terminal(39, 9)
        await settled(pilot)
        await pilot.press(*keys)
        await until(pilot, lambda: not app.is_running or app._exit)
        assert app._exit
