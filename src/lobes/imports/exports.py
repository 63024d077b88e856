"""Export files: which of them hold what, and the records in each."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lobes.domain.imports import SourceKind
from lobes.imports import chatgpt, claude, records
from lobes.imports.gathering import Left, Raw
from lobes.imports.limits import Limits
from lobes.imports.streams import Piece, elements, lines
from lobes.imports.strict import BadJson, as_list, as_map, loads

Part = str
"""`memories`, `projects`, `chats`, `account`, or "" for what isn't read."""

_PARTS: dict[Part, re.Pattern[str]] = {
    "memories": re.compile(
        r"(?:.*/)?(?:user_)?memor(?:y|ies)\.jsonl?|(?:.*/)?memories/[^/]+\.json"
    ),
    "projects": re.compile(r"(?:.*/)?projects\.json|(?:.*/)?projects/[^/]+\.json"),
    "chats": re.compile(r"(?:.*/)?conversations(?:[-_]\d{1,6})?\.json"),
    "account": re.compile(r"(?:.*/)?(?:users?|user_settings|login_history|account)\.json"),
}
ORDER: tuple[Part, ...] = ("memories", "projects", "chats", "account", "")
"""What was kept on purpose comes first, so that what a chat repeats of it is the repetition."""


def part_of(name: str) -> Part:
    return next((part for part, pattern in _PARTS.items() if pattern.fullmatch(name)), "")


@dataclass(slots=True)
class Export:
    """One export being read, file after file."""

    kind: SourceKind
    limits: Limits
    latest: chatgpt.Latest = field(default_factory=chatgpt.Latest)

    def file(self, stream: io.BufferedReader, name: str, part: Part) -> Iterator[Raw]:
        """What one of its files says; `part` is "" where only the content can tell."""
        if self.kind == "mcp_memory" or name.endswith(".jsonl"):
            yield from self._lines(stream, name)
            return
        for piece in self._pieces(stream, name):
            if piece.fault:
                yield Left(name, str(piece.number), piece.fault)
                continue
            try:
                value = loads(piece.text)
            except BadJson as error:
                yield Left(name, str(piece.number), error.reason)
                continue
            yield from self._value(value, name, piece.number, part)

    def rest(self) -> Iterator[Raw]:
        """What all files together say once."""
        yield from chatgpt.from_latest(self.latest)

    def _lines(self, stream: io.BufferedReader, name: str) -> Iterator[Raw]:
        for piece in lines(stream, most=self.limits.record_characters):
            if piece.fault:
                yield Left(name, str(piece.number), piece.fault)
            else:
                yield from records.from_line(piece.text, name, piece.number)

    def _pieces(self, stream: io.BufferedReader, name: str) -> Iterator[Piece]:
        begin = stream.peek(64)[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
        if begin.startswith(b"["):
            limits = self.limits
            yield from elements(stream, most=limits.record_characters, depth=limits.depth)
            return
        data = stream.read(self.limits.document_bytes + 1)
        if len(data) > self.limits.document_bytes:
            yield Piece(1, "", "too_large")
            return
        try:
            yield Piece(1, data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            yield Piece(1, "", "not_utf8")

    def _value(self, value: object, name: str, number: int, part: Part) -> Iterator[Raw]:
        fields = as_map(value)
        if self.kind == "chatgpt_export":
            if part == "memories":
                yield from self._memories(value, name, number)
            else:
                yield from chatgpt.from_conversation(value, name, number, self.latest)
        elif self.kind == "claude_export":
            if "chat_messages" in fields or part == "chats":
                yield from claude.from_conversation(value, name, number)
            elif part == "projects" or "prompt_template" in fields:
                yield from claude.from_project(value, name, number)
            else:
                yield from claude.from_memories(value, name)
        else:
            yield from self._memories(value, name, number)

    def _memories(self, value: object, name: str, number: int) -> Iterator[Raw]:
        """A memory, or an object that holds a list of them."""
        fields = as_map(value)
        for key in ("results", "memories"):
            if isinstance(fields.get(key), list):
                for place, one in enumerate(as_list(fields[key]), start=1):
                    yield from records.from_memory(one, name, place)
                return
        yield from records.from_memory(value, name, number)
