"""Whatever a file holds, an import ends, gives only what can be stored and shown, and is the same
in every run."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from import_files import HIDDEN, MARKUP, exports, notes

from lobes.domain.imports import LEFT_ASIDE, Candidate, Found, ImportSource, SourceKind
from lobes.domain.memories import LONGEST
from lobes.imports.cleaning import cleaned
from lobes.imports.limits import Limits
from lobes.imports.reading import read
from lobes.store.found import SKIP_REASONS

MARKDOWN: tuple[SourceKind, ...] = ("claude_md", "claude_memory", "basic_memory", "obsidian")
JSON: tuple[SourceKind, ...] = ("mcp_memory", "mem0", "chatgpt_export", "claude_export")


def every(data: bytes, kind: SourceKind, *, name: str = "AGENTS.md") -> list[Found]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        return list(read(path, ImportSource(kind, ""), limits=Limits(record_characters=5000)))


def gives(data: bytes, kind: SourceKind, *, name: str = "AGENTS.md") -> bool:
    return any(isinstance(one, Candidate) for one in every(data, kind, name=name))


def holds(data: bytes, kind: SourceKind, *, name: str = "AGENTS.md") -> None:
    found = every(data, kind, name=name)
    assert HIDDEN not in repr(found)
    ids: set[str] = set()
    for one in found:
        if isinstance(one, Candidate):
            assert one.external_id not in ids
            ids.add(one.external_id)
            assert 0 < len(one.statement) <= LONGEST
            texts = (one.statement, one.subject, one.source_ref, *one.tags)
        else:
            assert one.reason in LEFT_ASIDE or one.reason in SKIP_REASONS
            assert one.count > 0
            texts = (one.where,)
        for text in texts:
            text.encode("utf-8")
            assert not {"\n", "\0", "\u2028"} & set(text)
    assert every(data, kind, name=name) == found


@pytest.mark.parametrize("kind", MARKDOWN)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_markdown(kind: SourceKind, data: st.DataObject) -> None:
    holds(data.draw(notes() | MARKUP).encode(), kind)


@pytest.mark.parametrize("kind", JSON)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_json(kind: SourceKind, data: st.DataObject) -> None:
    name, text = data.draw(exports(kind))
    holds(text.encode(), kind, name=name)


@pytest.mark.parametrize("kind", [*MARKDOWN, *JSON])
def test_what_is_drawn_gives_statements(kind: SourceKind) -> None:
    """Where nothing is taken, nothing of what holds for it is tried."""
    once = settings(max_examples=200, database=None, phases=[Phase.generate])
    if kind in MARKDOWN:
        find(notes(), lambda text: gives(text.encode(), kind), settings=once)
    else:
        find(exports(kind), lambda file: gives(file[1].encode(), kind, name=file[0]), settings=once)


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
