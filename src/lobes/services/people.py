"""The persons that this installation knows: its owner adds them and names its superusers."""

from __future__ import annotations

from dataclasses import dataclass

from lobes.access.facts import HOME, Facts, Resource
from lobes.domain.actors import name_of, person_of
from lobes.domain.errors import Conflict, Invalid, nothing_there
from lobes.domain.groups import check_name
from lobes.domain.ids import Slug, parse_slug
from lobes.services.authority import facts_for, may, require
from lobes.services.installation import Caller, Installation
from lobes.services.knowing import known_people, knows_person
from lobes.store.read_groups import PersonRow, person_rows

_WHOEVER_ASKS = "me"
"""As `can me …` and `--to personal/me` have it."""


@dataclass(frozen=True, slots=True)
class PersonView:
    """A person as the caller may know them. `groups` are those that they are in and that the
    caller may know of; `is_superuser` is told to the installation's owner and to themself."""

    id: str
    name: str
    is_me: bool
    is_owner: bool
    is_superuser: bool
    groups: tuple[str, ...]


def list_people(lobes: Installation, caller: Caller) -> tuple[PersonView, ...]:
    """Everybody whom the caller may know of, by id."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        found = person_rows(store)
    known = known_people(caller, facts)
    return tuple(_view(one, caller, facts) for one in found if one.id in known)


def me(lobes: Installation, caller: Caller) -> PersonView:
    """The person who calls, or for whom the agent works; `NotFound` for one that isn't known."""
    own = person_of(caller.actor)
    for one in list_people(lobes, caller):
        if one.id == own:
            return one
    raise nothing_there()


def _view(row: PersonRow, caller: Caller, facts: Facts) -> PersonView:
    is_me = row.id == person_of(caller.actor)
    told = is_me or may(caller, "read_meta", HOME, facts)
    groups = [
        name
        for name, group in facts.groups.items()
        if group.hops.get(row.id) == 1
        and may(caller, "read_content", Resource("group", name), facts)
    ]
    return PersonView(
        id=row.id,
        name=row.name,
        is_me=is_me,
        is_owner=row.id == facts.owner,
        is_superuser=row.is_superuser and told,
        groups=tuple(groups),
    )


def add_person(lobes: Installation, caller: Caller, id: str, *, name: str = "") -> PersonView:
    """Let the installation know somebody. They are in no group, and nothing is theirs yet.

    `Conflict` (`exists`) when somebody has this id.
    """
    person = parse_slug(id, what="person")
    if person == _WHOEVER_ASKS != lobes.owner:
        raise Invalid(
            f"{_WHOEVER_ASKS} is whoever asks, so nobody else can be called that.",
            hint="Choose another id.",
            reason="bad_slug",
        )
    called = check_name(name, what="person") if name else id
    with lobes.reading() as store:
        require(lobes, caller, "write_meta", HOME, facts=facts_for(store, caller))
    with lobes.database().begin() as unit:
        require(lobes, caller, "write_meta", HOME, facts=facts_for(unit.reader, caller))
        unit.people.add(person, called)
        unit.commit()
    _audit(lobes, caller, "person.added", "write_meta", person)
    return PersonView(person, called, False, False, False, ())


def set_superuser(
    lobes: Installation, caller: Caller, id: str, *, is_superuser: bool
) -> PersonView:
    """Make somebody a superuser of this installation, or no longer. Of persons alone: an agent
    that works for one doesn't inherit it.

    `Conflict` (`no_change`) where it is so already.
    """
    from lobes.services.notices import notify  # brings SQLModel, which no list pays for

    with lobes.reading() as store:
        _may_appoint(lobes, caller, id, facts_for(store, caller))
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller)
        _may_appoint(lobes, caller, id, facts)
        stored = unit.people.get(id)
        if stored is None:
            raise nothing_there()
        if stored.is_superuser == is_superuser:
            words = "a superuser already" if is_superuser else "no superuser"
            raise Conflict(f"{stored.name} is {words}.", reason="no_change")
        unit.people.set_superuser(stored.id, is_superuser=is_superuser)
        event = "person.superuser_added" if is_superuser else "person.superuser_removed"
        notify(lobes, caller, unit, event, Resource("person", id), to=(stored.id,))
        unit.commit()
    _audit(lobes, caller, event, "change_permission", stored.id)
    return next(one for one in list_people(lobes, caller) if one.id == id)


def _may_appoint(lobes: Installation, caller: Caller, person: str, facts: Facts) -> None:
    require(lobes, caller, "change_permission", HOME, facts=facts, human_only=True)
    if not knows_person(caller, person, facts):
        raise nothing_there()


def _audit(lobes: Installation, caller: Caller, event: str, verb: str, person: Slug) -> None:
    lobes.audit.append(
        event,
        actor=name_of(caller.actor),
        verb=verb,
        resources=[str(HOME), f"person/{person}"],
        channel=caller.channel,
        correlation=caller.correlation,
        answer="owner",
    )
