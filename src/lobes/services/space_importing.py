"""An exported Space is taken in again: as the Space it was, or under another id.

All of it is read and judged before anything is made. A Space that is there is never written into.
The pack comes first, whole; then one unit of work makes the Space with all that it remembers, so it
is never there without. A pack that an import left without its Space is gone on with.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast, get_args

from lobes.access.facts import HOME, Resource
from lobes.classify.masking import masked
from lobes.domain.errors import Conflict, Invalid
from lobes.domain.ids import LobeAddress, Slug, parse_slug
from lobes.domain.lobes import LobeConfig, alone, parse_config
from lobes.domain.memories import Link, Memory
from lobes.domain.packs import SPACE_YAML
from lobes.domain.spaces import Space, SpaceKind, check_words
from lobes.domain.strict_json import loads_strict
from lobes.services.authority import facts_for, record, require
from lobes.services.exported_lines import (
    bad_export,
    make_ready,
    put_in,
    read_lines,
    text_of,
)
from lobes.services.exporting import FORMAT, VERSION
from lobes.services.ingress import looked_at_anew
from lobes.services.installation import Caller, Installation
from lobes.services.space_adding import AddOptions, record_added, refuse_place, space_to_add
from lobes.store.files import SafeRoot, write_atomic
from lobes.store.found import ReadFile
from lobes.store.memory_lines import MemoryLine
from lobes.store.parts import part_of, settle
from lobes.store.read_memories import memories
from lobes.store.read_spaces import space_row
from lobes.store.space_yaml import load_space_yaml
from lobes.store.splice import splice
from lobes.store.writing import writing_errors


@dataclass(frozen=True, slots=True)
class SpaceImported:
    """`renamed` are memories that got another id because theirs is taken."""

    space: str
    folder: Path
    files: int
    memories: int
    renamed: int


@dataclass(frozen=True, slots=True)
class _Read:
    """An export that was judged; `id` is the one that the Space gets here."""

    id: Slug
    space: Mapping[str, Any]
    lobe: LobeConfig
    files: tuple[tuple[str, str], ...]
    lines: tuple[MemoryLine, ...]


def import_space(
    lobes: Installation,
    caller: Caller,
    folder: Path,
    *,
    as_id: str | None = None,
    target: Path | None = None,
) -> SpaceImported:
    """The export in `folder` as a Space; its pack is copied to `target`, by default into the home.

    `Conflict` (`exists`) where the Space or the folder is there, `Invalid` (`bad_export`) where it
    is no whole export; then nothing was made.
    """
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    decision = require(lobes, caller, "write_meta", HOME, facts=facts, human_only=True)
    found = _read(folder, as_id)
    place = target or lobes.folders.spaces / found.id
    lines, renamed = _placed(lobes, found.lines, _taken(lobes, found))
    refuse_place(lobes, place)
    made = _brought(lobes, caller, place, found, lines)
    counts = {"files": len(found.files), "memories": len(lines)}
    record_added(lobes, caller, made, answer=decision.reason)
    record(
        lobes, caller, "space.imported", "write_meta", Resource("space", found.id),
        answer=decision.reason, counts=counts,
    )  # fmt: skip
    lobes.engine.notify()
    return SpaceImported(found.id, place, len(found.files), len(lines), renamed)


def _taken(lobes: Installation, found: _Read) -> set[str]:
    """The ids of its memories that are there already; `Conflict` where the Space's is."""
    with lobes.reading() as store:
        if space_row(store, found.id) is not None:
            raise Conflict(
                "There is a Space with that id.", hint="--id ID takes it in as another one.",
                reason="exists",
            )  # fmt: skip
        return set(memories(store, [one.memory.id for one in found.lines]))


# Read and judged -------------------------------------------------------------------------------


def _read(folder: Path, as_id: str | None) -> _Read:
    about = _about(folder)
    space = _space(about)
    id = parse_slug(as_id or str(space["id"]), what="Space")
    lines = read_lines(folder / "memories.jsonl", LobeAddress("space", id))
    names = about.get("files")
    if not isinstance(names, list):
        raise bad_export("it has no list of its files")
    files: list[tuple[str, str]] = []
    if names:
        with SafeRoot.open(folder / "pack") as root:
            for name in cast("list[object]", names):
                file = root.read(name) if isinstance(name, str) else None
                if not isinstance(file, ReadFile):
                    raise bad_export("a file of its list isn't there, or can't be in a pack")
                files.append((file.path, file.text))
    _judge_words(space, dict(files))
    return _Read(id, space, _lobe(space["lobe"]), tuple(files), lines)


def _about(folder: Path) -> dict[str, Any]:
    try:
        data: object = loads_strict(text_of(folder / "export.json"))
    except (ValueError, RecursionError) as error:
        raise bad_export("what it says of itself can't be read") from error
    if not isinstance(data, dict):
        raise bad_export("what it says of itself can't be read")
    about = cast("dict[str, Any]", data)
    if about.get("format") != FORMAT or about.get("version") != VERSION:
        raise bad_export("it is something else, or of a newer Lobes")
    return about


