"""`space.yaml` as it binds: what widens waits until a person trusts that very content.

An agent that may write to a folder must not be able to open it: a change that narrows or is
harmless takes effect at once, one that widens only after trust by content hash, and a broken file
changes nothing. What is trusted and what binds are kept apart, so that a file that goes back to its
trusted content is as it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from lobes.access.facts import Resource
from lobes.classify.masking import masked
from lobes.domain.errors import Conflict, Invalid, LobesError, Unavailable, nothing_there
from lobes.domain.packs import SPACE_YAML, SpaceYaml, effective, widens
from lobes.domain.spaces import Space, with_status
from lobes.services.authority import facts_for, record, require
from lobes.services.installation import Caller, Installation
from lobes.store.files import SafeRoot
from lobes.store.found import ReadFile, RootId
from lobes.store.read_spaces import SpaceRow, StoredLobe, space_row, stored_lobe


@dataclass(frozen=True, slots=True)
class Seen:
    """The file as it is on the disk now: its text, its hash, and what it says or why it doesn't."""

    text: str
    content_hash: str
    manifest: SpaceYaml | None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A changed `space.yaml` that waits for trust: what would widen, and each changed field as
    `- field: value` and `+ field: value`. `content_hash` is what the trust must name."""

    space: str
    content_hash: str
    widens: tuple[str, ...]
    lines: tuple[str, ...]
    fault: str = ""


def open_root(space: SpaceRow | Space) -> SafeRoot:
    """The Space's folder, if it is still the one that was added; `Unavailable` (`root_…`)."""
    expect = None
    if space.root_inode:
        expect = RootId(int(space.root_device), int(space.root_inode))
    return SafeRoot.open(Path(space.root), expect=expect)


def read_file(root: SafeRoot, path: str) -> ReadFile:
    """A file of the pack as it is now; `NotFound` where it is gone, `Unavailable` with the reason
    where it can't be read."""
    file = root.read(path)
    if isinstance(file, ReadFile):
        return file
    if file.reason == "gone":
        raise nothing_there()
    raise Unavailable(file.sentence, reason=file.reason)


def seen_manifest(root: SafeRoot) -> Seen | None:
    """What the root's `space.yaml` says; None where there is none."""
    from lobes.store.space_yaml import load_space_yaml  # a list of Spaces needs no parser

    file = root.read(SPACE_YAML)
    if not isinstance(file, ReadFile):
        return None if file.reason == "gone" else Seen("", "", None, file.sentence)
    try:
        return Seen(file.text, file.content_hash, load_space_yaml(file.text))
    except LobesError as error:
        return Seen(file.text, file.content_hash, None, error.message)


def follow_manifest(lobes: Installation, caller: Caller, space: Space, root: SafeRoot) -> Space:
    """The Space with the manifest that binds now, saved when it changed."""
    seen = seen_manifest(root)
    if seen is None or seen.content_hash in ("", space.seen_hash):
        return space
    with lobes.database().begin() as unit:
        # What another window changed since is kept: only the manifest of this very row moves.
        current = unit.spaces.get(space.id)
        if current is None or current.seen_hash == seen.content_hash:
            return current or space
        saved = unit.spaces.save(_followed(current, seen))
        unit.commit()
    waits = saved.seen_hash != saved.trusted_hash
    event = "space.manifest_waits" if waits else "space.manifest_followed"
    resource = Resource("space", saved.id)
    record(lobes, caller, event, "edit_content", resource, answer="followed")
    return saved


def _followed(space: Space, seen: Seen) -> Space:
    """The Space after a look at its file; without a trusted manifest to compare with, it waits."""
    noted = replace(space, seen_hash=seen.content_hash)
    if seen.manifest is None or space.trusted is None or not _same_space(space, seen.manifest):
        return noted
    if seen.content_hash == space.trusted_hash:
        return _bound(noted, space.trusted)
    if widens(space.trusted, seen.manifest):
        return _bound(noted, effective(space.trusted, seen.manifest))
    return trusted_as(_bound(noted, seen.manifest), seen.manifest, seen.content_hash)


def _bound(space: Space, manifest: SpaceYaml) -> Space:
    """The Space with what holds now. A status changed in the file is followed, though no file
    leads out of the archive: the person may have put the Space there meanwhile."""
    before = space.binding.status if space.binding else manifest.status
    if before != manifest.status and space.status != "archived":
        space = with_status(space, manifest.status)
    return replace(_named(space, manifest), binding=manifest)


