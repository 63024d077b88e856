"""May this actor do this to that? The single check, asked aloud.

Everybody may ask about themselves, and a thing's owner about anybody. What the caller may not know
of isn't there, whatever is asked about it.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace

from lobes.access.authorize import Decision, authorize
from lobes.access.explain import Why, why
from lobes.access.facts import HOME, Facts, Resource
from lobes.domain.actors import Actor, Ai, Human, is_human, parse_actor, person_of
from lobes.domain.errors import Forbidden, nothing_there
from lobes.domain.reasons import (
    about_another,
    cause_change,
    cause_sentence,
    sentence,
    would_change,
)
from lobes.domain.verbs import VERBS
from lobes.services.authority import facts_for, may, record_denied, require
from lobes.services.explaining import Names, lobe_change, lobe_sentence, names_in
from lobes.services.installation import Caller, Installation
from lobes.services.knowing import knows_person
from lobes.store.read_groups import person_rows
from lobes.store.read_memories import memories as stored

AN_AGENT = "this agent"
"""What an agent that somebody asks about is called: it has no name."""


@dataclass(frozen=True, slots=True)
class Can:
    """`rule` is the row of the table that decided, `reason` what the asked one would be told. For
    the thing's owner `cause` is what that hides, where an agent's Space may not draw on it the
    resolver's code; then the sentence and what would change it are about the cause."""

    allowed: bool
    reason: str
    sentence: str
    rule: int
    cause: str = ""
    would_change: str = ""


def can(lobes: Installation, caller: Caller, who: str, verb: str, resource: Resource) -> Can:
    """The decision about `who`: `me`, `user:ID` or `ai:PERSON/PRESET@SPACE` with `me` as a person.

    Raises `NotFound` where the caller may not know the thing or the agent's Space, `Forbidden`
    where somebody else's right is asked for and the caller doesn't own the thing; what somebody
    may do of whom the caller may not know would tell that they are there.
    """
    asked = _actor(caller, who)
    own = _is_own(caller, asked)
    bound = (asked.space,) if isinstance(asked, Ai) else ()
    with lobes.reading() as store:
        facts = _facts_about(store, caller, resource, bound)
        names = names_in(store)
        called = {one.id: one.name for one in person_rows(store)}
    require(lobes, caller, "read_meta", resource, facts=facts)
    if not own and not _answers_for(caller, resource, facts):
        record_denied(lobes, caller, "read_meta", resource, answer="owner_only")
        raise Forbidden(
            "Only its owner may ask what somebody else may do.",
            hint="About yourself: lobes can me VERB RESOURCE.",
            reason="owner_only",
        )
    person = person_of(asked)
    if not own and not (
        may(caller, "read_meta", HOME, facts) or knows_person(caller, person, facts)
    ):
        raise nothing_there()
    if bound and asked != caller.actor:
        require(lobes, caller, "read_meta", Resource("space", bound[0]), facts=facts)
    truth = why(asked, verb, resource, facts)
    name = called.get(person, person) if isinstance(asked, Human) else AN_AGENT
    if truth.told.allowed or not _answers_for(caller, resource, facts):
        return _as_told(truth.told, name="" if asked == caller.actor else name)
    return _with_cause(truth, asked, facts, names, name=name)


def _facts_about(
    store: sqlite3.Connection, caller: Caller, resource: Resource, bound: tuple[str, ...]
) -> Facts:
    """With the thing itself, where it is one inside a lobe."""
    facts = facts_for(store, caller, *bound, things=[resource])
    if is_human(caller.actor) or resource.kind != "memory":
        return facts
    # To an agent what waits, or was, doesn't exist, whoever it asks about.
    found = stored(store, [resource.id]).get(resource.id)
    return facts if found is not None and found.is_retrievable else replace(facts, items={})


def _as_told(told: Decision, *, name: str) -> Can:
    """`name` is "" for the caller themself."""
    text = _begun(about_another(told.reason, name=name)) if name else sentence(told.reason)
    return Can(told.allowed, told.reason, text, told.rule, would_change=would_change(told.reason))


def _with_cause(truth: Why, asked: Actor, facts: Facts, names: Names, *, name: str) -> Can:
    """The whole truth, for who may do something about it."""
    told = truth.told
    if truth.lobe is not None and not isinstance(asked, Human):
        lobe, person = truth.lobe, person_of(asked)
        text = lobe_sentence(lobe, asked.space, facts, names, person=person)
        change = lobe_change(lobe, asked.space, names)
        return Can(False, told.reason, text, told.rule, lobe.reason, change)
    text = about_another(told.reason, name=name)
    if truth.cause:
        text = cause_sentence(truth.cause, name=name)
    change = cause_change(truth.cause or told.reason, name=name)
    return Can(False, told.reason, _begun(text), told.rule, truth.cause, change)


def _begun(text: str) -> str:
    """The sentence with its first letter: a person's name keeps its own, words of ours don't."""
    return (
        f"{AN_AGENT.capitalize()}{text.removeprefix(AN_AGENT)}"
        if text.startswith(AN_AGENT)
        else text
    )


def _actor(caller: Caller, who: str) -> Actor:
    """`me` is the caller, and in front of an agent's preset the caller's person."""
    if who == "me":
        return caller.actor
    person = person_of(caller.actor)
    return parse_actor(f"ai:{person}/{who[6:]}" if who.startswith("ai:me/") else who)


def _is_own(caller: Caller, asked: Actor) -> bool:
    """An agent is itself alone; a person is also whoever works for them."""
    if isinstance(caller.actor, Human):
        return person_of(asked) == caller.actor.person
    return asked == caller.actor


def _answers_for(caller: Caller, resource: Resource, facts: Facts) -> bool:
    """Whether the caller owns the thing, as the rules say by the right that owners alone have."""
    assert VERBS["erase"].kind == "owner"
    return authorize(caller.actor, "erase", resource, facts).allowed
