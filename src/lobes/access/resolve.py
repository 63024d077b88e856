"""Which lobes may Space A draw on? Deny first; each lobe the person may know of gets one code.

Pure, over the facts of one snapshot. It asks `authorize` for the human part only, so there is no
recursion: for an agent or a job as if its speaker were no superuser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal, NamedTuple

from lobes.access.authorize import authorize
from lobes.access.facts import Facts, Links, Resource, SpaceFacts, Standing
from lobes.domain.actors import Actor, Human, person_of
from lobes.domain.ids import LobeAddress, Slug, parse_address
from lobes.domain.lobes import stricter

Code = Literal[
    "no_access",
    "own",
    "excluded",
    "inactive",
    "private",
    "personal",
    "muted",
    "member",
    "sibling",
    "subscribed",
    "shared",
    "once",
    "ask",
    "closed",
    "not_linked",
]

ALLOWING: frozenset[Code] = frozenset(
    {"own", "personal", "member", "sibling", "subscribed", "shared", "once"}
)

WEIGHTS: dict[Code, float] = {
    "own": 1.0,
    "personal": 0.9,
    "sibling": 0.6,
    "subscribed": 0.4,
    "shared": 0.4,
    "once": 0.4,
}
"""`member` weighs 1 / (1 + hops): 0.5 for one's own group, 0.33 and 0.25 for those above it."""


class LobeDecision(NamedTuple):
    """Whether A may draw on `lobe`, by which code and row, and with which weight (0 where denied).

    `by` names what the sentence needs: the tag (`#craft`) of a subscription, or the Space whose
    setting decides an `ask`, `closed`, `excluded` or `private`.
    """

    lobe: LobeAddress
    allowed: bool
    reason: Code
    rule: int
    weight: float
    by: str = ""


@dataclass(frozen=True, slots=True)
class _Asking:
    """All about A that the rules need, worked out once."""

    space: SpaceFacts
    links: Links
    person: Slug
    facts: Facts
    excluded: frozenset[str]
    muted: frozenset[LobeAddress]
    subscribed: dict[str, str]
    """Space → by what: its own id, or `#tag`, or a group."""


_Row = tuple[Code, int, str]


def resolve(actor: Actor, space: str, facts: Facts) -> list[LobeDecision]:
    """Every lobe that the person may know of, each with exactly one reason code, own lobe first.

    Empty where the person may not know Space A itself.
    """
    own = facts.spaces.get(space)
    facts = _for_the_person(actor, facts)
    person = person_of(actor)
    may = _entry(Human(person), facts)
    if own is None or may(own.standing) is None:
        return []
    asking = _asking(own, person, facts)
    found: list[LobeDecision] = []
    lobe = Resource("person", person)
    if authorize(Human(person), "read_content", lobe, facts).allowed:
        found.append(_decision(LobeAddress("personal", person), ("personal", 5, "")))
    for other in facts.spaces.values():
        readable = may(other.standing)
        if readable is None:
            continue
        row: _Row = _judge(other, asking) if readable else ("no_access", 0, "")
        found.append(_decision(LobeAddress("space", other.id), row))
    found.extend(_groups(asking))
    found.extend(_guests(asking))
    # One's own weighs most. Two sorts by what is there make no key for each of 10,000 lobes.
    found.sort(key=attrgetter("lobe"))
    found.sort(key=attrgetter("weight"), reverse=True)
    return found


def drawing_on(actor: Actor, target: str, facts: Facts) -> list[str]:
    """The live Spaces that `target` answers: for each what `resolve` says of this one lobe.

    The facts hold the links of every Space that may be among them.
    """
    return [space for space, one in asking_for(actor, target, facts) if one.allowed]


def asking_for(
    actor: Actor, target: str, facts: Facts, *, owned: bool = False
) -> list[tuple[str, LobeDecision]]:
    """Every other live Space that the person may know (`owned`: that is theirs), with what
    `resolve` says there of the lobe of `target`; none where the person may not read it. The facts
    hold their links."""
    facts = _for_the_person(actor, facts)
    person = person_of(actor)
    may = _entry(Human(person), facts)
    asked = facts.spaces.get(target)
    if asked is None or not may(asked.standing):
        return []
    lobe = LobeAddress("space", target)
    return [
        (own.id, _decision(lobe, _judge(asked, _asking(own, person, facts))))
        for own in facts.spaces.values()
        if own.id != target
        and own.is_live
        and (not owned or own.standing.owner == person)
        and may(own.standing) is not None
    ]


def between(
    actor: Actor, asking: Iterable[str], asked: Sequence[str], facts: Facts
) -> Iterator[tuple[LobeDecision, ...]]:
    """For each asking Space what `resolve` says there of each asked one. Both are Spaces that the
    person may know; the facts hold the links of the asking ones."""
    facts = _for_the_person(actor, facts)
    person = person_of(actor)
    may = _entry(Human(person), facts)
    others = [
        (LobeAddress("space", one), facts.spaces[one], may(facts.spaces[one].standing))
        for one in asked
    ]
    for one in asking:
        own = _asking(facts.spaces[one], person, facts)
        yield tuple(
            _decision(lobe, _judge(other, own) if readable else ("no_access", 0, ""))
            for lobe, other, readable in others
        )


def _for_the_person(actor: Actor, facts: Facts) -> Facts:
    """For an agent or a job as if its speaker were no superuser."""
    return facts if isinstance(actor, Human) else replace(facts, superusers=frozenset())


