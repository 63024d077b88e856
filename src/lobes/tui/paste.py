"""Pasted text presses no key, whatever it holds.

Textual 8.2.8 hands an escape sequence that it doesn't know on as keys, also in the middle of a
paste: `ESC ]0;D` would press `D` in a list. So escapes are taken out of pastes before its parser
sees them. Where a paste ends only its end mark says, and a terminal that lets that mark stand in
what it hands over can't be told from one that has ended.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual._xterm_parser import XTermParser
from textual.message import Message

BEGINS, ENDS, ESCAPE = "\x1b[200~", "\x1b[201~", "\x1b"


class PasteParser(XTermParser):
    """Textual's parser of what the terminal sends, fed with pastes that hold no escape."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._is_inside = False
        self._last = ""

    def feed(self, data: str) -> Iterable[Message]:
        plain = self._plain(data)
        # Fed with nothing, the parser takes it for the end of the terminal.
        return super().feed(plain) if plain or not data else ()

    def _plain(self, data: str) -> str:
        """The input without the escapes of pastes. Both marks may come in pieces."""
        out: list[str] = []
        while data:
            if self._is_inside:
                text, mark, data = (self._last + data).partition(ENDS)
                cut = 0 if mark else _begun(text)
                self._last = text[len(text) - cut :]
                self._is_inside = not mark
                out += [text[: len(text) - cut].replace(ESCAPE, ""), mark]
            else:
                seen = self._last + data
                at = seen.find(BEGINS)
                self._is_inside = at >= 0
                end = at + len(BEGINS) - len(self._last) if self._is_inside else len(data)
                self._last = "" if self._is_inside else seen[1 - len(BEGINS) :]
                out.append(data[:end])
                data = data[end:]
        return "".join(out)


def _begun(data: str) -> int:
    """How many characters at the end may be the first ones of the end mark."""
    return next((n for n in range(len(ENDS) - 1, 0, -1) if data.endswith(ENDS[:n])), 0)


def protect_pastes() -> None:
    """Let the drivers of this process use this parser; they know no other way to choose one."""
    from textual.drivers import linux_driver

    linux_driver.XTermParser = PasteParser  # pyright: ignore[reportPrivateImportUsage]
