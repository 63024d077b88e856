"""May this actor do this to that? The rule table of `docs/architecture.md`, first match decides.

Rule 14 stands beside the table, in two places: what is sensitive goes no further than it may.

Pure and total: no I/O, no clock, no exception out. Whatever is missing, unknown or broken denies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from lobes.access.facts import Facts, ItemFacts, Resource, ResourceKind, ShareFacts, Standing
from lobes.domain.actors import Actor, Ai, Human, Job, ceiling, person_of, smaller
from lobes.domain.ids import LobeAddress, LobeKind
from lobes.domain.permissions import PUBLIC, VISIBILITIES
from lobes.domain.sensitivity import LEVELS, STAYS, Level
from lobes.domain.verbs import BARRED_TO_AI, VERBS, Verb

Reason = Literal[
    "unknown_verb",
    "internal_error",
    "ai_bar",
    "superuser",
    "ceiling",
    "not_found",
    "owner",
    "owner_only",
    "private",
    "not_granted",
    "granted",
    "shared",
    "share_is_read_only",
    "public",
]

ILL_TYPED = "ill-typed permission"
"""The cause where what is stored of a thing can't be taken to the letter."""

GROUP_MEMBERS_MAY = frozenset({"read_meta", "read_content", "propose"})
GUEST_LOBE_ALLOWS = frozenset({"read_meta", "read_content"})


@dataclass(frozen=True, slots=True)
class Decision:
    """`rule` is the row of the table; `cause` is the true reason where `reason` hides it, for the
    owner's explanation and the audit alone; `fault` names an exception inside a rule."""

    allowed: bool
    reason: Reason
    rule: int
    cause: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Thing:
    """A resource with all that the rules ask of it."""

    standing: Standing
    lobe: LobeAddress | None
    is_group: bool = False
    is_sealed: bool = False
    """Its person's only: no superuser opens it."""
    share: ShareFacts | None = None
    category: str | None = None
    """Of a memory in a personal lobe; None for anything else."""
    level: Level | None = None
    """The sensitivity of what is kept in a lobe; None for the lobe itself."""
    has_own: bool = False
    """Whether the standing is its own, not its Space's."""


@dataclass(frozen=True, slots=True)
class _Ask:
    actor: Actor
    person: str
    verb: Verb
    thing: Thing
    around: Sequence[Thing]
    """The thing and what it is in, outermost first: one hidden among them hides it."""
    facts: Facts


def authorize(actor: Actor, verb: str, resource: Resource, facts: Facts) -> Decision:
    """The decision with its reason; what is in a Space answers the AND with its Space."""
    try:
        known = VERBS.get(verb)
        if known is None:
            return Decision(False, "unknown_verb", 0)
        if _links_are_missing(actor, facts):
            return Decision(False, "internal_error", 0, cause="its Space's links are missing")
        things = _things(resource, facts)
        if not all(_is_sound(thing) for thing in things):
            return Decision(False, "internal_error", 0, cause=ILL_TYPED)
        if not things:
            return as_unknown(actor, known, facts)
        answers = [_first_match(actor, known, thing, things, facts) for thing in things]
        return next((one for one in answers if not one.allowed), answers[-1])
    except Exception as fault:  # the promise of rule 0: an error inside a rule denies
        return Decision(False, "internal_error", 0, fault=type(fault).__name__)


def as_unknown(actor: Actor, verb: Verb, facts: Facts) -> Decision:
    """A thing that is not there answers as one that may not be known: bar and ceiling first."""
    ask = _Ask(actor, person_of(actor), verb, Thing(Standing(""), None), (), facts)
    barred = _1_ai_bar(ask) or _3_ceiling(ask)
    return barred or Decision(False, "not_found", 6, cause="unknown")


def _links_are_missing(actor: Actor, facts: Facts) -> bool:
    """Without the links of its Space nobody can say what an agent may reach from there."""
    if isinstance(actor, Human):
        return False
    return actor.space in facts.spaces and actor.space not in facts.links


def _is_sound(thing: Thing) -> bool:
    permission = thing.standing.permission
    is_level = thing.level is None or thing.level in LEVELS
    return (
        is_level
        and permission.visibility in VISIBILITIES
        and all(type(subjects) is frozenset for _, subjects in permission.grants)
    )


def _first_match(
    actor: Actor, verb: Verb, thing: Thing, things: Sequence[Thing], facts: Facts
) -> Decision:
    ask = _Ask(actor, person_of(actor), verb, thing, things, facts)
    for rule in RULES:
        decision = rule(ask)
        if decision is not None:
            return decision
    return Decision(False, "internal_error", 0, cause="no rule matched")


# The things ------------------------------------------------------------------------------------


