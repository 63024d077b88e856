"""The one painting widget: lines of cells in, strips out, nothing parsed on the way.

It paints its own ground on every line, also below the last one, because the Line API paints none.
Colour names are resolved here, from the theme in force, and forgotten when the style changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.color import Color
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from lobes.tui.breakage import GuardedPainter
from lobes.tui.paint import Line, Look, Span

Paint = Callable[[int, bool], Sequence[Line]]
"""Lines for a width in cells, and whether the pane has the focus."""
_Drawn = tuple[Span, Line, Color]
"""What stands in a row of a pane: its first cell, the line, the ground."""


class Brush:
    """Styles of one theme by colour name. A name that no theme knows is drawn as text."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._styles: dict[tuple[str, bool, Color], Style] = {}

    def colour(self, name: str) -> Color:
        value = self._variables.get(name) or self._variables["foreground"]
        return Color.parse(value.partition(" ")[0])

    def style(self, name: str, ground: Color, *, bold: bool = False) -> Style:
        key = (name, bold, ground)
        found = self._styles.get(key)
        if found is None:
            found = Style(
                color=self.colour(name).rich_color, bgcolor=ground.rich_color, bold=bold or None
            )
            self._styles[key] = found
        return found

    def strip(self, line: Line, width: int, ground: Color) -> Strip:
        """The line as a strip of exactly `width` cells on `ground`."""
        segments = [
            Segment(
                span.text,
                self.style(
                    span.colour,
                    self.colour(span.ground) if span.ground else ground,
                    bold=span.bold,
                ),
            )
            for span in line
            if span.text
        ]
        blank = self.style("foreground", ground)
        return Strip(segments).adjust_cell_length(width, blank)


class Pressed(Message):
    """A click on cells that carry an action."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action = action


def action_at(line: Line, x: int) -> str:
    """The action of the span that covers cell `x`."""
    edge = 0
    for span in line:
        edge += cell_len(span.text)
        if x < edge:
            return span.action
    return ""


class Painted(GuardedPainter, Widget):
    """A widget of one or more fixed lines: tab line, context line, key line, titles."""

    DEFAULT_CSS = "Painted { height: 1; }"

    def __init__(self, paint: Paint | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._paint = paint
        self._brush: Brush | None = None
        self._drawn: Sequence[Line] | None = None

    def show(self, paint: Paint) -> None:
        self._paint = paint
        self.refresh()

    def look_again(self) -> None:
        """Paint where the lines are others by now: each second while files come in they aren't."""
        if self._drawn is None or list(self._drawn) != list(self.lines()):
            self.refresh()

    @property
    def brush(self) -> Brush:
        if self._brush is None:
            self._brush = Brush(self.app.theme_variables)
        return self._brush

    def notify_style_update(self) -> None:
        self._brush = None
        super().notify_style_update()

    def lines(self) -> Sequence[Line]:
        width = self.size.width
        paint = self._paint
        return self.safely(lambda: paint(width, self.has_focus)) if paint and width > 0 else ()

    def render_line(self, y: int) -> Strip:
        self._drawn = lines = self.lines()
        line = lines[y] if y < len(lines) else ()
        return self.brush.strip(line, self.size.width, self.background_colors[1])

    def on_click(self, event: events.Click) -> None:
        lines = self.lines()
        if event.y < len(lines) and (action := action_at(lines[event.y], event.x)):
            event.stop()
            self.post_message(Pressed(action))


