"""The facts that `authorize` and `resolve` read, loaded whole from one read snapshot.

Flat columns and edge tables instead of one JSON config a Space: 16 ms against 123 ms for 10,000
Spaces. The JSON is looked at too, each distinct text once: where it is broken or stricter than the
columns, it counts. A Space in the trash is in the facts only for those who empty or restore it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from functools import lru_cache

from lobes.access.facts import Facts, ItemFacts, Links, Resource, SpaceFacts, Standing
from lobes.domain.ids import LobeAddress, parse_address
from lobes.domain.lobes import BROKEN, CROSS_SPACE, CrossSpace, LobeConfig, parse_config, stricter
from lobes.domain.permissions import parse_permission
from lobes.store.read import batches, rows
from lobes.store.read_groups import group_facts

_SPACES = """
    SELECT id, owner, group_id, permission, status, is_private, cross_space, lobe_config
    FROM space WHERE (status <> 'deleted' OR ?)
"""
_LIVE = ("active", "finished")
_FEW = 16
_NOBODY: frozenset[str] = frozenset()


def load_facts(
    store: sqlite3.Connection,
    *,
    asking: Iterable[str] = (),
    things: Iterable[Resource] = (),
    trash: bool = False,
    removed_groups: Collection[str] = (),
    only: Collection[str] = (),
) -> Facts:
    """All Spaces (or `only` these), people and groups, the links of the `asking` Spaces, and what
    of these `things` is in a lobe. `removed_groups` count as if they were still there, for bringing
    them back; with `trash` so do what is in the trash and memories that were deleted.

    Call it inside `read.snapshot`, together with the reads that it decides on.
    """
    home = rows(store, "SELECT owner FROM home")
    owner = str(home[0][0]) if home else ""
    people = rows(store, "SELECT id, is_superuser FROM person")
    known = frozenset[str](row[0] for row in people)
    spaces = _spaces(store, trash=trash, only=only)
    in_groups = ((id, one.standing.group) for id, one in spaces.items())
    return Facts(
        owner=owner,
        people=known,
        superusers=frozenset(row[0] for row in people if row[1]),
        spaces=spaces,
        items=_item_facts(store, things, deleted=trash),
        groups=group_facts(store, people=known, spaces=in_groups, removed=removed_groups),
        # A Space that isn't there has none, and no preset either. They are read all the same: else
        # the statements would tell it from a hidden one.
        links={
            one: links
            for one, links in _links(store, tuple(dict.fromkeys(asking))).items()
            if one in spaces
        },
    )


def _spaces(
    store: sqlite3.Connection, *, trash: bool, only: Collection[str]
) -> dict[str, SpaceFacts]:
    standings: dict[tuple[str, str | None, str | None], Standing] = {}
    found: dict[str, SpaceFacts] = {}
    these = f" AND id IN ({','.join('?' * len(only))})" if only else ""
    columns = rows(store, f"{_SPACES}{these} ORDER BY id", (trash, *only))
    for space, owner, group, stored, status, private, cross_space, text in columns:
        key = (owner, group, stored)
        if key not in standings:
            standings[key] = Standing(owner, group, parse_permission(stored))
        config = _config(text)
        found[space] = SpaceFacts(
            space,
            standings[key],
            is_live=status in _LIVE,
            is_private=bool(private) or config.is_private,
            cross_space=_stricter(config, cross_space),
            agents_see_confidential=config.agents_see_confidential,
        )
    return found


@lru_cache(maxsize=20_000)
def _config(stored: str) -> LobeConfig:
    return parse_config(stored)


def _stricter(config: LobeConfig, column: str) -> CrossSpace:
    """Of the JSON and the column, which holds the manifest's word too; an unknown word closes."""
    for known in CROSS_SPACE:
        if known == column:
            return stricter(known, config.cross_space)
    return CROSS_SPACE[-1]


def _links(store: sqlite3.Connection, asking: Collection[str]) -> dict[str, Links]:
    """For a few Spaces by key, for many by whole tables: three statements instead of 3 × Spaces."""
    keys = tuple(asking) if len(asking) <= _FEW else ()
    marks = ",".join("?" * len(keys))

    def column(table: str, key: str, value: str) -> list[tuple[str, str]]:
        where = f"WHERE {key} IN ({marks})" if keys else ""
        return rows(store, f"SELECT {key}, {value} FROM {table} {where}", keys)

    if not asking:
        return {}
    excluded_by = _gathered(column("lobe_exclusion", "other", "space"))
    excludes = _gathered(column("lobe_exclusion", "space", "other"))
    texts = dict(column("space", "id", "lobe_config"))
    configs = {space: _config(texts[space]) if space in texts else BROKEN for space in asking}
    carriers = _carriers(store, configs.values())
    return {
        space: Links(
            config,
            excluded_by=excluded_by.get(space, _NOBODY),
            excludes=excludes.get(space, _NOBODY),
            tagged={
                one.id: carriers.get(one.id, _NOBODY)
                for one in config.subscriptions
                if one.type == "tag"
            },
        )
        for space, config in configs.items()
    }


