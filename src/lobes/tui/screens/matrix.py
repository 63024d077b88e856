"""The matrix over the Lobe screen: every Space against every Space. It decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen

from lobes.tui.bindings import asked
from lobes.tui.breakage import Guarded
from lobes.tui.errors import sentence
from lobes.tui.jobs import Jobs, Settled
from lobes.tui.paint import Line, Look, Span, margin, muted, padded
from lobes.tui.values import Grid
from lobes.tui.views import matrix as view
from lobes.tui.widgets.canvas import Painted
from lobes.tui.widgets.once import AnsweredOnce

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp

EDGES = 3
"""Rows of the box that are its border and its key line."""


class MatrixScreen(AnsweredOnce, Guarded, ModalScreen[None]):
    """Opens at once on its frame; the cells come when they are worked out. `space` is the Space
    on whose row the cursor begins."""

    def __init__(self, space: str, *, look: Look) -> None:
        super().__init__()
        self.look = look
        self._space = space
        self._said = "reading"
        self.grid: Grid | None = None
        self.place = view.Place()
        self.jobs = Jobs(self, self._failed)

    def compose(self) -> ComposeResult:
        self.set_class(self.look.glyphs.ascii, "-ascii")
        with Vertical(id="box"):
            yield Painted(self._cells, id="matrix-cells")
            yield Painted(self._end, id="dialog-end")

    def on_mount(self) -> None:
        self._measure()
        app = cast("LobesApp", self.app)
        self.jobs.start("matrix", app.source.matrix, self._read)

    def on_settled(self, event: Settled) -> None:
        event.stop()
        event.settle()

    def _read(self, grid: Grid) -> None:
        self.grid = grid
        row = next((n for n, one in enumerate(grid.rows) if one[0] == self._space), 0)
        self._move(view.Place(row, 0))

    def _failed(self, error: Exception) -> None:
        self._said = sentence(error)[0]
        self.refresh_cells()

    def _measure(self) -> None:
        width, height = self.app.size
        box = self.query_one("#box")
        box.styles.width, box.styles.height = width, height
        box.styles.max_height = height
        box.styles.margin = 0
        self.query_one("#matrix-cells").styles.height = max(1, height - EDGES)

    def on_resize(self) -> None:
        self._measure()
        if self.grid is not None:
            self._move(self.place)

    # -- painting

    @property
    def inner_size(self) -> tuple[int, int]:
        size = self.query_one("#matrix-cells").size
        return max(1, size.width - 2), size.height

    def _cells(self, width: int, focused: bool) -> Sequence[Line]:
        if self.grid is None:
            return [padded([Span(" "), muted(self._said)], width, self.look)]
        height = self.query_one("#matrix-cells").size.height
        lines = view.page(self.grid, self.place, width - 2, height, self.look)
        return [margin(line, width, self.look) for line in lines]

    def _end(self, width: int, focused: bool) -> Sequence[Line]:
        return [margin(view.end_line(self.look), width, self.look)]

    def refresh_cells(self) -> None:
        self.query_one("#matrix-cells", Painted).refresh()

    # -- keys

    def on_key(self, event: events.Key) -> None:
        act = asked("matrix", event)
        if not act:
            return
        event.stop()
        event.prevent_default()
        if act == "close":
            self.dismiss(None)
        elif act == "keys":
            cast("LobesApp", self.app).show_keys_of("matrix")
        elif self.grid is not None:
            self._move(self._moved(act, self.grid))

    def _moved(self, act: str, grid: Grid) -> view.Place:
        place = self.place
        rows, columns = view.room(grid, *self.inner_size)
        down = {"down": 1, "up": -1, "page_down": rows, "page_up": -rows}.get(act, 0)
        across = {"right": 1, "left": -1, "page_right": columns, "page_left": -columns}
        row, column = place.row + down, place.column + across.get(act, 0)
        if act in ("first", "last"):
            row = 0 if act == "first" else len(grid.rows)
        return view.Place(row, column, place.top, place.left)

    def _move(self, place: view.Place) -> None:
        assert self.grid is not None
        self.place = view.moved(place, self.grid, *view.room(self.grid, *self.inner_size))
        self.refresh_cells()
