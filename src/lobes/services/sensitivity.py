"""How sensitive a document is, shown and set by hand. Lowering takes a person and a reason.

What a person knew when they set a level is kept with it: it counts no more, and whatever is found
or said later does. The reason is kept with the document; the record tells of the act alone.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace

from lobes.access.facts import Facts, Resource, resources
from lobes.classify.masking import masked
from lobes.domain.actors import Human, name_of
from lobes.domain.errors import Conflict, Forbidden, Invalid, nothing_there
from lobes.domain.reasons import sentence
from lobes.domain.regions import without_private
from lobes.domain.sensitivity import Kept, Level, Setting, is_stricter
from lobes.services.authority import facts_for, may, record, record_denied, require
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import open_root, read_file
from lobes.services.notices import notify_of_rights
from lobes.store.read_sensitivity import (
    Raised,
    StoredSensitivity,
    places,
    raised_documents,
    sensitivities,
)
from lobes.store.read_spaces import space_row

SHORTEST, LONGEST = 3, 500
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class SensitivityView:
    """One document's level, what it says of itself, what was found, and who set it by hand."""

    resource: Resource
    space: str
    path: str
    level: Level
    given: Level | None
    findings: tuple[Kept, ...]
    setting: Setting | None


@dataclass(frozen=True, slots=True)
class ClearLine:
    """A line that holds a secret, as it is in the file."""

    detector: str
    line: int
    text: str


def show_sensitivity(lobes: Installation, caller: Caller, resource: Resource) -> SensitivityView:
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=[resource])
        require(lobes, caller, "read_content", resource, facts=facts)
        return _view(store, resource)


def list_sensitive(
    lobes: Installation, caller: Caller, space: str | None = None
) -> tuple[Raised, ...]:
    """The restricted and confidential documents that the caller may read, in one Space or all."""
    with lobes.reading() as store:
        found = raised_documents(store, *(() if space is None else (space,)))
        facts = facts_for(
            store, caller, things=resources("document", (one.document for one in found))
        )
        asked = space if isinstance(caller.actor, Human) else space or caller.actor.space
        if asked is not None:
            require(lobes, caller, "read_content", Resource("space", asked), facts=facts)
    return tuple(
        one
        for one in found
        if may(caller, "read_content", Resource("document", one.document), facts)
    )


def lower(
    lobes: Installation, caller: Caller, resource: Resource, level: Level, *, reason: str
) -> SensitivityView:
    """Set a laxer level. `Invalid` without a reason or where it is no laxer; needs a person."""
    why = cleaned(reason)
    check_reason(why)
    return _set(lobes, caller, resource, level, why=why, lowers=True)


def raise_to(
    lobes: Installation, caller: Caller, resource: Resource, level: Level, *, reason: str = ""
) -> SensitivityView:
    """Set a stricter level; needs a person, for it takes others' access away."""
    why = cleaned(reason)[:LONGEST]
    return _set(lobes, caller, resource, level, why=why, lowers=False)


def cleaned(reason: str) -> str:
    """A reason as it is kept: one line, without secrets and private regions."""
    return masked(" ".join(without_private(reason)[0].split()))


def check_reason(why: str) -> None:
    """`Invalid` for one that says too little, or too much."""
    if not SHORTEST <= len(why) <= LONGEST:
        raise Invalid(
            "Lowering takes a reason.",
            hint=f"Say why in {SHORTEST} to {LONGEST} characters: --reason TEXT.",
            reason="no_reason",
        )


def clear_lines(lobes: Installation, caller: Caller, resource: Resource) -> tuple[ClearLine, ...]:
    """The lines of the file that hold secrets, unmasked: for its owner, at the keyboard, and kept
    in the record as an act of its own."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=[resource])
        reason = require_owner(lobes, caller, resource, facts)
        view = _view(store, resource)
        row = space_row(store, view.space)
    if row is None:
        raise nothing_there()
    with open_root(row) as root:
        text = read_file(root, view.path).text
    record(lobes, caller, "space.secret_shown", "read_content", resource, answer=reason)
    return secret_lines(text)


def require_owner(lobes: Installation, caller: Caller, resource: Resource, facts: Facts) -> str:
    """By which reason its owner, at the keyboard, may see what is masked; any other is refused."""
    decision = require(lobes, caller, "read_content", resource, facts=facts, human_only=True)
    if decision.reason != "owner":
        record_denied(lobes, caller, "read_content", resource, answer="owner_only")
        raise Forbidden(sentence("owner_only"), reason="owner_only")
    return decision.reason


def secret_lines(text: str) -> tuple[ClearLine, ...]:
    """The lines of it that hold secrets, as they are."""
    from lobes.classify.scan import scan

    lines = text.split("\n")
    return tuple(
        ClearLine(one.detector.name, number, lines[number - 1])
        for one in scan(text)
        if one.detector.is_secret
        for number in range(one.first_line, one.last_line + 1)
    )


def _set(
    lobes: Installation,
    caller: Caller,
    resource: Resource,
    level: Level,
    *,
    why: str,
    lowers: bool,
) -> SensitivityView:
    verb = "change_permission"
    with lobes.database().begin() as unit:
        store = unit.reader
        facts = facts_for(store, caller, things=[resource])
        decision = require(lobes, caller, verb, resource, facts=facts, human_only=True)
        known = _known(store, resource)
        refuse_direction(known.level, level, lowers=lowers)
        setting = Setting(
            level,
            name_of(caller.actor),
            why,
            unit.now.isoformat(),
            known.given,
            frozenset((one.detector, one.mark) for one in known.findings),
        )
        unit.sensitivities.put_all([replace(known, level=level, setting=setting)])
        after = _with_level(facts, resource, level)
        notify_of_rights(lobes, caller, unit, resource, before=facts, after=after)
        view = _view(store, resource)
        unit.commit()
    event = "space.sensitivity_lowered" if lowers else "space.sensitivity_raised"
    change = [(f"sensitivity/{known.level}", level, True)]
    record(lobes, caller, event, verb, resource, answer=decision.reason, decisions=change)
    return view


def refuse_direction(before: Level, level: Level, *, lowers: bool) -> None:
    """`Invalid` where the level isn't laxer, or stricter, than it was."""
    if before == level:
        raise Invalid(f"It is {level} already.", hint="Name another level.", reason="bad_level")
    wanted = is_stricter(before, level) if lowers else is_stricter(level, before)
    if not wanted:
        word, other = ("laxer", "raise") if lowers else ("stricter", "lower")
        raise Invalid(
            f"It is {before}, and {level} is no {word} level.",
            hint=f"lobes sensitivity {other} goes the other way.",
            reason="bad_level",
        )


def _with_level(facts: Facts, resource: Resource, level: Level) -> Facts:
    return replace(
        facts, items={**facts.items, resource: replace(facts.items[resource], level=level)}
    )


def _known(store: sqlite3.Connection, resource: Resource) -> StoredSensitivity:
    found = sensitivities(store, [resource.id]).get(resource.id)
    if found is None:
        raise Conflict(
            "This document wasn't looked at yet.",
            hint="Run lobes index, then repeat.",
            reason="not_classified",
        )
    return found


def _view(store: sqlite3.Connection, resource: Resource) -> SensitivityView:
    rows = places(store, [resource.id])
    if not rows:
        raise nothing_there()
    (space, path), known = rows[resource.id], sensitivities(store, [resource.id])
    found = known.get(resource.id)
    if found is None:
        return SensitivityView(resource, space, path, "internal", None, (), None)
    return SensitivityView(
        resource, space, path, found.level, found.given, found.findings, found.setting
    )
