"""A home beside a secret store of the tests, whose back end runs in the real child process."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from homes import AHome
from lobes.store.secrets import Keyring, Seam

FIXTURES = Path(__file__).parent / "fixtures"


@dataclass
class Kept:
    """A home with a secret store of its own, in `person`."""

    home: AHome
    person: Path
    ring: str = "Honest"

    def store(self) -> Keyring:
        seam = Seam(
            allowed=(f"rings.{self.ring}",),
            folders=(str(FIXTURES),),
            environ={**os.environ, "HOME": str(self.person)},
            read_seconds=20,
            patient_seconds=20,
        )
        return Keyring(seam)

    def opened(self, store: Keyring) -> AHome:
        return replace(self.home, lobes=replace(self.home.lobes, secrets=lambda: store))

    def sql(self, statement: str) -> None:
        self.home.lobes.audit.flush()
        path = self.home.folders.audit
        with closing(sqlite3.connect(path, isolation_level=None)) as store:
            store.execute(statement)

    @property
    def calls(self) -> list[str]:
        path = self.person / "calls"
        return path.read_text("ascii").split() if path.exists() else []
