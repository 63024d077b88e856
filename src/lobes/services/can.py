"""May this actor do this to that? The single check, asked aloud.

Everybody may ask about themselves, and a thing's owner about anybody. What the caller may not know
of isn't there, whatever is asked about it.
"""

from __future__ import annotations

from dataclasses import dataclass

from lobes.access.authorize import authorize
from lobes.access.facts import Facts, Resource
from lobes.domain.actors import Actor, Ai, Human, parse_actor, person_of
from lobes.domain.errors import Forbidden
from lobes.domain.reasons import sentence
from lobes.domain.verbs import VERBS
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation


@dataclass(frozen=True, slots=True)
class Can:
    """`rule` is the row of the table that decided; `cause` is what a `not_found` hides, for the
    thing's owner alone."""

    allowed: bool
    reason: str
    sentence: str
    rule: int
    cause: str = ""


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
    require(lobes, caller, "read_meta", resource, facts=facts)
    if not own and not _answers_for(caller, resource, facts):
        raise Forbidden(
            "Only its owner may ask what somebody else may do.",
            hint="About yourself: lobes can me VERB RESOURCE.",
            reason="owner_only",
        )
    if bound and asked != caller.actor:
        require(lobes, caller, "read_meta", Resource("space", bound[0]), facts=facts)
    found = authorize(asked, verb, resource, facts)
    return Can(
        found.allowed,
        found.reason,
        sentence(found.reason),
        found.rule,
        cause=found.cause if _answers_for(caller, resource, facts) else "",
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