def _carriers(
    store: sqlite3.Connection, configs: Iterable[LobeConfig]
) -> dict[str, frozenset[str]]:
    """Tag → the Spaces that carry it, for the tags that these lobes subscribe to."""
    wanted = {one.id for config in configs for one in config.subscriptions if one.type == "tag"}
    pairs: list[tuple[str, str]] = []
    for batch in batches(sorted(wanted)):
        marks = ",".join("?" * len(batch))
        pairs += rows(store, f"SELECT tag, space FROM lobe_tag WHERE tag IN ({marks})", batch)
    return _gathered(pairs)


def _gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, other in pairs:
        found.setdefault(one, set()).add(other)
    return {one: frozenset(others) for one, others in found.items()}


def _item_facts(
    store: sqlite3.Connection, things: Iterable[Resource], *, deleted: bool
) -> dict[Resource, ItemFacts]:
    """What the rules ask of those that are in a lobe; the others have no entry."""
    of: dict[str, list[str]] = {}
    for one in things:
        of.setdefault(one.kind, []).append(one.id)
    return (
        document_facts(store, of.get("document", ()))
        | memory_facts(store, of.get("memory", ()), deleted=deleted)
        | session_facts(store, of.get("session", ()))
    )


def document_facts(store: sqlite3.Connection, ids: Iterable[str]) -> dict[Resource, ItemFacts]:
    """What the rules ask of these documents; a gone one has no entry."""
    found: dict[Resource, ItemFacts] = {}
    for batch in batches(ids):
        sql = f"""
            SELECT d.id, d.space, d.permission, s.owner, s.group_id, n.level
            FROM document d JOIN space s ON s.id = d.space
            LEFT JOIN document_sensitivity n ON n.document = d.id
            WHERE d.id IN ({",".join("?" * len(batch))})
        """
        for document, space, stored, owner, group, level in rows(store, sql, batch):
            own = None if stored is None else Standing(owner, group, parse_permission(stored))
            item = ItemFacts(LobeAddress("space", space), own, level=level)
            found[Resource("document", document)] = item
    return found


def memory_facts(
    store: sqlite3.Connection, ids: Iterable[str], *, deleted: bool = False
) -> dict[Resource, ItemFacts]:
    """What the rules ask of these memories; one that isn't there has no entry, nor, unless asked
    for, has one that was deleted.

    With a permission of its own it has a standing of its own: a proposal belongs to its author
    until somebody accepts it, then it belongs to whoever its lobe belongs to.
    """
    found: dict[Resource, ItemFacts] = {}
    for batch in batches(ids):
        sql = f"""
            SELECT m.id, m.lobe, m.status, m.person, m.category, m.permission, m.level,
                s.owner, s.group_id
            FROM memory m LEFT JOIN space s ON s.id = m.space
            WHERE (m.status <> 'deleted' OR ?) AND m.id IN ({",".join("?" * len(batch))})
        """
        for id, lobe, status, person, category, own, level, owner, group in rows(
            store, sql, (deleted, *batch)
        ):
            address = parse_address(lobe)
            standing = None
            if own is not None:
                keeper = person if status in ("proposed", "rejected") else owner
                standing = _own_standing(address, keeper, person, group, own)
            item = ItemFacts(address, standing, category=category, level=level)
            found[Resource("memory", id)] = item
    return found


def _own_standing(
    lobe: LobeAddress, keeper: str | None, person: str, group: str | None, own: str
) -> Standing:
    """Outside of Spaces: a personal lobe's is its person's, a group's its author's."""
    if lobe.kind == "personal":
        return Standing(lobe.id, None, parse_permission(own))
    if lobe.kind in ("team", "department", "organization"):
        group = lobe.id
    return Standing(keeper or person, group, parse_permission(own))


def session_facts(store: sqlite3.Connection, ids: Iterable[str]) -> dict[Resource, ItemFacts]:
    """What the rules ask of these sessions, each its author's; of its turns each has a level of its
    own, the session has none."""
    found: dict[Resource, ItemFacts] = {}
    for batch in batches(ids):
        sql = f"""
            SELECT c.id, c.space, c.person, c.permission, s.group_id
            FROM session c JOIN space s ON s.id = c.space
            WHERE c.id IN ({",".join("?" * len(batch))})
        """
        for id, space, person, stored, group in rows(store, sql, batch):
            standing = Standing(person, group, parse_permission(stored))
            found[Resource("session", id)] = ItemFacts(LobeAddress("space", space), standing)
    return found
