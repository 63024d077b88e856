"""Who may do what with one thing: shown, changed, tried out. Lists persist whatever is visible.

A thing's owner is in no list and can't be put out. Whoever holds `change_permission` by list hands
on what they hold themselves and nothing else: else that one right would be all rights.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lobes.access.authorize import Decision, authorize
from lobes.access.explain import Turn, those_concerned
from lobes.access.facts import Facts, Resource
from lobes.access.what_if import with_permission
from lobes.domain.actors import Human, name_of
from lobes.domain.errors import Conflict, Forbidden, Invalid, nothing_there
from lobes.domain.ids import Slug
from lobes.domain.permission_change import PermissionChange, changed
from lobes.domain.permissions import Permission, dump_permission
from lobes.domain.resources import ResourceKind
from lobes.domain.roles import Held, collapsed
from lobes.domain.verbs import VERBS
from lobes.services.authority import facts_for, may, record_denied, require
from lobes.services.installation import Caller, Installation
from lobes.services.knowing import known_people, knows_everybody, knows_person
from lobes.services.memory_seals import require_key
from lobes.services.notices import notify_of_rights
from lobes.store.read_permissions import StoredPermission, has_permission, stored_permission

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork

_DATA = frozenset(verb.name for verb in VERBS.values() if verb.kind == "data")
_FOLLOW_NOTHING: dict[ResourceKind, str] = {
    "space": "A Space is inside nothing that it could follow.",
    "session": "A session is its author's, and follows nothing.",
}
_EVENTS: dict[ResourceKind, str] = {
    "memory": "memory.permission_changed",
    "session": "session.permission_changed",
}


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom the lists name, and what they give. `trouble` says what is void about it: "" or
    "unknown person", "unknown group"."""

    subject: str
    role: str
    verbs: tuple[str, ...]
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class PermissionView:
    """A permission as it is. `permission` is None where the thing has none of its own, `stored`
    the text that can't be read, "" otherwise; `version` tells it from any other."""

    resource: Resource
    name: str
    space: str
    owner: str
    group: str | None
    permission: Permission | None
    people: tuple[Subject, ...]
    is_dormant: bool
    stored: str
    version: str


@dataclass(frozen=True, slots=True)
class PermissionEffect:
    """What a change brings, by the rules over both states: whoever gains or loses, and what is
    worth a word. `replaced` is the unreadable text that goes. Where it isn't whole, others may gain
    or lose by it of whom the caller may not know."""

    before: PermissionView
    after: PermissionView
    turns: tuple[Turn, ...]
    notes: tuple[str, ...]
    replaced: str = ""
    is_whole: bool = True

    @property
    def is_change(self) -> bool:
        return self.before.version != self.after.version


def show_permission(lobes: Installation, caller: Caller, resource: Resource) -> PermissionView:
    """Who may do what, for whoever may change it."""
    with lobes.reading() as store:
        found = _looked_at(lobes, caller, store, resource)
    return _view(found.stored, found.facts)


def find_permission(
    lobes: Installation, caller: Caller, resource: Resource
) -> PermissionView | None:
    """The same where it is shown beside other things: None, and no row in the record, for whoever
    may not change it, since nobody asked for it."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=[resource])
        if not may(caller, "change_permission", resource, facts):
            return None
        stored = stored_permission(store, resource)
    return None if stored is None else _view(stored, facts)


def preview_permission(
    lobes: Installation, caller: Caller, resource: Resource, change: PermissionChange
) -> PermissionEffect:
    """The effect of a change that isn't saved, asked as the save is; nobody need be present."""
    with lobes.reading() as store:
        found = _looked_at(lobes, caller, store, resource)
        return _told(caller, found, _effect(lobes, caller, found, change))


