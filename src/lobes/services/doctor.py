"""What is wrong, in words, and what to do about it. Looks only; `mend` changes what it may."""

from __future__ import annotations

import shlex
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from lobes.access.facts import HOME, Resource
from lobes.config.folders import Folders
from lobes.domain.actors import is_human, name_of
from lobes.domain.errors import LobesError, Unavailable
from lobes.domain.permissions import parse_permission
from lobes.domain.resources import resource_address
from lobes.services.audit_words import verdict_words
from lobes.services.authority import facts_for, may, require
from lobes.services.authz_check import differences
from lobes.services.doctor_memories import examine_memories, examine_seals
from lobes.services.erasing_rest import finish
from lobes.services.findings import AREAS, ONLY_NAMED, Area, Finding, Level
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import Seen, open_root, seen_manifest
from lobes.services.sensitivity import list_sensitive
from lobes.services.spaces import list_spaces, root_problem
from lobes.store import read
from lobes.store.erasures import unfinished
from lobes.store.faults import in_our_words
from lobes.store.migrations import SCHEMA
from lobes.store.parts import left_behind
from lobes.store.pragmas import journal_choice
from lobes.store.read_backups import is_sound, newest_first
from lobes.store.read_groups import broken_rows
from lobes.store.read_permissions import own_permissions
from lobes.store.read_spaces import SpaceRow
from lobes.store.room import FEW_BYTES, bytes_left, write_fault
from lobes.store.roots import synced_or_network
from lobes.store.sequence import head_of, missing_in, older

__all__ = ["AREAS", "ONLY_NAMED", "Area", "Finding", "examine", "examine_unopened", "mend"]

_SQLITE_HEADER = b"SQLite format 3\x00"


def examine(
    lobes: Installation, caller: Caller, *, areas: Iterable[Area] = AREAS
) -> tuple[Finding, ...]:
    """All findings of these areas; what they name is filtered by `read_meta`."""
    checks: dict[Area, Callable[[Installation, Caller], Iterator[Finding]]] = {
        "store": _store,
        "authz": _authz,
        "files": _files,
        "index": _index,
        "memory": examine_memories,
        "audit": _audit,
        "secrets": _secrets,
    }
    return tuple(finding for area in areas for finding in checks[area](lobes, caller))


def examine_unopened(folders: Folders) -> tuple[Finding, ...]:
    """For a home whose store can't be opened: what is wrong with the file, and the way back."""
    missing = missing_in(folders.store)
    if missing:
        found = older(missing)
        return (Finding("store", "problem", found.message, found.hint),)
    return tuple(_damaged(folders, _damage(folders.store)))


def _damage(store: Path) -> str:
    try:
        with open(store, "rb") as file:
            header = file.read(len(_SQLITE_HEADER))
    except OSError:
        return "The store can't be read."
    if not header:
        return "The store is an empty file."
    if header != _SQLITE_HEADER:
        return "The store is damaged: its beginning is not that of a database."
    return "The store is damaged."


def _damaged(folders: Folders, text: str) -> Iterator[Finding]:
    """The damage with the command that puts the newest sound backup in the store's place.

    Everything that begins with the store's name moves away: a journal that stays behind would be
    played back into the backup.
    """
    sound = [path for path in newest_first(folders.backups) if is_sound(path)]
    if not sound:
        hint = (
            "There is no backup. The packs are as they were: move lobes.db* away, then lobes init."
        )
        yield Finding("store", "problem", text, hint)
        return
    where = shlex.quote(str(folders.data))
    back = shlex.quote(f"{folders.backups.name}/{sound[0].name}")
    command = f"cd {where} && mkdir -p damaged && mv lobes.db* damaged && cp {back} lobes.db"
    yield Finding("store", "problem", text, command)
    for path in sound:
        yield Finding("store", "note", f"Backup: {path.name}, {path.stat().st_size:,} bytes.")


