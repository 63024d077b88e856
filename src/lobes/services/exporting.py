"""A Space as a folder that can be read without Lobes, and taken in again without a loss.

    export.json  pack/…  memories.md  memories.jsonl  sessions.json  artifacts.json

Everything in it is asked for by itself, for whoever exports. What holds a secret that its owner
hasn't accepted stays out and is named; so does what the rules withhold, unnamed. Nothing of another
Space is in it: no source, no exclusion, no link that leads elsewhere. What was archived, superseded
or rejected comes only where it is asked for, what was deleted never. Of sessions it says that they
were, and nothing that was said in them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from lobes import __version__
from lobes.access.facts import Resource, resources
from lobes.classify.masking import masked
from lobes.domain.display import display_text
from lobes.domain.errors import Conflict, LobesError, Unavailable, nothing_there
from lobes.domain.ids import LobeAddress
from lobes.domain.lobes import LobeConfig, alone, dump_config
from lobes.domain.memories import Link, Memory, Status
from lobes.domain.packs import SPACE_YAML
from lobes.domain.regions import without_private
from lobes.domain.sensitivity import Setting
from lobes.services.authority import allowed_memories, facts_for, may, record, require
from lobes.services.ingress import assess
from lobes.services.installation import Caller, Installation
from lobes.services.let_in import as_read
from lobes.services.manifests import open_root, read_file
from lobes.services.sessions import sessions_to_take_out
from lobes.store.files import SafeRoot, write_atomic
from lobes.store.found import ReadFile
from lobes.store.memory_lines import MemoryLine, dump_line
from lobes.store.parts import part_of, settle
from lobes.store.read_memories import links, lobe_memories, versions_of
from lobes.store.read_sensitivity import sensitivities
from lobes.store.read_spaces import SpaceRow, document_rows, space_row, stored_lobe
from lobes.store.writing import writing_errors

FORMAT = "lobes space"
VERSION = 1
LIVING: tuple[Status, ...] = ("proposed", "active", "disputed")
EVERY: tuple[Status, ...] = (*LIVING, "superseded", "archived", "rejected")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A pack file or a memory that isn't in the export: `secret`, `held` (the file is there as it
    is read, without what changed outside and waits for a person), `private_region` (the file is
    there, without it), `unreadable`, or the code of the file gate."""

    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class _File:
    """How a pack file is taken: its level as it was set by hand, and what of it counts as read."""

    setting: Setting | None
    as_read: Callable[[ReadFile], ReadFile]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What of the Space may be exported, from one snapshot, and by which reason."""

    row: SpaceRow
    config: LobeConfig
    lines: list[MemoryLine]
    left: list[LeftOut]
    answer: str


@dataclass(frozen=True, slots=True)
class Exported:
    """`folder` is where it lies, or the file of an export of memories alone."""

    folder: Path
    files: int
    memories: int
    left_out: tuple[LeftOut, ...]


def export_space(
    lobes: Installation, caller: Caller, space: str, folder: Path, *, every: bool = False
) -> Exported:
    """The Space into a new folder, whole or not at all; `every` takes what isn't in use too.

    `Conflict` (`exists`) where something is there already.
    """
    asked = _asked(lobes, caller, space, every=every)
    lines, left = asked.lines, asked.left
    if folder.exists() or folder.is_symlink():
        raise Conflict(
            "There is something with that name already.", hint="Name a new folder.", reason="exists"
        )
    with part_of(folder, now=lobes.clock()) as part:
        files = _pack(lobes, caller, asked, part / "pack")
        about, sessions = _about(lobes, asked, files), _sessions(lobes, caller, space)
        _write(part, about, lines, asked.row.name, sessions)
        settle(part, folder)
    counts = {"files": len(files), "memories": len(lines), "left": len(left)}
    _record(lobes, caller, space, counts, answer=asked.answer)
    return Exported(folder, len(files), len(lines), tuple(left))


def export_memories(
    lobes: Installation, caller: Caller, space: str, file: Path, *, every: bool = False
) -> Exported:
    """The Space's memories alone: Markdown where the file's name ends so, else JSON lines."""
    asked = _asked(lobes, caller, space, every=every)
    lines, left = asked.lines, asked.left
    if file.exists() or file.is_symlink():
        raise Conflict(
            "There is a file with that name already.", hint="Name another one.", reason="exists"
        )
    is_markdown = file.suffix.lower() in (".md", ".markdown")
    text = _markdown(asked.row.name, lines) if is_markdown else _jsonl(lines)
    write_atomic(file, text.encode("utf-8", "surrogatepass"))
    counts = {"memories": len(lines), "left": len(left)}
    _record(lobes, caller, space, counts, answer=asked.answer)
    return Exported(file, 0, len(lines), tuple(left))


def _record(
    lobes: Installation, caller: Caller, space: str, counts: Mapping[str, int], *, answer: str
) -> None:
    resource = Resource("space", space)
    record(lobes, caller, "space.exported", "export", resource, answer=answer, counts=counts)


def _asked(lobes: Installation, caller: Caller, space: str, *, every: bool) -> _Asked:
    """Secrets are looked for once the snapshot is closed: an open one keeps writers waiting."""
    lobe = LobeAddress("space", space)
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        resource = Resource("space", space)
        require(lobes, caller, "read_content", resource, facts=facts)
        judged = require(lobes, caller, "export", resource, facts=facts, human_only=True)
        row, stored = space_row(store, space), stored_lobe(store, space)
        if row is None or stored is None:
            raise nothing_there()
        found = {one.id: one for one in lobe_memories(store, lobe, EVERY if every else LIVING)}
        known = allowed_memories(store, caller, "export", found, facts)
        known &= allowed_memories(store, caller, "read_content", found, facts)
        lines = lines_of(store, [one for one in found.values() if one.id in known])
    secret = {line.memory.id for line in lines if _says_secret(line)}
    left = [LeftOut(f"memory/{id}", "secret") for id in sorted(secret)]
    kept = [line for line in lines if line.memory.id not in secret]
    inside = {line.memory.id for line in kept}
    kept = [within(line, inside) for line in kept]
    return _Asked(row, stored.config, kept, left, judged.reason)


def lines_of(store: sqlite3.Connection, found: Iterable[Memory]) -> list[MemoryLine]:
    """The memories with all that became of them."""
    found = tuple(found)
    ids = [one.id for one in found]
    past = versions_of(store, ids)
    ties: dict[str, list[Link]] = {id: [] for id in ids}
    for tie in links(store, ids):
        for id in (tie.memory, tie.other):
            if id in ties:
                ties[id].append(tie)
    return [MemoryLine(one, tuple(past.get(one.id, ())), tuple(ties[one.id])) for one in found]


def _says_secret(line: MemoryLine) -> bool:
    """Whether it holds a secret, or held one."""
    memory, past = line.memory, line.versions
    came = memory.provenance
    texts = (memory.statement, memory.subject, *(one.statement for one in past))
    reasons = (one.reason for one in past)
    source = "\n\n".join((came.session, came.client, came.tool, came.ref, *came.evidence))
    return any(_has_secret(text, memory.setting) for text in (*texts, *reasons, source))


def within(line: MemoryLine, inside: Set[str]) -> MemoryLine:
    """Without what leads out of the export."""
    kept = tuple(one for one in line.links if {one.memory, one.other} <= inside)
    replaces = line.memory.replaces if line.memory.replaces in inside else ""
    return replace(line, memory=replace(line.memory, replaces=replaces), links=kept)


def _has_secret(text: str, setting: Setting | None) -> bool:
    """Whether there is one that nobody has accepted by lowering the level."""
    accepted = setting.accepted if setting is not None else frozenset[tuple[str, str]]()
    return any(
        one.detector.is_secret and one.known_as not in accepted for one in assess(text).findings
    )


def _pack(lobes: Installation, caller: Caller, asked: _Asked, target: Path) -> list[str]:
    """The files that the caller may read, as they are on the disk now unless that waits for a
    person; their names."""
    wanted = _wanted(lobes, caller, asked.row.id)
    with writing_errors():
        target.mkdir(mode=0o700)
    try:
        opened = open_root(asked.row)
    except Unavailable as error:
        asked.left.append(LeftOut("pack", error.reason))
        return []
    with opened as root:
        return [path for path in wanted if _copied(root, path, wanted[path], target, asked.left)]


def _wanted(lobes: Installation, caller: Caller, space: str) -> dict[str, _File]:
    """The pack's files that the caller may read and export, by the snapshot that says what of them
    counts as read."""
    with lobes.reading() as store:
        documents = document_rows(store, space)
        ids = [one.id for one in documents]
        facts = facts_for(store, caller, space, things=resources("document", ids))
        known = sensitivities(store, ids)
        things = {SPACE_YAML: Resource("space", space)}
        things |= {one.path: Resource("document", one.id) for one in documents}
        return {
            path: _File(
                known[thing.id].setting if thing.id in known else None,
                as_read(store, space, path),
            )
            for path, thing in things.items()
            if may(caller, "read_content", thing, facts) and may(caller, "export", thing, facts)
        }


def _copied(root: SafeRoot, path: str, known: _File, target: Path, left: list[LeftOut]) -> bool:
    try:
        file = read_file(root, path)
    except LobesError as error:
        if not (path == SPACE_YAML and error.code == "not_found"):
            left.append(LeftOut(path, error.reason))
        return False
    read = known.as_read(file)
    text, regions = without_private(read.text)
    if _has_secret(text, known.setting):
        left.append(LeftOut(path, "secret"))
        return False
    if read is not file:
        left.append(LeftOut(path, "held"))
    if regions:
        left.append(LeftOut(path, "private_region"))
    with writing_errors():
        for parent in reversed(Path(path).parents[:-1]):
            (target / parent).mkdir(mode=0o700, exist_ok=True)
    write_atomic(target / path, text.encode("utf-8"))
    return True


def _about(lobes: Installation, asked: _Asked, files: Iterable[str]) -> dict[str, object]:
    row = asked.row
    return {
        "format": FORMAT,
        "version": VERSION,
        "lobes": __version__,
        "made": lobes.clock().isoformat(),
        "space": {
            "id": row.id,
            "kind": row.kind,
            "name": row.name,
            "description": row.description,
            "status": row.status,
            "lobe": json.loads(dump_config(alone(asked.config))),
        },
        "files": list(files),
        "memories": len(asked.lines),
        "left_out": [asdict(one) for one in asked.left],
    }


def _sessions(lobes: Installation, caller: Caller, space: str) -> list[object]:
    return [
        {
            "id": one.session.id,
            "person": one.session.person,
            "actor": one.session.actor,
            "client": masked(one.session.client),
            "started": one.session.started.isoformat(),
            "last": one.last.isoformat(),
            "turns": one.turns,
        }
        for one in sessions_to_take_out(lobes, caller, space)
    ]


def _write(
    folder: Path,
    about: Mapping[str, object],
    lines: list[MemoryLine],
    name: str,
    sessions: list[object],
) -> None:
    texts = {
        "memories.md": _markdown(name, lines),
        "memories.jsonl": _jsonl(lines),
        "sessions.json": json.dumps(sessions, indent=1, ensure_ascii=False) + "\n",
        "artifacts.json": "[]\n",
        "export.json": json.dumps(about, indent=1, ensure_ascii=False) + "\n",
    }
    for file, text in texts.items():
        write_atomic(folder / file, text.encode("utf-8", "surrogatepass"))


def _jsonl(lines: Iterable[MemoryLine]) -> str:
    return "".join(f"{dump_line(one)}\n" for one in lines)


def _markdown(name: str, lines: Iterable[MemoryLine]) -> str:
    """For whoever has no Lobes; the JSON lines beside it are what is taken in again."""
    parts = [f"# What {display_text(name)} remembers\n"]
    for one in (line.memory for line in lines):
        until = f", until {one.valid_to:%Y-%m-%d}" if one.valid_to else ""
        head = f"{one.kind}, {one.status}, {one.created:%Y-%m-%d}{until}, by {one.author}"
        quoted = "\n".join(f"> {display_text(part)}" for part in one.statement.split("\n"))
        parts.append(f"\n{quoted}\n\n{head} · `{one.id}`\n")
    return "".join(parts)
