"""The matrix: every Space against every Space, one code a cell; in windows where there are many.

A row is a Space whose settings the caller may read, a column one that they may know; the code is
the one that `explain` gives, and so is the sentence of a cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lobes.access.facts import Resource
from lobes.access.resolve import LobeDecision, between
from lobes.services.authority import may
from lobes.services.explaining import Explained, all_facts, explainer, knows, names_in
from lobes.services.installation import Caller, Installation

MOST = 300
"""Spaces on each side of one window: 90,000 cells take about a third of a second."""


@dataclass(frozen=True, slots=True)
class Named:
    """A Space as the matrix shows it."""

    id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """A window of the whole: `rows` ask, `columns` are asked. `first_row` and `first_column` count
    from 0; `all_rows` and `all_columns` say how many there are."""

    rows: tuple[Named, ...]
    columns: tuple[Named, ...]
    cells: tuple[tuple[LobeDecision, ...], ...]
    first_row: int
    first_column: int
    all_rows: int
    all_columns: int
    explain: Callable[[LobeDecision, str], Explained]

    @property
    def is_whole(self) -> bool:
        return len(self.rows) == self.all_rows and len(self.columns) == self.all_columns

    def code(self, row: int, column: int) -> str:
        return self.cells[row][column].reason

    def explained(self, row: int, column: int) -> Explained:
        """Why the cell is what it is, in the words of `explain`."""
        return self.explain(self.cells[row][column], self.rows[row].id)

    def counts(self, row: int) -> dict[str, int]:
        """Code → how many Spaces of the window a row has it for, the most first."""
        found: dict[str, int] = {}
        for one in self.cells[row]:
            found[one.reason] = found.get(one.reason, 0) + 1
        return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def matrix(
    lobes: Installation,
    caller: Caller,
    *,
    first_row: int = 0,
    first_column: int = 0,
    most: int = MOST,
) -> Matrix:
    """The Spaces that the caller may know in both directions, Projects first and by name."""
    with lobes.reading() as store:
        facts, spaces = all_facts(store)
        names = names_in(store)
    known = [Named(one.id, one.name, one.kind) for one in spaces if knows(caller, one.id, facts)]
    asking = [one for one in known if may(caller, "read_content", Resource("space", one.id), facts)]
    rows = tuple(asking[first_row : first_row + most])
    columns = tuple(known[first_column : first_column + most])
    cells = between(caller.actor, [one.id for one in rows], [one.id for one in columns], facts)
    return Matrix(
        rows,
        columns,
        tuple(cells),
        min(first_row, len(asking)),
        min(first_column, len(known)),
        len(asking),
        len(known),
        explainer(caller, facts, names),
    )
