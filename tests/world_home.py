"""A world of plain words, as `tests/authz` and the oracle read them, made into a real home.

Packs are added and followed as their owner does it; then persons, groups, owners, permissions,
lobes and levels are written into the store's rows, as the world says.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from homes import AHome, opened_home
from lobes.classify import VERSION
from lobes.clock import utc_now
from lobes.config.folders import folders_under
from lobes.domain.ids import derived_id
from lobes.domain.lobes import dump_config
from lobes.domain.memories import statement_hash
from lobes.domain.pack_edits import text_hash
from lobes.services.authz_worlds import config_of, stored
from lobes.services.homes import NewHome, make_home
from lobes.services.ingress import assess
from lobes.store.read_sensitivity import dump_findings

World = Mapping[str, Any]
Files = Mapping[str, Mapping[str, str]]
"""Space → path → text."""
WIDEST_FIRST = ("organization", "department", "team")


@contextmanager
def home_of(world: World, folder: Path, files: Files, *, names: bool = False) -> Generator[AHome]:
    """The home of this world, followed. With `names` a Space's pack says what it is called, in
    the `space.yaml` among its `files`."""
    make_home(folders_under(folder), NewHome(world["owner"], presence="off"), clock=utc_now)
    with opened_home(folder) as home:
        for space in world.get("spaces", {}):
            for path, text in files.get(space, {}).items():
                home.write(space, path, text)
            if names:
                from lobes.services.space_adding import AddOptions, add_space

                add_space(home.lobes, home.me, home.root(space), AddOptions())
            else:
                home.a_space(space, {})
        home.index()
        with closing(sqlite3.connect(home.folders.store, timeout=10)) as store, store:
            write_rows(store, world)
        for item in world.get("items", {}).values():
            if item.get("cause") == "changed_outside":
                home.write(item["in"].removeprefix("space/"), item["edit"], item["text"])
        home.settle()
        yield home


def document_id(space: str, path: str) -> str:
    return derived_id("document", space, path)


def memory_id(space: str, name: str = "memory") -> str:
    return derived_id(name, space)


def write_rows(store: sqlite3.Connection, world: World) -> None:
    """What the world says of its persons, groups and Spaces, of documents with a `path` and of
    memories with a `statement`; edits of packs with an `edit`, which is a path; sessions with
    `turns`."""
    now = utc_now().isoformat()
    for person in world["people"]:
        name = world.get("names", {}).get(person, person)
        store.execute("INSERT OR IGNORE INTO person VALUES (?, ?, 0, ?)", (person, name, now))
        store.execute("UPDATE person SET name = ? WHERE id = ?", (name, person))
    for person in world.get("superusers", ()):
        store.execute("UPDATE person SET is_superuser = 1 WHERE id = ?", (person,))
    groups = world.get("groups", {})
    for id in sorted(groups, key=lambda one: WIDEST_FIRST.index(groups[one]["kind"])):
        _group(store, id, groups[id], now)
    for id, space in world.get("spaces", {}).items():
        _space(store, id, space, world)
    for what, item in world.get("items", {}).items():
        if "path" in item:
            _document(store, item)
        elif "statement" in item:
            _memory(store, what.removeprefix("memory/"), item, now)
        elif "edit" in item:
            _edit(store, what.removeprefix("edit/"), item, now)
        elif "turns" in item:
            id, space = what.removeprefix("session/"), item["in"].removeprefix("space/")
            about = {key: item[key] for key in ("permission", "client", "turns")}
            write_session(store, id, space, item["owner"], **about)


def write_memory(
    store: sqlite3.Connection,
    space: str,
    statement: str,
    *,
    name: str = "memory",
    status: str = "active",
) -> None:
    """A memory of the Space's lobe and, where it is active, its row for the index."""
    id, now = memory_id(space, name), utc_now().isoformat()
    row = {
        "id": id,
        "lobe": f"space/{space}",
        "space": space,
        "statement": statement,
        "kind": "observation",
        "class": "project",
        "epistemic": "personal_observation",
        "written_status": status,
        "seal": "-",
        "author": "user",
        "person": "me",
        "content_hash": statement_hash(statement),
        "created": now,
        "updated": now,
    }
    marks = ", ".join(f":{name}" for name in row)
    store.execute(f"INSERT INTO memory ({', '.join(row)}) VALUES ({marks})", row)
    version = (id, 1, statement, row["content_hash"], status, "add", "user:me", "", now)
    store.execute("INSERT INTO memory_version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", version)
    if status != "active":
        return
    change = ("upsert", "document", id, row["lobe"], row["content_hash"])
    sql = "INSERT INTO outbox (op, kind, id, lobe, content_hash) VALUES (?, ?, ?, ?, ?)"
    store.execute(sql, change)


