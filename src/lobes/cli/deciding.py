"""How a decision on memories is asked for and told in the shell: one for all of its commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import click

from lobes.cli.errors import error_body
from lobes.cli.memory_commands import memory_document
from lobes.cli.output import confirmed, show, shown
from lobes.cli.session import Session
from lobes.domain.errors import Conflict, Invalid
from lobes.domain.memories import Memory
from lobes.domain.memory_flags import flags
from lobes.domain.reasons import sentence
from lobes.domain.reviewing import NeedsChoice
from lobes.services.decisions import Asked, Decided, Left
from lobes.services.installation import Caller, Installation
from lobes.services.memory_readers import Readers
from lobes.services.review_evidence import Evidence, evidence
from lobes.services.shown_memory import statement_shown

DONE_WORDS: dict[str, str] = {
    "accept": "Accepted",
    "edit": "Changed",
    "reject": "Rejected",
    "reopen": "Reopened",
    "merge": "Merged",
    "supersede": "Superseded",
    "archive": "Archived",
    "restore": "Restored",
    "dispute": "Disputed",
    "settle": "Settled",
    "recheck": "Checked again",
    "move": "Moved",
    "delete": "Deleted",
    "promote": "Proposed there",
}


def tell(session: Session, decided: Decided) -> None:
    """What was done and what was left. Where nothing was done, the first reason is the error."""
    if not decided.done and decided.left:
        raise decided.left[0].error
    document: dict[str, Any] = {
        "act": decided.act,
        "done": [_done_document(one.id, one.changes) for one in decided.done],
        "left": [left_document(one) for one in decided.left],
    }
    show(session, document, lambda: _told_lines(decided))


def _done_document(id: str, changes: Sequence[tuple[Memory | None, Memory]]) -> dict[str, Any]:
    now = next((after for _, after in changes if after.id == id), None)
    return {
        "id": id,
        "status": now.status if now else None,
        "changed": [
            {
                "id": after.id,
                "before": before.status if before else None,
                "status": after.status,
                "version": after.version,
            }
            for before, after in changes
        ],
    }


def left_document(one: Left) -> dict[str, Any]:
    found: dict[str, Any] = {"id": one.id, **error_body(one.error)}
    if isinstance(one.error, NeedsChoice):
        found["options"] = list(one.error.options)
    if one.changed:
        found["changed"] = [{"sign": line.sign, "text": line.text} for line in one.changed]
    return found


def _told_lines(decided: Decided) -> Iterable[str]:
    word = DONE_WORDS[decided.act]
    if len(decided.done) == 1:
        yield f"{word}: {shown(statement_shown(decided.done[0].memory), limit=70)}"
    elif decided.done:
        yield f"{word} {len(decided.done)} memories."
    for one in decided.left:
        yield f"Left {one.id}: {shown(one.error.message)}"


def asked_for(
    session: Session,
    lobes: Installation,
    caller: Caller,
    ids: Sequence[str],
    *,
    shown_hash: str | None,
    confirms: bool,
    question: str,
) -> list[Asked]:
    """What to decide on, by what was shown: the hash that is given, or what is shown now and
    answered with yes. Raises `Conflict` (`not_confirmed`) where nobody says so."""
    if shown_hash is not None:
        return [as_shown(ids, shown_hash, confirms=confirms, what="memory")]
    looked = [evidence(lobes, caller, id) for id in ids]
    lines = (line for one in looked for line in evidence_lines(one))
    agree(session, lines, question, shown_hash=looked[0].shown)
    return [Asked(one.memory.id, one.shown, confirmed=True) for one in looked]


def as_shown(ids: Sequence[str], shown_hash: str, *, confirms: bool, what: str) -> Asked:
    """The one to decide on, as the hash says that it was shown; `Invalid` for several."""
    if len(ids) > 1:
        raise Invalid(f"A hash is of one {what}.", hint="Name that one.", reason="usage")
    return Asked(ids[0], shown_hash, confirms)


def agree(session: Session, lines: Iterable[str], question: str, *, shown_hash: str) -> None:
    """Show what is to be decided and ask; `Conflict` (`not_confirmed`) where nobody says yes.
    `shown_hash` is of the first that is shown."""
    if not session.as_json:
        for line in lines:
            click.echo(line, err=True)
    if not confirmed(session, question):
        raise Conflict(
            "Nothing was decided.",
            hint=f"--yes does it, or --shown {shown_hash} for exactly this.",
            reason="not_confirmed",
        )


# One memory, whole -----------------------------------------------------------------------------


def evidence_document(found: Evidence) -> dict[str, Any]:
    """All that one goes by, under `--json`."""
    memory = found.memory
    return {
        **memory_document(memory, found.flags),
        "shown": found.shown,
        "brakes": list(found.brakes),
        "stale": found.stale,
        "stale_by": found.stale_by.id if found.stale_by else None,
        "relation": found.relation,
        "replaced": _document(found.replaced) if found.replaced else None,
        "diff": [{"sign": line.sign, "text": line.text} for line in found.diff],
        "also_retire": [_document(one) for one in found.also_retire],
        "neighbours": [
            {**_document(one.memory), "relation": one.relation, "likeness": one.likeness}
            for one in found.neighbours
        ],
        "variants": [one.id for one in found.variants],
        "tied": [{"kind": kind, "id": one.id} for kind, one in found.tied],
        "readers": readers_document(found.readers),
        "saw": [
            {"id": one.id, "title": one.title, "reason": one.reason, "tokens": one.tokens}
            for one in found.saw
        ],
        "history": [
            {
                "version": one.version,
                "act": one.act,
                "status": one.status,
                "by": one.actor,
                "reason": one.reason,
                "at": one.at.isoformat(),
            }
            for one in found.history
        ],
    }


def _document(memory: Memory) -> dict[str, Any]:
    return memory_document(memory, flags(memory))


def readers_document(found: Readers) -> dict[str, Any]:
    return {
        "you": found.you,
        "agents": found.agents,
        "spaces": [
            {"space": one.space, "reason": one.reason, "sentence": one.sentence}
            for one in found.spaces
        ],
        "not": [
            {"space": one.space, "reason": one.reason, "sentence": one.sentence}
            for one in found.not_spaces
        ],
        "people": list(found.people),
        "is_whole": found.is_whole,
    }


def evidence_lines(found: Evidence) -> Iterable[str]:
    """The statement, why it waits, from whom, what it would replace, what is near, how sensitive
    it is, and who could read it: always in this order."""
    memory = found.memory
    yield from (f"  {shown(line)}" for line in memory.statement.split("\n"))
    waits = ", ".join(one.replace("_", " ") for one in found.flags)
    yield f"{memory.id}  {memory.status}, {memory.kind}  {waits}".rstrip()
    came = memory.provenance
    source = " ".join(one for one in (came.client or came.source, came.session) if one)
    yield f"From         {shown(memory.author)} {shown(source)}".rstrip()
    if found.replaced is not None:
        yield f"Beside       {found.replaced.id}, {found.replaced.status}"
        yield from (f"  {line.sign or ' '} {shown(line.text)}" for line in found.diff)
    for one in found.neighbours[:3]:
        said = shown(one.memory.statement, limit=60)
        yield f"Near         {one.likeness:.2f} {one.relation.replace('_', ' ')}: {said}"
    for one in found.saw[:5]:
        yield f"Had read     {shown(one.title, limit=60)}  {one.reason}".rstrip()
    yield f"Sensitivity  {memory.level}"
    yield f"Readers      {readers_line(found.readers)}"
    if found.stale is not None:
        yield f"Not as it is: {sentence(found.stale)}"
    yield f"Shown        {found.shown}"


def readers_line(found: Readers) -> str:
    parts = ["you"] if found.you else []
    if found.agents is not None:
        parts.append(f"agents of the Space as {found.agents}")
    if found.spaces:
        parts.append(", ".join(shown(one.name) for one in found.spaces))
    people = ", ".join(map(shown, found.people))
    parts.append(people or ("no other person" if found.is_whole else "nobody you know of"))
    return "; ".join(parts)
