"""`pack …`: decide on edits of pack files: what an agent proposed, and what changed outside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import click

from lobes.cli.app import LazyGroup
from lobes.cli.deciding import (
    agree,
    as_shown,
    left_document,
    readers_document,
    readers_line,
)
from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.domain.pack_edits import PackEdit
from lobes.domain.reasons import sentence
from lobes.domain.reviewing import REJECTIONS
from lobes.services.decisions import Asked
from lobes.services.installation import Caller, Installation
from lobes.services.pack_queue import PackEvidence, PackItem, pack_evidence
from lobes.services.pack_reviewing import PackAct, PackDecided, decide_packs

_HERE = "lobes.cli.pack"
_WORDS: dict[PackAct, str] = {
    "accept": "Accepted",
    "reject": "Rejected",
    "reopen": "Reopened",
    "recheck": "Checked again",
}
_IDS = click.argument("ids", type=NAME, metavar="ID...", nargs=-1, required=True)


@click.group(
    cls=LazyGroup,
    lazy={
        "accept": (f"{_HERE}:accept", "Write what was proposed; read what changed outside."),
        "reject": (f"{_HERE}:reject", "Leave the file, and what is read of it, as they are."),
        "reopen": (f"{_HERE}:reopen", "What was rejected waits again."),
        "recheck": (f"{_HERE}:recheck", "Hold it against the file as it is now."),
    },
    help="Edits of pack files that wait for you; lobes review lists them.",
)
def pack() -> None:
    pass


@click.command()
@_IDS
@click.option("--shown", "shown_hash", type=TEXT, metavar="HASH", help="Exactly what was shown.")
@click.option("--confirm", "confirms", is_flag=True, help="Although it takes a yes of its own.")
@global_options
def accept(
    session: Session, *, ids: tuple[str, ...], shown_hash: str | None, confirms: bool
) -> None:
    """Write a proposed edit into its file, or let a change from outside be read; without --shown
    the difference is shown first."""
    with session.opened() as (lobes, caller):
        asked = _asked(session, lobes, caller, ids, shown_hash=shown_hash, confirms=confirms)
        decided = decide_packs(lobes, caller, "accept", asked)
    _tell(session, decided)


@click.command()
@_IDS
@click.option(
    "--reason",
    type=TEXT,
    default="",
    metavar="WHY",
    help=f"{', '.join(REJECTIONS)}, or words of your own.",
)
@global_options
def reject(session: Session, *, ids: tuple[str, ...], reason: str) -> None:
    """It stays out; no file is touched."""
    _simple(session, "reject", ids, reason=reason)


@click.command()
@_IDS
@global_options
def reopen(session: Session, *, ids: tuple[str, ...]) -> None:
    """What was rejected waits again."""
    _simple(session, "reopen", ids)


@click.command()
@_IDS
@global_options
def recheck(session: Session, *, ids: tuple[str, ...]) -> None:
    """Hold it against the file as it is now; the difference is shown anew."""
    _simple(session, "recheck", ids)


def _simple(session: Session, act: PackAct, ids: Sequence[str], *, reason: str = "") -> None:
    with session.opened() as (lobes, caller):
        decided = decide_packs(lobes, caller, act, [Asked(id) for id in ids], reason=reason)
    _tell(session, decided)


def _asked(
    session: Session,
    lobes: Installation,
    caller: Caller,
    ids: Sequence[str],
    *,
    shown_hash: str | None,
    confirms: bool,
) -> list[Asked]:
    if shown_hash is not None:
        return [as_shown(ids, shown_hash, confirms=confirms, what="edit")]
    looked = [pack_evidence(lobes, caller, id) for id in ids]
    lines = (line for one in looked for line in edit_lines(one))
    question = "Accept it?" if len(ids) == 1 else f"Accept these {len(ids)}?"
    agree(session, lines, question, shown_hash=looked[0].shown)
    return [Asked(one.edit.id, one.shown, confirmed=confirms or len(ids) == 1) for one in looked]


def _tell(session: Session, decided: PackDecided) -> None:
    """What was done and what was left. Where nothing was done, the first reason is the error."""
    if not decided.done and decided.left:
        raise decided.left[0].error
    document: dict[str, Any] = {
        "act": decided.act,
        "done": [
            {"id": one.id, "path": one.after.path, "status": one.after.status}
            for one in decided.done
        ],
        "left": [left_document(one) for one in decided.left],
    }
    show(session, document, lambda: _told_lines(decided))


def _told_lines(decided: PackDecided) -> Iterable[str]:
    for one in decided.done:
        yield f"{_WORDS[decided.act]}: {shown(one.after.path)}"
    for left in decided.left:
        yield f"Left {left.id}: {shown(left.error.message)}"


# One edit --------------------------------------------------------------------------------------


def edit_words(edit: PackEdit) -> str:
    """What it is in a list: `changed outside: notes/today.md`."""
    change = "new" if edit.is_new else "gone" if edit.is_removal else "changed"
    what = f"{change} outside" if edit.cause == "changed_outside" else f"{change} file proposed"
    return f"{what}: {edit.path}"


def edit_item(one: PackItem) -> dict[str, Any]:
    """An item of the queue, with the keys that a memory's has."""
    edit = one.edit
    decision = {"act": edit.status, "reason": edit.reason, "by": edit.decided_by}
    return {
        "id": edit.id,
        "about": "pack_edit",
        "lobe": f"space/{edit.space}",
        "space": edit.space,
        "statement": edit_words(edit),
        "path": edit.path,
        "cause": edit.cause,
        "status": edit.status,
        "sensitivity": edit.level,
        "author": "agent" if edit.tool else "",
        "created": edit.created.isoformat(),
        "base_hash": edit.base_hash,
        "content_hash": edit.content_hash,
        "flags": [],
        "brakes": list(one.brakes),
        "shown": one.shown,
        "session": edit.session,
        "why": edit.why,
        "decision": decision if edit.decided else None,
    }


def edit_document(found: PackEvidence) -> dict[str, Any]:
    """All that one goes by, under `--json`."""
    return {
        **edit_item(PackItem(found.edit, found.shown, found.brakes)),
        "stale": found.stale,
        "sentence": sentence(found.stale) if found.stale else "",
        "diff": [{"sign": line.sign, "text": line.text} for line in found.diff],
        "added": found.added,
        "removed": found.removed,
        "detectors": list(found.detectors),
        "hidden": found.hidden,
        "readers": readers_document(found.readers) if found.readers else None,
    }


def edit_lines(found: PackEvidence) -> Iterable[str]:
    """What it is, from whom and why, the difference, and what is in the way."""
    edit = found.edit
    yield f"{edit.id}  {shown(edit_words(edit))}  +{found.added} -{found.removed}"
    if edit.cause == "proposed":
        yield f"From         {shown(edit.client or edit.person)} {shown(edit.session)}".rstrip()
        yield f"Why          {shown(edit.why)}"
    yield from (f"  {line.sign or '…'} {shown(line.text)}" for line in found.diff)
    yield f"Sensitivity  {edit.level} {shown(', '.join(found.detectors))}".rstrip()
    if found.readers is not None:
        yield f"Readers      {readers_line(found.readers)}"
    if found.hidden:
        yield f"Hidden       {found.hidden} characters that a terminal doesn't draw"
    if found.stale is not None:
        yield f"Not as it is: {sentence(found.stale)}"
    yield f"Shown        {found.shown}"
