"""The list widget by itself: ten thousand rows cost a screenful, the cursor is kept by id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.tui.frames import settled
from textual.app import App, ComposeResult

from lobes.tui.paint import Line, ink
from lobes.tui.widgets.virtual_list import PAGE, Listed, VirtualList


@dataclass(frozen=True)
class Row:
    id: str


class Counted:
    """Rows that are made on demand; `asked` are the windows that were wanted."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.asked: list[tuple[int, int]] = []

    def count(self) -> int:
        return self.size

    def window(self, offset: int, limit: int) -> Sequence[Row]:
        self.asked.append((offset, limit))
        return [Row(f"r{n}") for n in range(offset, min(offset + limit, self.size))]

    def find(self, id: str) -> int | None:
        place = int(id[1:])
        return place if place < self.size else None


class ListApp(App[None]):
    def compose(self) -> ComposeResult:
        yield VirtualList[Row](self.paint, id="list")

    def get_theme_variable_defaults(self) -> dict[str, str]:
        from lobes.tui.themes import variable_defaults

        return variable_defaults()

    @property
    def listing(self) -> VirtualList[Row]:
        return self.query_one(VirtualList)

    @staticmethod
    def paint(row: Row, width: int, lit: bool) -> list[Line]:
        return [(ink(row.id),), (ink("second"),)]


async def test_ten_thousand_rows_are_read_a_page_at_a_time() -> None:
    app, rows = ListApp(), Counted(10_000)
    async with app.run_test(size=(80, 24)) as pilot:
        app.listing.set_rows(rows)
        await settled(pilot)
        assert rows.asked == [(0, PAGE)]
        app.listing.edge(last=True)
        await settled(pilot)
        assert app.listing.cursor == "r9999"
        assert rows.asked == [(0, PAGE), (9_800, PAGE)]
        assert "r9999" in "".join(s.text for s in app.listing.render_line(23))


async def test_two_line_rows_move_by_rows_and_stay_whole() -> None:
    app = ListApp()
    async with app.run_test(size=(80, 24)) as pilot:
        app.listing.set_rows(Counted(100), height=2)
        await settled(pilot)
        for _ in range(12):
            app.listing.move(1)
        await settled(pilot)
        assert app.listing.cursor == "r12"
        assert app.listing.scroll_offset.y == 2
        app.listing.page(1)
        assert app.listing.cursor == "r24"


async def test_a_gone_row_gives_the_cursor_to_its_nearest_neighbour() -> None:
    app = ListApp()
    async with app.run_test(size=(80, 24)) as pilot:
        rows = [Row(f"r{n}") for n in range(5)]
        app.listing.set_rows(Listed(rows))
        app.listing.select("r4")
        app.listing.set_rows(Listed(rows[:4]))
        await settled(pilot)
        assert app.listing.cursor == "r3"
        app.listing.set_rows(Listed[Row]())
        assert app.listing.cursor == ""


async def test_the_foot_stays_in_view_when_the_rows_do_not_fit() -> None:
    app = ListApp()
    async with app.run_test(size=(80, 24)) as pilot:
        for size, line in ((3, 4), (100, 23)):
            app.listing.set_rows(
                Counted(size), head=lambda *_: [(ink("head"),)], foot=lambda *_: [(ink("foot"),)]
            )
            await settled(pilot)
            assert "head" in "".join(s.text for s in app.listing.render_line(0))
            assert "foot" in "".join(s.text for s in app.listing.render_line(line))
        app.listing.edge(last=True)
        await settled(pilot)
        assert "r99" in "".join(s.text for s in app.listing.render_line(22))


async def test_odd_sizes_paint_without_a_fault() -> None:
    app = ListApp()
    async with app.run_test(size=(80, 24)) as pilot:
        app.listing.set_rows(Counted(10_000))
        for size in ((1, 1), (20, 5), (300, 80), (2, 40), (80, 24)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
        assert app.listing.cursor == "r0"
