"""Homes with a real store, and what tests ask of the engine processes of such a home."""

from __future__ import annotations

import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import psutil

from lobes.engine.client import Client, connect
from lobes.engine.endpoint import EnginePlace, read_endpoint
from lobes.engine.frames import receive, send
from lobes.store.migrate import STEPS, build

BUILD = "2.0"


def until(there: Callable[[], object], *, seconds: float = 10.0) -> float:
    """Wait for a state; the seconds that it took."""
    started = time.monotonic()
    while not there():
        took = time.monotonic() - started
        assert took < seconds, "it never came"
        time.sleep(0.002)
    return time.monotonic() - started


def make_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = sqlite3.connect(path)
    build(store, STEPS)
    store.execute("INSERT INTO person (id, name, created) VALUES ('per_1', 'A', '2026-01-01')")
    store.execute(
        "INSERT INTO space (id, kind, name, status, owner, root, lobe_config, created, updated)"
        " VALUES ('prj_one', 'project', 'One', 'active', 'per_1', '/r', '{}', 'x', 'x')"
    )
    store.commit()
    store.close()


def add_document(path: Path, name: str, text: str) -> int:
    """One document of one passage and its outbox row; the row's sequence number."""
    store = sqlite3.connect(path, timeout=10)
    with store:
        store.execute(
            "INSERT INTO document (id, space, path, title, content_hash, size, mtime_ns, tokens,"
            " indexed) VALUES (?, 'prj_one', ?, ?, ?, 1, 1, 1, 'x')",
            (f"doc_{name}", f"{name}.md", name, f"h{name}"),
        )
        store.execute(
            "INSERT INTO passage VALUES (?, ?, 0, '', ?, 1, 1, 3, ?)",
            (f"pas_{name}", f"doc_{name}", text, f"p{name}"),
        )
        row = store.execute(
            "INSERT INTO outbox (op, kind, id, lobe, content_hash)"
            " VALUES ('upsert', 'document', ?, 'space/prj_one', ?)",
            (f"doc_{name}", f"h{name}"),
        )
    store.close()
    assert row.lastrowid is not None
    return row.lastrowid


@dataclass
class Home:
    """A home on disk and the faces that talk to its engine."""

    folder: Path
    place: EnginePlace
    faces: list[Client] = field(default_factory=list[Client])

    def face(self, *, build: str = BUILD, place: EnginePlace | None = None) -> Client:
        face = connect(place or self.place, build=build)
        self.faces.append(face)
        return face

    def with_settings(self, **changes: object) -> None:
        self.place = replace(self.place, settings=replace(self.place.settings, **changes))

    def pid(self) -> int:
        """The engine that says it is there; 0 when none does."""
        endpoint = read_endpoint(self.place.endpoint)
        return endpoint.pid if endpoint else 0

    def started(self) -> int:
        """Start the engine and return its process id."""
        return ready(self.face())

    def engines(self) -> list[psutil.Process]:
        return [one for one in engines() if str(self.place.folder) in line_of(one)]


def ready(face: Client) -> int:
    """Make a face start the engine (or find it); its process id."""
    face.wait_words(0, seconds=10)
    return face.status().pid


@contextmanager
def call_under_way(home: Home, method: str, args: dict[str, object]) -> Iterator[socket.socket]:
    """A connection whose call the engine has begun: its loop reads in order, and answered later."""
    endpoint = read_endpoint(home.place.endpoint)
    assert endpoint is not None
    soon = time.monotonic() + 10
    with socket.socket(socket.AF_UNIX) as wire:
        wire.connect(endpoint.address)
        send(wire, {"token": endpoint.token, "build": BUILD, "session": "raw"}, until=soon)
        assert receive(wire, until=soon) == {"hello": True}
        send(wire, {"method": method, "args": args}, until=soon)
        home.face().status()
        yield wire


def line_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return []


def engines() -> list[psutil.Process]:
    """Every engine that this user has running; a dead one's line is empty."""
    return [one for one in psutil.process_iter() if "lobes.engine" in line_of(one)]
