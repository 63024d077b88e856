"""Markdown through the one file gate: notes, a memory folder, the instructions of a project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from lobes.domain.imports import Skip, SourceKind
from lobes.imports.gathering import Left, Raw
from lobes.imports.limits import Limits
from lobes.imports.notes import (
    GRAPH_NOTES,
    INSTRUCTIONS,
    PERSONAL,
    VAULT,
    Manner,
    from_markdown,
    from_memory_file,
)
from lobes.imports.opening import Watch
from lobes.store.files import SafeRoot
from lobes.store.found import Limits as ListLimits
from lobes.store.found import ReadFile, Skipped
from lobes.store.names import is_markdown

_AT_THE_TOP = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    ".claude/CLAUDE.md",
    "AGENTS.md",
    ".cursorrules",
    ".github/copilot-instructions.md",
)
_RULES = {
    ".claude/rules": (".md",),
    ".cursor/rules": (".mdc", ".md"),
    ".github/instructions": (".instructions.md",),
}
_MANNERS: dict[SourceKind, Manner] = {"obsidian": VAULT, "basic_memory": GRAPH_NOTES}
_LEVELS = 8


def from_folder(root: Path, kind: SourceKind, *, limits: Limits, watch: Watch) -> Iterator[Raw]:
    """What the files of a folder say, in the order of their names."""
    with SafeRoot.open(root) as folder:
        if kind in ("obsidian", "basic_memory", "claude_memory"):
            found = folder.list(limits=ListLimits(files=limits.files))
            for one in found.skipped:
                yield _left(one)
            names = [one.path for one in sorted(found.files)]
            watch.total = sum(one.size for one in found.files)
        else:
            names = list(_instruction_files(root, kind, limits.files))
        for name in names:
            yield from _from_file(folder, name, kind, watch)


def from_file(path: Path, kind: SourceKind, *, watch: Watch) -> Iterator[Raw]:
    """One file that a person named; where it is a link, they chose what it leads to."""
    real = path.resolve()
    with SafeRoot.open(real.parent) as folder:
        yield from _from_file(folder, real.name, kind, watch, shown=path.name)


def _from_file(
    folder: SafeRoot, name: str, kind: SourceKind, watch: Watch, *, shown: str = ""
) -> Iterator[Raw]:
    shown = shown or name
    found = folder.read(name)
    if isinstance(found, Skipped):
        yield _left(found)
        return
    watch.advance(found.size)
    yield from said_in(found, kind, shown)


def said_in(found: ReadFile, kind: SourceKind, shown: str) -> Iterator[Raw]:
    if kind == "claude_memory":
        yield from from_memory_file(found.text, shown)
        return
    manner = _MANNERS.get(kind, INSTRUCTIONS)
    if shown.casefold().endswith("claude.local.md"):
        manner = PERSONAL
    about = PurePosixPath(shown).stem if kind == "obsidian" else ""
    yield from from_markdown(found.text, shown, manner, about=about)


def _left(one: Skipped) -> Left:
    return Left(one.path, "", one.reason, skip=Skip(one.path, one.reason, one.sentence))


def _instruction_files(root: Path, kind: SourceKind, most: int) -> Iterator[str]:
    """The known places of a project; where the folder is one of rules, what lies in it."""
    if kind == "project_instructions":
        yield from (name for name in _AT_THE_TOP if (root / name).is_file())
        for place, endings in _RULES.items():
            yield from _below(root, place, endings, most)
        return
    if kind == "copilot_instructions" and (root / "copilot-instructions.md").is_file():
        yield "copilot-instructions.md"
    ending = {"cursor_rules": (".mdc",), "copilot_instructions": (".instructions.md",)}
    yield from _below(root, "", ending.get(kind, (".md",)), most)


def _below(root: Path, place: str, endings: tuple[str, ...], most: int) -> Iterator[str]:
    """Files with these endings, links aside, to a modest depth."""
    names: list[str] = []
    for folder, folders, files in os.walk(root / place, followlinks=False):
        below = Path(folder).relative_to(root)
        folders.sort()
        if len(below.parts) > _LEVELS:
            folders.clear()
        names += [
            (below / name).as_posix()
            for name in files
            if name.casefold().endswith(endings) and is_markdown(Path(name).with_suffix(".md").name)
        ]
        if len(names) >= most:
            break
    yield from sorted(names)[:most]
