"""Spaces in the store: one version, and flat columns that always say what the config says."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_rows import new_store, opened, space

from lobes.domain.errors import Conflict
from lobes.domain.lobes import LobeConfig
from lobes.domain.packs import Policy, Repository, SpaceYaml
from lobes.store.database import Database
from lobes.store.manifest_json import dump_space_yaml, is_broken, parse_space_yaml_json


@pytest.fixture
def store(tmp_path: Path) -> Any:
    database = opened(new_store(tmp_path))
    yield database
    database.close()


def rows(store: Database, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(store.path)) as reader:
        return reader.execute(sql).fetchall()


def write(store: Database, sql: str) -> None:
    with closing(sqlite3.connect(store.path, isolation_level=None)) as writer:
        writer.execute(sql)


MANIFEST = SpaceYaml(
    id="prj_a",
    kind="project",
    name="A",
    cross_space="deny",
    roles={"goals": "goals.md"},
    policy=Policy(read=("selected-health-notes",)),
    repositories=(Repository("~/Sites/a", "main"),),
    inherit_categories=(),
)


def test_a_space_comes_back_as_it_went_in(store: Database) -> None:
    lobe = LobeConfig(cross_space="ask", excluded_from=("prj_b",), tags=("craft", "work"))
    given = replace(space(lobe=lobe), trusted=MANIFEST, trusted_hash="h", group="team_x")
    given = replace(given, binding=replace(MANIFEST, cross_space="deny"), trashed_from="archived")
    with store.begin() as unit:
        unit.spaces.add(given)
        unit.commit()
    with store.begin() as unit:
        assert unit.spaces.get("prj_a") == given
        assert unit.spaces.get("prj_b") is None


def test_the_second_space_with_an_id_is_a_conflict(store: Database) -> None:
    with store.begin() as unit:
        unit.spaces.add(space())
        with pytest.raises(Conflict) as caught:
            unit.spaces.add(space())
    assert caught.value.reason == "exists"


def test_saving_what_was_changed_meanwhile_is_a_conflict_and_changes_nothing(
    store: Database,
) -> None:
    """DU-02, DU-03: no lost update."""
    with store.begin() as unit:
        unit.spaces.add(space())
        unit.commit()
    with store.begin() as unit:
        mine = unit.spaces.get("prj_a")
    assert mine is not None
    with store.begin() as unit:
        saved = unit.spaces.save(replace(mine, name="Theirs"))
        unit.commit()
    assert saved.version == 2
    late = replace(mine, name="Mine", lobe=LobeConfig(is_private=True, tags=("late",)))
    with pytest.raises(Conflict) as caught, store.begin() as unit:
        unit.spaces.save(late)
    assert caught.value.reason == "changed"
    assert rows(store, "SELECT name, version, is_private FROM space") == [("Theirs", 2, 0)]
    assert rows(store, "SELECT * FROM lobe_tag") == []


def test_config_columns_and_edges_change_together(store: Database) -> None:
    with store.begin() as unit:
        first = space(lobe=LobeConfig(excluded_from=("prj_b", "prj_c"), tags=("one", "two")))
        unit.spaces.add(first)
        lobe = LobeConfig(is_private=True, excluded_from=("prj_c",), tags=("two", "two"))
        unit.spaces.save(replace(first, lobe=lobe))
        unit.commit()
    assert rows(store, "SELECT is_private, cross_space, config_ok FROM space") == [(1, "open", 1)]
    assert rows(store, "SELECT * FROM lobe_exclusion") == [("prj_a", "prj_c")]
    assert rows(store, "SELECT * FROM lobe_tag") == [("prj_a", "two")]


@pytest.mark.parametrize(
    ("own", "trusted", "effective"),
    [
        ("open", "ask", "ask"),
        ("deny", "open", "deny"),
        ("ask", None, "ask"),
        ("ask", "deny", "deny"),
    ],
)
def test_the_column_is_the_stricter_of_lobe_and_binding_manifest(
    store: Database, own: Any, trusted: Any, effective: str
) -> None:
    manifest = replace(MANIFEST, cross_space=trusted)
    with store.begin() as unit:
        unit.spaces.add(replace(space(lobe=LobeConfig(cross_space=own)), binding=manifest))
        unit.commit()
    assert rows(store, "SELECT cross_space FROM space") == [(effective,)]


def test_renaming_a_space_leaves_a_broken_config_broken(store: Database) -> None:
    with store.begin() as unit:
        unit.spaces.add(space(lobe=LobeConfig(excluded_from=("prj_b",))))
        unit.commit()
    write(store, "UPDATE space SET lobe_config = '{broken'")
    with store.begin() as unit:
        found = unit.spaces.get("prj_a")
        assert found is not None
        assert not found.lobe.sound
        unit.spaces.save(replace(found, name="New"))
        unit.commit()
    sql = "SELECT name, lobe_config, is_private, cross_space, config_ok FROM space"
    assert rows(store, sql) == [("New", "{broken", 1, "deny", 0)]
    assert rows(store, "SELECT other FROM lobe_exclusion") == [("prj_b",)]


def test_a_manifest_that_nobody_can_read_closes_the_space(store: Database) -> None:
    with store.begin() as unit:
        unit.spaces.add(replace(space(), trusted=MANIFEST))
        unit.commit()
    write(store, "UPDATE space SET manifest = '{\"id\": 7}'")
    with store.begin() as unit:
        found = unit.spaces.get("prj_a")
        assert found is not None
        assert found.trusted is None
        unit.spaces.save(found)
        unit.commit()
    assert rows(store, "SELECT manifest, cross_space FROM space") == [('{"id": 7}', "deny")]


def test_a_scan_notes_the_root_without_making_an_edit_late(store: Database) -> None:
    with store.begin() as unit:
        unit.spaces.add(space())
        unit.spaces.set_root_state("prj_a", "ok", device="8", inode="9")
        found = unit.spaces.get("prj_a")
        unit.commit()
    assert found == replace(space(), root_state="ok", root_device="8", root_inode="9")


def test_a_manifest_survives_the_way_through_json() -> None:
    assert parse_space_yaml_json(dump_space_yaml(MANIFEST)) == MANIFEST


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "[]",
        "{",
        "null",
        '{"id": "a"}',
        dump_space_yaml(MANIFEST).replace('"deny"', '"perhaps"'),
        dump_space_yaml(MANIFEST).replace('"name": "A"', '"name": 1'),
        dump_space_yaml(MANIFEST).replace('"name": "A"', '"name": "A", "name": "B"'),
        dump_space_yaml(MANIFEST).replace('"name": "A"', '"name": "A", "owner": "eve"'),
        dump_space_yaml(MANIFEST).replace('["selected-health-notes"]', '["a", 2]'),
    ],
)
def test_a_manifest_that_isnt_right_to_the_letter_is_none(stored: str) -> None:
    assert parse_space_yaml_json(stored) is None
    assert is_broken(stored)


def test_no_manifest_is_not_a_broken_one() -> None:
    assert parse_space_yaml_json("{}") is None
    assert not is_broken("{}")