def mend(lobes: Installation, caller: Caller) -> tuple[str, ...]:
    """Close files that others can read, and make a damaged index anew; says what was done."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    decision = require(lobes, caller, "write_meta", HOME, facts=facts)
    closed: list[str] = []
    for path, wanted in _ours(lobes):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            path.chmod(wanted)
            closed.append(f"{path.name} is yours alone now.")
    rebuilt = _rebuilt(lobes)
    erased = _erased(lobes)
    cleared = _cleared(lobes)
    if closed or rebuilt or erased or cleared:
        lobes.audit.append(
            "home.mended",
            actor=name_of(caller.actor),
            verb="write_meta",
            resources=[str(HOME)],
            channel=caller.channel,
            correlation=caller.correlation,
            answer=decision.reason,
            counts={
                "closed": len(closed),
                "rebuilt": len(rebuilt),
                "erased": len(erased),
                "cleared": len(cleared),
            },
        )
    return (*closed, *rebuilt, *erased, *cleared)


def _erased(lobes: Installation) -> tuple[str, ...]:
    """An erasure that was begun is gone on with; the look afterwards names what is still left."""
    if not unfinished(lobes.folders.data):
        return ()
    return () if finish(lobes).left else ("What was erased is out of every file of ours now.",)


def _cleared(lobes: Installation) -> tuple[str, ...]:
    """Halves of packs that an import was to bring; their Space was never made."""
    halves = left_behind(lobes.folders.spaces, now=lobes.clock())
    for one in halves:
        shutil.rmtree(one, ignore_errors=True)
    return ("What an import that was cut off had left is gone.",) if halves else ()


def _unfinished(lobes: Installation) -> Iterator[Finding]:
    count = len(unfinished(lobes.folders.data))
    if count:
        text = f"Erasures that aren't whole: {count}. Bytes of what was erased may still be there."
        yield Finding("store", "problem", text, "lobes doctor --fix goes on with it.")
    halves = len(left_behind(lobes.folders.spaces, now=lobes.clock()))
    if halves:
        text = f"Imports of a Space that were cut off: {halves}. Half of each pack is left."
        yield Finding("store", "note", text, "lobes doctor --fix removes them.")


def _rebuilt(lobes: Installation) -> tuple[str, ...]:
    """An engine that doesn't answer rebuilds nothing; the look afterwards names it."""
    try:
        if not lobes.engine.status().problems:
            return ()
        lobes.engine.rebuild()
    except LobesError:
        return ()
    return ("The index is being made anew.",)


def _store(lobes: Installation, caller: Caller) -> Iterator[Finding]:
    del caller
    mode, why = journal_choice(sqlite3.sqlite_version_info)
    yield Finding("store", "note", f"Journal mode {mode}: {why}")
    with in_our_words(), closing(read.connect(lobes.folders.store)) as store:
        schema = read.schema_version(store)
        verdict = str(read.rows(store, "PRAGMA quick_check(1)")[0][0])
        broken = read.rows(store, "PRAGMA foreign_key_check")
    if schema > SCHEMA:
        yield Finding(
            "store", "problem", "The store is from a newer Lobes; it is read only.", "Upgrade."
        )
    if verdict != "ok" or broken:
        yield from _damaged(lobes.folders, "The store is damaged.")
    yield from _unfinished(lobes)
    yield from _restored(lobes)
    danger = synced_or_network(lobes.folders.data)
    if danger:
        yield Finding("store", "problem", danger, "Move the home with --home to a local folder.")


def _restored(lobes: Installation) -> Iterator[Finding]:
    with lobes.reading() as store:
        epoch = int(read.rows(store, "SELECT epoch FROM home")[0][0])
    if epoch > 1:
        text = f"This home was made out of a backup, or had one put in its place (epoch {epoch})."
        hint = "What was done since that backup is in the record alone: lobes audit list."
        yield Finding("store", "note", text, hint)


