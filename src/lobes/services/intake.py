"""One proposal on its way into one lobe, inside one unit of work: the same already, suppressed, or
a new memory that waits or is active.

What is compared is what the lobe holds, never what the index has, and of that what the caller may
read: what is kept from them decides nothing, as if it weren't there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from lobes.access.facts import Facts
from lobes.classify import VERSION
from lobes.domain.actors import is_human, name_of, person_of
from lobes.domain.errors import Invalid, LobesError, Unavailable, nothing_there
from lobes.domain.ids import LobeAddress, is_ulid
from lobes.domain.likeness import loosely
from lobes.domain.memories import (
    SUPPRESSED_DAYS,
    Memory,
    Provenance,
    Stage,
    Status,
    Wait,
    statement_hash,
)
from lobes.domain.memory_flags import hides_something, reads_like_instruction
from lobes.domain.proposals import (
    PER_HOUR,
    PER_SESSION,
    Circumstances,
    Origin,
    Outcome,
    Proposal,
    believed,
    checked,
    waits,
)
from lobes.domain.regions import without_private
from lobes.domain.sensitivity import MISSING, Finding, effective, strictest
from lobes.services.comparing import COPIES, Related, neighbourhood
from lobes.services.destinations import policy_of
from lobes.services.ingress import as_kept
from lobes.services.installation import Caller, Installation
from lobes.services.known_to import KnownTo
from lobes.services.shown_memory import statement_shown
from lobes.store.read_memories import proposed_since, tombstones_for

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork

SHOWN_NEIGHBOURS = 5


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory beside a new one, as the caller may read it; secrets are masked."""

    id: str
    relation: str
    likeness: float
    status: Status
    statement: str
    is_from_outside: bool = False
    """As the memory's own."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """What became of it. `id` is "" where it was suppressed; a repeat's is what is there
    already, with the reasons that it waits for."""

    id: str
    outcome: Outcome
    waits_for: tuple[Wait, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """One of many that was refused; `reason` is the code, `message` its sentence."""

    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Looked:
    """A proposal that passed its checks, and what was found in it."""

    proposal: Proposal
    origin: Origin
    findings: tuple[Finding, ...]


def look_at(proposal: Proposal, origin: Origin) -> Looked | LobesError:
    from lobes.classify.scan import scan  # not before there is a text to look at

    try:
        good = checked(proposal)
        for what, text in (("subject", good.subject), ("evidence", "\n\n".join(good.evidence))):
            if any(one.detector.is_secret for one in scan(text)):
                raise Invalid(
                    f"There is a secret in the {what}.",
                    hint="Leave it out: only a statement is kept back and masked.",
                    reason=f"bad_{what}",
                )
    except LobesError as refused:
        return refused
    evidence = tuple(without_private(one)[0] for one in origin.came.evidence)
    origin = replace(origin, came=replace(as_kept(origin.came), evidence=evidence))
    return Looked(good, origin, scan(good.statement))


@dataclass(slots=True)
class Intake:
    """What goes into one lobe in one unit of work."""

    lobes: Installation
    caller: Caller
    unit: UnitOfWork
    space: str
    lobe: LobeAddress
    facts: Facts
    verb: str
    tells: bool = True
    """Whether anybody hears of the neighbours."""
    counted: Counter[Stage] = field(default_factory=Counter["Stage"])
    taken: list[Memory] = field(default_factory=list[Memory])
    known: KnownTo = field(init=False)

    def __post_init__(self) -> None:
        words = neighbourhood(self.lobes.folders.store)
        self.known = KnownTo(self.unit.reader, words, self.caller, self.facts)

    def count(self, stage: Stage) -> None:
        self.counted[stage] += 1

    def close(self) -> None:
        """Store what was counted, before the unit is committed."""
        for stage, count in self.counted.items():
            self.unit.memories.count(self.lobe, stage, count)
        neighbourhood(self.lobes.folders.store).took(self.unit.reader, *self.taken[-1:])

    def refuse_flood(self, origin: Origin) -> None:
        """`Unavailable` (`too_many`) beyond what agents may propose in a session or an hour. What a
        person promotes may be an agent's, and isn't proposed by one."""
        if origin.author != "agent" or is_human(self.caller.actor):
            return
        now, person = self.unit.now, person_of(self.caller.actor)
        hour = now - timedelta(hours=1)
        store, session = self.unit.reader, origin.came.session
        many = proposed_since(store, person=person, session="", since=hour) >= PER_HOUR
        if session and not many:
            long = now - timedelta(days=1)
            found = proposed_since(store, person=person, session=session, since=long)
            many = found >= PER_SESSION
        if many:
            raise Unavailable(
                "Too many proposals wait to be looked at.",
                hint="Propose again when a person has reviewed them, or in an hour.",
                reason="too_many",
            )

    def tried(self, looked: Looked | LobesError) -> Proposed | Left:
        """One of many: a refusal is a value, and the others go on."""
        try:
            return self.counted_in(looked)
        except LobesError as refused:
            return Left(refused.reason, refused.message)

    def counted_in(self, looked: Looked | LobesError) -> Proposed:
        """Take it in; what is refused counts as that, and is raised."""
        self.count("came")
        try:
            if isinstance(looked, LobesError):
                raise looked
            self.refuse_flood(looked.origin)
            return self.take(looked)
        except LobesError:
            self.count("refused")
            raise

    def take(self, looked: Looked) -> Proposed:
        wanted, origin = looked.proposal, looked.origin
        content_hash = statement_hash(wanted.statement)
        said = self.known.same(self.lobe, [content_hash]).get(content_hash, [])
        there = self._there(said)
        if there is not None:
            self.count("repeat")
            return Proposed(there.id, "repeat", self.known.as_told(there).waits_for)
        if origin.author != "user" and self._is_suppressed(content_hash):
            self.count("suppressed")
            return Proposed("", "suppressed")
        memory = self._made(looked, content_hash)
        related = self.known.related(memory)
        if (variant := self._variant(memory, related)) is not None:
            self.count("repeat")
            return Proposed(variant.id, "repeat", self.known.as_told(variant).waits_for)
        memory = self._judged(memory, looked, related, frozenset(status for _, status in said))
        by_policy = origin.author != "user" and not memory.waits_for
        actor = "policy" if by_policy else name_of(self.caller.actor)
        acts = {"user": "add"}
        act = "accept" if by_policy else acts.get(origin.author, "propose")
        self.unit.memories.put(memory, act=act, actor=actor)
        self.unit.memories.note_given(memory.id, origin.given)
        neighbourhood(self.lobes.folders.store).took(self.unit.reader, memory)
        self.taken.append(memory)
        self.count("by_policy" if by_policy else "waiting" if memory.waits_for else "added")
        outcome: Outcome = "pending" if memory.waits_for else "active"
        return Proposed(memory.id, outcome, memory.waits_for, self._told(related))

    def _there(self, said: Sequence[tuple[str, Status]]) -> Memory | None:
        """What says just that already, of what the caller may read."""
        ids = (id for id, status in said if status in ("active", "disputed", "proposed"))
        id = next(ids, "")
        return self.unit.memories.get(id) if id else None

    def _variant(self, memory: Memory, related: Sequence[Related]) -> Memory | None:
        """A proposal of this very session that differs in its punctuation alone: an agent that
        says it again in a minute makes no second one."""
        if memory.author != "agent":
            return None
        said = loosely(memory.statement)
        for one in related:
            other = one.memory
            mine = other.author == "agent" and other.provenance.session == memory.provenance.session
            if mine and other.status == "proposed" and loosely(other.statement) == said:
                return other
        return None

    def _is_suppressed(self, content_hash: str) -> bool:
        since = self.unit.now - timedelta(days=SUPPRESSED_DAYS)
        stones = tombstones_for(self.unit.reader, self.lobe, [content_hash], since=since)
        return any(map(self.known.knew, stones.get(content_hash, ())))

    def _made(self, looked: Looked, content_hash: str) -> Memory:
        wanted, origin = looked.proposal, looked.origin
        if wanted.replaces:
            self._require_replaced(wanted.replaces)
        given = wanted.given
        if origin.author != "user" and given is not None:
            given = strictest(given, MISSING)
        return Memory(
            id=self.lobes.new_id(),
            lobe=self.lobe,
            statement=wanted.statement,
            kind=wanted.kind,
            memory_class=wanted.memory_class,
            epistemic=believed(wanted, origin.author),
            status="proposed",
            author=origin.author,
            person=person_of(self.caller.actor),
            content_hash=content_hash,
            created=self.unit.now,
            updated=self.unit.now,
            subject=wanted.subject,
            category=wanted.category,
            provenance=self._came(wanted.evidence or origin.came.evidence, origin),
            confidence=wanted.confidence,
            level=effective(None, given=given, findings=looked.findings),
            given=given,
            findings=tuple(one.kept for one in looked.findings),
            classifier=VERSION,
            valid_from=wanted.valid_from,
            valid_to=wanted.valid_to,
            replaces=wanted.replaces,
        )

    def _came(self, evidence: Sequence[str], origin: Origin) -> Provenance:
        """It comes from outside as well where what it rests on does, as far as the caller may read
        that: what is kept from them is an id as any other."""
        named = (one.removeprefix("memory/") for one in evidence)
        ids = self.known.readable(id for id in named if is_ulid(id))
        rests = self.known.memories(ids).values()
        is_external = origin.came.is_external or any(one.is_from_outside for one in rests)
        return replace(origin.came, evidence=tuple(evidence), is_external=is_external)

    def _require_replaced(self, id: str) -> None:
        """Only what is retrieved in this lobe, and what its author may read, can be replaced."""
        known = self.unit.memories.get(id)
        if known is None or known.lobe != self.lobe or not known.is_retrievable:
            raise nothing_there()
        if not self.known.readable([id]):
            raise nothing_there()

    def _judged(
        self,
        memory: Memory,
        looked: Looked,
        related: Sequence[Related],
        said_before: frozenset[Status],
    ) -> Memory:
        found = {one.relation for one in related}
        # What a person types may hold an emoji; of others nobody sees what it holds.
        hides = memory.author != "user" and hides_something(memory)
        why = waits(
            Circumstances(
                author=memory.author,
                policy=policy_of(self.facts, self.space, self.lobe),
                is_asked=self.verb == "propose",
                is_elsewhere=self.lobe != LobeAddress("space", self.space),
                level=memory.level,
                category=memory.category,
                is_outside=memory.is_external or reads_like_instruction(memory) or hides,
                has_secret=any(one.detector.is_secret for one in looked.findings),
                has_finding=bool(looked.findings),
                has_conflict="conflict" in found,
                has_near_copy=bool(found & COPIES),
                replaces=bool(memory.replaces),
                said_before=said_before,
            )
        )
        if not why and not self.unit.memories.sealing.is_able:
            why = ("unsealed",)
        return replace(memory, waits_for=why, status="proposed" if why else "active")

    def _told(self, related: Sequence[Related]) -> tuple[Neighbour, ...]:
        """To an agent only what it could find: proposals are inert, for their maker too."""
        if not self.tells:
            return ()
        human = is_human(self.caller.actor)
        seen = [one for one in related if human or one.memory.is_retrievable]
        return tuple(
            Neighbour(
                one.memory.id,
                one.relation,
                one.likeness,
                one.memory.status,
                statement_shown(one.memory),
                one.memory.is_from_outside,
            )
            for one in seen[:SHOWN_NEIGHBOURS]
        )
