"""What changes a Space afterwards: its words, its status, the trash. Every act has its undo.

A status is changed for one Space or for many. Of many, each has its own outcome: what may be
changed is, in one unit of work and with one row in the audit; the rest is left and named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lobes.access.facts import Facts, Resource
from lobes.domain.errors import Conflict, Invalid, LobesError, NotFound, Unavailable, nothing_there
from lobes.domain.packs import SPACE_YAML
from lobes.domain.space_yaml import Kind, kind_of
from lobes.domain.spaces import (
    Space,
    SpaceStatus,
    archived,
    finished,
    restored,
    trashed,
)
from lobes.services.authority import facts_for, record, require
from lobes.services.explaining import all_facts
from lobes.services.ingress import check_typed
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import drawing_on
from lobes.services.manifests import open_root, trusted_as
from lobes.store.found import ReadFile
from lobes.store.read_spaces import SpaceRow, space_row
from lobes.store.space_yaml import load_space_yaml
from lobes.store.splice import splice

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


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
    kind: Kind
    documents: int
    passages: int
    losers: tuple[str, ...]
    root: str


def edit_space(lobes: Installation, caller: Caller, space: str, edit: Edit) -> Space:
    """Change name or description, in `space.yaml` too where there is one: only that value there.

    `Conflict` when the file changed meanwhile; then nothing is changed.
    """
    words = {"name": edit.name, "description": edit.description}
    check_typed(name=edit.name, description=edit.description)
    row = _allowed(lobes, caller, space, "write_meta")
    new = {key: text for key, text in words.items() if text is not None}
    written = _write_manifest(row, new) if new else None
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, space)
        stored, answer = _judge(lobes, caller, unit, space, "write_meta", facts)
        changed = replace(
            stored,
            name=edit.name or stored.name,
            description=stored.description if edit.description is None else edit.description,
            updated=lobes.clock(),
        )
        saved = unit.spaces.save(_followed(changed, written))
        unit.commit()
    record(lobes, caller, "space.edited", "write_meta", Resource("space", space), answer=answer)
    return saved


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


@dataclass(frozen=True, slots=True)
class Left:
    """A Space of a batch that was left as it is, and why."""

    space: str
    name: str
    error: LobesError


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of each: changed, or left."""

    done: tuple[Space, ...]
    left: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class _Act:
    """A change of status: its event, the verb asked for, and whether it reaches into the trash."""

    event: str
    change: Callable[[Space], Space]
    verb: str = "write_meta"
    human_only: bool = False
    trash: bool = False


_FINISH = _Act("space.finished", finished)
_ARCHIVE = _Act("space.archived", archived)
_RESTORE = _Act("space.restored", restored, trash=True)


def finish_space(lobes: Installation, caller: Caller, space: str) -> Space:
    """A Project is done: it stays searchable, and says so."""
    return _one(_change(lobes, caller, (space,), _FINISH))


def archive_space(lobes: Installation, caller: Caller, space: str) -> Space:
    """Out of lists and out of every other Space's sources, until it is restored."""
    return _one(archive_spaces(lobes, caller, (space,)))


def archive_spaces(lobes: Installation, caller: Caller, spaces: Sequence[str]) -> Batch:
    """As `archive_space`, each for itself."""
    return _change(lobes, caller, spaces, _ARCHIVE)


def restore_space(lobes: Installation, caller: Caller, space: str) -> Space:
    """Back from the archive or the trash, with the status that it had."""
    return _one(restore_spaces(lobes, caller, (space,)))


def restore_spaces(
    lobes: Installation, caller: Caller, spaces: Sequence[str], *, out_of: SpaceStatus | None = None
) -> Batch:
    """As `restore_space`, each for itself; only `out_of` where that is said.

    An undo says it: what went into the trash after it was archived is not taken out by undoing
    the archive.
    """

    def change(stored: Space) -> Space:
        if out_of is not None and stored.status != out_of and not stored.is_live:
            place = "in the trash" if stored.status == "deleted" else stored.status
            raise Conflict(
                f"{stored.name} is {place} since.",
                hint="Look at it again: lobes space show ID.",
                reason="wrong_status",
            )
        return restored(stored)

    return _change(lobes, caller, spaces, replace(_RESTORE, change=change))


def _one(batch: Batch) -> Space:
    if batch.left:
        raise batch.left[0].error
    return batch.done[0]


def trash_impact(lobes: Installation, caller: Caller, space: str) -> Impact:
    """What trashing would do, before anything is done; asked as the act itself is."""
    row = _allowed(lobes, caller, space, "erase", human_only=True)
    with lobes.reading() as store:
        facts, _ = all_facts(store)
    return Impact(
        space=space,
        name=row.name,
        kind=kind_of(row.kind),
        documents=row.documents,
        passages=row.passages,
        losers=tuple(drawing_on(caller, space, facts)),
        root=row.root,
    )


def trash_space(lobes: Installation, caller: Caller, space: str) -> Space:
    """Into the trash, until it is restored; no file of the person's is touched."""
    return _one(trash_spaces(lobes, caller, (space,)))