def _authz(lobes: Installation, caller: Caller) -> Iterator[Finding]:
    yield from _rules()
    if lobes.presence == "off":
        yield Finding(
            "authz", "note", "This home was made without presence: anybody at the shell decides."
        )
    found = list_spaces(lobes, caller, statuses=("active", "finished", "archived"))
    known = {row.id for row in found}
    with lobes.reading() as store:
        stored = read.rows(store, "SELECT id, permission, config_ok FROM space ORDER BY id")
        own = own_permissions(store)
        broken = [one for one in own if one.permission is None or not one.permission.sound]
        facts = facts_for(store, caller, things=[one.resource for one in broken])
        groups = list(_groups(store)) if may(caller, "read_meta", HOME, facts) else []
    yield from groups
    for space, permission, config_ok in stored:
        if space in known and not parse_permission(permission).sound:
            text = f"{space}: its permission can't be read, so it is its owner's alone."
            yield _broken(text, f"lobes permission set space/{space} --visibility")
        if space in known and not config_ok:
            text = f"{space}: its lobe can't be read, so it is private and Closed."
            yield _broken(text, "lobes lobe set")
    for one in broken:
        # An agent may know of things in Spaces that its own draws on, but not of sessions there.
        verb = "read_chat" if one.resource.kind == "session" else "read_meta"
        if one.space in known and may(caller, verb, one.resource, facts):
            text = f"{one.space}, {one.name}: its permission can't be read, so it is its owner's."
            address = resource_address(one.resource)
            yield _broken(text, f"lobes permission set {address} --visibility")


def _groups(store: sqlite3.Connection) -> Iterator[Finding]:
    for one in broken_rows(store):
        match one.what:
            case "kind":
                text = f"Group {one.group}: its kind can't be read, so for nobody it is there."
                hint = "Put a backup of the store back, or make a group with another id."
            case "parent":
                text = f"Group {one.group}: what it lies in can't be read, so it lies in no group."
                hint = f"lobes group edit {one.group} --in GROUP, or --alone."
            case "role":
                text = f"Group {one.group}: the role of {one.person} can't be read: no member."
                hint = f"lobes group join {one.group} --person {one.person} sets it anew."
        yield Finding("authz", "problem", text, hint)


def _rules() -> Iterator[Finding]:
    """Whether this installation decides as the worlds that come with it say."""
    asked, wrong = differences()
    for one in wrong:
        yield Finding("authz", "problem", f"A rule is broken. {one}.", "Install Lobes again.")
    if not wrong:
        yield Finding(
            "authz", "note", f"The rules: {asked} written questions, each answered right."
        )


def _broken(text: str, command: str) -> Finding:
    return Finding("authz", "problem", text, f"Set it anew, with {command}.")


def _files(lobes: Installation, caller: Caller) -> Iterator[Finding]:
    yield from _room(lobes, caller)
    for path, _ in _ours(lobes):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            yield Finding(
                "files", "problem", f"Others can read {path.name}.", "lobes doctor --fix closes it."
            )
    for row in list_spaces(lobes, caller):
        problem = root_problem(row)
        if problem:
            text = f"{row.id}: {problem} What is indexed stays."
            yield Finding("files", "problem", text, "Bring the folder back, or trash the Space.")
        yield from _manifest(row, _seen(lobes, caller, row))
    yield from _masked(lobes, caller)
    for row in list_spaces(lobes, caller, statuses=("archived",)):
        seen = _seen(lobes, caller, row)
        if seen and seen.manifest and seen.manifest.status != "archived":
            text = f"{row.id} is archived, though space.yaml says {seen.manifest.status}."
            yield Finding("files", "note", text, f"lobes space restore {row.id} brings it back.")


def _masked(lobes: Installation, caller: Caller) -> Iterator[Finding]:
    for one in list_sensitive(lobes, caller):
        names = dict.fromkeys(kept.detector for kept in one.findings if kept.is_secret)
        if names:
            text = (
                f"{one.space}: {one.path} holds a secret ({', '.join(names)}), masked when shown."
            )
            hint = f"Take it out of the file, or lobes sensitivity show doc/{one.document}."
            yield Finding("files", "note", text, hint)


