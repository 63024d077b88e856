"""The ChatGPT export: what its memory tool was told, the last list of saved memories, the person's
own instructions, and what they asked to be remembered.

A conversation is a map of nodes. Their links aren't followed, so a missing one loses nothing; the
times order them where there are any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from lobes.imports.cleaning import Cleaned, cleaned
from lobes.imports.gathering import Left, Raw, Said
from lobes.imports.heads import time_of
from lobes.imports.kinds import kind_of
from lobes.imports.notes import PERSONAL, from_markdown
from lobes.imports.remembering import remembered
from lobes.imports.statements import subject_of
from lobes.imports.strict import as_list, as_map, as_text

_LISTED = re.compile(r"\d{1,4}\.(?:\s*\[(\d{4}-\d{2}-\d{2})\]\.?)?\s*(\S.*)")
_FORGET = re.compile(r"(?i)\s*(?:forget|remove|delete)\b")
_FENCED = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)


@dataclass(slots=True)
class Latest:
    """What stands in many chats and counts once: the newest list and the newest instructions."""

    memories: tuple[float, str, str] = (-1.0, "", "")
    instructions: dict[str, tuple[float, str, str]] = field(
        default_factory=dict[str, tuple[float, str, str]]
    )


def from_conversation(value: object, file: str, number: int, latest: Latest) -> Iterator[Raw]:
    """What one conversation says; `latest` takes in what the whole export says once."""
    chat = as_map(value)
    nodes = as_map(chat.get("mapping"))
    if not nodes:
        yield Left(file, str(number), "bad_record")
        return
    title = subject_of(cleaned(as_text(chat.get("title"))).text)
    passed_over = 0
    for place, message in _ordered(nodes):
        taken = list(_message(message, file, f"{number}/{place}", title, latest))
        passed_over += not taken
        yield from taken
    if passed_over:
        yield Left(file, str(number), "chat", passed_over)


def _ordered(nodes: dict[str, object]) -> list[tuple[int, dict[str, object]]]:
    messages = [
        (place, as_map(as_map(node).get("message")))
        for place, node in enumerate(nodes.values(), start=1)
    ]
    found = [(place, message) for place, message in messages if message]
    return sorted(found, key=lambda one: (_seconds(one[1]), one[0]))


def _seconds(message: dict[str, object]) -> float:
    moment = time_of(message.get("create_time"))
    return moment.timestamp() if moment else 0.0


def _message(
    message: dict[str, object], file: str, place: str, title: str, latest: Latest
) -> Iterator[Raw]:
    content = as_map(message.get("content"))
    sort = as_text(content.get("content_type"))
    role = as_text(as_map(message.get("author")).get("role"))
    seconds = _seconds(message)
    if sort == "model_editable_context":
        listed = as_text(content.get("model_set_context"))
        if listed.strip():
            latest.memories = max(latest.memories, (seconds, f"{file}:{place}", listed))
    elif sort == "user_editable_context":
        _note_instructions(message, content, f"{file}:{place}", seconds, latest)
    elif role == "assistant" and message.get("recipient") == "bio":
        yield from _told(message, file, place, title)
    elif role == "user":
        yield from _asked(message, file, place, title)


def _note_instructions(
    message: dict[str, object],
    content: dict[str, object],
    where: str,
    seconds: float,
    latest: Latest,
) -> None:
    """The person's own words stand in the metadata; in the content they are framed and fenced."""
    own = as_map(as_map(message.get("metadata")).get("user_context_message_data"))
    for name, framed in (
        ("about_user_message", "user_profile"),
        ("about_model_message", "user_instructions"),
    ):
        text = as_text(own.get(name))
        if not text:
            text = as_text(content.get(framed))
            fenced = _FENCED.search(text)
            text = fenced[1] if fenced else ""
        if text.strip():
            before = latest.instructions.get(name, (-1.0, "", ""))
            latest.instructions[name] = max(before, (seconds, where, text))


def _text_of(message: dict[str, object]) -> Cleaned:
    parts = as_list(as_map(message.get("content")).get("parts"))
    return cleaned("\n".join(part for part in parts if isinstance(part, str)))


def _told(message: dict[str, object], file: str, place: str, title: str) -> Iterator[Raw]:
    """What the memory tool was given, one statement a line."""
    clean = _text_of(message)
    yield from _regions(clean, file, place)
    for text in clean.text.split("\n"):
        if _FORGET.match(text):
            yield Left(file, place, "forgotten")
        elif text.strip():
            yield _statement(text.strip(), file, place, title, message)


def _asked(message: dict[str, object], file: str, place: str, title: str) -> Iterator[Raw]:
    clean = _text_of(message)
    yield from _regions(clean, file, place)
    for _, text in remembered(clean.text):
        yield _statement(text, file, place, title, message)


def _statement(text: str, file: str, place: str, title: str, message: dict[str, object]) -> Said:
    created = time_of(message.get("create_time"))
    kind = kind_of(text, otherwise="observation")
    return Said(text, file, place, "user", title, kind, created)


def _regions(clean: Cleaned, file: str, place: str) -> Iterator[Raw]:
    if clean.private:
        yield Left(file, place, "private", clean.private)
    if clean.recalled:
        yield Left(file, place, "recalled", clean.recalled)


def from_latest(latest: Latest) -> Iterator[Raw]:
    """What the export says once, after all of its conversations."""
    _, where, listed = latest.memories
    file, _, place = where.rpartition(":")
    lines = (_LISTED.fullmatch(line.strip()) for line in cleaned(listed).text.split("\n"))
    for number, found in enumerate(filter(None, lines), start=1):
        created: datetime | None = time_of(found[1])
        kind = kind_of(found[2], otherwise="observation")
        yield Said(found[2].strip(), file, f"{place}.{number}", "user", "", kind, created)
    for name in sorted(latest.instructions):
        _, where, text = latest.instructions[name]
        yield from from_markdown(text, where, PERSONAL, about="Custom instructions")
