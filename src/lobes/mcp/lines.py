"""Bytes into lines that have an end, and which request a line was that can't be taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LINE = 1024 * 1024
"""Bytes of one message; a longer one is read to its end, dropped and refused."""
_HEAD = 1024
_ID = re.compile(
    rb'\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,200}"\s*,\s*)*'
    rb'"id"\s*:\s*(?:(-?\d{1,15})|"([^"\\\x00-\x1f\x80-\xff]{1,100})")\s*[,}]'
)


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line beyond the limit, of which the beginning was kept."""

    head: bytes


class Lines:
    """Fed with what was read; never holds more than one line of the limit's size."""

    def __init__(self, *, limit: int = LINE) -> None:
        self._limit = limit
        self._held = bytearray()
        self._dropping = False

    def feed(self, data: bytes) -> Iterator[bytes | TooLong]:
        """The lines that `data` completes; empty ones are left out."""
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._add(piece)
            yield from self.end()
        self._add(rest)

    def end(self) -> Iterator[bytes | TooLong]:
        """The line that was begun, if any: it ends here."""
        line = TooLong(bytes(self._held)) if self._dropping else bytes(self._held).strip()
        self._held.clear()
        self._dropping = False
        if line:
            yield line

    def _add(self, piece: bytes) -> None:
        if self._dropping:
            return
        if len(self._held) + len(piece) > self._limit:
            self._held += piece[:_HEAD]
            del self._held[_HEAD:]
            self._dropping = True
        else:
            self._held += piece


def id_of(head: bytes) -> int | str | None:
    """The id of the request that begins so, where it stands before what it asks for; else None."""
    found = _ID.match(head[:_HEAD])
    if found is None:
        return None
    number, name = found.groups()
    return int(number) if number is not None else name.decode("ascii")
