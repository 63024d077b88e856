"""`enter` reads the whole file in the evidence pane: as Markdown, or with `u` as it is written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from lobes.tui.widgets.reader import Document, Reader

if TYPE_CHECKING:
    from lobes.tui.screens.page import PageScreen
    from lobes.tui.values import FileText
    from lobes.tui.widgets.canvas import Paint


class Zoom:
    """`pane` is the screen's evidence pane. While `is_on`, it belongs to the file."""

    def __init__(self, screen: PageScreen, pane: Callable[[], Reader]) -> None:
        self._screen = screen
        self._pane = pane
        self._at = 0
        self._head: Callable[[FileText], Paint] | None = None

    @property
    def is_on(self) -> bool:
        return self._screen.has_class("-zoom") and self._pane().document is not None

    @property
    def text(self) -> str:
        """The file that is read, as it is on the disk."""
        document = self._pane().document
        return document.text if document else ""

    def begin(
        self, space: str, path: str, *, head: Callable[[FileText], Paint], line: int = 0
    ) -> None:
        """Read a file, from the line at which the passage begins."""
        self._at, self._head = line, head
        work = partial(self._screen.source.read_file, space, path)
        self._screen.jobs.start("zoom", work, self._read)

    def end(self) -> None:
        self._screen.jobs.forget("zoom")
        self._screen.refresh_chrome()

    def turn(self) -> None:
        """As Markdown, or as it is written."""
        look = self._screen.look
        if not self.is_on:
            self._screen.say(f"{look.key('open')} reads the file first.", "warning")
        elif self._pane().turn():
            self._screen.say(f"As it is written   {look.key('uncover')} reads it as Markdown")
        else:
            self._screen.say(f"As Markdown   {look.key('uncover')} shows it as it is written")

    def _read(self, file: FileText) -> None:
        if self._screen.has_class("-zoom") and self._head is not None:
            self._pane().read(Document(file.text, self._head(file), self._at))
            self._screen.refresh_chrome()


def page_file(screen: PageScreen, space: str, path: str) -> None:
    """A file in `$PAGER`, through the display gate: a pager hands escapes on to the terminal."""
    from lobes.tui.editor import page
    from lobes.tui.markdown import shown

    def read() -> str:
        return shown(screen.source.read_file(space, path).text, lines=True)

    def show(text: str) -> None:
        ended = page(screen.app, text)
        if ended.fault:
            screen.say(f"Nothing was opened: {ended.fault}", "error")
        elif ended.code:
            screen.say(f"{ended.name} ended with {ended.code}.", "warning")

    screen.jobs.start("pager", read, show)
