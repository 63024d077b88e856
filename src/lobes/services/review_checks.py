"""Whether what was proposed can be taken as it is: held against what there is now.

Looked at when an item is opened and once more in the unit of work that accepts it, and by what the
one who looks may read: what held it back and is gone holds it back no more, what whoever proposed
it couldn't read does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from lobes.access.facts import Facts
from lobes.domain.errors import LobesError
from lobes.domain.ids import LobeAddress
from lobes.domain.likeness import Alike
from lobes.domain.memories import LONGEST, SUPPRESSED_DAYS, Memory, Tombstone
from lobes.domain.reviewing import CHOOSE, CONFIRM, Brake, NeedsChoice, Stale, brakes, held
from lobes.services.comparing import LEAST, relations
from lobes.services.decisions import Asked
from lobes.services.ingress import looked_at
from lobes.services.known_to import ABOUT_OTHERS, KnownTo
from lobes.store.read_memories import memories, tombstones_for

CLOSEST = 8
"""Of what the same decision has brought into use so far, how many each proposal is compared with: a
batch of 500 that are all alike is decided within two seconds."""

_EVER = datetime.min.replace(tzinfo=UTC)

OPTIONS = ("supersede", "dispute", "reject")


@dataclass(frozen=True, slots=True)
class Outdated:
    """What is in the way, and the other memory that it is about; "" where it is about none."""

    code: Stale
    other: str = ""
    is_exact: bool = True


class Surroundings:
    """What some proposals are held against; read once for all of them."""

    def __init__(
        self,
        store: sqlite3.Connection,
        proposals: Iterable[Memory],
        facts: Facts,
        known: KnownTo,
        *,
        now: datetime,
    ) -> None:
        self._facts = facts
        self._known = known
        self._now = now
        self._same: dict[LobeAddress, dict[str, set[str]]] = {}
        self._stones: dict[tuple[LobeAddress, str], list[Tombstone]] = {}
        self._taken: dict[LobeAddress, _Taken] = {}
        gathered: dict[LobeAddress, list[Memory]] = {}
        for one in proposals:
            gathered.setdefault(one.lobe, []).append(one)
        replaced = {one.replaces for some in gathered.values() for one in some if one.replaces}
        self.targets = memories(store, known.readable(sorted(replaced)))
        for lobe, some in gathered.items():
            self._load(store, lobe, some)

    def _load(self, store: sqlite3.Connection, lobe: LobeAddress, some: Sequence[Memory]) -> None:
        hashes = {one.content_hash for one in some}
        self._same[lobe] = {
            content_hash: {id for id, status in found if status in ("active", "disputed")}
            for content_hash, found in self._known.same(lobe, sorted(hashes)).items()
        }
        since = self._now - timedelta(days=SUPPRESSED_DAYS)
        stones = tombstones_for(store, lobe, sorted(hashes), since=since)
        self._stones |= {
            (lobe, content_hash): [one for one in found if one.cause == "rejected"]
            for content_hash, found in stones.items()
        }

    def took(self, memory: Memory) -> None:
        """This one is in use from now on."""
        same = self._same.setdefault(memory.lobe, {})
        same.setdefault(memory.content_hash, set()).add(memory.id)
        self._taken.setdefault(memory.lobe, _Taken()).add(memory)

    def owner_of(self, lobe: LobeAddress) -> str:
        """Whose lobe it is; "" for one that is no person's alone."""
        if lobe.kind == "personal":
            return lobe.id
        space = self._facts.spaces.get(lobe.id) if lobe.kind == "space" else None
        return space.standing.owner if space is not None else ""

    def judged(self, memory: Memory) -> Memory:
        """The proposal with the reasons to wait that there are now. One that isn't about what is in
        use stays as long as its cause does, until it is checked again."""
        if memory.status != "proposed":
            return memory
        there = self._known.found_now(memory) | self._known.still(memory)
        kept = [one for one in memory.waits_for if one not in ABOUT_OTHERS or one in there]
        new = sorted(there.difference(kept))
        return replace(memory, waits_for=(*kept, *new))

    def is_opposed(self, memory: Memory) -> bool:
        """Whether something in use contradicts it."""
        return self._known.is_opposed(memory)

    def brakes(self, memory: Memory) -> tuple[Brake, ...]:
        return self.braked(self.judged(memory))

    def listed_brakes(self, memory: Memory) -> tuple[Brake, ...]:
        """What its row in a list shows, by the reasons of when it came."""
        return self.braked(replace(memory, **self._known.as_listed(memory)._asdict()))

    def braked(self, memory: Memory) -> tuple[Brake, ...]:
        """What holds it back by the reasons to wait that it has."""
        replaced = self.targets.get(memory.replaces)
        return brakes(looked_at(memory), replaced.author if replaced else "")

    def outdated(self, memory: Memory) -> Outdated | None:
        """The first thing that is in the way of accepting it; None where nothing is."""
        if self._space_is_gone(memory.lobe):
            return Outdated("space_gone")
        if len(memory.statement) > LONGEST:
            return Outdated("over_limit")
        if memory.replaces and not self._target_is_as_it_was(memory):
            return Outdated("target_changed", memory.replaces)
        same = self._same.get(memory.lobe, {}).get(memory.content_hash, set()) - {memory.id}
        if same:
            return Outdated("duplicate_since", min(same))
        stones = self._stones.get((memory.lobe, memory.content_hash), ())
        late = (one for one in stones if one.id != memory.id and one.at >= memory.created)
        if any(map(self._known.knew, late)):
            return Outdated("suppressed_since", is_exact=False)
        return self._related(memory)

    def _space_is_gone(self, lobe: LobeAddress) -> bool:
        space = self._facts.spaces.get(lobe.id)
        return lobe.kind == "space" and (space is None or not space.is_live)

    def _target_is_as_it_was(self, memory: Memory) -> bool:
        target = self.targets.get(memory.replaces)
        if target is None or not target.is_retrievable or memory.updated > self._now:
            return False
        return target.updated <= memory.updated

    def _held_against(self, memory: Memory) -> datetime:
        """From when on what came into use is new to it. Where the clock was put back since, nobody
        can say what came first: then all of it is."""
        return _EVER if memory.updated > self._now else memory.updated

    def _related(self, memory: Memory) -> Outdated | None:
        """Contradictions first: a number that differs is no copy, however alike the rest is."""
        begun = self._held_against(memory)
        since = [one for one in self._known.in_use(memory) if one.memory.updated >= begun]
        if (taken := self._taken.get(memory.lobe)) is not None:
            since += relations(memory, taken.near(memory))
        found = [one for one in since if one.memory.id != memory.replaces]
        for one in found:
            if one.relation == "conflict":
                return Outdated("conflict_since", one.memory.id)
        for one in found:
            if one.relation == "near_copy":
                return Outdated("duplicate_since", one.memory.id, is_exact=False)
        return None