def _things(resource: Resource, facts: Facts) -> tuple[Thing, ...]:
    """The thing asked for, after the Space that it is in; () when it is not there."""
    match resource.kind:
        case "space":
            space = facts.spaces.get(resource.id)
            lobe = LobeAddress("space", resource.id)
            return (Thing(space.standing, lobe),) if space else ()
        case "group":
            return _group(resource.id, facts)
        case "home":
            return (Thing(Standing(facts.owner), None, is_sealed=True),)
        case "person":
            known = resource.id in facts.people or (resource.id == facts.owner != "")
            lobe = LobeAddress("personal", resource.id)
            return (Thing(Standing(resource.id), lobe, is_sealed=True),) if known else ()
        case "share":
            return _guest_lobe(resource.id, facts)
        case _:
            item = facts.items.get(resource)
            return _kept_in_its_lobe(item, facts) if item else ()


def _group(name: str, facts: Facts) -> tuple[Thing, ...]:
    group = facts.groups.get(name)
    if group is None:
        return ()
    lobe = LobeAddress(group.kind, name)
    return (Thing(Standing("", name, PUBLIC), lobe, is_group=True),)


def _guest_lobe(share_id: str, facts: Facts) -> tuple[Thing, ...]:
    share = facts.shares.get(share_id)
    if share is None:
        return ()
    lobe = LobeAddress("guest", share_id)
    return (Thing(Standing(share.owner), lobe, is_sealed=True, share=share),)


_HOME_OF: dict[LobeKind, ResourceKind] = {
    "space": "space",
    "personal": "person",
    "guest": "share",
    "team": "group",
    "department": "group",
    "organization": "group",
}


def _kept_in_its_lobe(item: ItemFacts, facts: Facts) -> tuple[Thing, ...]:
    around = _things(Resource(_HOME_OF[item.lobe.kind], item.lobe.id), facts)
    if not around:
        return ()
    if item.lobe.kind == "guest":
        # The share itself is between two people; what it shows is not sealed beyond that.
        around = tuple(replace(one, is_sealed=False) for one in around)
    category = item.category if item.lobe.kind == "personal" else None
    inner = replace(around[-1], category=category, level=item.level)
    if item.standing is None:
        return (inner,)
    return (*around, replace(inner, standing=item.standing, is_group=False, has_own=True))


# The table -------------------------------------------------------------------------------------

Rule = Callable[[_Ask], Decision | None]


def _1_ai_bar(ask: _Ask) -> Decision | None:
    if isinstance(ask.actor, (Ai, Job)) and ask.verb.name in BARRED_TO_AI:
        return Decision(False, "ai_bar", 1)
    return None


def _2_superuser(ask: _Ask) -> Decision | None:
    superuser = isinstance(ask.actor, Human) and ask.person in ask.facts.superusers
    if superuser and not ask.thing.is_sealed:
        return Decision(True, "superuser", 2)
    return None


def _3_ceiling(ask: _Ask) -> Decision | None:
    if isinstance(ask.actor, (Ai, Job)) and ask.verb.name not in _ceiling(ask.actor, ask.facts):
        return Decision(False, "ceiling", 3)
    return None


def _4_outside_its_space(ask: _Ask) -> Decision | None:
    if isinstance(ask.actor, Human) or ask.thing.lobe == LobeAddress("space", ask.actor.space):
        return None
    if ask.verb.name not in ("read_meta", "read_content"):
        return Decision(False, "not_found", 4, cause="outside its Space")
    if ask.thing.lobe not in _served(ask.actor, ask.facts):
        return Decision(False, "not_found", 4, cause="its Space may not draw on that lobe")
    config = ask.facts.links[ask.actor.space].config
    category = ask.thing.category
    if category is not None and not config.inherits(category):
        return Decision(False, "not_found", 4, cause="category not inherited")
    return None


def _14_agents_and_confidential(ask: _Ask) -> Decision | None:
    """Both the Space that it is in and the one the agent works for must let agents have it."""
    if isinstance(ask.actor, Human) or ask.thing.level != "confidential":
        return None
    lobe = ask.thing.lobe
    asked = {ask.actor.space, lobe.id if lobe and lobe.kind == "space" else ask.actor.space}
    spaces = [ask.facts.spaces.get(one) for one in asked]
    if all(space is not None and space.agents_see_confidential for space in spaces):
        return None
    return Decision(False, "not_found", 14, cause="confidential")


def _5_entry_gate(ask: _Ask) -> Decision | None:
    if ask.verb.name == "read_meta":
        return None
    for thing in ask.around:
        gate = _first_match(ask.actor, VERBS["read_meta"], thing, ask.around, ask.facts)
        if not gate.allowed:
            return Decision(False, "not_found", 5, cause=gate.cause)
    return None


def _6_stranger(ask: _Ask) -> Decision | None:
    if _is_owner(ask) or _is_member(ask) or _is_named(ask) or _holds_share(ask):
        return None
    return Decision(False, "not_found", 6, cause="not named")