def _space(about: Mapping[str, Any]) -> Mapping[str, Any]:
    space: object = about.get("space")
    if not isinstance(space, dict):
        raise bad_export("it names no Space")
    found = cast("dict[str, Any]", space)
    texts = ("id", "kind", "name", "description", "status")
    if not all(isinstance(found.get(name), str) for name in texts):
        raise bad_export("it names no Space")
    if found["kind"] not in get_args(SpaceKind) or not isinstance(found.get("lobe"), dict):
        raise bad_export("it names no Space")
    return found


def _judge_words(space: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """They are those of its `space.yaml`, which is judged by itself, or such as a Space can get."""
    manifest = load_space_yaml(files[SPACE_YAML]) if SPACE_YAML in files else None
    name, description = space["name"], space["description"]
    try:
        check_words(
            None if manifest is not None and manifest.name == name else name,
            None if manifest is not None and manifest.description == description else description,
        )
    except Invalid as error:
        raise bad_export("its name or its description is none that a Space can have") from error


def _lobe(written: dict[str, Any]) -> LobeConfig:
    """Its settings, to the letter: nothing that it held back is open here for a word that isn't one
    of ours, and no other Space is drawn on. One without a version lacks the words for that."""
    if "version" not in written:
        others = {name: list[str]() for name in ("excluded_from", "subscriptions", "muted")}
        written = {"hold_external_changes": True, **written, **others, "version": 1}
    found = parse_config(json.dumps(written))
    if not found.sound:
        raise bad_export("the settings of its lobe can't be read")
    return alone(found)


# Taken in --------------------------------------------------------------------------------------


def _placed(
    lobes: Installation, lines: tuple[MemoryLine, ...], taken: set[str]
) -> tuple[list[MemoryLine], int]:
    """With other ids for all where any is taken: two of one id would be one."""
    new = {one.memory.id: one.memory.id for one in lines}
    if taken:
        new = {id: lobes.new_id() for id in new}
    placed = [
        MemoryLine(
            _as_here(one.memory, new),
            tuple(replace(each, memory=new[each.memory]) for each in one.versions),
            tuple(Link(tie.kind, new[tie.memory], new[tie.other], tie.since) for tie in one.links),
        )
        for one in lines
    ]
    return placed, len(new) if taken else 0


def _as_here(memory: Memory, new: Mapping[str, str]) -> Memory:
    """With its new ids, looked at as every text that comes in; no level falls by that."""
    own = replace(memory, id=new[memory.id], replaces=new.get(memory.replaces, ""))
    return looked_at_anew(own)


def _pack_here(found: _Read) -> dict[str, bytes]:
    """Path → bytes; in `space.yaml` the id that it gets here, and nothing else, is changed."""
    texts = dict(found.files)
    manifest = texts.get(SPACE_YAML)
    if manifest is not None and load_space_yaml(manifest).id != found.id:
        texts[SPACE_YAML] = splice(manifest, ("id",), found.id)
    return {path: text.encode("utf-8") for path, text in texts.items()}


def _copied(lobes: Installation, place: Path, files: Mapping[str, bytes]) -> bool:
    """Put the pack there; False where an import that was cut off has left just that."""
    if place.exists() or place.is_symlink():
        if _holds(place, files):
            return False
        raise Conflict(
            "There is a folder with that name already.", hint="--folder names another one.",
            reason="exists",
        )  # fmt: skip
    with writing_errors():
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with part_of(place, now=lobes.clock()) as part:
        for path, data in files.items():
            with writing_errors():
                for parent in reversed(Path(path).parents[:-1]):
                    (part / parent).mkdir(mode=0o700, exist_ok=True)
            write_atomic(part / path, data)
        settle(part, place)
    return True


def _holds(place: Path, files: Mapping[str, bytes]) -> bool:
    """Whether these files are all that is there."""
    if place.is_symlink() or not place.is_dir():
        return False
    there = {one.relative_to(place).as_posix(): one for one in place.rglob("*") if not _is_dir(one)}
    try:
        return there.keys() == files.keys() and all(
            _is_file(one) and one.read_bytes() == files[path] for path, one in there.items()
        )
    except OSError:
        return False


def _is_dir(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _brought(
    lobes: Installation, caller: Caller, place: Path, found: _Read, lines: list[MemoryLine]
) -> Space:
    """The pack, then the Space; where that can't be made, the pack that was put there goes."""
    is_new = _copied(lobes, place, _pack_here(found))
    try:
        return _made(lobes, caller, place, found, lines)
    except BaseException:
        if is_new:
            shutil.rmtree(place, ignore_errors=True)
        raise


def _made(
    lobes: Installation, caller: Caller, place: Path, found: _Read, lines: list[MemoryLine]
) -> Space:
    """The Space with its words, settings and memories, in one unit of work."""
    make_ready(lobes, lines)
    about = found.space
    options = AddOptions(id=found.id, kind=about["kind"])
    stored, _ = space_to_add(lobes, caller, place, options)
    status = about["status"] if about["status"] in ("active", "finished") else stored.status
    made = replace(
        stored,
        name=masked(about["name"]) or stored.name,
        description=masked(about["description"]) or stored.description,
        status=status,
        lobe=found.lobe,
    )
    with lobes.database().begin() as unit:
        unit.spaces.add(made)
        put_in(unit, lines)
        unit.commit()
    return made
