"""`space.yaml` as it binds: what widens waits until a person trusts that very content.

An agent that may write to a folder must not be able to open it: a change that narrows or is
harmless takes effect at once, one that widens only after trust by content hash, and a broken file
changes nothing.
"""

from __future__ import annotations

import difflib
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from lobes.access.facts import Resource
from lobes.domain.actors import name_of
from lobes.domain.errors import Conflict, Invalid, LobesError, nothing_there
from lobes.domain.packs import SPACE_YAML, SpaceYaml, effective, widens
from lobes.domain.spaces import Space
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation
from lobes.store.files import SafeRoot
from lobes.store.found import ReadFile
from lobes.store.space_yaml import load_space_yaml


@dataclass(frozen=True, slots=True)
class Seen:
    """The file as it is on the disk now: its text, its hash, and what it says or why it doesn't."""

    text: str
    content_hash: str
    manifest: SpaceYaml | None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A changed `space.yaml` that waits for trust: what would widen, and the difference in lines.

    `content_hash` is what the trust must name.
    """

    space: str
    content_hash: str
    widens: tuple[str, ...]
    lines: tuple[str, ...]
    fault: str = ""


def seen_manifest(root: SafeRoot) -> Seen | None:
    """What the root's `space.yaml` says; None where there is none."""
    file = root.read(SPACE_YAML)
    if not isinstance(file, ReadFile):
        return None if file.reason == "gone" else Seen("", "", None, file.reason)
    try:
        return Seen(file.text, file.content_hash, load_space_yaml(file.text))
    except LobesError as error:
        return Seen(file.text, file.content_hash, None, error.message)


def follow_manifest(lobes: Installation, caller: Caller, space: Space, root: SafeRoot) -> Space:
    """The Space with the manifest that binds now, saved when it changed."""
    seen = seen_manifest(root)
    if seen is None or seen.content_hash in ("", space.seen_hash):
        return space
    changed = _binding(space, seen)
    with lobes.database().begin() as unit:
        current = unit.spaces.get(space.id)
        if current is None or current.seen_hash == seen.content_hash:
            return current or space
        saved = unit.spaces.save(replace(changed, version=current.version))
        unit.commit()
    waits = saved.seen_hash != saved.trusted_hash
    _audit(lobes, caller, saved, "space.manifest_waits" if waits else "space.manifest_followed")
    return saved


def _binding(space: Space, seen: Seen) -> Space:
    if seen.manifest is None:
        return replace(space, seen_hash=seen.content_hash)
    if not _same_space(space, seen.manifest):
        return replace(space, seen_hash=seen.content_hash)
    if space.trusted is not None and widens(space.trusted, seen.manifest):
        binding = effective(space.trusted, seen.manifest)
        return replace(_named(space, binding), trusted=binding, seen_hash=seen.content_hash)
    return replace(
        _named(space, seen.manifest),
        trusted=seen.manifest,
        trusted_hash=seen.content_hash,
        seen_hash=seen.content_hash,
    )


def _named(space: Space, manifest: SpaceYaml) -> Space:
    return replace(space, name=manifest.name, description=manifest.description)


def _same_space(space: Space, manifest: SpaceYaml) -> bool:
    """Id and kind never change silently: a file that says otherwise waits for the person."""
    return manifest.id == space.id and manifest.kind == space.kind


def waiting(lobes: Installation, caller: Caller, space_id: str) -> Waiting | None:
    """What a changed `space.yaml` would bring, or None when nothing waits."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space_id)
    require(lobes, caller, "read_content", Resource("space", space_id), facts=facts)
    with lobes.database().begin() as unit:
        space = unit.spaces.get(space_id)
    if space is None:
        raise nothing_there()
    with SafeRoot.open(Path(space.root)) as root:
        seen = seen_manifest(root)
    if seen is None or seen.content_hash == space.trusted_hash:
        return None
    return _as_waiting(space, seen)


def _as_waiting(space: Space, seen: Seen) -> Waiting:
    if seen.manifest is None:
        return Waiting(space.id, seen.content_hash, (), (), seen.fault)
    changes = widens(space.trusted, seen.manifest) if space.trusted else ()
    before = _as_lines(space.trusted)
    lines = difflib.unified_diff(before, _as_lines(seen.manifest), lineterm="", n=0)
    kept = tuple(line for line in lines if not line.startswith(("---", "+++", "@@")))
    return Waiting(space.id, seen.content_hash, changes, kept)


def _as_lines(manifest: SpaceYaml | None) -> list[str]:
    if manifest is None:
        return []
    return [f"{name}: {value}" for name, value in asdict(manifest).items() if value]


def trust(lobes: Installation, caller: Caller, space_id: str, *, content_hash: str) -> Space:
    """Let the `space.yaml` with exactly this content bind.

    `Conflict` (`changed`) when the file is another by now; `Invalid` when it is broken or says it
    is another Space.
    """
    with lobes.reading() as store:
        facts = facts_for(store, caller, space_id)
    resource = Resource("space", space_id)
    require(lobes, caller, "change_permission", resource, facts=facts, human_only=True)
    with lobes.database().begin() as unit:
        space = unit.spaces.get(space_id)
        if space is None:
            raise nothing_there()
        with SafeRoot.open(Path(space.root)) as root:
            seen = seen_manifest(root)
        if seen is None or seen.content_hash != content_hash:
            raise Conflict(
                "space.yaml changed since you saw it.", hint="Look again.", reason="changed"
            )
        if seen.manifest is None:
            raise Invalid(seen.fault, hint="Mend space.yaml first.", reason="bad_manifest")
        if not _same_space(space, seen.manifest):
            raise Invalid(
                "space.yaml names another id or kind.",
                hint=f"Write id: {space.id} and type: {space.kind}.",
                reason="kind_never_changes",
            )
        trusted = replace(
            _named(space, seen.manifest),
            trusted=seen.manifest,
            trusted_hash=content_hash,
            seen_hash=content_hash,
        )
        saved = unit.spaces.save(trusted)
        unit.commit()
    _audit(lobes, caller, saved, "space.trusted")
    lobes.engine.notify()
    return saved


def _audit(lobes: Installation, caller: Caller, space: Space, event: str) -> None:
    lobes.audit.append(
        event,
        actor=name_of(caller.actor),
        verb="change_permission" if event == "space.trusted" else "edit_content",
        resources=[f"space/{space.id}"],
        decisions=[],
        channel=caller.channel,
        correlation=caller.correlation,
        answer="owner",
    )
