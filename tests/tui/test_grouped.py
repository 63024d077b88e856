"""The rows of Spaces: made a page at a time, the same however they are cut."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tui.sample import SPACES

from lobes.tui.views.spaces import Grouped, ListRow


def whole(rows: Grouped) -> list[ListRow]:
    return rows.window(0, rows.count())


def test_groups_stand_in_their_order_with_a_blank_between() -> None:
    rows = whole(Grouped(reversed(SPACES)))
    assert [row.heading for row in rows if row.heading] == ["PROJECTS", "AREAS", "SHARED WITH ME"]
    assert rows[0].first
    assert not any(row.first for row in rows[1:])
    blanks = [place for place, row in enumerate(rows) if not row.id and not row.heading]
    assert [rows[place + 1].heading for place in blanks] == ["AREAS", "SHARED WITH ME"]
    assert sorted(row.id for row in rows if row.id) == sorted(one.id for one in SPACES)


@pytest.mark.parametrize("page", [1, 2, 3, 7, 200])
def test_pages_put_together_are_the_list(page: int) -> None:
    many = [replace(SPACES[n % len(SPACES)], id=f"prj_{n:03}") for n in range(50)]
    rows = Grouped(many, gone={"prj_007"})
    cut = [one for start in range(0, rows.count(), page) for one in rows.window(start, page)]
    assert cut == whole(rows)
    assert [one.id for one in cut if one.gone] == ["prj_007"]
    assert all(rows.find(one.id) == place for place, one in enumerate(cut) if one.id)


def test_neither_a_heading_nor_what_is_not_there_is_found() -> None:
    rows = Grouped(SPACES)
    assert rows.find("") is None
    assert rows.find("prj_nowhere") is None
    assert Grouped(()).count() == 0
