"""Long files piece by piece: the lines of JSONL, and the elements of a JSON array, each with a cap.

An export of years holds hundreds of megabytes in one array. Its elements are cut out by counting
brackets, so one that is damaged or too large is left aside and the next ones are read all the same.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

CHUNK = 1024 * 1024

_OUTSIDE = re.compile(r'["{}\[\]]')
_INSIDE = re.compile(r'["\\]')


@dataclass(frozen=True, slots=True)
class Piece:
    """A line or an element, counted from 1; `fault` is the code of why it has no text."""

    number: int
    text: str
    fault: str = ""


def lines(stream: IO[bytes], *, most: int) -> Iterator[Piece]:
    """The lines that aren't blank."""
    number = 0
    while raw := stream.readline(most + 1):
        number += 1
        if len(raw) > most and not raw.endswith(b"\n"):
            while (rest := stream.readline(CHUNK)) and not rest.endswith(b"\n"):
                pass
            yield Piece(number, "", "too_large")
            continue
        if number == 1:
            raw = raw.removeprefix(codecs.BOM_UTF8)
        try:
            text = raw.decode("utf-8").strip()
        except UnicodeDecodeError:
            yield Piece(number, "", "not_utf8")
            continue
        if text:
            yield Piece(number, text)


def elements(stream: IO[bytes], *, most: int, depth: int) -> Iterator[Piece]:
    """The objects and arrays of a JSON array; a file that ends before the array does, or that
    isn't UTF-8, ends with a piece that says so."""
    cutter = _Cutter(most, depth)
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        while not cutter.is_over and (raw := stream.read(CHUNK)):
            yield from cutter.cut(decoder.decode(raw))
        decoder.decode(b"", final=not cutter.is_over)
    except UnicodeDecodeError:
        yield Piece(cutter.number + 1, "", "not_utf8")
        return
    if not cutter.is_over:
        yield Piece(cutter.number + 1, "", "bad_json")


class _Cutter:
    """Where in the array the next character stands."""

    def __init__(self, most: int, depth: int) -> None:
        self.number = 0
        self.is_over = False
        self._most = most
        self._depth = depth
        self._level = 0
        self._in_string = False
        self._escaped = False
        self._begin_element()

    def _begin_element(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._fault = ""

    def cut(self, text: str) -> Iterator[Piece]:
        start = place = 0
        while place < len(text) and not self.is_over:
            if self._escaped:
                self._escaped = False
                place += 1
                continue
            found = (_INSIDE if self._in_string else _OUTSIDE).search(text, place)
            if found is None:
                break
            place = found.end()
            sign = found[0]
            if sign == '"':
                self._in_string = not self._in_string
            elif sign == "\\":
                self._escaped = True
            elif sign in "{[":
                self._level += 1
                if self._level == 2:
                    start = found.start()
                    self._begin_element()
                elif self._level > self._depth:
                    self._fault = self._fault or "nested"
            else:
                self._level -= 1
                if self._level == 1:
                    self._keep(text[start:place])
                    yield self._piece()
                self.is_over = self._level <= 0
        if self._level >= 2:
            self._keep(text[start:])

    def _keep(self, part: str) -> None:
        self._size += len(part)
        if self._size > self._most:
            self._fault = self._fault or "too_large"
        if self._fault:
            self._parts.clear()
        else:
            self._parts.append(part)

    def _piece(self) -> Piece:
        self.number += 1
        return Piece(self.number, "" if self._fault else "".join(self._parts), self._fault)