class Canvas(GuardedPainter, ScrollView, can_focus=True, inherit_bindings=False):
    """Scrolling lines. Keys come from the screen, which calls `move`, `page` and `edge`."""

    DEFAULT_CSS = """
    Canvas { overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._paint: Paint | None = None
        self._brush: Brush | None = None
        self._painted: tuple[tuple[int, bool], Sequence[Line]] | None = None
        self._drawn: dict[int, _Drawn] = {}
        self.lowest = -1
        """The last line that has been on the screen since other lines are shown; -1: none."""
        self._width = 0
        """Of the lines as they are laid out now: at another width they are other ones."""

    def show(self, paint: Paint, *, keep: bool = False) -> None:
        """Paint from now on with `paint`; `keep` holds the scroll position."""
        self._paint = paint
        self._painted = None
        self._resized()
        if keep:  # mostly what stands there already, and a whole pane costs milliseconds
            self.refresh_changed()
            return
        self.lowest = -1
        self.scroll_to(y=0, animate=False, immediate=True, force=True)
        self.refresh()

    @property
    def brush(self) -> Brush:
        if self._brush is None:
            self._brush = Brush(self.app.theme_variables)
        return self._brush

    def notify_style_update(self) -> None:
        self._brush = None
        super().notify_style_update()

    def use_look(self, look: Look) -> None:
        """Paint again: the signs in the lines are other ones now."""
        self._painted = None
        self.refresh()

    @property
    def inner(self) -> int:
        """Cells of a line between the margins. A scrollbar is drawn over the right margin."""
        return max(0, self.size.width - 2)

    def lines(self) -> Sequence[Line]:
        key = (self.inner, self.has_focus)
        if self._painted is None or self._painted[0] != key:
            paint = self._paint
            lines = self.safely(lambda: paint(*key)) if paint and key[0] > 0 else ()
            self._painted = (key, lines)
            if key[0] != self._width:
                self._width, self.lowest = key[0], -1
        return self._painted[1]

    def height_of_content(self) -> int:
        return len(self.lines())

    def text_of_lines(self) -> str:
        """What the pane shows, as text."""
        return "\n".join("".join(span.text for span in line).rstrip() for line in self.lines())

    def _resized(self) -> None:
        self.virtual_size = Size(max(0, self.size.width), self.height_of_content())

    def on_resize(self) -> None:
        self._painted = None
        self.resized()

    def resized(self) -> None:
        """Textual calls `on_resize` of every base class, so subclasses override this instead."""
        self._resized()

    def on_focus(self) -> None:
        self._painted = None
        self.refresh()

    def on_blur(self) -> None:
        self._painted = None
        self.refresh()

    def line_at(self, y: int) -> Line:
        """The line at row `y` of the widget, with the scroll position counted in."""
        lines = self.lines()
        index = y + self.scroll_offset.y
        return lines[index] if 0 <= index < len(lines) else ()

    def ground_at(self, y: int) -> Color:
        return self.background_colors[1]

    def bar_at(self, y: int) -> Span:
        """What stands in the first cell of row `y`."""
        return Span(" ")

    def render_line(self, y: int) -> Strip:
        bar, line, ground = self._drawn[y] = self._draw(y)
        self.lowest = max(self.lowest, y + self.scroll_offset.y)
        return self.brush.strip((bar, *line), self.size.width, ground)

    def _draw(self, y: int) -> _Drawn:
        return self.bar_at(y), self.line_at(y), self.ground_at(y)

    def refresh_changed(self) -> None:
        """Paint the lines again that look different from what stands on the screen."""
        width, height = self.size
        for y in range(height):
            if self._drawn.get(y) != self._draw(y):
                self.refresh(Region(0, y, width, 1))

    def on_click(self, event: events.Click) -> None:
        self.clicked(event)

    def clicked(self, event: events.Click) -> None:
        """See `resized`."""
        if action := action_at(self.line_at(event.y), event.x - 1):
            event.stop()
            self.post_message(Pressed(action))

    def move(self, step: int) -> None:
        self.scroll_relative(y=step, animate=False)

    def page(self, pages: float) -> None:
        step = int(max(1, self.size.height * abs(pages)))
        self.move(step if pages > 0 else -step)

    def edge(self, *, last: bool) -> None:
        self.scroll_to(y=self.max_scroll_y if last else 0, animate=False)
