"""Activity: the record's rows with their answers, refusals marked, and whether it is whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.tui.frames import frame, make, running, settled
from tests.tui.sample import RECORD, FixedSource

from lobes.domain.errors import LobesError
from lobes.services.search import search
from lobes.tui.home import Home
from lobes.tui.screens.activity import ActivityScreen
from lobes.tui.values import Activity, Chain

if TYPE_CHECKING:
    from homes import AHome


def text(app: object) -> str:
    return "\n".join(frame(app))  # type: ignore[arg-type]


async def test_a_refusal_is_marked_by_glyph_and_word_and_told_in_a_sentence() -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        shown = frame(app)
        assert "× private" in shown[5]
        assert "only you can see this" in shown[1]
        assert "✓ whole 18,402 rows" in shown[1]
        assert "Globex is private" in text(app)


async def test_views_and_filter_narrow_the_record() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        await pilot.press("f")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, ActivityScreen)
        assert screen.view == "refused"
        assert {row.refused for row in screen.shown} == {True}
        await pilot.press("f", "f", "f", "/", *"who")
        await pilot.press("colon", *"bob")
        await settled(pilot)
        assert "1 of 18,402" in text(app)
        await pilot.press("escape")
        await settled(pilot)
        assert "8 of 18,402" in text(app)


async def test_the_filter_of_the_record_says_how_much_it_leaves() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        await pilot.press("/", *"bob")
        await settled(pilot)
        assert frame(app)[2].rstrip().endswith("1 of 18,402")
        await pilot.press(*"zz")
        await settled(pilot)
        assert frame(app)[2].rstrip().endswith("0 of 18,402")
        assert "No row matches bobzz. 18,402 are hidden by the filter." in text(app)


async def test_a_broken_chain_says_where() -> None:
    source = FixedSource(chain=Chain("edited", 9_000, 8_112, False))
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        assert "× edited at row 8,112 9,000 rows" in frame(app)[1]


async def test_an_empty_record_says_so() -> None:
    app = make(FixedSource(record=Activity()))
    async with running(app, (80, 24)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        assert "Nothing has been read or decided yet." in text(app)


async def test_an_act_in_the_record_is_data_and_passes_the_gate() -> None:
    evil = replace(RECORD.rows[0], what="\x1b[2Jx", who="[/b]", answer="\u202ey", verb="a\nb")
    app = make(FixedSource(record=Activity((evil,), 1)))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        assert "\\u{1b}[2Jx" in text(app)
        assert "\x1b" not in text(app)


def test_a_search_and_a_refusal_stand_in_the_record_of_a_real_home(
    a_home: Callable[..., AHome],
) -> None:
    home = a_home(samples=True)
    search(home.lobes, home.me, "sync", space="prj_notidian")
    agent = home.agent("prj_initech")
    with pytest.raises(LobesError):
        search(home.lobes, agent, "day rate", space="prj_globex")
    home.lobes.audit.flush()
    source = Home(home.folders)
    source.open()
    try:
        rows = source.activity().rows
        by_event = {row.event: row for row in reversed(rows)}
        assert by_event["space.searched"].who == "me"
        assert by_event["space.searched"].what == "Notidian"
        assert any(row.refused and row.who == "reader" for row in rows)
        assert source.check_chain().is_whole
    finally:
        source.close()