def _seen(lobes: Installation, caller: Caller, row: SpaceRow) -> Seen | None:
    """What `space.yaml` says now; None where it isn't there, or isn't for this caller."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, row.id)
    if not may(caller, "read_content", Resource("space", row.id), facts):
        return None
    try:
        with open_root(row) as root:
            return seen_manifest(root)
    except LobesError:  # the folder's own finding names it
        return None


def _manifest(row: SpaceRow, seen: Seen | None) -> Iterator[Finding]:
    if seen is not None and seen.manifest is None:
        text = f"{row.id}: what space.yaml says has no effect. {seen.fault}"
        yield Finding("files", "problem", text, "Mend the file.")
        return
    if row.waits_for_trust:
        hint = f"lobes space trust {row.id} shows it."
        yield Finding("files", "note", f"{row.id}: a changed space.yaml waits.", hint)
    for warning in seen.manifest.warnings if seen and seen.manifest else ():
        hint = "It has no effect: write it as it was meant, or take it out."
        yield Finding("files", "note", f"{row.id}: space.yaml, {warning}.", hint)


def _room(lobes: Installation, caller: Caller) -> Iterator[Finding]:
    """The disks of the home: each is named once, and those that nobody may write on."""
    if not is_human(caller.actor):  # where it lies is nothing to an agent
        return
    mine = lobes.folders
    disks: set[int] = set()
    for folder in (mine.data, mine.state, mine.cache, mine.config):
        try:
            disk, left = folder.stat().st_dev, bytes_left(folder)
        except OSError:  # it isn't there, and is made when it is needed
            continue
        fault = write_fault(folder)
        if fault:
            text = f"Nothing can be written into {folder}. {fault.message}"
            yield Finding("files", "problem", text, fault.hint)
        elif left < FEW_BYTES and disk not in disks:
            text = f"The disk of {folder} has {left // 1_000_000} MB left."
            yield Finding("files", "problem", text, "Free some space before it is full.")
        disks.add(disk)


def _ours(lobes: Installation) -> tuple[tuple[Path, int], ...]:
    mine = lobes.folders
    return (
        (mine.data, 0o700),
        (mine.state, 0o700),
        (mine.config, 0o700),
        (mine.store, 0o600),
        (head_of(mine.store), 0o600),
        (mine.audit, 0o600),
        (mine.presence, 0o600),
        (mine.settings_file, 0o600),
    )


def _index(lobes: Installation, caller: Caller) -> Iterator[Finding]:
    try:
        state = lobes.engine.status()
    except Unavailable as error:
        yield Finding("index", "problem", error.message, error.hint)
        return
    yield Finding("index", "note", f"The engine is {state.state}.")
    if not is_human(caller.actor):  # its counts cover every lobe
        return
    if state.fragments > 100:
        yield Finding(
            "index", "problem", f"{state.fragments} fragments: compaction is behind.", "Wait."
        )
    for problem in state.problems:
        yield Finding("index", "problem", problem, "lobes index --rebuild makes it anew.")


def _audit(lobes: Installation, caller: Caller) -> Iterator[Finding]:
    if not is_human(caller.actor):
        return
    try:
        verdict = lobes.audit.verify()
    except Unavailable as error:
        yield Finding("audit", "problem", f"The audit: {error.message}", error.hint)
        return
    if verdict.is_whole:
        yield Finding("audit", "note", f"The audit is whole: {verdict.rows:,} rows.")
    else:
        sentence, hint = verdict_words(verdict)
        yield Finding("audit", "problem", f"The audit is {verdict.word}. {sentence}", hint)


def _secrets(lobes: Installation, caller: Caller) -> Iterator[Finding]:
    if not is_human(caller.actor):
        return
    said = lobes.secrets().status(patient=True)
    level: Level = "note" if said.state == "ready" or said.cause == "setting" else "problem"
    yield Finding("secrets", level, said.sentence, said.hint)
    if said.state == "ready":
        yield from examine_seals(lobes, caller)
    if said.state == "ready" and said.ignored:
        text = f"These also keep secrets and are never asked: {', '.join(said.ignored)}."
        yield Finding("secrets", "note", text, "They keep them in the open, or nobody looked.")
