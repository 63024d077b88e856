"""An agent's edit of a pack file becomes a proposal: nothing is written, nothing is found by it.

It names the file as the agent saw it. What the caller may not read is to them as if it weren't
there, so that no answer tells of it; the person sees what is in the way.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from lobes.access.facts import Facts, Resource
from lobes.classify.masking import masked, unmasked
from lobes.domain.actors import person_of
from lobes.domain.errors import Conflict, Invalid, Unavailable, nothing_there
from lobes.domain.pack_edits import (
    LONGEST_WHY,
    PackEdit,
    checked_text,
    text_hash,
    with_ends_of,
    with_head_of,
)
from lobes.domain.proposals import PER_HOUR, PER_SESSION, Origin
from lobes.domain.reasons import remedy, sentence
from lobes.domain.regions import without_private
from lobes.domain.sensitivity import effective
from lobes.domain.texts import is_utf8
from lobes.services.authority import facts_for, may, record, require
from lobes.services.ingress import Assessed, as_kept, assess, names_a_secret, program_told
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import open_root
from lobes.services.reading import shown_hash
from lobes.store.facts import document_facts
from lobes.store.found import ReadFile
from lobes.store.names import parse_name
from lobes.store.passages import document_passages
from lobes.store.read import stored_documents
from lobes.store.read_memories import proposed_since
from lobes.store.read_pack_edits import edits_since, same_edit, waiting_edits
from lobes.store.read_sensitivity import sensitivities
from lobes.store.read_spaces import SpaceRow, space_row

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class ProposedEdit:
    """What became of it; a repeat's id is that of what waits already."""

    id: str
    outcome: Literal["pending", "repeat"]
    path: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Known:
    """A file that the caller may read: its hash as it was taken in, and by what they know it."""

    id: str
    content_hash: str
    shown_hash: str


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is proposed: the text as the file would have it; `known` is the file that it changes,
    None for a new one."""

    space: str
    path: str
    known: Known | None
    text: str
    why: str
    origin: Origin


def propose_pack_edit(
    lobes: Installation,
    caller: Caller,
    space: str,
    path: str,
    *,
    base_hash: str,
    text: str,
    why: str = "",
    origin: Origin,
) -> ProposedEdit:
    """Put the whole new text of a file before the person; `propose` is asked on the Space.

    `base_hash` is the `shown_hash` of the file that it changes, "" for a new one. Raises `Conflict`
    (`changed_on_disk`, `already_exists`) where the file isn't that any more, `Invalid` for a name
    or a text that no pack can hold, `Unavailable` (`too_many`) beyond what a person reviews.
    """
    row, name, known, answer = _asked(lobes, caller, space, path)
    text, why = checked_text(text), _why(why)
    text = _as_in_the_file(row, name, text, known=known, base_hash=base_hash)
    id, outcome = _put(lobes, caller, _Wanted(space, name, known, text, why, origin))
    event = "pack.proposed" if outcome == "pending" else "pack.proposed_again"
    record(lobes, caller, event, "propose", Resource("space", space), answer=answer)
    return ProposedEdit(id, outcome, name, is_new=known is None)


def _asked(
    lobes: Installation, caller: Caller, space: str, path: str
) -> tuple[SpaceRow, str, Known | None, str]:
    """The Space, the file's name, what the caller may know of it, and by which reason they may
    propose."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        judged = require(lobes, caller, "propose", Resource("space", space), facts=facts)
        name = parse_name(path)
        known = _known(store, caller, space, name, facts)
        row = space_row(store, space)
    if row is None:
        raise nothing_there()
    return row, name, known, judged.reason


def _as_in_the_file(
    row: SpaceRow, name: str, text: str, *, known: Known | None, base_hash: str
) -> str:
    """The text as the file would have it: with its line ends, its head and its secrets, which
    whoever read its passages didn't see."""
    with open_root(row) as root:
        if not root.would_take(name) or names_a_secret(name):
            raise _refused("not_taken")
        found = root.read(name) if known else None
    file = found if isinstance(found, ReadFile) else None
    _check_file(file, known, base_hash)
    if file is None:
        return text
    text = with_head_of(with_ends_of(text, file.text), file.text)
    text = _with_secrets(text, file.text)
    if text == file.text:
        raise _refused("nothing_changes")
    return text


def _put(
    lobes: Installation, caller: Caller, wanted: _Wanted
) -> tuple[str, Literal["pending", "repeat"]]:
    """Store it; its id, or the id of what says the same and waits already, in place of which
    nothing is stored."""
    asked, look = Resource("space", wanted.space), assess(wanted.text)
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, wanted.space)
        require(lobes, caller, "propose", asked, facts=facts)
        known = same_edit(
            unit.reader,
            wanted.space,
            wanted.path,
            content_hash=text_hash(wanted.text),
            person=person_of(caller.actor),
        )
        if known is not None:
            return known, "repeat"
        _refuse_flood(unit, caller, wanted.origin)
        edit = _edit(lobes.new_id(), unit, caller, wanted, look)
        unit.pack_edits.put(edit)
        unit.commit()
    return edit.id, "pending"


