"""`enter` reads a whole file: at its passage, in pieces, at any size, and back to the same row."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from time import monotonic

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import ANSWERS, FixedSource
from textual.pilot import Pilot

from lobes.domain.errors import Unavailable
from lobes.tui.app import LobesApp
from lobes.tui.screens.search import SearchScreen
from lobes.tui.screens.spaces import SpacesScreen
from lobes.tui.values import Found
from lobes.tui.widgets.reader import BATCH, FIRST_BATCH, Reader
from lobes.tui.widgets.toast import Toast

SIZE = (120, 40)


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


def reader_of(app: LobesApp) -> Reader:
    return app.screen.query_one(Reader)


async def asked(pilot: Pilot[None], source: FixedSource) -> None:
    """Search with its answers, the cursor on the first one."""
    await pilot.press("2", *"sync")
    await until(pilot, lambda: source.count("search") > 0)
    await pilot.press("down")
    await settled(pilot)


async def zoomed(pilot: Pilot[None], app: LobesApp) -> Reader:
    await pilot.press("enter")
    await until(pilot, lambda: reader_of(app).document is not None and reader_of(app).is_whole)
    return reader_of(app)


async def test_enter_reads_the_whole_file_as_markdown_and_esc_is_back_on_the_row() -> None:
    source = FixedSource(file="# Conflict copies\n\nBoth **stay**.\n\n- one\n- two\n")
    app = make(source)
    async with running(app, SIZE) as pilot:
        await asked(pilot, source)
        await pilot.press("j")
        await zoomed(pilot, app)
        assert ("read_file", "prj_notidian", "memory") in source.calls
        shown = [line.rstrip() for line in frame(app)[5:13]]
        assert shown[0].startswith(" memory › A sync never deletes")
        assert shown[1:] == [
            " Conflict copies",
            " " + "─" * 118,
            "",
            " Both stay.",
            "",
            " - one",
            " - two",
        ]
        await pilot.press("escape")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SearchScreen)
        assert screen.listing.has_focus
        assert screen.listing.cursor == "a1"
        assert "Why this answer" in text(app)


async def test_u_shows_the_file_as_it_is_written_and_back() -> None:
    source = FixedSource(file="# A \u202etitle\n\n**bold**\n")
    app = make(source)
    async with running(app, SIZE) as pilot:
        await asked(pilot, source)
        reader = await zoomed(pilot, app)
        assert "A \\u{202e}title" in text(app)
        assert "**bold**" not in text(app)
        await pilot.press("u")
        await until(pilot, lambda: reader.is_whole and "**bold**" in text(app))
        assert "# A \\u{202e}title" in text(app)
        await pilot.press("u")
        await until(pilot, lambda: reader.is_whole and "**bold**" not in text(app))


async def test_the_file_opens_at_the_passage_and_marks_it() -> None:
    lines = "".join(f"Paragraph {n}.\n\n" for n in range(1, 2_000))
    first = 2 * 1_500 - 1
    answers = (replace(ANSWERS[0], first_line=first), *ANSWERS[1:])
    source = FixedSource(file=lines, found=Found("", answers, lobes=5))
    app = make(source)
    async with running(app, SIZE) as pilot:
        await asked(pilot, source)
        await zoomed(pilot, app)
        assert frame(app)[5].startswith("›Paragraph 1500.")


async def test_a_file_that_can_not_be_read_leaves_the_evidence() -> None:
    source = FixedSource(fail={"read_file": Unavailable("It is no longer there.", reason="gone")})
    app = make(source)
    async with running(app, SIZE) as pilot:
        await asked(pilot, source)
        await pilot.press("enter")
        await until(pilot, lambda: "no longer there" in app.screen.query_one(Toast).text)
        assert "A conflict never overwrites." in text(app)
        assert "Why this answer" in text(app)


async def test_a_file_is_read_on_when_new_answers_come() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, SIZE) as pilot:
        await asked(pilot, source)
        reader = await zoomed(pilot, app)
        before = source.count("search")
        app.reload()
        await until(pilot, lambda: source.count("search") > before)
        assert reader.document is not None
        assert "Both bodies stay." in text(app)


async def test_spaces_reads_the_file_below_its_evidence() -> None:
    source = FixedSource(file="# Now\n\nBoth **stay**.\n")
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("tab")
        await zoomed(pilot, app)
        await pilot.press("G")
        await settled(pilot)
        assert "Both stay." in text(app)
        await pilot.press("g")
        await settled(pilot)
        assert "Draws on" in text(app)
        assert "Both stay." not in text(app).split("current.md ─")[0]
        await pilot.press("escape")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SpacesScreen)
        assert screen.listing.has_focus
        assert "PROJECTS" in text(app)


LARGE = {
    "1 MB of Markdown": "word and *more* `code` words [l](http://x)\n\n" * 24_000,
    "a line of 200,000 characters": "x" * 200_000,
    "a line of a million characters": "x" * 1_000_000,
    "1 MB of one list": "- an item of a list\n" * 50_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
async def test_a_large_file_is_felt_in_no_key(name: str) -> None:
    """No step in the loop handles more than a batch, and the loop keeps turning meanwhile."""
    source = FixedSource(file=LARGE[name])
    app = make(source)
    async with running(app, SIZE) as pilot:
        await asked(pilot, source)
        beats: list[float] = []
        app.set_interval(0.01, lambda: beats.append(monotonic()))
        await pilot.press("enter")
        reader = reader_of(app)
        while reader.document is None or not reader.is_whole:
            await pilot.press("pagedown")
        await pilot.press("G")
        gaps = sorted(later - sooner for sooner, later in pairwise(beats))
        assert reader.batches >= reader.rows // BATCH
        assert gaps[len(gaps) // 2] < 0.1
        assert reader.max_scroll_y > 0
        assert reader.scroll_offset.y == reader.max_scroll_y


async def test_what_was_asked_for_last_is_what_is_read() -> None:
    """A slow piece of an older reading never lands in a newer one."""
    source = FixedSource(file="old paragraph\n\n" * 20_000)
    app = make(source)
    async with running(app, SIZE) as pilot:
        await asked(pilot, source)
        await pilot.press("enter")
        await until_first(pilot, app)
        source.file = "new\n"
        await pilot.press("escape", "enter")
        reader = reader_of(app)
        while not (reader.document and reader.document.text == "new\n" and reader.is_whole):
            await pilot.pause(0.01)
        await settled(pilot)
        assert reader.rows == 1
        assert "old paragraph" not in text(app)


async def until_first(pilot: Pilot[None], app: LobesApp) -> None:
    while reader_of(app).rows < FIRST_BATCH:
        await pilot.pause(0.01)


async def test_another_width_lays_out_anew_and_keeps_the_place() -> None:
    source = FixedSource(file="".join(f"Paragraph {n}. {'word ' * 30}\n\n" for n in range(300)))
    app = make(source)
    async with running(app, SIZE) as pilot:
        await asked(pilot, source)
        reader = await zoomed(pilot, app)
        await pilot.press(*["pagedown"] * 5)
        await settled(pilot)
        top = next(line for line in frame(app)[5:] if "Paragraph" in line).split(".")[0].strip()
        await pilot.resize_terminal(110, 30)
        await pilot.resize_terminal(80, 30)
        await until(pilot, lambda: reader.size.width <= 80 and reader.is_whole and reader.rows > 0)
        shown = text(app)
        assert top in shown
        assert max(len(line.rstrip()) for line in frame(app)[5:-1]) <= 80
