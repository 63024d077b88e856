"""A person edits a copy in Lobes' own folder; only a text that is whole and valid goes back.

The file of the pack is written once, through the file gate, and only while it is what the person
was shown: an editor that fails, a text that is refused and a file that changed meanwhile leave it
as it is, and the draft stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from lobes.access.facts import Resource
from lobes.domain.errors import Conflict, Invalid, LobesError, nothing_there
from lobes.domain.packs import SPACE_YAML
from lobes.services.authority import facts_for, record, require
from lobes.services.holding import let_in_by_hand
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import open_root, read_file
from lobes.store.facts import document_facts
from lobes.store.files import SafeRoot, write_atomic
from lobes.store.found import MAX_FILE_BYTES, SKIP_REASONS
from lobes.store.found import Written as InFile
from lobes.store.names import parse_name
from lobes.store.read_spaces import SpaceRow, document_rows, space_row, stored_lobe
from lobes.store.space_yaml import load_space_yaml
from lobes.store.writing import writing_errors


@dataclass(frozen=True, slots=True)
class PackDraft:
    """`file` is what the editor opens, `folder` where it runs: among the other files of the pack.

    `base` is the text that the draft began with, as it was in the file with the hash `base_hash`.
    `is_kept` says that it holds what an earlier editing left, and `kept_at` when (seconds).
    """

    space: str
    path: str
    file: Path
    folder: Path
    base: str
    base_hash: str
    is_kept: bool = False
    kept_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Written:
    """What is in the file now, in place of what, and the hash of the new bytes."""

    space: str
    path: str
    before: str
    after: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Clash:
    """The file changed while the draft was written: both texts. `draft` begins with `theirs`."""

    draft: PackDraft
    mine: str
    theirs: str


def open_draft(
    lobes: Installation, caller: Caller, space: str, path: str, *, afresh: bool = False
) -> PackDraft:
    """A copy of a pack file to edit; the one that is kept, unless `afresh` is asked for.

    `Forbidden`, `NotFound` or `Unavailable` where the file may not be edited or can't be read.
    """
    row, _ = _editable(lobes, caller, space, path)
    with open_root(row) as root:
        found = read_file(root, path)
        folder = root.path
    place = _place(lobes, space, path)
    file = place / Path(path).name
    draft = PackDraft(space, path, file, folder, found.text, found.content_hash)
    if not afresh and (kept := _kept(draft)) is not None:
        return kept
    _begin(lobes, draft)
    return draft


def text_of(draft: PackDraft) -> str:
    """What the editor left. `Invalid` when it is no text that a pack can hold."""
    try:
        data = draft.file.read_bytes()
    except OSError as error:
        raise Invalid("The draft is gone.", hint="Edit it again.", reason="gone") from error
    if len(data) > MAX_FILE_BYTES:
        raise Invalid(
            SKIP_REASONS["too_large"], hint="Split it into several files.", reason="too_large"
        )
    if b"\0" in data:
        raise Invalid(SKIP_REASONS["binary"], hint="Save it as plain text.", reason="binary")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Invalid(
            f"Line {line} is not UTF-8.", hint="Save it as UTF-8.", reason="not_utf8"
        ) from error


def take_over(lobes: Installation, caller: Caller, draft: PackDraft) -> Written | Clash | None:
    """Write the draft into its file and drop it; None where it says what the file says.

    `Clash` when the file is another by now: neither is touched, and both texts are handed back.
    Raises `Invalid` with the first fault and its line for a `space.yaml` that can't be read.
    """
    mine = text_of(draft)
    if mine == draft.base and not draft.is_kept:
        drop(draft)
        return None
    if Path(draft.path).name == SPACE_YAML:
        load_space_yaml(mine)
    try:
        done = write_pack(
            lobes, caller, draft.space, draft.path, text=mine, expect_hash=draft.base_hash
        )
    except Conflict:
        return _clash(lobes, caller, draft, mine)
    drop(draft)
    return None if done.before == done.after else done


def _clash(lobes: Installation, caller: Caller, draft: PackDraft, mine: str) -> Clash:
    """The draft now begins with the other text: whoever sees both decides over both."""
    row, _ = _editable(lobes, caller, draft.space, draft.path)
    with open_root(row) as root:
        theirs = read_file(root, draft.path)
    moved = replace(draft, base=theirs.text, base_hash=theirs.content_hash, is_kept=True)
    _note(moved)
    return Clash(moved, mine, theirs.text)


def write_pack(
    lobes: Installation, caller: Caller, space: str, path: str, *, text: str, expect_hash: str
) -> Written:
    """`text` as the pack file, for a person, audited. `Conflict` when it is another by now."""
    row, answer = _editable(lobes, caller, space, path)
    with open_root(row) as root:
        before = read_file(root, path)
        done = _written(lobes, root, space, path, text=text, expect_hash=expect_hash)
    record(lobes, caller, "pack.edited", "edit_content", Resource("space", space), answer=answer)
    return Written(space, path, before.text, text, done.content_hash)


def _written(
    lobes: Installation, root: SafeRoot, space: str, path: str, *, text: str, expect_hash: str
) -> InFile:
    """Where what changes outside is held, what is known to be let in changes with the file: a look
    in between waits for both."""
    with lobes.reading() as store:
        lobe = stored_lobe(store, space)
    if lobe is None or not lobe.config.hold_external_changes:
        return root.write(path, text, expect_hash=expect_hash)
    with lobes.database().begin() as unit:
        done = root.write(path, text, expect_hash=expect_hash)
        let_in_by_hand(unit, space, path, content_hash=done.content_hash, text=text)
        unit.commit()
    return done


def drop(draft: PackDraft) -> None:
    """Nothing of it is wanted any more."""
    shutil.rmtree(draft.file.parent, ignore_errors=True)
    with suppress(OSError):
        _about(draft).unlink(missing_ok=True)


# -- who may, and where


def _editable(lobes: Installation, caller: Caller, space: str, path: str) -> tuple[SpaceRow, str]:
    """The Space, once a person may open an editor there and change this very file, and by which
    reason they may."""
    asked = Resource("space", space)
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        require(lobes, caller, "use_terminal", asked, facts=facts, human_only=True)
        judged = require(lobes, caller, "edit_content", asked, facts=facts, event="space.read")
        row = space_row(store, space)
        found = next((one for one in document_rows(store, space) if one.path == path), None)
        facts = replace(facts, items=document_facts(store, [found.id] if found else []))
    if row is None or (found is None and path != SPACE_YAML):
        raise nothing_there()
    if found is not None:
        require(lobes, caller, "edit_content", Resource("document", found.id), facts=facts)
    return row, judged.reason


def _place(lobes: Installation, space: str, path: str) -> Path:
    """A folder for each file: the draft has the file's own name, which editors go by."""
    name = hashlib.sha256(f"{space}\0{parse_name(path)}".encode()).hexdigest()[:16]
    return lobes.folders.state / "drafts" / name


def _about(draft: PackDraft) -> Path:
    return draft.file.parent.with_suffix(".json")


def _begin(lobes: Installation, draft: PackDraft) -> None:
    drop(draft)
    with writing_errors():
        drafts = draft.file.parent.parent
        drafts.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.file.parent.mkdir(mode=0o700)
    write_atomic(draft.file, draft.base.encode("utf-8"))
    _note(draft)


def _note(draft: PackDraft) -> None:
    """What the draft began with, so that it is known after the program has ended."""
    about = {"space": draft.space, "path": draft.path, "hash": draft.base_hash}
    write_atomic(_about(draft), json.dumps(about).encode())


def _kept(draft: PackDraft) -> PackDraft | None:
    """What an earlier editing of this file left, if it left another text."""
    try:
        about = json.loads(_about(draft).read_text(encoding="utf-8"))
        base_hash = str(about["hash"])
        changed = os.stat(draft.file).st_mtime
        if text_of(draft) == draft.base:
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    except LobesError:
        # It holds what a pack can't: still the person's own, to be mended.
        return replace(draft, is_kept=True)
    return replace(draft, base_hash=base_hash, is_kept=True, kept_at=changed)
