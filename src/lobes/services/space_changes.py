"""What changes a Space afterwards: its words, its status, the trash. Every act has its undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lobes.access.facts import Resource
from lobes.domain.actors import name_of
from lobes.domain.errors import Invalid, Unavailable, nothing_there
from lobes.domain.packs import SPACE_YAML
from lobes.domain.spaces import (
    Space,
    SpaceStatus,
    archived,
    finished,
    restored,
    trashed,
)
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import lobe_view
from lobes.services.spaces import open_root, show_space
from lobes.store.found import ReadFile
from lobes.store.space_yaml import load_space_yaml
from lobes.store.splice import splice

MAX_NAME = 64
MAX_DESCRIPTION = 500


@dataclass(frozen=True, slots=True)
class Edit:
    """New words for a Space; None leaves them."""

    name: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Impact:
    """What trashing a Space does: how much leaves search, and who no longer draws on it."""

    space: str
    name: str
    documents: int
    passages: int
    losers: tuple[str, ...]
    root: str


def edit_space(lobes: Installation, caller: Caller, space: str, edit: Edit) -> Space:
    """Change name or description, in `space.yaml` too where there is one: only that value there.

    `Conflict` when the file changed meanwhile; then nothing is changed.
    """
    words = {"name": edit.name, "description": edit.description}
    for key, limit in (("name", MAX_NAME), ("description", MAX_DESCRIPTION)):
        _check_words(words[key], key, limit)
    _require(lobes, caller, "write_meta", space)
    written = _write_manifest(
        lobes, caller, space, {k: v for k, v in words.items() if v is not None}
    )
    with lobes.database().begin() as unit:
        stored = _found(unit.spaces.get(space))
        changed = replace(
            stored,
            name=edit.name or stored.name,
            description=stored.description if edit.description is None else edit.description,
            updated=lobes.clock(),
        )
        if written is not None:
            changed = _followed(changed, written)
        saved = unit.spaces.save(changed)
        unit.commit()
    _audit(lobes, caller, space, "space.edited", "write_meta")
    return saved


def _check_words(text: str | None, key: str, limit: int) -> None:
    if text is None:
        return
    if key == "name" and not text.strip():
        raise Invalid("A Space needs a name.", reason="bad_name")
    if len(text) > limit or any(ord(char) < 32 for char in text):
        raise Invalid(f"The {key} is one line of at most {limit} characters.", reason="bad_name")


@dataclass(frozen=True, slots=True)
class _Written:
    """`space.yaml` after the edit, and the hash of what it was edited from."""

    text: str
    content_hash: str
    from_hash: str


def _followed(space: Space, written: _Written) -> Space:
    """The edit is the person's own; whatever else the file says stays as trusted as it was.

    Edited from the trusted content, the new content is trusted. Edited from anything else, which
    the index may not even have seen, it is left for the next look to judge.
    """
    if space.trusted is None or written.from_hash != space.trusted_hash:
        return space
    return replace(
        space,
        trusted=load_space_yaml(written.text),
        trusted_hash=written.content_hash,
        seen_hash=written.content_hash,
    )


def _write_manifest(
    lobes: Installation, caller: Caller, space: str, words: dict[str, str]
) -> _Written | None:
    """The new `space.yaml`; None where the Space has none."""
    row = show_space(lobes, caller, space).row
    with open_root(row) as root:
        file = root.read(SPACE_YAML)
        if not isinstance(file, ReadFile):
            return None
        text = file.text
        for key, value in words.items():
            text = splice(text, (key,), value)
        load_space_yaml(text)  # what it would refuse to read is not written
        written = root.write(SPACE_YAML, text, expect_hash=file.content_hash)
    return _Written(text, written.content_hash, file.content_hash)


def finish_space(lobes: Installation, caller: Caller, space: str) -> Space:
    """A Project is done: it stays searchable, and says so."""
    return _change_status(lobes, caller, space, finished, "space.finished")


def archive_space(lobes: Installation, caller: Caller, space: str) -> Space:
    """Out of lists and out of every other Space's sources, until it is restored."""
    return _change_status(lobes, caller, space, archived, "space.archived")


def restore_space(lobes: Installation, caller: Caller, space: str) -> Space:
    """Back from the archive or the trash, with the status that it had."""
    return _change_status(lobes, caller, space, restored, "space.restored")


def trash_impact(lobes: Installation, caller: Caller, space: str) -> Impact:
    """What trashing would do, before anything is done."""
    _require(lobes, caller, "erase", space)
    detail = show_space(lobes, caller, space)
    view = lobe_view(lobes, caller, space)
    return Impact(
        space=space,
        name=detail.row.name,
        documents=detail.row.documents,
        passages=detail.row.passages,
        losers=view.answers_to,
        root=detail.row.root,
    )


def trash_space(lobes: Installation, caller: Caller, space: str) -> Space:
    """Into the trash for 30 days; no file of the person's is touched."""
    return _change_status(lobes, caller, space, trashed, "space.trashed", verb="erase")


def _change_status(
    lobes: Installation,
    caller: Caller,
    space: str,
    change: Callable[[Space], SpaceStatus],
    event: str,
    *,
    verb: str = "write_meta",
) -> Space:
    _require(lobes, caller, verb, space, human_only=verb == "erase")
    written = _write_status(lobes, caller, space, change) if verb == "write_meta" else None
    now = lobes.clock()
    with lobes.database().begin() as unit:
        stored = _found(unit.spaces.get(space))
        status = change(stored)
        before = stored.status if status in ("archived", "deleted") else None
        changed = replace(
            stored,
            status=status,
            status_before=before,
            trashed=now if status == "deleted" else None,
            updated=now,
        )
        saved = unit.spaces.save(_followed(changed, written) if written else changed)
        unit.commit()
    _audit(lobes, caller, space, event, verb)
    return saved


def _write_status(
    lobes: Installation, caller: Caller, space: str, change: Callable[[Space], SpaceStatus]
) -> _Written | None:
    """The status in `space.yaml`, where that names one and the folder is there; no status is worth
    refusing the act for, so a folder that is away keeps what it says."""
    with lobes.database().begin() as unit:
        stored = _found(unit.spaces.get(space))
    status = change(stored)
    if stored.trusted is None or stored.trusted.status == status:
        return None
    try:
        return _write_manifest(lobes, caller, space, {"status": status})
    except Unavailable:
        return None


def _require(
    lobes: Installation, caller: Caller, verb: str, space: str, *, human_only: bool = False
) -> None:
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
    resource = Resource("space", space)
    require(lobes, caller, verb, resource, facts=facts, human_only=human_only)


def _found(space: Space | None) -> Space:
    if space is None:
        raise nothing_there()
    return space


def _audit(lobes: Installation, caller: Caller, space: str, event: str, verb: str) -> None:
    lobes.audit.append(
        event,
        actor=name_of(caller.actor),
        verb=verb,
        resources=[f"space/{space}"],
        decisions=[],
        channel=caller.channel,
        correlation=caller.correlation,
        answer="owner",
    )
