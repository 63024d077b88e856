"""What becomes of memories when one of them is decided upon: of itself, and of those tied to it.

Pure, over the memories that an act can reach and their links. Every status moves along an arrow of
`memories.ARROWS`; links are symmetric because one row is read from both sides. Three things keep
holding: what is superseded has a successor, what is disputed has a counterpart that is used too,
and what goes takes its disputes with it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Literal, NamedTuple

from lobes.domain.errors import Conflict, Invalid, LobesError, nothing_there
from lobes.domain.memories import LOOK_AGAIN, Act, LinkKind, Memory, after, wrong_status


class Tie(NamedTuple):
    """A link. `supersedes`: new to old; `merged`: kept to gone; `disputes`: either way, once."""

    kind: LinkKind
    memory: str
    other: str


class Step(NamedTuple):
    """One memory along one arrow, or with new words (`edit`), looked at again, in another lobe."""

    act: Act | Literal["edit", "recheck", "move"]
    before: Memory
    after: Memory


class Lives:
    """A draft: begins as the store has it, is changed by acts, and says what to write."""

    def __init__(
        self, memories: Mapping[str, Memory], ties: Iterable[Tie], *, now: datetime
    ) -> None:
        self._now = now
        self._memories = dict(memories)
        self._first_ties = frozenset(ties)
        self._ties = set(self._first_ties)
        self.steps: list[Step] = []

    def __getitem__(self, id: str) -> Memory:
        found = self._memories.get(id)
        if found is None:
            raise nothing_there()
        return found

    @property
    def tied(self) -> frozenset[Tie]:
        return frozenset(self._ties - self._first_ties)

    @property
    def untied(self) -> frozenset[Tie]:
        return frozenset(self._first_ties - self._ties)

    @contextmanager
    def whole(self) -> Generator[None]:
        """What is done inside is done whole, or not at all where it fails."""
        memories, ties, steps = dict(self._memories), set(self._ties), len(self.steps)
        try:
            yield
        except LobesError:
            self._memories, self._ties = memories, ties
            del self.steps[steps:]
            raise

    # -- acts

    def accept(self, id: str) -> None:
        self._move("accept", id)

    def reject(self, id: str) -> None:
        self._move("reject", id)

    def reopen(self, id: str) -> None:
        self._move("reopen", id)

    def archive(self, id: str) -> None:
        self._move("archive", id)

    def restore(self, id: str) -> None:
        self._move("restore", id)

    def edit(
        self, id: str, changed: Memory, *, act: Literal["edit", "recheck", "move"] = "edit"
    ) -> None:
        """A memory as it is from now on; its status stays."""
        before = self[id]
        self._put(Step(act, before, self._next(before, replace(changed, status=before.status))))

    def supersede(self, new: str, old: str) -> None:
        """The old one is kept, out of use. A proposal is accepted by it."""
        self._two_of_a_lobe(new, old)
        self._accepted(new)
        self._move("supersede", old)
        self._ties.add(Tie("supersedes", new, old))
        self._leave_disputes(old)

    def merge(self, gone: str, kept: str) -> None:
        """One is folded into the other. What had been in use before comes back when the other one
        goes, as anything superseded does; what had only been proposed doesn't."""
        self._two_of_a_lobe(gone, kept)
        was_proposed = self[gone].status == "proposed"
        self._accepted(gone)
        self._accepted(kept)
        self._move("supersede", gone)
        self._ties.add(Tie("merged", kept, gone))
        if not was_proposed:
            self._ties.add(Tie("supersedes", kept, gone))
        self._leave_disputes(gone)

    def dispute(self, one: str, other: str) -> None:
        """Both stay in use, always shown together."""
        self._two(one, other)
        self._accepted(one)
        for id in (one, other):
            self._move("dispute", id)
        if Tie("disputes", other, one) not in self._ties:
            self._ties.add(Tie("disputes", one, other))

    def are_in_dispute(self, one: str, other: str) -> bool:
        return bool(self._between(one, other))

    def _between(self, one: str, other: str) -> set[Tie]:
        return {Tie("disputes", one, other), Tie("disputes", other, one)} & self._ties

    def settle(self, one: str, other: str) -> None:
        """The dispute is over, and both hold."""
        ties = self._between(one, other)
        if not ties:
            raise Conflict("These two aren't in dispute.", hint=LOOK_AGAIN, reason="wrong_status")
        self._ties -= ties
        for id in (one, other):
            self._settle(id)

    def delete(self, id: str) -> None:
        """Out of everything. What it had superseded comes back, unless its own successor holds;
        then that one is the successor of both."""
        self._move("delete", id)
        self._leave_disputes(id)
        newer = [tie for tie in self._ties if tie.kind == "supersedes" and tie.other == id]
        older = [tie for tie in self._ties if tie.kind == "supersedes" and tie.memory == id]
        self._ties.difference_update(newer, older)
        for _, _, old in sorted(older):
            self._ties.update(Tie("supersedes", tie.memory, old) for tie in newer)
            if not self._has_successor(old) and self[old].status == "superseded":
                self._move("reinstate", old)

    # -- how

    def _move(self, act: Act, id: str) -> None:
        before = self[id]
        status = after(act, before.status)
        if status != before.status:
            self._put(Step(act, before, self._next(before, replace(before, status=status))))

    def _next(self, before: Memory, changed: Memory) -> Memory:
        return replace(changed, version=before.version + 1, updated=self._now)

    def _put(self, step: Step) -> None:
        self._memories[step.after.id] = step.after
        self.steps.append(step)

    def _two(self, one: str, other: str) -> None:
        if one == other:
            raise Invalid(
                "It takes two different memories.", hint="Name another one.", reason="same"
            )
        for id in (one, other):
            self[id]

    def _two_of_a_lobe(self, one: str, other: str) -> None:
        """What takes the place of another is found where that one was."""
        self._two(one, other)
        if self[one].lobe != self[other].lobe:
            raise Invalid(
                "They are in two lobes: neither would be found in the place of the other.",
                hint="Promote the one that holds there first, or archive the other one.",
                reason="other_lobe",
            )

    def _accepted(self, id: str) -> None:
        """What holds the place of another is in use itself."""
        found = self[id]
        if found.status == "proposed":
            self._move("accept", id)
        elif not found.is_retrievable:
            raise wrong_status(found.status, ", so it can't take part in this")

    def _has_successor(self, id: str) -> bool:
        return any(tie.kind == "supersedes" and tie.other == id for tie in self._ties)

    def _leave_disputes(self, id: str) -> None:
        disputes = [tie for tie in self._ties if tie.kind == "disputes" and id in tie[1:]]
        self._ties.difference_update(disputes)
        for tie in sorted(disputes):
            self._settle(tie.other if tie.memory == id else tie.memory)

    def _settle(self, id: str) -> None:
        if self[id].status == "disputed" and not any(self._disputes(id)):
            self._move("settle", id)

    def _disputes(self, id: str) -> Iterator[Tie]:
        return (tie for tie in self._ties if tie.kind == "disputes" and id in tie[1:])