def _7_owner(ask: _Ask) -> Decision | None:
    return Decision(True, "owner", 7) if _is_owner(ask) else None


def _8_owner_only(ask: _Ask) -> Decision | None:
    return Decision(False, "owner_only", 8) if ask.verb.kind == "owner" else None


def _9_private(ask: _Ask) -> Decision | None:
    if ask.thing.standing.permission.visibility == "private":
        return Decision(False, "not_found", 9, cause="private")
    return None


def _14_stays_with_its_owner(ask: _Ask) -> Decision | None:
    """In a group's Space what is restricted takes a grant on the thing itself, what is
    confidential is its owner's; neither leaves by a share."""
    thing = ask.thing
    if thing.level not in STAYS or (thing.standing.group is None and thing.share is None):
        return None
    listed = any(_lists(ask, verb) for verb in (ask.verb.name, *ask.verb.also_by))
    if thing.level == "restricted" and thing.share is None and thing.has_own and listed:
        return None
    reason = "not_found" if ask.verb.name == "read_meta" else "not_granted"
    return Decision(False, reason, 14, cause=thing.level or "")


def _10_listed(ask: _Ask) -> Decision | None:
    if ask.verb.kind != "listed":
        return None
    if _lists(ask, ask.verb.name):
        return Decision(True, "granted", 10)
    return Decision(False, "not_granted", 10)


def _11_guest_lobe(ask: _Ask) -> Decision | None:
    if ask.thing.share is None:
        return None
    if ask.verb.name in GUEST_LOBE_ALLOWS:
        return Decision(True, "shared", 11)
    return Decision(False, "share_is_read_only", 11)


def _12_public(ask: _Ask) -> Decision | None:
    is_public = ask.thing.standing.permission.visibility == "public"
    if not (is_public and _is_member(ask)):
        return None
    if ask.thing.is_group and ask.verb.name not in GROUP_MEMBERS_MAY:
        return None
    return Decision(True, "public", 12)


def _13_granted(ask: _Ask) -> Decision | None:
    if any(_lists(ask, verb) for verb in (ask.verb.name, *ask.verb.also_by)):
        return Decision(True, "granted", 13)
    return Decision(False, "not_granted", 13)


RULES: tuple[Rule, ...] = (
    _1_ai_bar,
    _2_superuser,
    _3_ceiling,
    _4_outside_its_space,
    _14_agents_and_confidential,
    _5_entry_gate,
    _6_stranger,
    _7_owner,
    _8_owner_only,
    _9_private,
    _14_stays_with_its_owner,
    _10_listed,
    _11_guest_lobe,
    _12_public,
    _13_granted,
)


# What the rules ask ----------------------------------------------------------------------------


def _is_owner(ask: _Ask) -> bool:
    if ask.thing.is_group:
        group = ask.facts.groups.get(ask.thing.standing.group or "")
        return group is not None and ask.person in group.owners
    return ask.person == ask.thing.standing.owner


def _is_member(ask: _Ask) -> bool:
    group = ask.facts.groups.get(ask.thing.standing.group or "")
    return group is not None and ask.person in group.hops


def _is_named(ask: _Ask) -> bool:
    permission = ask.thing.standing.permission
    if permission.visibility == "private":
        return False
    return any(_names(ask, subjects) for _, subjects in permission.grants)


def _holds_share(ask: _Ask) -> bool:
    share = ask.thing.share
    return share is not None and share.is_live and share.recipient == ask.person


def _lists(ask: _Ask, verb: str) -> bool:
    return _names(ask, ask.thing.standing.permission.subjects(verb))


def _names(ask: _Ask, subjects: frozenset[str]) -> bool:
    if not subjects:
        return False
    if f"user:{ask.person}" in subjects:
        return True
    if "all" in subjects and ask.person in ask.facts.people:
        return True
    return any(
        ask.person in group.hops
        for name, group in ask.facts.groups.items()
        if f"group:{name}" in subjects
    )


def _ceiling(actor: Ai | Job, facts: Facts) -> frozenset[str]:
    """The smaller of the actor's own preset and the largest that its Space lets agents have."""
    links = facts.links.get(actor.space)
    most = links.config.agent_preset if links else actor.preset
    return ceiling(smaller(actor.preset, most))


def _served(actor: Ai | Job, facts: Facts) -> frozenset[LobeAddress]:
    """The lobes that the actor's Space may draw on, worked out once a snapshot."""
    from lobes.access.resolve import resolve

    key = ("served", actor)
    if key not in facts.memo:
        decisions = resolve(actor, actor.space, facts)
        facts.memo[key] = frozenset(one.lobe for one in decisions if one.allowed)
    return facts.memo[key]
