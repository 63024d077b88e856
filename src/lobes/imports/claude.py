"""The Claude export: its memories of the person and of each project, the instructions of projects,
and what the person asked to be remembered in a chat."""

from __future__ import annotations

from collections.abc import Iterator

from lobes.imports.cleaning import cleaned
from lobes.imports.gathering import Left, Raw, Said
from lobes.imports.heads import time_of
from lobes.imports.kinds import kind_of
from lobes.imports.notes import INSTRUCTIONS, REMEMBERED, Manner, from_markdown
from lobes.imports.remembering import remembered
from lobes.imports.statements import subject_of
from lobes.imports.strict import as_list, as_map, as_text

_PROJECT = Manner(class_="project", cuts=True)


def from_conversation(value: object, file: str, number: int) -> Iterator[Raw]:
    chat = as_map(value)
    if not isinstance(chat.get("chat_messages"), list):
        yield Left(file, str(number), "bad_record")
        return
    title = subject_of(cleaned(as_text(chat.get("name"))).text)
    passed_over = 0
    for place, one in enumerate(as_list(chat["chat_messages"]), start=1):
        message = as_map(one)
        found = list(_asked(message, file, f"{number}/{place}", title))
        passed_over += not found
        yield from found
    if passed_over:
        yield Left(file, str(number), "chat", passed_over)


def _asked(message: dict[str, object], file: str, place: str, title: str) -> Iterator[Raw]:
    if message.get("sender") != "human":
        return
    clean = cleaned(_text_of(message))
    if clean.private:
        yield Left(file, place, "private", clean.private)
    if clean.recalled:
        yield Left(file, place, "recalled", clean.recalled)
    created = time_of(message.get("created_at"))
    for _, text in remembered(clean.text):
        kind = kind_of(text, otherwise="observation")
        yield Said(text, file, place, "user", title, kind, created)


def _text_of(message: dict[str, object]) -> str:
    """The typed text; the same stands in `content` as blocks, in newer exports only there."""
    blocks = [as_map(one) for one in as_list(message.get("content"))]
    typed = [as_text(one.get("text")) for one in blocks if one.get("type") == "text"]
    return "\n".join(typed) or as_text(message.get("text"))


def from_memories(value: object, file: str) -> Iterator[Raw]:
    """`memories.json`: an entry for each account."""
    entries = value if isinstance(value, list) else [value]
    for number, entry in enumerate(entries, start=1):
        account = as_map(entry)
        texts = [("", as_text(account.get("conversations_memory")), REMEMBERED)]
        projects = as_map(account.get("project_memories"))
        texts += [(name, as_text(projects[name]), _PROJECT) for name in sorted(projects)]
        for one in map(as_map, as_list(account.get("memory_files"))):
            text = as_text(one.get("content")) or as_text(one.get("text"))
            texts.append((as_text(one.get("path")) or as_text(one.get("name")), text, REMEMBERED))
        if not any(text for _, text, _ in texts):
            yield Left(file, str(number), "bad_record")
        for name, text, manner in texts:
            if text:
                yield from from_markdown(text, f"{file}/{name}" if name else file, manner)


def from_project(value: object, file: str, number: int) -> Iterator[Raw]:
    """A project's instructions; the files attached to it are for a Space."""
    project = as_map(value)
    name = subject_of(cleaned(as_text(project.get("name"))).text)
    if "prompt_template" not in project and "docs" not in project and not name:
        yield Left(file, str(number), "bad_record")
        return
    instructions = as_text(project.get("prompt_template"))
    if instructions.strip():
        yield from from_markdown(instructions, f"{file}/{number}", INSTRUCTIONS, about=name)
    if attached := len(as_list(project.get("docs"))):
        yield Left(file, str(number), "attachment", attached)