def save_permission(
    lobes: Installation,
    caller: Caller,
    resource: Resource,
    change: PermissionChange,
    *,
    shown: str | None = None,
) -> PermissionEffect:
    """Change it. `shown` is the version that the person saw: `Conflict` where it is another now."""
    if resource.kind == "memory":
        with lobes.reading() as store:
            _looked_at(lobes, caller, store, resource, human_only=True)
        require_key(lobes, caller)
    with lobes.database().begin() as unit:
        written = write_permission(lobes, caller, unit, resource, change, shown=shown)
        if not written.effect.is_change:
            return written.told
        unit.commit()
    audit_permission(lobes, caller, written)
    lobes.engine.notify()
    return written.told


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: whole, for the record, and as the caller may be told of it; and by which
    reason it might be."""

    effect: PermissionEffect
    told: PermissionEffect
    reason: str


def write_permission(
    lobes: Installation,
    caller: Caller,
    unit: UnitOfWork,
    resource: Resource,
    change: PermissionChange,
    *,
    shown: str | None = None,
) -> Written:
    """The change inside a unit of work; whoever commits it calls `audit_permission` then.

    Authority, effect and write stand on one snapshot; those concerned are told in the same unit.
    """
    found = _looked_at(lobes, caller, unit.reader, resource, human_only=True)
    if shown is not None and shown != found.stored.version:
        raise Conflict(
            "Its permission was changed since it was shown.",
            hint="Look at it again, then repeat.",
            reason="changed",
        )
    effect = _effect(lobes, caller, found, change)
    if effect.is_change:
        after = effect.after.permission
        _put(unit, caller, found.stored, after)
        would = with_permission(found.facts, resource, after)
        notify_of_rights(lobes, caller, unit, resource, before=found.facts, after=would)
    return Written(effect, _told(caller, found, effect), found.decision.reason)


def _put(
    unit: UnitOfWork, caller: Caller, stored: StoredPermission, permission: Permission | None
) -> None:
    """A memory gets a version by it, as by any change, and its seal anew."""
    if stored.resource.kind != "memory":
        unit.permissions.put(stored, permission)
        return
    before = unit.memories.get(stored.resource.id)
    if before is None:
        raise nothing_there()
    after = replace(before, permission=permission)
    unit.memories.save(before, after, act="permit", actor=name_of(caller.actor))


# What a change stands on ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Found:
    stored: StoredPermission
    facts: Facts
    decision: Decision


def _looked_at(
    lobes: Installation,
    caller: Caller,
    store: sqlite3.Connection,
    resource: Resource,
    *,
    human_only: bool = False,
) -> _Found:
    """The permission, once the caller may change it: what isn't there is looked up no further."""
    facts = facts_for(store, caller, things=[resource])
    decision = require(
        lobes, caller, "change_permission", resource, facts=facts, human_only=human_only
    )
    if not has_permission(resource):
        raise Invalid(
            "It has no permission of its own.",
            hint="Spaces, documents, memories and sessions have one: space/ID, doc/ULID, "
            "memory/ULID, session/ULID.",
            reason="no_permission",
        )
    stored = stored_permission(store, resource)
    if stored is None and resource.kind == "memory":
        raise Invalid(
            "What waits, or is in no Space's lobe, has no permission of its own.",
            hint="Accept it first: lobes memory accept ID.",
            reason="no_permission",
        )
    if stored is None:
        raise nothing_there()
    return _Found(stored, facts, decision)


def _view(stored: StoredPermission, facts: Facts) -> PermissionView:
    permission = stored.permission
    broken = permission is not None and not permission.sound
    return PermissionView(
        resource=stored.resource,
        name=stored.name,
        space=stored.space,
        owner=stored.owner,
        group=stored.group,
        permission=permission,
        people=tuple(_subject(one, facts) for one in collapsed(permission)) if permission else (),
        is_dormant=bool(
            permission and permission.visibility == "private" and any(permission.grants)
        ),
        stored=stored.text or "" if broken else "",
        version=stored.version,
    )


def _subject(held: Held, facts: Facts) -> Subject:
    return Subject(held.subject, held.role, held.verbs, _trouble(held.subject, facts))


def _trouble(subject: str, facts: Facts) -> str:
    kind, _, name = subject.partition(":")
    if kind == "user" and name not in facts.people:
        return "unknown person"
    if kind == "group" and name not in facts.groups:
        return "unknown group"
    return ""


# What a change brings ---------------------------------------------------------------------------


def _effect(
    lobes: Installation, caller: Caller, found: _Found, change: PermissionChange
) -> PermissionEffect:
    stored, facts = found.stored, found.facts
    if change.visibility == "inherit" and stored.resource.kind in _FOLLOW_NOTHING:
        raise Invalid(
            _FOLLOW_NOTHING[stored.resource.kind],
            hint="Choose public, restricted or private.",
            reason="bad_visibility",
        )
    _refuse_owner(change, stored.owner)
    _refuse_unknown(caller, change, facts)
    permission = changed(stored.permission, change)
    after = with_permission(facts, stored.resource, permission)
    turns = those_concerned(facts, after, stored.resource)
    _refuse_beyond_own(lobes, caller, found, change, turns)
    was = _view(stored, facts)
    becomes = _view(replace(stored, text=_text(stored, permission)), facts)
    known = known_people(caller, facts) | _named(found)
    taken = tuple(one for one in change.revoke if one[1].removeprefix("user:") in known)
    notes = tuple(_notes(replace(change, revoke=taken), found, becomes, after))
    return PermissionEffect(was, becomes, turns, notes, replaced=was.stored)


def _told(caller: Caller, found: _Found, effect: PermissionEffect) -> PermissionEffect:
    """The effect without whom the caller may not know of: a list that names everybody, or a group,
    is no way to learn who there is."""
    known = known_people(caller, found.facts) | _named(found)
    turns = tuple(one for one in effect.turns if one.person in known)
    return replace(effect, turns=turns, is_whole=knows_everybody(caller, found.facts))


def _named(found: _Found) -> frozenset[str]:
    """Whom the lists name: the caller sees them."""
    permission = found.stored.permission
    named = (one for _, listed in permission.grants for one in listed) if permission else ()
    return frozenset(one.removeprefix("user:") for one in named if one.startswith("user:"))


def _text(stored: StoredPermission, permission: Permission | None) -> str | None:
    """What would be stored; the same text where nothing changes, so that it is the same version."""
    if permission == stored.permission:
        return stored.text
    return None if permission is None else dump_permission(permission)


