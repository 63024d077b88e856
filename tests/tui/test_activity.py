"""Activity: the record's rows with their answers, refusals marked, and whether it is whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.tui.frames import frame, make, running, settled
from tests.tui.sample import NOW, RECORD, FixedSource

from lobes.domain.errors import LobesError
from lobes.services.search import search
from lobes.store.audit import Wanted
from lobes.store.audit_query import Word
from lobes.tui.home import Home
from lobes.tui.record import wanted_of
from lobes.tui.screens.activity import ActivityScreen
from lobes.tui.values import Activity, AskedRows, Chain
from lobes.tui.views.chain import chain_words

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
        await pilot.press("f", "f", "f", "f", "/", *"who")
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


def test_a_state_without_words_is_shown_as_it_is() -> None:
    assert chain_words(Chain("{row.__class__}", 9, 3, False)) == "{row.__class__}"


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
        rows = source.activity(AskedRows()).rows
        by_event = {row.event: row for row in reversed(rows)}
        assert by_event["space.searched"].who == "me"
        assert by_event["space.searched"].what == "Notidian"
        assert any(row.refused and row.who == "reader" for row in rows)
        assert source.check_chain(asked=False).is_whole
    finally:
        source.close()


def many(number: int) -> Activity:
    rows = tuple(
        replace(RECORD.rows[place % 8], id=str(number - place), at=NOW - timedelta(minutes=place))
        for place in range(number)
    )
    return Activity(rows, number, number)


async def test_older_pages_come_as_the_cursor_nears_the_end() -> None:
    source = FixedSource(record=many(2_300))
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, ActivityScreen)
        assert len(screen.shown) == 500
        for _ in range(5):
            await pilot.press("G")
            await settled(pilot)
        assert [row.id for row in screen.shown] == [str(2_300 - n) for n in range(2_300)]
        asked = [call for call in source.calls if call[0] == "activity"]
        await pilot.press("G")
        await settled(pilot)
        assert [call for call in source.calls if call[0] == "activity"] == asked
        assert "2,300 of 2,300" in text(app)


async def test_a_refresh_keeps_the_pages_that_are_here_and_the_row_under_the_cursor() -> None:
    source = FixedSource(record=many(1_200))
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        await pilot.press("G")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, ActivityScreen)
        at = screen.listing.cursor
        newer = replace(RECORD.rows[0], id="1201", at=NOW)
        source.record = Activity((newer, *source.record.rows), 1_201, 1_201)
        screen.reload()
        await settled(pilot)
        assert len(screen.shown) >= 1_000
        assert screen.shown[0].id == "1201"
        assert len({row.id for row in screen.shown}) == len(screen.shown)
        assert screen.listing.cursor == at


async def test_who_read_what_stands_beside_and_goes_again() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        await pilot.press("p")
        await settled(pilot)
        assert ("readers", "prj_globex") in source.calls
        assert "Who read Globex" in text(app)
        assert "Who read what" in text(app)
        await pilot.press("p")
        await settled(pilot)
        assert "Who read" not in text(app)


async def test_the_key_that_checks_answers_in_the_pane_with_what_to_do() -> None:
    told = ("A row was changed or taken out at row 8,112.", "Keep a copy of audit.db.")
    source = FixedSource(chain=Chain("edited", 9_000, 8_112, False, seal="broken", told=told))
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        assert told[0] not in text(app)
        await pilot.press("V")
        await settled(pilot)
        assert told[0] in text(app)
        assert told[1] in text(app)
        await pilot.press("j")
        await settled(pilot)
        assert told[0] not in text(app)
    asked = [call[1] for call in source.calls if call[0] == "check_chain"]
    assert asked == [False, True], "only the person's own asking may unlock a secret store"


async def test_notices_are_a_view_of_their_own() -> None:
    notice = replace(
        RECORD.rows[0], id="notice-1", notice=True, refused=False, answer="new",
        verb="permission.gained", sentence="bob gave you more rights in Globex: read_content.",
    )  # fmt: skip
    app = make(FixedSource(record=Activity((notice, *RECORD.rows), 9, 9)))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("7", "f", "f", "f", "f")
        await settled(pilot)
        assert "notices" in text(app)
        assert "new" in frame(app)[5]
        assert "bob gave you more rights" in text(app)


def asked_for(words: str, **more: object) -> Wanted:
    asked = AskedRows(words=words, **more)  # type: ignore[arg-type]
    names = {"prj_initech": "Initech", "prj_globex": "Globex Project"}
    return wanted_of(asked, me="user:ada", names=names, now=NOW)


def test_words_of_the_filter_become_what_is_looked_for() -> None:
    wanted = asked_for("who:me verb:review what:initech answer:refused by:mcp since:7d globex")
    assert wanted.words == (
        Word("user:ada", "who"),
        Word("review", "verb"),
        Word("initech", "what", ("space/prj_initech",)),
        Word("mcp", "by"),
        Word("globex", "", ("space/prj_globex",)),
    )
    assert wanted.denied is True
    assert wanted.since == NOW - timedelta(days=7)
    assert asked_for("since:7").since is None
    assert asked_for("http://x").words == (Word("http://x"),)
    assert asked_for("allowed", view="refused").after is not None


def test_a_real_record_is_found_by_names_pages_and_views(a_home: Callable[..., AHome]) -> None:
    home = a_home(samples=True)
    for _ in range(3):
        search(home.lobes, home.me, "sync", space="prj_notidian")
    with pytest.raises(LobesError):
        search(home.lobes, home.agent("prj_initech"), "day rate", space="prj_globex")
    home.lobes.audit.flush()
    source = Home(home.folders)
    source.open()
    try:
        found = source.activity(AskedRows(words="what:notidian by:cli verb:read", limit=2))
        assert {row.what for row in found.rows} == {"Notidian"}
        assert len(found.rows) == 2
        assert found.matched < found.total
        older = source.activity(AskedRows(before=found.rows[-1].id, limit=1))
        assert int(older.rows[0].id) < int(found.rows[-1].id)
        (refused,) = source.activity(AskedRows(view="refused")).rows
        assert refused.space == "prj_globex"
        readers = source.readers("prj_globex")
        assert [(one.who, one.refused) for one in readers.of_space if one.refused] == [
            ("reader", 1)
        ]
        assert source.activity(AskedRows(view="notices")).total == 0
    finally:
        source.close()
