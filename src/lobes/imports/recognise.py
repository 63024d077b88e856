"""Which tool a path comes from: by its name where that is telling, else by how it begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from lobes.domain.imports import SOURCES, ImportSource, Skip, SourceKind, Unsupported, left_aside
from lobes.imports.archives import Archive, Spoilt, archive
from lobes.imports.heads import head_of
from lobes.imports.limits import Limits, never, unseen
from lobes.imports.opening import Watch, is_folder, opened
from lobes.imports.sniffing import PREFIX, json_kind, not_supported, unknown
from lobes.store.found import SKIP_REASONS
from lobes.store.names import is_markdown

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OTHER_MAGIC: dict[bytes, str] = {
    b"SQLite format 3\0": "an SQLite database",
    b"%PDF-": "a PDF file",
    b"\x1f\x8b": "a compressed file",
    b"<!DOCTYPE html": "a web page",
    b"<html": "a web page",
}
_CONVERSATIONS = re.compile(r"(?:[^/]{1,200}/)?conversations(?:[-_]\d{1,6})?\.json")
_EXPORTS = ("memories.json", "projects.json", "memory.json")
_SAMPLED = 50


def recognise(path: Path, *, limits: Limits | None = None) -> ImportSource | Unsupported:
    """What is there, or why it can't be imported. Reads the beginning of files, changes nothing."""
    if is_folder(path):
        return _named(_folder_kind(path))
    if kind := kind_of_name(path):
        return _named(kind)
    return _named(_file_kind(path, limits or Limits()))


def _named(kind: SourceKind | Unsupported) -> ImportSource | Unsupported:
    return kind if isinstance(kind, Unsupported) else ImportSource(kind, SOURCES[kind])


def kind_of_name(path: Path) -> SourceKind | None:
    """What a file's name and folder alone tell."""
    name = path.name.casefold()
    above = [part.casefold() for part in path.parts[-4:-1]]
    if name in ("claude.md", "claude.local.md") or (
        above[-2:] == [".claude", "rules"] and is_markdown(name)
    ):
        return "claude_md"
    if name in ("agents.md", "agents.override.md"):
        return "agents_md"
    if name == ".cursorrules" or name.endswith(".mdc"):
        return "cursor_rules"
    if name == "copilot-instructions.md" or name.endswith(".instructions.md"):
        return "copilot_instructions"
    if above[-1:] == ["memory"] and above[:1] == ["projects"] and is_markdown(name):
        return "claude_memory"
    return None


def _file_kind(path: Path, limits: Limits) -> SourceKind | Unsupported:
    stream = opened(path)
    if isinstance(stream, str):
        return _unreadable(stream)
    with stream:
        begin = stream.peek(4096)[:4096]
        if begin.startswith(_ZIP):
            watch = Watch(0, stop=never, progress=unseen)
            with archive(stream, limits=limits, watch=watch) as found:
                return archive_kind(found) if isinstance(found, Archive) else _refused(found)
        for magic, what in _OTHER_MAGIC.items():
            if begin.lower().startswith(magic.lower()):
                return not_supported(what)
        if begin.startswith((b"\xff\xfe", b"\xfe\xff")):
            return Unsupported(path.name, "not_utf8", left_aside("", "not_utf8").sentence)
        prefix = stream.read(PREFIX).decode("utf-8", "ignore").lstrip("\ufeff \t\r\n")
    if prefix[:1] in ("{", "["):
        return json_kind(prefix)
    return "basic_memory" if is_markdown(path.name) and _is_basic(prefix) else unknown()


def archive_kind(found: Archive) -> SourceKind | Unsupported:
    """What an archive that may be read is an export of."""
    chats = [name for name in found.names if _CONVERSATIONS.fullmatch(name)]
    others = [name for name in found.names if name.rpartition("/")[2] in _EXPORTS]
    for name in (*chats, *others):
        try:
            with found.reading(name) as member:
                kind = json_kind(member.read(PREFIX).decode("utf-8", "ignore"))
        except Spoilt as error:
            return _refused((left_aside(name, error.reason),))
        if not isinstance(kind, Unsupported) or kind.reason == "unsupported":
            return kind
    if found.nested():
        return _refused(tuple(left_aside(name, "nested_archive") for name in found.nested()[:20]))
    if any(is_markdown(name) for name in found.names):
        return Unsupported(
            "notes in an archive",
            "unsupported",
            "Notes are imported from a folder.",
            "Unpack the archive and import the folder.",
        )
    return unknown()


def _folder_kind(path: Path) -> SourceKind | Unsupported:
    if (path / ".obsidian").is_dir():
        return "obsidian"
    if (path / "MEMORY.md").is_file() or (
        path.name == "memory" and path.parts[-3:-2] == ("projects",)
    ):
        return "claude_memory"
    try:
        names = sorted(entry.name for entry in islice(path.iterdir(), 20_000))
    except OSError:
        return _unreadable("unreadable")
    for name in names:
        if _CONVERSATIONS.fullmatch(name) or name in _EXPORTS:
            kind = _file_kind(path / name, Limits())
            if not isinstance(kind, Unsupported):
                return kind
    if kind := _instruction_folder(path, names):
        return kind
    notes = [name for name in names if is_markdown(name)]
    notes += [str(one.relative_to(path)) for one in islice(path.glob("*/*.md"), _SAMPLED)]
    if any(_is_basic(_beginning(path / name)) for name in notes[:_SAMPLED]):
        return "basic_memory"
    return unknown()


def _instruction_folder(path: Path, names: Sequence[str]) -> SourceKind | None:
    if path.name == ".cursor" or path.parts[-2:] == (".cursor", "rules"):
        return "cursor_rules"
    if path.name == ".github" or path.parts[-2:] == (".github", "instructions"):
        return "copilot_instructions"
    if path.parts[-2:] == (".claude", "rules"):
        return "claude_md"
    if any(kind_of_name(path / name) for name in names) or any(
        (path / place).exists()
        for place in (".cursor/rules", ".github/copilot-instructions.md", ".claude/CLAUDE.md")
    ):
        return "project_instructions"
    return None


def _beginning(path: Path) -> str:
    stream = None if path.is_symlink() else opened(path)
    if stream is None or isinstance(stream, str):
        return ""
    with stream:
        return stream.read(8192).decode("utf-8", "ignore")


def _is_basic(text: str) -> bool:
    return bool(head_of(text).get("permalink"))


def _unreadable(code: str) -> Unsupported:
    sentences: dict[str, str] = {str(key): text for key, text in SKIP_REASONS.items()}
    # It was named just now: whether it ever was there nobody knows.
    sentences["gone"] = "There is nothing of that name."
    hint = "Name a file or a folder that can be read here."
    return Unsupported("", code, sentences[code], hint)


def _refused(reasons: tuple[Skip, ...]) -> Unsupported:
    return Unsupported(
        "archive",
        reasons[0].reason,
        "The archive is refused; nothing was taken from it.",
        "Export it again from the tool it comes from.",
        reasons,
    )