def trusted_as(space: Space, manifest: SpaceYaml, content_hash: str) -> Space:
    """The Space with this content trusted and binding."""
    return replace(
        _named(space, manifest),
        trusted=manifest,
        binding=manifest,
        trusted_hash=content_hash,
        seen_hash=content_hash,
    )


def _named(space: Space, manifest: SpaceYaml) -> Space:
    """Its words stand in lists and in answers: what is secret in them stays in the file."""
    return replace(space, name=masked(manifest.name), description=masked(manifest.description))


def _same_space(space: Space, manifest: SpaceYaml) -> bool:
    """Id and kind never change silently: a file that says otherwise waits for the person."""
    return manifest.id == space.id and manifest.kind == space.kind


def waiting(lobes: Installation, caller: Caller, space_id: str) -> Waiting | None:
    """What a changed `space.yaml` would bring, or None when nothing waits."""
    resource = Resource("space", space_id)
    with lobes.reading() as store:
        facts = facts_for(store, caller, space_id)
        require(lobes, caller, "read_content", resource, facts=facts, event="space.read")
        row, lobe = space_row(store, space_id), stored_lobe(store, space_id)
    if row is None or lobe is None:
        raise nothing_there()
    with open_root(row) as root:
        seen = seen_manifest(root)
    if seen is None or seen.content_hash == lobe.trusted_hash:
        return None
    return _as_waiting(space_id, lobe, seen)


def _as_waiting(space_id: str, lobe: StoredLobe, seen: Seen) -> Waiting:
    if seen.manifest is None:
        return Waiting(space_id, seen.content_hash, (), (), seen.fault)
    changes = widens(lobe.trusted, seen.manifest) if lobe.trusted else ()
    before = lobe.trusted.as_fields() if lobe.trusted else {}
    after = seen.manifest.as_fields()
    lines: list[str] = []
    for field in dict.fromkeys((*before, *after)):
        if before.get(field) != after.get(field):
            lines += [f"- {field}: {before[field]}"] if field in before else []
            lines += [f"+ {field}: {after[field]}"] if field in after else []
    return Waiting(space_id, seen.content_hash, changes, tuple(lines))


def may_trust(lobes: Installation, caller: Caller, space: str) -> None:
    """Return, or raise what trusting this Space's `space.yaml` would: `NotFound`, `Forbidden`,
    `NoPresence`."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
    resource = Resource("space", space)
    require(lobes, caller, "change_permission", resource, facts=facts, human_only=True)


def trust(lobes: Installation, caller: Caller, space_id: str, *, content_hash: str) -> Space:
    """Let the `space.yaml` with exactly this content bind.

    `Conflict` (`changed`) when the file is another by now; `Invalid` when it is broken or says it
    is another Space.
    """
    resource = Resource("space", space_id)
    with lobes.reading() as store:
        facts = facts_for(store, caller, space_id)
        require(lobes, caller, "change_permission", resource, facts=facts, human_only=True)
        row = space_row(store, space_id)
    if row is None:
        raise nothing_there()
    with open_root(row) as root:
        seen = seen_manifest(root)
    if seen is None or seen.content_hash != content_hash:
        raise Conflict("space.yaml changed since you saw it.", hint="Look again.", reason="changed")
    if seen.manifest is None:
        raise Invalid(seen.fault, hint="Mend space.yaml first.", reason="bad_manifest")
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, space_id)
        judged = require(lobes, caller, "change_permission", resource, facts=facts, human_only=True)
        space = unit.spaces.get(space_id)
        if space is None:
            raise nothing_there()
        if not _same_space(space, seen.manifest):
            raise Invalid(
                "space.yaml names another id or kind.",
                hint=f"Write id: {space.id} and type: {space.kind}.",
                reason="kind_never_changes",
            )
        if space.binding and space.binding.status != seen.manifest.status:
            space = with_status(space, seen.manifest.status)
        saved = unit.spaces.save(trusted_as(space, seen.manifest, content_hash))
        unit.commit()
    verb = "change_permission"
    record(lobes, caller, "space.trusted", verb, resource, answer=judged.reason)
    lobes.engine.notify()
    return saved
