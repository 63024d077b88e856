"""Whatever a file holds, an import ends, gives only what can be stored and shown, and is the same
in every run."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lobes.domain.imports import LEFT_ASIDE, Candidate, Found, ImportSource, SourceKind
from lobes.domain.memories import LONGEST
from lobes.imports.cleaning import cleaned
from lobes.imports.limits import Limits
from lobes.imports.reading import read
from lobes.store.found import SKIP_REASONS

MARKDOWN: tuple[SourceKind, ...] = ("claude_md", "claude_memory", "basic_memory", "obsidian")
JSON: tuple[SourceKind, ...] = ("mcp_memory", "mem0", "chatgpt_export", "claude_export")

PIECES = st.sampled_from(
    ["- ", "* ", "1. ", "# ", "## ", "```", "~~~", "> ", "| a |", "---", "===", "[ ] ", "[x]",
     "[[a|b]]", "[a](b)", "<private>", "</private>", "<system-reminder>", "</system-reminder>",
     "<!--", "-->", "[cat] ", "#tag", "a word or two", "it ends so:", "?", "12:30 ", "\n", "\n\n",
     "    ", "\t",
     "\r\n", "\u2028", "\x00", "\u202e", "我喜欢绿茶", "**b**", "permalink: x", "@a.md"]
)  # fmt: skip
MARKUP = st.lists(PIECES, max_size=60).map("".join)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | MARKUP
KEYS = st.sampled_from(
    ["type", "entity", "relation", "name", "entityType", "observations", "memory", "content",
     "results", "memories", "mapping", "message", "author", "role", "parts", "content_type",
     "chat_messages", "sender", "text", "conversations_memory", "project_memories", "recipient",
     "prompt_template", "docs", "title", "create_time", "created_at", "state", "id"]
)  # fmt: skip
WORDS = st.sampled_from(["entity", "relation", "user", "assistant", "human", "bio", "text"])
VALUES = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


def every(data: bytes, kind: SourceKind) -> list[Found]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "AGENTS.md"
        path.write_bytes(data)
        return list(read(path, ImportSource(kind, ""), limits=Limits(record_characters=5000)))


def holds(data: bytes, kind: SourceKind) -> None:
    found = every(data, kind)
    ids: set[str] = set()
    for one in found:
        if isinstance(one, Candidate):
            assert one.external_id not in ids
            ids.add(one.external_id)
            assert 0 < len(one.statement) <= LONGEST
            texts = (one.statement, one.subject, one.source_ref, *one.tags)
            for text in texts:
                text.encode("utf-8")
                assert not {"\n", "\0", "\u2028"} & set(text)
        else:
            assert one.reason in LEFT_ASIDE or one.reason in SKIP_REASONS
            assert one.count > 0
    assert every(data, kind) == found


@pytest.mark.parametrize("kind", MARKDOWN)
@settings(max_examples=60, deadline=None)
@given(text=MARKUP)
def test_any_markdown(kind: SourceKind, text: str) -> None:
    holds(text.encode(), kind)


@pytest.mark.parametrize("kind", JSON)
@settings(max_examples=60, deadline=None)
@given(values=st.lists(VALUES, max_size=4), as_lines=st.booleans())
def test_any_json(kind: SourceKind, values: list[object], as_lines: bool) -> None:
    text = "\n".join(map(json.dumps, values)) if as_lines else json.dumps(values)
    holds(text.encode(), kind)


@pytest.mark.parametrize("kind", [*MARKDOWN, *JSON])
@settings(max_examples=25, deadline=None)
@given(data=st.binary(max_size=300))
def test_any_bytes(kind: SourceKind, data: bytes) -> None:
    holds(data, kind)


@settings(max_examples=300, deadline=None)
@given(before=MARKUP, after=MARKUP)
def test_what_is_private_is_gone_whatever_stands_around(before: str, after: str) -> None:
    """hostile AG-08: with one tag before it, or one behind it, or both."""
    marked = "CANARY"
    for text in (f"<private>{marked}</private>", f"<PRIVATE >{marked}", f"{marked}</private>"):
        assert marked not in cleaned(f"{before}\n{text}{after}").text
    assert cleaned(f"{before}<private>{marked}</private>").text.count("\n") == before.count("\n")
