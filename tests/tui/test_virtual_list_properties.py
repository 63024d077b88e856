"""Cursor and marks of a list are kept by id, whatever is filtered, refreshed or put in order."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from tests.tui.frames import settled
from tests.tui.sample import NOW
from textual.app import App, ComposeResult

from lobes.tui import themes
from lobes.tui.glyphs import Glyphs
from lobes.tui.paint import Line, Look, Span
from lobes.tui.views import triage as view
from lobes.tui.widgets.marking import Marks
from lobes.tui.widgets.virtual_list import Listed, VirtualList


@dataclass(frozen=True)
class Row:
    id: str


IDS = st.lists(st.sampled_from([f"r{n}" for n in range(12)]), unique=True)
STEP = st.one_of(
    st.tuples(st.just("rows"), IDS),
    st.tuples(st.just("move"), st.integers(-3, 3)),
    st.tuples(st.just("mark"), st.none()),
    st.tuples(st.just("range"), st.none()),
    st.tuples(st.just("all"), st.none()),
    st.tuples(st.just("edge"), st.booleans()),
)


def a_list() -> VirtualList[Row]:
    return VirtualList[Row](lambda row, width, lit: [(Span(row.id),)], mark="∗")


@settings(max_examples=150, deadline=None)
@given(IDS, st.lists(STEP, max_size=12))
def test_cursor_and_marks_stay_on_their_ids(
    first: list[str], steps: list[tuple[str, object]]
) -> None:
    listing = a_list()
    listing.post_message = lambda message: True
    listing.scroll_relative = lambda *_, **__: None
    listing.set_rows(Listed([Row(one) for one in first]))
    for what, value in steps:
        before, marked = listing.cursor, set(listing.marks.ids)
        drawing = bool(listing.marks.anchor)
        if what == "rows" and isinstance(value, list):
            listing.set_rows(Listed([Row(str(one)) for one in value]))
            assert listing.cursor == before or before not in value
            if not drawing:
                assert set(listing.marks.ids) == marked
        elif what == "move" and isinstance(value, int):
            listing.move(value)
            if not drawing:
                assert set(listing.marks.ids) == marked
        elif what == "mark":
            listing.toggle_mark()
            if before and not drawing:
                assert set(listing.marks.ids) == marked ^ {before}
        elif what == "range":
            listing.mark_range()
        elif what == "all":
            listing.mark_all()
            shown = set(listing.shown_ids())
            after = set(listing.marks.ids)
            assert shown <= after or not shown & after
        elif what == "edge":
            listing.edge(last=bool(value))
        current = listing.current()
        assert listing.cursor == (current.id if current else "")
        assert len(listing.marks) == len(set(listing.marks.ids)) == len(listing.marks.ids)


@given(IDS, IDS, IDS)
def test_a_range_covers_what_is_drawn_and_keeps_what_it_covered(
    kept: list[str], run: list[str], there: list[str]
) -> None:
    marks = Marks()
    marks.add(kept)
    marks.begin("r0")
    marks.draw(run)
    assert set(marks.ids) == {*kept, *run}
    marks.draw([])
    assert set(marks.ids) == set(kept)
    marks.draw(run)
    marks.keep()
    marks.retain(set(there))
    assert set(marks.ids) == {*kept, *run} & set(there)
    assert marks.clear() == bool({*kept, *run} & set(there))
    assert not marks.ids


TEXT = st.text(
    st.one_of(
        st.characters(codec="utf-8", exclude_categories=("Cs",)),
        st.sampled_from("漢字カナ한글👩‍👩‍👧🇩🇪❤️é"),
    ),
    max_size=90,
)


@settings(max_examples=200, deadline=None)
@given(TEXT, TEXT, st.integers(1, 130), st.booleans(), st.booleans())
def test_a_row_of_any_text_has_exactly_its_width(
    text: str, where: str, width: int, two: bool, lit: bool
) -> None:
    row = view.Row(Span("+"), text, (Span("≠ "), Span("conflict")), where, "by agent", NOW)
    for line in view.row(row, width, lit, Look(Glyphs(), NOW), two=two):
        assert cell_len("".join(span.text for span in line)) == width


class ListApp(App[None]):
    CSS = "VirtualList { width: 78; border-right: solid white; height: 100%; }"

    def compose(self) -> ComposeResult:
        yield VirtualList[Row](self.paint, mark="∗", id="list")

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.variable_defaults()

    @staticmethod
    def paint(row: Row, width: int, lit: bool) -> list[Line]:
        one = view.Row(Span("+"), row.id, (Span("≠ "), Span("conflict")), "漢字の場所", "", NOW)
        return view.row(one, width, lit, Look(Glyphs(), NOW), two=False)

    @property
    def listing(self) -> VirtualList[Row]:
        return self.query_one(VirtualList)


HOSTILE = [
    "漢字" * 40,
    "👩‍👩‍👧" * 30,
    "🇩🇪🇫🇷" * 20,
    "e\u0301" * 60,
    "❤️ a\u200db \u202e x",
    "字",
]


async def test_the_border_stays_in_place_beside_wide_glyphs_marked_or_not() -> None:
    app = ListApp()
    async with app.run_test(size=(80, 24)) as pilot:
        app.listing.set_rows(Listed([Row(one) for one in HOSTILE]))
        await settled(pilot)
        for marked in (False, True):
            if marked:
                app.listing.mark_all()
                await settled(pilot)
            for strip in app.screen._compositor.render_strips():
                text = "".join(segment.text for segment in strip)
                assert cell_len(text) == 80
                assert cell_len(text.partition("│")[0]) == 77
        assert all("∗" in "".join(s.text for s in app.listing.render_line(y)) for y in range(6))


async def test_only_the_lines_that_changed_are_painted_again() -> None:
    app = ListApp()
    async with app.run_test(size=(80, 24)) as pilot:
        rows = [Row(f"r{n}") for n in range(500)]
        app.listing.set_rows(Listed(rows))
        await settled(pilot)
        painted: list[int] = []
        paint = app.listing.render_line

        def counted(y: int) -> object:
            painted.append(y)
            return paint(y)

        app.listing.render_line = counted  # pyright: ignore[reportAttributeAccessIssue]
        app.listing.set_rows(Listed([*rows[:5], Row("other"), *rows[6:]]))
        await settled(pilot)
        assert painted == [5]
        painted.clear()
        app.listing.set_rows(Listed([*rows[:5], Row("other"), *rows[6:]]))
        await settled(pilot)
        assert painted == []


@pytest.mark.parametrize(
    ("modifiers", "marked"),
    [({}, ()), ({"control": True}, ("r3",)), ({"shift": True}, ("r0", "r1", "r2", "r3"))],
)
async def test_clicks_move_mark_and_mark_a_run(
    modifiers: dict[str, bool], marked: tuple[str, ...]
) -> None:
    app = ListApp()
    async with app.run_test(size=(80, 24)) as pilot:
        app.listing.set_rows(Listed([Row(f"r{n}") for n in range(9)]))
        await settled(pilot)
        await pilot.click("#list", offset=(5, 3), **modifiers)
        await settled(pilot)
        assert (app.listing.cursor, app.listing.marks.ids) == ("r3", marked)


async def test_ten_thousand_rows_are_marked_and_kept() -> None:
    app = ListApp()
    async with app.run_test(size=(80, 24)) as pilot:
        rows = [Row(f"r{n}") for n in range(10_000)]
        app.listing.set_rows(Listed(rows))
        app.listing.mark_range()
        app.listing.edge(last=True)
        await settled(pilot)
        assert len(app.listing.marks) == 10_000
        app.listing.mark_range()
        app.listing.set_rows(Listed(rows[::2]))
        assert len(app.listing.marks) == 10_000
        app.listing.retain_marks({row.id for row in rows[::2]})
        assert len(app.listing.marks) == 5_000