def _refuse_owner(change: PermissionChange, owner: str) -> None:
    if any(subject == f"user:{owner}" for _, subject in change.grant):
        raise Invalid(f"{owner} owns it and holds every right already.", reason="owner_is_implicit")
    if any(subject == f"user:{owner}" for _, subject in change.revoke):
        raise Invalid(
            f"{owner} owns it; nobody can take that away.",
            hint="What others hold can be taken.",
            reason="owner_is_implicit",
        )


def _refuse_unknown(caller: Caller, change: PermissionChange, facts: Facts) -> None:
    """A grant to nobody would come to life when somebody takes that name. Whom the caller may not
    know of is nobody here."""
    for _, subject in change.grant:
        kind, _, name = subject.partition(":")
        if kind == "group":
            known = may(caller, "read_meta", Resource("group", name), facts)
        else:
            known = kind == "all" or knows_person(caller, name, facts)
        if not known:
            word = "group" if kind == "group" else "person"
            raise Invalid(
                f"This installation knows no {word} {name}.",
                hint=f"lobes {word} list names those that there are.",
                reason="unknown_subject",
            )


def _refuse_beyond_own(
    lobes: Installation,
    caller: Caller,
    found: _Found,
    change: PermissionChange,
    turns: Sequence[Turn],
) -> None:
    """A delegate gives no right that they don't hold; nor does a wider visibility by itself, which
    later members of the group would have."""
    if found.decision.reason in ("owner", "superuser"):
        return
    given = {verb for verb, _ in change.grant}
    given.update(verb for turn in turns for verb in turn.gained)
    if change.visibility in ("public", "inherit"):
        given |= _DATA
    lacking = [
        verb
        for verb in VERBS
        if verb in given and not may(caller, verb, found.stored.resource, found.facts)
    ]
    if lacking:
        record_denied(
            lobes, caller, "change_permission", found.stored.resource, answer="beyond_own"
        )
        raise Forbidden(
            f"You can hand on only rights that you hold: not {', '.join(lacking)}.",
            hint="Its owner can.",
            reason="beyond_own",
        )


def _notes(
    change: PermissionChange, found: _Found, becomes: PermissionView, after: Facts
) -> Sequence[str]:
    """What a person who changes it would want to be told."""
    permission, group = becomes.permission, becomes.group
    if permission is None:
        return ()
    notes: list[str] = []
    if found.stored.permission is not None and not found.stored.permission.sound:
        notes.append("What couldn't be read is replaced whole, with no one in any list.")
    if becomes.is_dormant:
        notes.append("While it is private its lists rest: nobody but the owner comes in by them.")
    if change.grant and permission.visibility == "public":
        notes.append(
            f"Everyone in {group} may already read and change it, for it is public."
            if group
            else "It is public but belongs to no group, so only its owner and who is named come in."
        )
    if change.grant and becomes.resource.kind != "space":
        notes.append("It only tightens: its Space has to let them in as well.")
    taken = _people(change.revoke)
    notes += [_still(who, taken[who], after, becomes.resource) for who in taken]
    for one in becomes.people:
        named = any(subject == one.subject for _, subject in change.grant)
        gate = one.role or "read_meta" in one.verbs
        if named and not gate and not _finds_it(one.subject, becomes, after):
            notes.append(f"Without read_meta {one.subject} finds nothing here: grant viewer too.")
    return [one for one in notes if one]


def _finds_it(subject: str, becomes: PermissionView, after: Facts) -> bool:
    """Whether these come in by another entry, or because it is public in a group of theirs."""
    kind, _, name = subject.partition(":")
    if kind == "user":
        return authorize(Human(Slug(name)), "read_meta", becomes.resource, after).allowed
    permission = becomes.permission
    assert permission is not None
    everybody = permission.visibility == "public" and becomes.group is not None
    return (everybody and name == becomes.group) or "all" in permission.subjects("read_meta")


def _people(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Person → the verbs that are taken from them."""
    found: dict[str, list[str]] = {}
    for verb, subject in pairs:
        if subject.startswith("user:"):
            found.setdefault(subject.removeprefix("user:"), []).append(verb)
    return found


def _still(person: str, verbs: Sequence[str], after: Facts, resource: Resource) -> str:
    """What somebody keeps by another way than the entry that is taken away."""
    human = Human(Slug(person))
    kept = [one for one in verbs if authorize(human, one, resource, after).allowed]
    if not kept:
        return ""
    return f"{person} still may, by another entry or because it is public: {', '.join(kept)}."


def audit_permission(lobes: Installation, caller: Caller, written: Written) -> None:
    """Who gained and lost which right; the lists themselves stand in the store."""
    lobes.audit.append(
        _EVENTS.get(written.effect.before.resource.kind, "space.permission_changed"),
        actor=name_of(caller.actor),
        verb="change_permission",
        resources=[str(written.effect.before.resource)],
        decisions=[
            (f"user:{turn.person}/{verb}", word, word == "gains")
            for turn in written.effect.turns
            for word, verbs in (("gains", turn.gained), ("loses", turn.lost))
            for verb in verbs
        ],
        channel=caller.channel,
        correlation=caller.correlation,
        answer=written.reason,
    )