def trash_spaces(lobes: Installation, caller: Caller, spaces: Sequence[str]) -> Batch:
    """As `trash_space`, each for itself."""
    now = lobes.clock()

    def change(stored: Space) -> Space:
        return trashed(stored, now=now)

    return _change(
        lobes, caller, spaces, _Act("space.trashed", change, verb="erase", human_only=True)
    )


def _change(lobes: Installation, caller: Caller, spaces: Sequence[str], act: _Act) -> Batch:
    """Judge each, write the files of those that may change, judge again and store them at once."""
    wanted = tuple(dict.fromkeys(spaces))
    with lobes.reading() as store:
        facts = facts_for(store, caller, *wanted, trash=act.trash)
        denied = _denied(lobes, caller, wanted, act, facts)
        known = [one for one in wanted if not isinstance(denied.get(one), NotFound)]
        rows = dict.fromkeys(wanted) | {one: space_row(store, one) for one in known}
    asked = [one for one in wanted if one not in denied]
    if not asked:
        return Batch((), _left(denied, rows))
    with lobes.database().begin() as unit:
        first, refused, _ = _judged(lobes, caller, unit, asked, act)
    written = {one.id: _write_status(rows[one.id], one) for one in first}
    with lobes.database().begin() as unit:
        ready, gone, answers = _judged(lobes, caller, unit, [one.id for one in first], act)
        now = lobes.clock()
        done = tuple(
            unit.spaces.save(replace(_followed(one, written[one.id]), updated=now)) for one in ready
        )
        unit.commit()
    left = _left({**denied, **refused, **gone}, rows)
    if done:
        _audit_batch(lobes, caller, act, Batch(done, left), answers)
    return Batch(done, left)


def _denied(
    lobes: Installation, caller: Caller, spaces: Sequence[str], act: _Act, facts: Facts
) -> dict[str, LobesError]:
    """Asked before the store's write lock is: a refusal never waits for it."""
    errors: dict[str, LobesError] = {}
    for space in spaces:
        resource = Resource("space", space)
        try:
            require(lobes, caller, act.verb, resource, facts=facts, human_only=act.human_only)
        except LobesError as error:
            errors[space] = error
    return errors


def _left(
    errors: Mapping[str, LobesError], rows: Mapping[str, SpaceRow | None]
) -> tuple[Left, ...]:
    """By name where the caller may know that it is there, else by the id that was asked for."""
    return tuple(
        Left(one, row.name if row else one, error)
        for one, row in rows.items()
        if (error := errors.get(one)) is not None
    )


def _judged(
    lobes: Installation, caller: Caller, unit: UnitOfWork, spaces: Iterable[str], act: _Act
) -> tuple[list[Space], dict[str, LobesError], dict[str, str]]:
    """Those that may change, as they would be then, why the others may not, and by which reason
    each may."""
    wanted = tuple(spaces)
    facts = facts_for(unit.reader, caller, *wanted, trash=act.trash)
    ready: list[Space] = []
    errors: dict[str, LobesError] = {}
    answers: dict[str, str] = {}
    for space in wanted:
        try:
            stored, answers[space] = _judge(
                lobes, caller, unit, space, act.verb, facts, human_only=act.human_only
            )
            ready.append(act.change(stored))
        except LobesError as error:
            errors[space] = error
    return ready, errors, answers


def _audit_batch(
    lobes: Installation, caller: Caller, act: _Act, batch: Batch, answers: Mapping[str, str]
) -> None:
    """One row: every Space that was changed and, of a batch, the code of each outcome."""
    changed = [Resource("space", one.id) for one in batch.done]
    outcomes = [(str(one), answers[one.id], True) for one in changed]
    outcomes += [(f"space/{one.space}", one.error.reason, False) for one in batch.left]
    record(
        lobes,
        caller,
        act.event,
        act.verb,
        *changed,
        answer=answers[changed[0].id],
        decisions=outcomes if len(outcomes) > 1 else [],
        counts={"left": len(batch.left)} if batch.left else None,
    )


def _write_status(row: SpaceRow | None, space: Space) -> _Written | None:
    """The status in `space.yaml`, where there is one. No status is worth refusing the act for, so
    a folder that is away or can't be written keeps what it says."""
    if row is None or space.trusted is None or space.trusted.status == space.status:
        return None
    try:
        return _write_manifest(row, {"status": space.status})
    except (Unavailable, Invalid):
        return None


def _allowed(
    lobes: Installation, caller: Caller, space: str, verb: str, *, human_only: bool = False
) -> SpaceRow:
    """The Space, once the caller may do this; none in the trash."""
    resource = Resource("space", space)
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        require(lobes, caller, verb, resource, facts=facts, human_only=human_only)
        row = space_row(store, space)
    if row is None:
        raise nothing_there()
    return row


def _judge(
    lobes: Installation,
    caller: Caller,
    unit: UnitOfWork,
    space: str,
    verb: str,
    facts: Facts,
    *,
    human_only: bool = False,
) -> tuple[Space, str]:
    """The Space inside the write, judged again by what the write stands on, and by which reason it
    may be changed."""
    resource = Resource("space", space)
    judged = require(lobes, caller, verb, resource, facts=facts, human_only=human_only)
    stored = unit.spaces.get(space)
    if stored is None:
        raise nothing_there()
    return stored, judged.reason