def _asking(own: SpaceFacts, person: Slug, facts: Facts) -> _Asking:
    links = facts.links.get(own.id, _NO_LINKS)
    return _Asking(
        own,
        links,
        person,
        facts,
        frozenset(links.config.excluded_from) | links.excludes | links.excluded_by,
        frozenset(parse_address(one) for one in links.config.muted),
        _subscribed(own, links, person, facts),
    )


_NO_LINKS = Links()


def _entry(human: Human, facts: Facts) -> Callable[[Standing], bool | None]:
    """Rule 0 for a Space, asked once for each distinct standing: a Space's id decides nothing.

    None: the person may not know of it; otherwise whether they may read it.
    """
    known: dict[Standing, bool | None] = {}
    seen: dict[int, bool | None] = {}

    def may(standing: Standing) -> bool | None:
        if id(standing) not in seen:
            if standing not in known:
                known[standing] = _may_read(human, standing, facts)
            seen[id(standing)] = known[standing]
        return seen[id(standing)]

    return may


def _may_read(human: Human, standing: Standing, facts: Facts) -> bool | None:
    space = Resource("space", "")
    probe = replace(facts, spaces={"": SpaceFacts("", standing)})
    if not authorize(human, "read_meta", space, probe).allowed:
        return None
    return authorize(human, "read_content", space, probe).allowed


def _subscribed(own: SpaceFacts, links: Links, person: str, facts: Facts) -> dict[str, str]:
    """Which Spaces A subscribes to, and by what. A subscription to a Space itself comes first."""
    found: dict[str, str] = {}
    for source in links.config.subscriptions:
        if source.type == "tag" and own.standing.owner == person:
            for space in links.tagged.get(source.id, frozenset()):
                tagged = facts.spaces.get(space)
                if tagged is not None and tagged.standing.owner == person:
                    found.setdefault(space, f"#{source.id}")
        elif (group := facts.groups.get(source.id)) and group.kind == source.type:
            for space in facts.spaces.values():
                if space.standing.group == source.id:
                    found.setdefault(space.id, f"{source.type}/{source.id}")
    for source in links.config.subscriptions:
        if source.type == "space":
            found[source.id] = source.id
    return found


# The table -------------------------------------------------------------------------------------


def _judge(b: SpaceFacts, a: _Asking) -> _Row:
    """Rules 1 to 13 for a Space that the person may read."""
    owned = b.standing.owner == a.person == a.space.standing.owner
    if b.id == a.space.id:
        return "own", 1, ""
    if b.id in a.excluded:
        return "excluded", 2, _whose_exclusion(b, a)
    if not b.is_live:
        return "inactive", 3, ""
    if b.is_private:
        return "private", 4, b.id
    if a.muted and LobeAddress("space", b.id) in a.muted:
        return "muted", 6, ""
    if owned and b.cross_space == "open" and a.space.cross_space == "open":
        return "sibling", 8, ""
    if b.id in a.subscribed:
        return "subscribed", 9, a.subscribed[b.id]
    if owned and b.id in a.links.approved_once:
        return "once", 10, ""
    if owned:
        strictest = stricter(a.space.cross_space, b.cross_space)
        side = a.space.id if a.space.cross_space == strictest else b.id
        return ("ask", 11, side) if strictest == "ask" else ("closed", 12, side)
    return "not_linked", 13, ""


def _whose_exclusion(b: SpaceFacts, a: _Asking) -> str:
    return b.id if b.id in a.links.excluded_by else a.space.id


def _groups(a: _Asking) -> list[LobeDecision]:
    """Rules 6, 7 and 13 for the lobes of groups that the person may know of."""
    human = Human(a.person)
    found: list[LobeDecision] = []
    for name, group in a.facts.groups.items():
        lobe = LobeAddress(group.kind, name)
        gate = authorize(human, "read_content", Resource("group", name), a.facts)
        if gate.reason == "not_found":
            continue
        hops = min(group.hops.get(a.person, _FAR), group.space_hops.get(a.space.id, _FAR))
        if not gate.allowed:
            found.append(_decision(lobe, ("no_access", 0, "")))
        elif lobe in a.muted:
            found.append(_decision(lobe, ("muted", 6, "")))
        elif not a.links.config.sound:
            # Whether it is muted can't be read.
            found.append(_decision(lobe, ("closed", 12, a.space.id)))
        elif hops < _FAR:
            decision = _decision(lobe, ("member", 7, name))
            found.append(decision._replace(weight=1 / (1 + hops)))
        else:
            found.append(_decision(lobe, ("not_linked", 13, "")))
    return found


_FAR = 1_000_000


def _guests(a: _Asking) -> list[LobeDecision]:
    """Rules 6, 9 and 13 for what others share with the person."""
    linked = {one.id for one in a.links.config.subscriptions if one.type == "guest"}
    partners = {one.id for one in a.links.config.subscriptions if one.type == "user"}
    found: list[LobeDecision] = []
    for share_id, share in a.facts.shares.items():
        if share.recipient != a.person or not share.is_live:
            continue
        lobe = LobeAddress("guest", share_id)
        if lobe in a.muted:
            found.append(_decision(lobe, ("muted", 6, "")))
        elif share_id in linked or share.owner in partners:
            found.append(_decision(lobe, ("shared", 9, share.owner)))
        else:
            found.append(_decision(lobe, ("not_linked", 13, "")))
    return found


def _decision(lobe: LobeAddress, row: _Row) -> LobeDecision:
    reason, rule, by = row
    allowed = reason in ALLOWING
    return LobeDecision(lobe, allowed, reason, rule, WEIGHTS.get(reason, 0.0), by)
