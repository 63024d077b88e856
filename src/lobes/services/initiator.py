"""Work that goes on after it was allowed asks again, for whoever set it off.

Following a pack takes minutes, a watch days; meanwhile a right may be taken away. Each write asks
in its own transaction whether the initiator may still do it, and each text that is read whether
they may read it. Whoever may no longer ends the work as denied: nothing is written, nothing tried
again. An initiator is judged as they act: a person as a person, an agent by its ceiling.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lobes.access.facts import Resource
from lobes.services.authority import facts_of, require
from lobes.services.installation import Caller, Installation
from lobes.services.withheld import withheld_paths

if TYPE_CHECKING:
    from lobes.store.database import Database
    from lobes.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Initiator:
    """Who set off the work in one Space."""

    lobes: Installation
    caller: Caller
    space: str

    def withheld(self, store: sqlite3.Connection) -> frozenset[str]:
        """The paths of the Space whose texts the initiator may not read, once it is sure that
        they may still follow it. Raises `NotFound` or `Forbidden`, with a row in the record."""
        facts = facts_of(store, self.caller, self.space)
        job = replace(self.caller, channel="job")
        for verb in ("edit_content", "read_content"):
            require(self.lobes, job, verb, Resource("space", self.space), facts=facts)
        hidden = withheld_paths(store, self.caller, "read_content", facts, space=self.space)
        return hidden.get(self.space, frozenset())

    def withheld_now(self) -> frozenset[str]:
        """The same, before anything is read."""
        with self.lobes.reading() as store:
            return self.withheld(store)

    @contextmanager
    def writing(self, database: Database) -> Generator[tuple[UnitOfWork, frozenset[str]]]:
        """A unit of work in which the initiator may still write, with the paths that are withheld
        from them; raises as `withheld` where they may not."""
        with database.begin() as unit:
            yield unit, self.withheld(unit.reader)
