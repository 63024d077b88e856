"""Rights put over a built home and taken off again: the same passages, asked by somebody else.

Two owners, a team in a department in an organization, Spaces open to their group and Spaces open to
those who are named, documents closer than their Space. The speaker owns none of it and may read
every Space, so that the same questions find as much.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace

from tests.bench.building import Built

from lobes.clock import utc_now
from lobes.domain.lobes import LobeConfig, dump_config, parse_config, parse_subscription
from lobes.domain.permissions import Permission, dump_permission

SPEAKER, OWNER = "cleo", "bob"
CLOSED = 500
CLOSED_LOBES = 100
PEOPLE = tuple(f"p{number:03}" for number in range(200))
TEAMS = tuple(f"team_{number:02}" for number in range(20))
GROUPS = (TEAMS[0], "dept", "org")
"""Those that the speaker is in: by the first team in the two above it."""
_READS = ("read_meta", "read_content")


@dataclass(frozen=True, slots=True)
class Rights:
    """`closed`: the documents that the speaker may not read, in so many `lobes`."""

    closed: frozenset[str]
    lobes: int


@contextmanager
def with_rights(built: Built) -> Generator[Rights]:
    """The home with these rights until the end of the `with`; nothing is indexed anew."""
    with closing(sqlite3.connect(built.folders.store, timeout=10)) as store:
        store.execute("PRAGMA foreign_keys = ON")
        sql = "SELECT owner, group_id, permission, lobe_config, id FROM space"
        before = store.execute(sql).fetchall()
        try:
            with store:
                _people(store)
                _spaces(store, built.spaces)
                rights = _documents(store, built.spaces)
            yield rights
        finally:
            with store:
                store.execute("UPDATE document SET permission = NULL")
                store.executemany(_SPACE, before)
                for table in ("membership", "person_group"):
                    store.execute(f"DELETE FROM {table}")
                added = (SPEAKER, OWNER, *PEOPLE)
                store.executemany("DELETE FROM person WHERE id = ?", [(one,) for one in added])


_SPACE = "UPDATE space SET owner = ?, group_id = ?, permission = ?, lobe_config = ? WHERE id = ?"


def _people(store: sqlite3.Connection) -> None:
    now = utc_now().isoformat()
    people = [(one, one, 0, now) for one in (SPEAKER, OWNER, *PEOPLE)]
    store.executemany("INSERT INTO person VALUES (?, ?, ?, ?)", people)
    groups = [("org", "organization", None), ("dept", "department", "org")]
    groups += [(one, "team", "dept") for one in TEAMS]
    store.executemany(
        "INSERT INTO person_group VALUES (?, ?, ?, ?, ?, NULL)",
        [(id, kind, id, parent, now) for id, kind, parent in groups],
    )
    members = [(TEAMS[n % len(TEAMS)], one, "member", now) for n, one in enumerate(PEOPLE)]
    members += [(TEAMS[0], SPEAKER, "member", now), ("org", OWNER, "owner", now)]
    store.executemany("INSERT INTO membership VALUES (?, ?, ?, ?)", members)


def _spaces(store: sqlite3.Connection, spaces: tuple[str, ...]) -> None:
    """Half of them each owner's, in every group; of two one is public, of the rest one is opened to
    the group above and one to the speaker."""
    config = store.execute("SELECT lobe_config FROM space WHERE id = ?", spaces[:1]).fetchone()[0]
    kinds = ("team", "department", "organization")
    sources = tuple(
        parse_subscription(f"{kind}:{group}") for kind, group in zip(kinds, GROUPS, strict=True)
    )
    asks = dump_config(replace(parse_config(config), subscriptions=sources))
    opened = [
        None,
        _named("group:dept", f"user:{OWNER}"),
        None,
        _named(f"user:{SPEAKER}", "group:team_01"),
    ]
    store.executemany(
        _SPACE,
        [
            (
                ("me", OWNER)[number // 4 % 2],
                GROUPS[number % len(GROUPS)],
                opened[number % len(opened)],
                asks if number == 0 else dump_config(LobeConfig()),
                space,
            )
            for number, space in enumerate(spaces)
        ],
    )


def _named(*subjects: str) -> str:
    grants = tuple((verb, frozenset(subjects)) for verb in _READS)
    return dump_permission(Permission("restricted", grants))


def _documents(store: sqlite3.Connection, spaces: tuple[str, ...]) -> Rights:
    """As many of each lobe: every other one its owner's alone, the rest for a person beside."""
    lobes = spaces[:: max(1, len(spaces) // CLOSED_LOBES)][:CLOSED_LOBES]
    each = max(1, CLOSED // len(lobes))
    closed: list[str] = []
    for space in lobes:
        sql = "SELECT id FROM document WHERE space = ? ORDER BY id LIMIT ?"
        closed += [row[0] for row in store.execute(sql, (space, each))]
    own = (dump_permission(Permission("private")), _named(f"user:{PEOPLE[0]}"))
    store.executemany(
        "UPDATE document SET permission = ? WHERE id = ?",
        [(own[number % 2], id) for number, id in enumerate(closed)],
    )
    return Rights(frozenset(closed), len(lobes))