def _edit(id: str, unit: UnitOfWork, caller: Caller, wanted: _Wanted, look: Assessed) -> PackEdit:
    """The proposal, with no laxer level than the file's."""
    known, came = wanted.known, as_kept(wanted.origin.came)
    before = sensitivities(unit.reader, [known.id]).get(known.id) if known else None
    level = before.level if before else None
    return PackEdit(
        id=id,
        space=wanted.space,
        path=wanted.path,
        base_hash=known.content_hash if known else "",
        text=wanted.text,
        content_hash=text_hash(wanted.text),
        status="proposed",
        cause="proposed",
        person=person_of(caller.actor),
        created=unit.now,
        session=came.session,
        client=came.client,
        tool=came.tool,
        is_external=came.is_external,
        why=wanted.why,
        level=effective(level, given=look.given, findings=look.findings),
        findings=tuple(one.kept for one in look.findings),
    )


def pending_edits(
    lobes: Installation, caller: Caller, space: str, *, client: str = ""
) -> tuple[str, ...]:
    """The ids of what was proposed for this person in the Space, through one client where it is
    named, and still waits; the newest first. Asks for `propose`."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        require(lobes, caller, "propose", Resource("space", space), facts=facts)
        found = waiting_edits(store, space)
    person = person_of(caller.actor)
    return tuple(
        one.id
        for one in found
        if one.cause == "proposed"
        and one.person == person
        and (not client or one.client == program_told(client))
    )


def _known(
    store: sqlite3.Connection, caller: Caller, space: str, path: str, facts: Facts
) -> Known | None:
    """The file at this path as it was taken in; None for one that the caller may not read."""
    found = stored_documents(store, space, paths=[path]).get(path)
    if found is None:
        return None
    resource = Resource("document", found.id)
    facts = replace(facts, items=document_facts(store, [found.id]))
    if not may(caller, "read_content", resource, facts):
        return None
    level = sensitivities(store, [found.id]).get(found.id)
    shown = shown_hash(found.content_hash, document_passages(store, found.id), level)
    return Known(found.id, found.content_hash, shown)


def _check_file(file: ReadFile | None, known: Known | None, base_hash: str) -> None:
    """The file is the one that was seen; one that the caller can't know of counts as none."""
    if file is None and base_hash:
        raise Conflict(
            "The file isn't the one that was read.", hint="Read it again.", reason="changed_on_disk"
        )
    if file is not None and not base_hash:
        raise Conflict(
            "A file with this name exists already.",
            hint="Read it, and propose a change of it; or choose another name.",
            reason="already_exists",
        )
    if file is None or known is None:
        return
    if file.content_hash != known.content_hash or known.shown_hash != base_hash:
        raise Conflict(
            "The file changed since it was read.",
            hint="Read it again, then propose the change of that. Where it reads as before, a "
            "change of it waits for the person.",
            reason="changed_on_disk",
        )


def _with_secrets(text: str, before: str) -> str:
    """Whoever read the file read its secrets masked: what stands for one is that one."""
    whole = unmasked(text, before)
    if whole is None:
        raise Invalid(
            "What stands for a masked secret was moved or doubled.",
            hint="Leave every such place where it is.",
            reason="masked_text",
        )
    return whole


def _why(text: str) -> str:
    said = " ".join(without_private(text)[0].split())
    if len(said) > LONGEST_WHY or not is_utf8(said):
        raise Invalid(
            "That is too long for a reason.",
            hint=f"Say why in {LONGEST_WHY} characters.",
            reason="bad_why",
        )
    return masked(said.replace("\0", ""))


def _refused(code: str) -> Invalid:
    return Invalid(sentence(code), hint=remedy(code), reason=code)


def _refuse_flood(unit: UnitOfWork, caller: Caller, origin: Origin) -> None:
    """Edits and memories count together: one person reviews both."""
    if origin.author != "agent":
        return
    person, own = person_of(caller.actor), origin.came.session
    store, hour = unit.reader, unit.now - timedelta(hours=1)
    day = unit.now - timedelta(days=1)
    wanted = [("", hour, PER_HOUR)]
    if own:
        wanted.append((own, day, PER_SESSION))
    for session, since, most in wanted:
        count = edits_since(store, person=person, session=session, since=since)
        count += proposed_since(store, person=person, session=session, since=since)
        if count >= most:
            raise Unavailable(
                "Too many proposals wait to be looked at.",
                hint="Propose again when a person has reviewed them, or in an hour.",
                reason="too_many",
            )
