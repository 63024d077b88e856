"""A home with real parts (store, files, audit, index inside the test) and short ways to fill it."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from index_world import BagOfWords
from lobes.bootstrap import open_installation
from lobes.clock import utc_now
from lobes.config.folders import Folders, folders_under
from lobes.domain.actors import parse_actor
from lobes.domain.lobe_change import LobeChange
from lobes.engine.endpoint import EnginePlace
from lobes.engine.index import Index
from lobes.engine.inline import Inline
from lobes.engine.protocol import Engine
from lobes.services.homes import NewHome, add_samples, make_home
from lobes.services.indexing import IndexReport, index_all, index_space
from lobes.services.installation import Caller, Installation
from lobes.services.lobe_changes import save
from lobes.services.search import Answer, search
from lobes.services.space_adding import AddOptions, add_space

OWNER = "ada"
UNCHANGED = LobeChange()


@dataclass
class AHome:
    """One open home. `me` is its owner, present; `agent` is a reader bound to a Space."""

    folders: Folders
    lobes: Installation
    embedder: BagOfWords

    @property
    def me(self) -> Caller:
        return self.lobes.owner_at("cli", is_present=True)

    @property
    def absent(self) -> Caller:
        return self.lobes.owner_at("cli", is_present=False)

    def agent(self, space: str, *, preset: str = "reader") -> Caller:
        return Caller(parse_actor(f"ai:{OWNER}/{preset}@{space}"), "cli")

    def root(self, space: str) -> Path:
        return self.folders.spaces / space

    def a_space(
        self, space: str, files: Mapping[str, str | bytes], change: LobeChange = UNCHANGED
    ) -> Path:
        """A pack with these files and its `space.yaml`, added with this lobe; its folder."""
        root = self.root(space)
        kind = "area" if space.startswith("area_") else "project"
        self.write(space, "space.yaml", f"id: {space}\ntype: {kind}\nname: {space.title()}\n")
        for path, text in files.items():
            self.write(space, path, text)
        add_space(self.lobes, self.me, root, AddOptions())
        if not change.is_empty:
            save(self.lobes, self.me, space, change)
        return root

    def write(self, space: str, path: str, text: str | bytes) -> Path:
        target = self.root(space) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        return target

    def index(self, *spaces: str) -> IndexReport:
        """Follow the files of these Spaces (none: all) until words and vectors are there."""
        report = IndexReport()
        for space in spaces:
            report += index_space(self.lobes, self.me, space)
        if not spaces:
            report = index_all(self.lobes, self.me)
        self.settle()
        return report

    def settle(self) -> None:
        with self.lobes.database().begin() as unit:
            head = unit.outbox_head()
        assert self.lobes.engine.wait_words(head, seconds=30).reached
        assert self.lobes.engine.wait_vectors(seconds=30).reached

    def ask(self, query: str, space: str, *, by: Caller | None = None, limit: int = 10) -> Answer:
        return search(self.lobes, by or self.me, query, space=space, limit=limit)

    def found(self, query: str, space: str, *, by: Caller | None = None) -> set[tuple[str, str]]:
        """Space and path of what a search finds by a word of the query."""
        answer = self.ask(query, space, by=by, limit=100)
        return {(hit.space, hit.path) for hit in answer.items if hit.words is not None}

    def with_engine(self, engine: Engine) -> AHome:
        """The same home asked through another engine."""
        return replace(self, lobes=replace(self.lobes, engine=engine))

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self.lobes.reading() as store:
            return store.execute(sql, values).fetchall()

    def execute(self, sql: str, *values: object) -> None:
        """Change the store behind the services' back."""
        import sqlite3
        from contextlib import closing

        with closing(sqlite3.connect(self.folders.store, timeout=10)) as store, store:
            store.execute(sql, values)

    def audited(self, event: str) -> list[dict[str, Any]]:
        """The audit's rows of one event, oldest first."""
        self.lobes.audit.flush()
        rows = [one for one in self.lobes.audit.rows(1000) if one.event == event]
        return [
            {
                "actor": one.actor,
                "verb": one.verb,
                "resources": list(one.resources),
                "channel": one.channel,
                "answer": one.answer,
                "text": json.dumps([str(one.decisions), str(one.counts)]),
            }
            for one in reversed(rows)
        ]


@contextmanager
def opened_home(
    folder: Path, *, presence: str = "off", samples: bool = False, cross_space: str = "open"
) -> Generator[AHome]:
    """A new home below `folder`, or the one that is there, open until the end of the `with`."""
    folders = folders_under(folder)
    if not folders.store.exists():
        wanted = NewHome(OWNER, default_cross_space=cross_space, presence=presence)  # type: ignore[arg-type]
        make_home(folders, wanted, clock=utc_now)
    embedder = BagOfWords()
    place = EnginePlace(folders.index, folders.store)

    def index(place: EnginePlace) -> Index:
        return Index(place.folder, place.store, embedder=embedder)

    with (
        open_installation(folders, environ={"LOBES_SECRET_STORE": "off"}) as lobes,
        Inline(place, index=index) as engine,
    ):
        home = AHome(folders, replace(lobes, engine=engine), embedder)
        if samples:
            add_samples(home.lobes, home.me)
        yield home
