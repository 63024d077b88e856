"""What changes a Space afterwards: its words, its status, the trash. Every act has its undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lobes.access.facts import Resource
from lobes.domain.actors import name_of
from lobes.domain.errors import Invalid, Unavailable, nothing_there
from lobes.domain.packs import SPACE_YAML
from lobes.domain.spaces import Space, archived, finished, restored, trashed
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import lobe_view
from lobes.services.manifests import open_root, trusted_as
from lobes.store.found import ReadFile
from lobes.store.read_spaces import SpaceRow, space_row
from lobes.store.space_yaml import load_space_yaml
from lobes.store.splice import splice

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork

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
    row = _allowed(lobes, caller, space, "write_meta")
    new = {key: text for key, text in words.items() if text is not None}
    written = _write_manifest(row, new) if new else None
    with lobes.database().begin() as unit:
        stored = _found_again(lobes, caller, unit, space, "write_meta")
        changed = replace(
            stored,
            name=edit.name or stored.name,
            description=stored.description if edit.description is None else edit.description,
            updated=lobes.clock(),
        )
        saved = unit.spaces.save(_followed(changed, written))
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


def _followed(space: Space, written: _Written | None) -> Space:
    """The edit is the person's own; whatever else the file says stays as trusted as it was.

    Edited from the trusted content, the new content is trusted. Edited from anything else, which
    the index may not even have seen, it is left for the next look to judge.
    """
    if written is None or space.trusted is None or written.from_hash != space.trusted_hash:
        return space
    return trusted_as(space, load_space_yaml(written.text), written.content_hash)


def _write_manifest(row: SpaceRow, words: dict[str, str]) -> _Written | None:
    """The new `space.yaml`; None where the Space has none."""
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
    """What trashing would do, before anything is done; asked as the act itself is."""
    row = _allowed(lobes, caller, space, "erase", human_only=True)
    view = lobe_view(lobes, caller, space)
    return Impact(
        space=space,
        name=row.name,
        documents=row.documents,
        passages=row.passages,
        losers=view.answers_to,
        root=row.root,
    )


def trash_space(lobes: Installation, caller: Caller, space: str) -> Space:
    """Into the trash, until it is restored; no file of the person's is touched."""
    with lobes.database().begin() as unit:
        stored = _found_again(lobes, caller, unit, space, "erase", human_only=True)
        now = lobes.clock()
        saved = unit.spaces.save(replace(trashed(stored, now=now), updated=now))
        unit.commit()
    _audit(lobes, caller, space, "space.trashed", "erase")
    return saved


def _change_status(
    lobes: Installation,
    caller: Caller,
    space: str,
    change: Callable[[Space], Space],
    event: str,
) -> Space:
    trash = change is restored
    row = _allowed(lobes, caller, space, "write_meta", trash=trash)
    with lobes.database().begin() as unit:
        changed = change(_found_again(lobes, caller, unit, space, "write_meta", trash=trash))
    written = _write_status(row, changed)
    with lobes.database().begin() as unit:
        stored = _found_again(lobes, caller, unit, space, "write_meta", trash=trash)
        changed = replace(_followed(change(stored), written), updated=lobes.clock())
        saved = unit.spaces.save(changed)
        unit.commit()
    _audit(lobes, caller, space, event, "write_meta")
    return saved


def _write_status(row: SpaceRow, space: Space) -> _Written | None:
    """The status in `space.yaml`, where there is one. No status is worth refusing the act for, so
    a folder that is away or can't be written keeps what it says."""
    if space.trusted is None or space.trusted.status == space.status:
        return None
    try:
        return _write_manifest(row, {"status": space.status})
    except (Unavailable, Invalid):
        return None


def _allowed(
    lobes: Installation,
    caller: Caller,
    space: str,
    verb: str,
    *,
    human_only: bool = False,
    trash: bool = False,
) -> SpaceRow:
    """The Space, once the caller may do this; one in the trash only where `trash` says so."""
    resource = Resource("space", space)
    with lobes.reading() as store:
        facts = facts_for(store, caller, space, trash=trash)
        require(lobes, caller, verb, resource, facts=facts, human_only=human_only)
        row = space_row(store, space)
    if row is None:
        raise nothing_there()
    return row


def _found_again(
    lobes: Installation,
    caller: Caller,
    unit: UnitOfWork,
    space: str,
    verb: str,
    *,
    human_only: bool = False,
    trash: bool = False,
) -> Space:
    """The Space inside the write, judged again by what the write stands on."""
    facts = facts_for(unit.reader, caller, space, trash=trash)
    resource = Resource("space", space)
    require(lobes, caller, verb, resource, facts=facts, human_only=human_only)
    stored = unit.spaces.get(space)
    if stored is None:
        raise nothing_there()
    return stored


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
