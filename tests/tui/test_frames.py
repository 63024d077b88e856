"""The frames of the design, cell for cell: columns, headings, widths, at the sizes that matter."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource

WIREFRAMES = Path(__file__).parent / "wireframes"
THEMES = ("lobes-night", "lobes-paper")
SIZES = ((80, 24), (120, 40), (160, 50))


def same(painted: list[str], wanted: str, *, first: int = 0) -> None:
    """The lines of the wireframe stand there, trailing blanks aside."""
    lines = (WIREFRAMES / f"{wanted}.txt").read_text(encoding="utf-8").splitlines()
    assert [line.rstrip() for line in painted[first : first + len(lines)]] == lines


@pytest.mark.parametrize("theme", THEMES)
async def test_spaces_at_80_by_24(theme: str) -> None:
    app = make(theme=theme)
    async with running(app, (80, 24)):
        same(frame(app), "spaces-80")


@pytest.mark.parametrize("theme", THEMES)
async def test_spaces_at_120_by_40(theme: str) -> None:
    app = make(theme=theme)
    async with running(app, (120, 40)):
        same(frame(app), "spaces-120")


@pytest.fixture
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times of day are those of the machine's zone."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


BOTH = ((80, 24), (120, 40))
QUESTION = [("space" if char == " " else char) for char in "how do we resolve sync conflicts"]


@pytest.mark.parametrize("size", BOTH)
async def test_search(size: tuple[int, int]) -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, size) as pilot:
        await pilot.press("2", *QUESTION)
        await until(pilot, lambda: source.count("search") > 0)
        await until(pilot, lambda: "9 in 38 ms" in frame(app)[-1])
        same(frame(app), f"search-{size[0]}")


@pytest.mark.parametrize("size", BOTH)
async def test_lobe_with_a_change_that_is_not_saved(size: tuple[int, int]) -> None:
    """At 80 cells what is alike is one sentence; the wider pane has one line for each."""
    app = make(FixedSource(current="prj_initech"))
    async with running(app, size) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press(*(["j"] if size[0] < 100 else ["j", "j"]), "space")
        await until(pilot, lambda: "0.60 → 0.40" in "\n".join(frame(app)))
        same(frame(app), f"lobe-{size[0]}")


@pytest.mark.parametrize("size", BOTH)
async def test_activity(in_utc: None, size: tuple[int, int]) -> None:
    app = make()
    async with running(app, size) as pilot:
        await pilot.press("7")
        await until(pilot, lambda: "whole" in frame(app)[1])
        await settled(pilot)
        same(frame(app), f"activity-{size[0]}")


@pytest.mark.parametrize("size", BOTH)
async def test_the_first_run(size: tuple[int, int]) -> None:
    app = make(FixedSource(current="", fresh=True))
    async with running(app, size):
        same(frame(app), f"first-run-{size[0]}")


@pytest.mark.parametrize("size", BOTH)
async def test_the_first_run_with_a_folder_before_anything_is_stored(size: tuple[int, int]) -> None:
    source = FixedSource(current="", fresh=True)
    app = make(source)
    async with running(app, size) as pilot:
        await pilot.press("2", "enter", *"clients/initech")
        await until(pilot, lambda: "never read: secrets" in "\n".join(frame(app)))
        same(frame(app), f"first-run-folder-{size[0]}")
        assert source.begun is None


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", list("1234567"))
async def test_every_frame_fills_the_screen_exactly(size: tuple[int, int], key: str) -> None:
    app = make()
    async with running(app, size) as pilot:
        await pilot.press(key)
        await settled(pilot)
        painted = frame(app)
        assert len(painted) == size[1]
        assert {cell_len(line) for line in painted} == {size[0]}


@pytest.mark.parametrize("size", [(1, 1), (20, 5), (39, 24), (80, 9)])
async def test_a_small_terminal_gets_one_line_and_comes_back(size: tuple[int, int]) -> None:
    """TE-14: nothing can be decided where nothing can be shown."""
    app = make()
    async with running(app, size) as pilot:
        words = " ".join(line.strip() for line in frame(app) if line.strip())
        assert words.startswith("Lobes needs 40 × 10"[: size[0]])
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        same(frame(app), "spaces-80")


async def test_ascii_frames_hold_no_other_glyph() -> None:
    source = FixedSource()
    app = make(source, ascii=True)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync")
        await until(pilot, lambda: source.count("search") > 0)
        text = "\n".join(frame(app)[4:])
    assert {char for char in text if not char.isascii()} == set()


async def test_columns_go_in_the_stated_order() -> None:
    from lobes.tui.views.spaces import columns

    gone: list[list[str]] = []
    for width in range(90, 10, -1):
        at = columns(width)
        state = [n for n in ("note", "changed", "docs", "waiting") if not getattr(at, n)]
        if not at.private_word:
            state.append("private_word")
        if not gone or state != gone[-1]:
            gone.append(state)
    order = ["note", "changed", "docs", "waiting", "private_word"]
    assert [set(one) for one in gone] == [set(order[:n]) for n in range(len(order) + 1)]


async def test_an_open_filter_takes_no_cell_from_the_panes() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        before = frame(app)[-8]
        await pilot.press("slash", "n", "o")
        await settled(pilot)
        assert frame(app)[-8] == before


async def test_trouble_leaves_the_name_of_the_screen_in_view() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        app.trouble = "search is off: the index engine stopped. Trying again in 8 s"
        await pilot.press("ctrl+r")
        await settled(pilot)
        assert frame(app)[1].startswith(f" Spaces {' ' * 8}"[:8])
        assert frame(app)[1].rstrip().endswith(f"{app.trouble}  !")
