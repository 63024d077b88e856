"""Files of every format that an import reads, as a stranger may have made them: whole, or with one
place spoilt."""

from __future__ import annotations

import json
from collections.abc import Callable

from hypothesis import strategies as st

from lobes.domain.imports import SourceKind

PIECES = st.sampled_from(
    ["- ", "* ", "1. ", "# ", "## ", "```", "~~~", "> ", "| a |", "---", "===", "[ ] ", "[x]",
     "[[a|b]]", "[a](b)", "<private>", "</private>", "<system-reminder>", "</system-reminder>",
     "<!--", "-->", "[cat] ", "#tag", "a word or two", "it ends so:", "?", "12:30 ", "\n", "\n\n",
     "    ", "\t",
     "\r\n", "\u2028", "\x00", "\u202e", "我喜欢绿茶", "**b**", "permalink: x", "@a.md"]
)  # fmt: skip
MARKUP = st.lists(PIECES, max_size=60).map("".join)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
"""With lone surrogates, which JSON can escape."""
WORDS = st.sampled_from(["tea", "the house", "Ann", "prefers", "green", "works on", "ships", "x"])
SENTENCES = st.just("Ann prefers tea") | st.lists(WORDS, min_size=2, max_size=4).map(" ".join)
HIDDEN = "CANARY"
"""Stands between private tags in what is drawn, and nowhere else."""
SECRETS = st.builds("{}<private>{}</private>{}".format, SENTENCES, st.just(HIDDEN), SENTENCES)
WRAPPED = st.builds("{}{}{}".format, MARKUP, SENTENCES | SECRETS, MARKUP)
SAID = SENTENCES | SECRETS | WRAPPED | MARKUP | ANY_TEXT
TIMES = st.sampled_from(["2025-04-01T10:00:00Z", "2025-06-01", "no time", ""]) | st.floats()

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | SAID
KEYS = st.sampled_from(
    ["type", "entity", "relation", "name", "entityType", "observations", "memory", "content",
     "results", "memories", "mapping", "message", "author", "role", "parts", "content_type",
     "chat_messages", "sender", "text", "conversations_memory", "project_memories", "recipient",
     "prompt_template", "docs", "title", "create_time", "created_at", "state", "id"]
)  # fmt: skip
VALUES = st.recursive(
    SCALARS | st.sampled_from(["entity", "relation", "user", "assistant", "human", "bio", "text"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)
ASKED = st.builds("{}{}".format, st.sampled_from(["Remember that ", "From now on, ", ""]), SAID)
LISTED = st.lists(SAID, max_size=4).map(
    lambda texts: "\n".join(f"{n}. [2024-05-01]. {text}" for n, text in enumerate(texts, start=1))
)


def _object(**fields: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.fixed_dictionaries(fields)


def _some(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner, min_size=1, max_size=3)


ENTITY = _object(type=st.just("entity"), name=SAID, entityType=SAID, observations=_some(SAID))
MEMORY = _object(
    id=ANY_TEXT, memory=SAID, categories=_some(SAID), created_at=TIMES,
    state=st.sampled_from(["", "active", "paused"]), metadata=_object(category=SAID),
)  # fmt: skip
MESSAGE = st.one_of(
    _object(
        author=_object(role=st.just("user")), create_time=TIMES, content=_object(parts=_some(ASKED))
    ),
    _object(
        author=_object(role=st.just("assistant")), recipient=st.just("bio"),
        content=_object(parts=_some(SAID)),
    ),
    _object(
        create_time=TIMES,
        content=_object(content_type=st.just("model_editable_context"), model_set_context=LISTED),
    ),
    _object(
        content=_object(
            content_type=st.just("user_editable_context"),
            user_profile=st.builds("```\n{}```".format, SAID), user_instructions=SAID,
        ),
        metadata=_object(user_context_message_data=_object(about_user_message=SAID)),
    ),
)  # fmt: skip
CHAT = _object(
    title=SAID,
    mapping=st.dictionaries(ANY_TEXT, _object(message=MESSAGE), min_size=1, max_size=3),
)
BLOCK = _object(type=st.just("text"), text=ASKED)
CLAUDE_CHAT = _object(
    name=SAID,
    chat_messages=_some(
        _object(sender=st.just("human"), text=ASKED, created_at=TIMES)
        | _object(sender=st.just("human"), content=_some(BLOCK))
    ),
)
CLAUDE_MEMORY = _object(
    conversations_memory=SAID,
    project_memories=st.dictionaries(SAID, SAID, max_size=2),
    memory_files=_some(_object(path=SAID, content=SAID)),
)
CLAUDE_PROJECT = _object(name=SAID, prompt_template=SAID, docs=_some(SAID))

RECORDS: dict[SourceKind, tuple[tuple[str, st.SearchStrategy[object]], ...]] = {
    "mcp_memory": (("memory.jsonl", ENTITY), ("memory.json", ENTITY)),
    "mem0": (
        ("mem0.json", MEMORY),
        ("mem0.json", _object(results=_some(MEMORY))),
        ("memories.jsonl", MEMORY),
    ),
    "chatgpt_export": (("conversations.json", CHAT), ("memories.json", MEMORY)),
    "claude_export": (
        ("conversations.json", CLAUDE_CHAT),
        ("memories.json", CLAUDE_MEMORY),
        ("projects.json", CLAUDE_PROJECT),
    ),
}
"""What stands in the file of that name, once or often."""

NOTE_LINES = st.builds(
    "{}{}\n".format,
    st.sampled_from(["- [decision] ", "- [cat] ", "- [x] ", "- ", "# ", "## Relations\n- ", ""]),
    SAID.map(lambda text: text.encode("utf-8", "replace").decode()),
)
HEADS = st.builds(
    "---\ntitle: {}\ndescription: {}\ntags: [{}, two]\ncreated: {}\n---\n".format,
    SENTENCES, SENTENCES | SECRETS, SENTENCES | MARKUP, st.sampled_from(["2025-03-01", "no day"]),
)  # fmt: skip


def notes() -> st.SearchStrategy[str]:
    """A note with a head or without one."""
    return st.builds("{}{}".format, HEADS | st.just(""), st.lists(NOTE_LINES).map("".join))


@st.composite
def exports(draw: st.DrawFn, kind: SourceKind) -> tuple[str, str]:
    """The name of an export's file, and what stands in it."""
    name, record = draw(st.sampled_from(RECORDS[kind]))
    records = draw(st.lists(record, min_size=1, max_size=3))
    if draw(st.booleans()):
        records = draw(_spoilt(records))
    as_lines = name.endswith(".jsonl") or kind == "mcp_memory"
    if as_lines and isinstance(records, list):
        return name, "\n".join(map(json.dumps, records))
    is_one = isinstance(records, list) and len(records) == 1 and draw(st.booleans())
    return name, json.dumps(records[0] if is_one else records)


@st.composite
def _spoilt(draw: st.DrawFn, value: object) -> object:
    """`value` with anything in one place."""
    put = draw(st.sampled_from(_places(value)))
    return put(draw(VALUES))


def _places(value: object) -> list[Callable[[object], object]]:
    """For each place in `value`, itself first: `value` with something else there."""
    found: list[Callable[[object], object]] = [lambda new: new]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += [
                lambda new, key=key, put=put: {**value, key: put(new)} for put in _places(inner)
            ]
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            found += [
                lambda new, at=at, put=put: [*value[:at], put(new), *value[at + 1 :]]
                for put in _places(inner)
            ]
    return found
