"""Notices: who did what, for those whom it concerns; written in the unit of what happened.

A notice is read by its own person alone, and never by an agent. It names its thing only while the
rules let that person know of it: what was hidden meanwhile is hidden here too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

from lobes.access.explain import Turn, those_concerned
from lobes.access.facts import HOME, Facts, Resource, ResourceKind
from lobes.domain.actors import Human, is_human, name_of, person_of
from lobes.domain.ids import LobeAddress
from lobes.domain.notices import EVENTS, HIDDEN, notice_sentence
from lobes.services.authority import facts_for, may, require
from lobes.services.explaining import Names, name_in, names_in
from lobes.services.installation import Caller, Installation
from lobes.store.read_notices import StoredNotice, counted, notices_of

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice as its person sees it. `about` is the thing's address, "" where the person may
    not know of it any more; `who` is the actor's name as the audit writes it."""

    id: str
    at: datetime
    event: str
    who: str
    about: str
    sentence: str
    is_seen: bool


@dataclass(frozen=True, slots=True)
class Noticed:
    """The newest first; `total` and `unseen` count all that the person has."""

    items: tuple[Notice, ...]
    total: int
    unseen: int


def notify(
    lobes: Installation,
    caller: Caller,
    unit: UnitOfWork,
    event: str,
    about: Resource,
    *,
    to: Iterable[str],
    detail: str = "",
) -> None:
    """Tell these persons, inside the unit of work of what happened: both are kept, or neither.

    `event` is a key of `lobes.domain.notices.EVENTS`; `to` are persons' ids, of which unknown
    ones and the acting person are left out, so callers needn't; `detail` is a word for the
    sentence (a right, a role) or the address of a Space (`space/ID`), which then shows as its name
    to those who may know of it. It is shown to `to`: never put into it what they may not know.

    For a change of rights there is `notify_of_rights`, which works out whom it concerns.
    """
    _tell(lobes, caller, unit, [_News(event, about, person, detail) for person in sorted(set(to))])


def notify_of_rights(
    lobes: Installation,
    caller: Caller,
    unit: UnitOfWork,
    *things: Resource,
    before: Facts,
    after: Facts,
) -> None:
    """Tell each person whose rights to these differ between the two facts which ones, and their
    owners that somebody else changed them. For permissions, memberships, a Space's group,
    superusers: load or replace the facts on both sides of the change and call it in the same unit
    of work. The rules are asked once for all that are alike to them."""
    turns: dict[object, tuple[Turn, ...]] = {}
    news: list[_News] = []
    for about in things:
        alike = _alike(about, before, after)
        if alike not in turns:
            turns[alike] = those_concerned(before, after, about)
        for turn in turns[alike]:
            for event, verbs in (
                ("permission.gained", turn.gained),
                ("permission.lost", turn.lost),
            ):
                if verbs:
                    news.append(_News(event, about, turn.person, ", ".join(verbs)))
        news.append(_News("permission.changed", about, _owner(about, after)))
    _tell(lobes, caller, unit, news)


class _News(NamedTuple):
    """What one person is told."""

    event: str
    about: Resource
    person: str
    detail: str = ""


def _tell(lobes: Installation, caller: Caller, unit: UnitOfWork, news: Iterable[_News]) -> None:
    own = caller.actor.person if isinstance(caller.actor, Human) else ""
    told = [one for one in news if one.person not in (own, "")]
    if not told:
        return
    assert all(one.event in EVENTS for one in told)
    known = {one.id for one in unit.people.all()}
    unit.notices.add(
        StoredNotice(
            id=lobes.new_id(),
            person=one.person,
            at=unit.now,
            event=one.event,
            actor=name_of(caller.actor),
            resource=str(one.about),
            detail=one.detail,
            seen=None,
        )
        for one in told
        if one.person in known
    )


def _alike(about: Resource, before: Facts, after: Facts) -> object:
    """What the rules ask of it on both sides; the thing itself where they ask for it by name."""
    if about in before.items and about in after.items:
        return about.kind, before.items[about], after.items[about]
    return about


def _owner(about: Resource, facts: Facts) -> str:
    """Whose it is; "" where it is in no Space."""
    item = facts.items.get(about)
    lobe = item.lobe if item is not None else LobeAddress("space", about.id)
    if lobe.kind != "space" or lobe.id not in facts.spaces:
        return ""
    own = item.standing if item is not None else None
    return (own or facts.spaces[lobe.id].standing).owner


def list_notices(
    lobes: Installation,
    caller: Caller,
    *,
    unseen_only: bool = False,
    before: str = "",
    limit: int = 50,
) -> Noticed:
    """The caller's own notices. Listing marks nothing; `mark_seen` does."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        person = _own(lobes, caller, facts)
        stored = notices_of(store, person, unseen_only=unseen_only, before=before, limit=limit)
        total, unseen = counted(store, person)
        names = names_in(store)
        told = [one for row in stored if (one := _resource(row.resource)) is not None]
        facts = facts_for(store, caller, things=told)
    return Noticed(tuple(_shown(one, caller, facts, names) for one in stored), total, unseen)


def mark_seen(lobes: Installation, caller: Caller, ids: Collection[str]) -> int:
    """The caller saw these; how many of them were new."""
    with lobes.reading() as store:
        person = _own(lobes, caller, facts_for(store, caller))
    if not ids:
        return 0
    with lobes.database().begin() as unit:
        count = unit.notices.mark_seen(person, ids)
        unit.commit()
    return count


def _own(lobes: Installation, caller: Caller, facts: Facts) -> str:
    """Whose notices the caller reads: a person's own. For an agent there are none."""
    person = person_of(caller.actor)
    kept = Resource("person", person) if is_human(caller.actor) else HOME
    require(lobes, caller, "read_content", kept, facts=facts)
    return person


def _shown(stored: StoredNotice, caller: Caller, facts: Facts, names: Names) -> Notice:
    about, what = _named(stored.resource, caller, facts, names)
    _, detail = _named(stored.detail, caller, facts, names)
    if _resource(stored.detail) is None:
        detail = stored.detail
    return Notice(
        id=stored.id,
        at=stored.at,
        event=stored.event,
        who=stored.actor,
        about=about,
        sentence=notice_sentence(
            stored.event,
            who=_who(stored.actor),
            what=what,
            # What a hidden thing's right or role is called tells of it.
            detail="" if not about or detail == HIDDEN else detail,
        ),
        is_seen=stored.seen is not None,
    )


_KINDS: frozenset[str] = frozenset(get_args(ResourceKind))


def _resource(address: str) -> Resource | None:
    """What it is about; None where that is nothing of ours."""
    kind, _, id = address.partition("/")
    return Resource(cast("ResourceKind", kind), id) if kind in _KINDS else None


def _named(address: str, caller: Caller, facts: Facts, names: Names) -> tuple[str, str]:
    """The address and the name of a thing, or "" and words for what may not be known."""
    resource = _resource(address)
    if resource is None or not may(caller, "read_meta", resource, facts):
        return "", HIDDEN
    kind, id = resource.kind, resource.id
    if kind == "group":
        return address, name_in(LobeAddress(facts.groups[id].kind, id), names)
    return address, names.get(id, id) if kind == "space" else id or "this installation"


def _who(actor: str) -> str:
    """`user:ada` reads ada; `job:ada/editor@prj_x` and agents read whole."""
    return actor.removeprefix("user:")