class _Taken:
    """What came into use, kept by its words: a batch of hundreds compares none with all."""

    def __init__(self) -> None:
        self._alike = Alike()
        self._memories: dict[str, Memory] = {}

    def add(self, memory: Memory) -> None:
        self._memories[memory.id] = memory
        self._alike.put(memory.id, memory.statement)

    def near(self, memory: Memory) -> list[Memory]:
        found = self._alike.near(memory.statement, most=CLOSEST + 1, least=LEAST)
        return [self._memories[id] for id, _ in found if id != memory.id]


def check_acceptance(
    asked: Asked, memory: Memory, known: Surroundings, *, is_batch: bool, has_chosen: bool = False
) -> None:
    """Nothing where it can be taken; otherwise why not. `has_chosen`: the person decided what
    becomes of what it contradicts or replaces."""
    if error := refusal(asked, memory, known, is_batch=is_batch, has_chosen=has_chosen):
        raise error


def refusal(
    asked: Asked, memory: Memory, known: Surroundings, *, is_batch: bool, has_chosen: bool = False
) -> LobesError | None:
    if is_batch and known.listed_brakes(memory):
        return held("needs_look")
    brake = known.brakes(memory)
    if is_batch and brake:
        return held("needs_look")
    outdated = known.outdated(memory)
    if outdated is not None and (error := _in_the_way(outdated, asked, has_chosen=has_chosen)):
        return error
    if not has_chosen and not CHOOSE.isdisjoint(brake):
        if "conflict" in brake and "retires_yours" not in brake and not known.is_opposed(memory):
            return held("needs_recheck")
        return NeedsChoice(OPTIONS if "conflict" in brake else ("supersede", "reject"))
    if not asked.confirmed and not CONFIRM.isdisjoint(brake):
        return held("needs_confirmation")
    return None


def _in_the_way(found: Outdated, asked: Asked, *, has_chosen: bool) -> LobesError | None:
    if found.code == "conflict_since":
        return None if has_chosen else NeedsChoice(OPTIONS, "conflict_since")
    return None if asked.confirmed and not found.is_exact else held(found.code)
