"""The one way into a use case: authorize, then presence; a refusal is audited and raised.

Without read_meta a thing does not exist: the same error as for an id that never was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from lobes.access.authorize import ILL_TYPED, Decision, as_unknown, authorize
from lobes.access.facts import Facts, ItemFacts, Resource, Standing
from lobes.domain.actors import Actor, Human, name_of
from lobes.domain.errors import Forbidden, LobesError, NoPresence, PresenceWanted, nothing_there
from lobes.domain.ids import LobeAddress
from lobes.domain.permissions import Permission, dump_permission, parse_permission
from lobes.domain.reasons import remedy, sentence
from lobes.domain.verbs import VERBS
from lobes.services.installation import Caller, Installation
from lobes.store.facts import load_facts, memory_facts

_PRIVATE = dump_permission(Permission("private"))
_ITEMS = ("document", "memory", "session")


def facts_for(
    store: sqlite3.Connection,
    caller: Caller,
    *spaces: str,
    things: Iterable[Resource] = (),
    trash: bool = False,
    removed_groups: Collection[str] = (),
) -> Facts:
    """The facts to judge this caller by, from the caller's snapshot: with these `things`, and the
    links of `spaces` and, for an agent or a job, of the Space that it is bound to. What is in the
    trash is not there, unless `trash` asks for it, nor a removed group, unless it is asked for."""
    own = () if isinstance(caller.actor, Human) else (caller.actor.space,)
    asking = dict.fromkeys((*spaces, *own))
    return load_facts(
        store,
        asking=asking,
        things=things,
        trash=trash,
        removed_groups=removed_groups,
    )


def facts_of(store: sqlite3.Connection, caller: Caller, space: str) -> Facts:
    """The facts to judge a person's act on this one Space by: any other is unknown in them, so
    they only narrow. Others get all facts: what isn't looked up would show in the time it takes."""
    if not isinstance(caller.actor, Human):
        return facts_for(store, caller, space)
    return load_facts(store, asking=(space,), only=(space,))


def is_own_space(caller: Caller, space: str) -> bool:
    """Whether the caller may ask as this Space: a person as any, an agent as the one it is in."""
    return isinstance(caller.actor, Human) or caller.actor.space == space


def may(caller: Caller, verb: str, resource: Resource, facts: Facts) -> bool:
    """Whether the caller may do this; nothing is audited: for lists, which leave out the rest."""
    return authorize(caller.actor, verb, resource, facts).allowed


def allowed_memories(
    store: sqlite3.Connection,
    caller: Caller,
    verb: str,
    ids: Iterable[str],
    facts: Facts,
    *,
    deleted: bool = False,
) -> frozenset[str]:
    """Those of these memories on which the caller may do this, with `deleted` also of those that
    were; a few µs each: the rules are asked once for all that are alike to them."""
    items = memory_facts(store, ids, deleted=deleted)
    known: dict[ItemFacts, bool] = {}
    found: set[str] = set()
    facts = replace(facts, items=items)
    for resource, item in items.items():
        if item not in known:
            known[item] = may(caller, verb, resource, facts)
        if known[item]:
            found.add(resource.id)
    return frozenset(found)


def require(
    lobes: Installation,
    caller: Caller,
    verb: str,
    resource: Resource,
    *,
    facts: Facts,
    human_only: bool = False,
    event: str = "",
) -> Decision:
    """The allowing decision, or the error that the caller may see.

    With `event` the allowance is audited under that name: for a use case that reads and then
    leaves no row of its own.

    Raises `NotFound` where the caller may not know the thing, `Forbidden` with the sentence of
    the reason where they may, `NoPresence` where a human-only act lacks a person, and
    `PresenceWanted` instead where the face can ask for one: nothing is held open for that long.
    """
    actor = caller.actor
    decision = authorize(actor, verb, resource, facts)
    if not decision.allowed:
        record_denied(lobes, caller, verb, resource, answer=decision.cause or decision.reason)
        raise _refusal(decision, actor, verb, resource, facts)
    if human_only and not caller.is_present:
        if caller.can_be_asked:
            raise PresenceWanted(verb, str(resource))
        record_denied(lobes, caller, verb, resource, answer="no_presence")
        raise no_presence()
    if event:
        record(lobes, caller, event, verb, resource, answer=decision.reason)
    return decision


def _refusal(
    decision: Decision, actor: Actor, verb: str, resource: Resource, facts: Facts
) -> LobesError:
    """The error for a denial: nothing there, or forbidden with its sentence."""
    _even_out(actor, verb, resource, facts)
    if decision.cause == ILL_TYPED:
        # Nobody may know of it, so "couldn't decide" would tell that it is there.
        decision = as_unknown(actor, VERBS[verb], facts)
    if decision.reason == "not_found":
        return nothing_there()
    if decision.reason not in ("ai_bar", "ceiling", "internal_error", "unknown_verb"):
        knows = authorize(actor, "read_meta", resource, facts)
        if not knows.allowed:
            return nothing_there()
    return Forbidden(
        sentence(decision.reason), hint=remedy(decision.reason), reason=decision.reason
    )


def _even_out(actor: Actor, verb: str, resource: Resource, facts: Facts) -> None:
    """What it takes to find a thing hidden is done for one that never was as well: else the time
    of the answer would tell them apart. Of a Space the facts remember it."""
    if resource.kind in _ITEMS:
        _even_out_item(actor, verb, resource, facts)
    if isinstance(actor, Human):
        return
    other = next((space for space in facts.spaces if space != actor.space), None)
    if other is not None:
        authorize(actor, "read_meta", Resource("space", other), facts)


def _even_out_item(actor: Actor, verb: str, resource: Resource, facts: Facts) -> None:
    """As one that has a standing of its own, read and asked beside its Space's. An agent finds what
    lies in other Spaces hidden by that alone, which takes as long."""
    item = facts.items.get(resource)
    if item is not None and (item.standing is not None or not isinstance(actor, Human)):
        return
    space = next(iter(facts.spaces), "") if isinstance(actor, Human) else actor.space
    somewhere = item or ItemFacts(LobeAddress("space", space))
    closed = replace(somewhere, standing=Standing("", None, parse_permission(_PRIVATE)))
    authorize(actor, verb, resource, replace(facts, items={resource: closed}))


def no_presence() -> NoPresence:
    return NoPresence(sentence("no_presence"), hint=remedy("no_presence"), reason="no_presence")


def record_denied(
    lobes: Installation, caller: Caller, verb: str, resource: Resource, *, answer: str
) -> None:
    """The row of a refusal; also for what a use case asks beyond the rules."""
    record(lobes, caller, "access.denied", verb, resource, answer=answer)


def record(
    lobes: Installation,
    caller: Caller,
    event: str,
    verb: str,
    *resources: Resource,
    answer: str,
    decisions: Sequence[tuple[str, str, bool]] = (),
    counts: Mapping[str, int] | None = None,
) -> None:
    """The row of what this caller did; `answer` is the reason by which they might."""
    lobes.audit.append(
        event,
        actor=name_of(caller.actor),
        verb=verb,
        resources=[str(one) for one in resources],
        decisions=decisions,
        channel=caller.channel,
        correlation=caller.correlation,
        answer=answer,
        counts=counts,
    )