def _group(store: sqlite3.Connection, id: str, group: World, now: str) -> None:
    row = (id, group["kind"], group.get("name", id), group.get("parent"), now)
    store.execute("INSERT INTO person_group VALUES (?, ?, ?, ?, ?, NULL)", row)
    for role in ("owner", "member"):
        for person in group.get(f"{role}s", ()):
            row = (id, person, role, now)
            store.execute("INSERT OR IGNORE INTO membership VALUES (?, ?, ?, ?)", row)


def _space(store: sqlite3.Connection, id: str, space: World, world: World) -> None:
    config = replace(config_of(space), hold_external_changes=space.get("holds", False))
    modes = ("open", "ask", "deny")
    binding = space.get("manifest")
    effective = max(config.cross_space, binding or "open", key=modes.index)
    permission = space.get("permission")
    row = {
        "id": id,
        "owner": space["owner"],
        "group_id": space.get("group"),
        "permission": stored(permission),
        "status": space.get("status", "archived" if space.get("archived") else "active"),
        "lobe_config": "{" if space.get("lobe") == "broken" else dump_config(config),
        "config_ok": space.get("lobe") != "broken",
        "is_private": config.is_private,
        "cross_space": effective,
    }
    sets = ", ".join(f"{name} = :{name}" for name in row if name != "id")
    assert store.execute(f"UPDATE space SET {sets} WHERE id = :id", row).rowcount == 1, id
    if row["status"] == "deleted":
        sql = "UPDATE space SET status_before = 'active', trashed = updated WHERE id = ?"
        store.execute(sql, (id,))
    if space.get("holds"):
        # What is in the pack counts as what its person added.
        store.execute("INSERT INTO pack_text VALUES (?, '', '', '')", (id,))
        sql = """
            INSERT INTO pack_text SELECT d.space, d.path, d.content_hash, p.text
            FROM document d JOIN passage p ON p.document = d.id WHERE d.space = ?
            ON CONFLICT DO NOTHING
        """
        store.execute(sql, (id,))
    for other in space.get("excludes", ()):
        store.execute("INSERT INTO lobe_exclusion VALUES (?, ?)", (id, other))
    for tag in space.get("tags", ()):
        store.execute("INSERT INTO lobe_tag VALUES (?, ?)", (id, tag))


def _document(store: sqlite3.Connection, item: World) -> None:
    id = document_id(item["in"].removeprefix("space/"), item["path"])
    if "owner" in item:
        own = stored(item.get("permission", {"visibility": "public"}))
        store.execute("UPDATE document SET permission = ? WHERE id = ?", (own, id))
    if "sensitivity" in item:
        # What was found in it stays: by that its secrets are masked.
        sql = (
            "INSERT INTO document_sensitivity (document, level, classifier) VALUES (?, ?, ?) "
            "ON CONFLICT (document) DO UPDATE SET level = excluded.level"
        )
        store.execute(sql, (id, item["sensitivity"], VERSION))
    found = store.execute("SELECT COUNT(*) FROM document WHERE id = ?", (id,)).fetchone()
    assert found == (1,), item


