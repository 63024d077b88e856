"""May this actor do this to that? The single check, asked aloud.

Everybody may ask about themselves, and a thing's owner about anybody. What the caller may not know
of isn't there, whatever is asked about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lobes.access.authorize import Decision, authorize
from lobes.access.explain import Why, why
from lobes.access.facts import Facts, Resource
from lobes.domain.actors import Actor, Ai, Human, parse_actor, person_of
from lobes.domain.errors import Forbidden
from lobes.domain.reasons import (
    about_another,
    cause_change,
    cause_sentence,
    sentence,
    would_change,
)
from lobes.domain.verbs import VERBS
from lobes.services.authority import facts_for, require
from lobes.services.explaining import lobe_change, lobe_sentence
from lobes.services.installation import Caller, Installation
from lobes.store.read_spaces import space_names


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
    where somebody else's right is asked for and the caller doesn't own the thing.
    """
    asked = _actor(caller, who)
    own = _is_own(caller, asked)
    bound = (asked.space,) if isinstance(asked, Ai) else ()
    documents = [resource.id] if resource.kind == "document" else []
    with lobes.reading() as store:
        facts = facts_for(store, caller, *bound, documents=documents)
        names = space_names(store)
    require(lobes, caller, "read_meta", resource, facts=facts)
    if not own and not _answers_for(caller, resource, facts):
        raise Forbidden(
            "Only its owner may ask what somebody else may do.",
            hint="About yourself: lobes can me VERB RESOURCE.",
            reason="owner_only",
        )
    if bound and asked != caller.actor:
        require(lobes, caller, "read_meta", Resource("space", bound[0]), facts=facts)
    truth = why(asked, verb, resource, facts)
    if truth.told.allowed or not _answers_for(caller, resource, facts):
        return _as_told(truth.told, asked, own=asked == caller.actor)
    return _with_cause(truth, asked, facts, names)


def _as_told(told: Decision, asked: Actor, *, own: bool) -> Can:
    text = sentence(told.reason) if own else about_another(told.reason, name=_called(asked))
    return Can(told.allowed, told.reason, text, told.rule, would_change=would_change(told.reason))


def _with_cause(truth: Why, asked: Actor, facts: Facts, names: Mapping[str, str]) -> Can:
    """The whole truth, for who may do something about it."""
    told, name = truth.told, _called(asked)
    if truth.lobe is not None and not isinstance(asked, Human):
        lobe, person = truth.lobe, person_of(asked)
        text = lobe_sentence(lobe, asked.space, facts, names, person=person)
        change = lobe_change(lobe, asked.space, names)
        return Can(False, told.reason, text, told.rule, lobe.reason, change)
    text = about_another(told.reason, name=name)
    if truth.cause:
        text = cause_sentence(truth.cause, name=name)
    change = cause_change(truth.cause or told.reason, name=name)
    return Can(False, told.reason, text, told.rule, truth.cause, change)


def _called(actor: Actor) -> str:
    """How a sentence names an actor: a person by id, an agent as such."""
    return actor.person if isinstance(actor, Human) else "this agent"


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
