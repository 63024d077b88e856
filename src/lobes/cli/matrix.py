"""`lobe matrix`: all Spaces against all Spaces, one sign a cell, with a legend."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from lobes.cli.output import show, shown, table
from lobes.cli.session import Session, global_options
from lobes.domain.reasons import sentence
from lobes.services.matrix import Matrix
from lobes.services.matrix import matrix as read_matrix

SIGNS: Mapping[str, str] = {
    "own": ".",
    "sibling": "=",
    "subscribed": "<",
    "once": "1",
    "ask": "?",
    "closed": "x",
    "private": "#",
    "excluded": "0",
    "muted": "-",
    "inactive": "z",
    "not_linked": "o",
    "no_access": "!",
}
"""Code → its ASCII sign; those that draw on it first. The same as the app's without Unicode."""
_NAME = 24
_LEAST = 60


@click.command()
@click.option(
    "--from", "first_row", type=click.IntRange(1), default=1, metavar="N", help="The first row."
)
@click.option(
    "--across",
    "first_column",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="The first column.",
)
@click.option("-n", "most", type=click.IntRange(1, 300), help="Rows at most; 40, or 300 in JSON.")
@click.option("--summary", is_flag=True, help="Only how often each reason stands in a row.")
@global_options
def matrix(
    session: Session, *, first_row: int, first_column: int, most: int | None, summary: bool
) -> None:
    """All Spaces × all Spaces: may the row draw on the column? One code a cell.

    Where they don't fit, --from and --across say with which Space rows and columns begin.
    """
    with session.opened() as (lobes, caller):
        found = read_matrix(lobes, caller, first_row=first_row - 1, first_column=first_column - 1)
    rows = min(most or (300 if session.as_json or summary else 40), len(found.rows))
    show(
        session,
        _document(found, rows),
        lambda: _summary(found, rows) if summary else _lines(found, rows),
    )


def _document(found: Matrix, rows: int) -> dict[str, Any]:
    reached = found.first_row + rows
    across = found.first_column + len(found.columns)
    return {
        "items": [
            {
                "space": one.id,
                "name": one.name,
                "codes": {
                    asked.id: found.code(row, column) for column, asked in enumerate(found.columns)
                },
            }
            for row, one in enumerate(found.rows[:rows])
        ],
        "total": found.all_rows,
        "next": str(reached + 1) if reached < found.all_rows else None,
        "columns": [{"space": one.id, "name": one.name} for one in found.columns],
        "columns_total": found.all_columns,
        "columns_next": str(across + 1) if across < found.all_columns else None,
    }


def _lines(found: Matrix, rows: int) -> Iterator[str]:
    """The rows with a sign for each column that the terminal has room for, then the legend."""
    if not rows or not found.columns:
        yield "There is no Space here."
        return
    digits = len(str(found.all_columns))
    label = digits + 2 + _NAME
    room = max(_LEAST, shutil.get_terminal_size((100, 40)).columns)
    columns = min(len(found.columns), (room - label - 1) // 2)
    for place in range(digits):
        numbers = (f"{found.first_column + n + 1:>{digits}}" for n in range(columns))
        yield " " * label + "".join(f" {number[place]}" for number in numbers)
    for row, one in enumerate(found.rows[:rows]):
        number = f"{_number(found, one.id, row):>{digits}}"
        signs = "".join(f" {SIGNS[found.code(row, column)]}" for column in range(columns))
        yield f"{number}  {_fitted(one.name)}{signs}"
    yield ""
    yield from _legend({found.code(r, c) for r in range(rows) for c in range(columns)})
    yield from _extent(found, rows, columns)


def _number(found: Matrix, space: str, row: int) -> int:
    """A Space has one number on both sides: its column's, where that is in the window."""
    place = next((n for n, one in enumerate(found.columns) if one.id == space), None)
    return (found.first_row + row if place is None else found.first_column + place) + 1


def _fitted(name: str) -> str:
    from rich.cells import cell_len, set_cell_size

    text = shown(name)
    return set_cell_size(text, _NAME) if cell_len(text) <= _NAME else f"{text[: _NAME - 2]:.22}.."


def _legend(codes: Iterable[str]) -> list[str]:
    present = set(codes)
    used = [code for code in SIGNS if code in present]
    words = {
        code: sentence(code, a="the row", b="the column", by=_BY.get(code, "")) for code in used
    }
    return table([(SIGNS[code], code, _capital(words[code])) for code in used])


_BY = {
    "ask": "one of both",
    "closed": "one of both",
    "subscribed": "the column, its group or a tag of it",
}
"""What decided, where it isn't the same in every cell."""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _extent(found: Matrix, rows: int, columns: int) -> Iterator[str]:
    """What of the whole is shown, and how to see the rest."""
    if rows == found.all_rows and columns == found.all_columns:
        return
    first, across = found.first_row + 1, found.first_column + 1
    yield ""
    yield (
        f"Rows {first:,}–{first + rows - 1:,} of {found.all_rows:,}, columns"
        f" {across:,}–{across + columns - 1:,} of {found.all_columns:,}."
        " --from N and --across N show others, --summary counts."
    )


def _summary(found: Matrix, rows: int) -> Iterator[str]:
    """A line for each row: how often each code stands in it."""
    yield from table(
        [
            (one.name, ", ".join(f"{count:,} {code}" for code, count in found.counts(row).items()))
            for row, one in enumerate(found.rows[:rows])
        ]
    )
    yield from _extent(found, rows, len(found.columns))