def _memory(store: sqlite3.Connection, id: str, item: World, now: str) -> None:
    lobe = item["in"]
    row = {
        "id": id,
        "lobe": lobe,
        "space": lobe.removeprefix("space/") if lobe.startswith("space/") else None,
        "statement": item["statement"],
        "kind": "decision",
        "class": "project",
        "epistemic": "decision",
        "written_status": item.get("status", "active"),
        "seal": "-",
        "author": item.get("author", "user"),
        "person": item.get("person", "me"),
        "content_hash": id,
        "subject": item.get("subject", ""),
        "category": item.get("category", ""),
        "level": item.get("sensitivity", "internal"),
        "valid_to": item.get("valid_to"),
        "created": now,
        "updated": now,
    }
    marks = ", ".join(f":{name}" for name in row)
    store.execute(f"INSERT INTO memory ({', '.join(row)}) VALUES ({marks})", row)
    store.execute(
        "INSERT INTO outbox (op, kind, id, lobe, content_hash)"
        " VALUES ('upsert', 'document', ?, ?, ?)",
        (id, lobe, id),
    )


def _edit(store: sqlite3.Connection, id: str, item: World, now: str) -> None:
    text, status = item["text"], item.get("status", "proposed")
    row = {
        "id": id,
        "space": item["in"].removeprefix("space/"),
        "path": item["edit"],
        "base_hash": text_hash(item["before"]) if "before" in item else "",
        "text": text,
        "content_hash": text_hash(text),
        "status": status,
        "cause": item.get("cause", "proposed"),
        "person": item.get("person", ""),
        "created": now,
        "session": item.get("session", ""),
        "client": item.get("client", ""),
        "tool": "propose_pack_edit" if "client" in item else "",
        "why": item.get("why", ""),
        "level": item.get("sensitivity", "internal"),
        "findings": dump_findings([one.kept for one in assess(text).findings]),
        "decided": None if status == "proposed" else now,
        "reason": item.get("reason", ""),
        "decided_by": "" if status == "proposed" else "user:me",
    }
    marks = ", ".join(f":{name}" for name in row)
    store.execute(f"INSERT INTO pack_edit ({', '.join(row)}) VALUES ({marks})", row)


def session_id(space: str, name: str = "session") -> str:
    return derived_id("session", space, name)


def write_session(
    store: sqlite3.Connection,
    id: str,
    space: str,
    person: str,
    *,
    permission: World | str | None = None,
    client: str = "a client",
    turns: Sequence[World] = ({"summary": "Looked around."},),
) -> None:
    """A session of the person's agent with these turns, private unless the permission says
    otherwise; a turn has a `summary` and may have `decisions`, `evidence` and a `sensitivity`."""
    actor, now = f"ai:{person}/editor@{space}", utc_now().isoformat()
    own = stored(permission or {"visibility": "private"})
    row = (id, space, person, actor, client, own, now)
    store.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    for place, turn in enumerate(turns, start=1):
        decisions, evidence = turn.get("decisions", ()), turn.get("evidence", ())
        texts = (turn["summary"], *decisions)
        findings = [one.kept for text in texts for one in assess(text).findings]
        row = {
            "session": id,
            "place": place,
            "at": now,
            "actor": actor,
            "summary": turn["summary"],
            "decisions": json.dumps(decisions),
            "evidence": json.dumps(evidence),
            "level": turn.get("sensitivity", "internal"),
            "findings": dump_findings(findings),
            "classifier": VERSION,
        }
        marks = ", ".join(f":{name}" for name in row)
        store.execute(f"INSERT INTO session_turn ({', '.join(row)}) VALUES ({marks})", row)


def edit_id(space: str, name: str = "edit") -> str:
    return derived_id("pack_edit", space, name)


def write_edit(
    store: sqlite3.Connection,
    space: str,
    *,
    name: str = "edit",
    status: str = "proposed",
    text: str = "# New\n",
) -> None:
    """An agent's new file that waits in the Space, or what became of it."""
    id, now = edit_id(space, name), utc_now().isoformat()
    row = (id, space, f"plans/{name}.md", text, text_hash(text), status, now)
    store.execute(
        "INSERT INTO pack_edit (id, space, path, base_hash, text, content_hash, status, cause,"
        " person, created, tool, why) VALUES (?, ?, ?, '', ?, ?, ?, 'proposed', 'ada', ?, 't', '')",
        row,
    )
