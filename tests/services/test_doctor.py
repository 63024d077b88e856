"""What is wrong is named in words; looking changes nothing."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from contextlib import closing

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Forbidden, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.services.audit_log import verify_audit
from lobes.services.doctor import AREAS, Finding, examine, mend
from lobes.services.explaining import explain
from lobes.services.group_changes import NewGroup, add_group, edit_group, join_group
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save
from lobes.services.lobes import lobe_view
from lobes.services.search import search
from lobes.services.space_changes import archive_space
from lobes.store.found import SKIP_REASONS


def problems(home: AHome, area: str) -> list[str]:
    found = examine(home.lobes, home.me, areas=(area,))  # type: ignore[arg-type]
    return [one.text for one in found if one.level == "problem"]


@pytest.fixture
def pair(home: AHome) -> AHome:
    home.a_space("prj_a", {"a.md": "# A\n\nzephyr\n"})
    home.a_space("prj_b", {"b.md": "# B\n\nzephyr\n"})
    home.index()
    return home


def test_a_sound_home_has_no_problem(pair: AHome) -> None:
    found = examine(pair.lobes, pair.me)
    assert [one for one in found if one.level == "problem"] == []
    assert {one.area for one in found} >= {"store", "index", "audit"}
    assert any("without presence" in one.text for one in found)


@pytest.mark.parametrize("stored", ["{}", "{broken", '{"visibility": "pubic"}', "[]", ""])
def test_a_permission_that_can_not_be_read_is_its_owners_alone_and_named(
    pair: AHome, stored: str
) -> None:
    """AZ-01."""
    pair.execute("UPDATE space SET permission = ? WHERE id = 'prj_b'", stored)
    assert any("prj_b" in text for text in problems(pair, "authz"))
    pair.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026-01-01')")
    assert pair.ask("zephyr", "prj_b").items != ()
    with pytest.raises(NotFound):
        pair.ask("zephyr", "prj_b", by=Caller(parse_actor("user:bob"), "cli"))


def test_rows_of_groups_that_count_for_nothing_are_named_with_what_mends_them(
    pair: AHome,
) -> None:
    """AZ-01's siblings: a kind, a wider group and a role that nobody can read; told to the
    installation's owner alone."""
    for group in ("acme", "core", "lone"):
        kind = "organization" if group == "acme" else "team"
        add_group(pair.lobes, pair.me, NewGroup(group, kind))
    pair.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026-01-01')")
    join_group(pair.lobes, pair.me, "core", "bob")
    assert problems(pair, "authz") == []
    with closing(sqlite3.connect(pair.folders.store, timeout=10)) as store, store:
        store.execute("PRAGMA ignore_check_constraints = ON")
        store.execute("UPDATE person_group SET kind = 'tribe' WHERE id = 'acme'")
        store.execute("UPDATE membership SET role = 'Owner' WHERE person = 'bob'")
        store.execute("UPDATE person_group SET parent = 'core' WHERE id = 'lone'")
    said = problems(pair, "authz")
    assert [text.split(":")[0] for text in said] == ["Group acme", "Group lone", "Group core"]
    bob = Caller(parse_actor("user:bob"), "cli")
    told = examine(pair.lobes, bob, areas=("authz",))
    assert not any("Group" in one.text for one in told)
    join_group(pair.lobes, pair.me, "core", "bob")
    edit_group(pair.lobes, pair.me, "lone", parent="")
    assert [text.split(":")[0] for text in problems(pair, "authz")] == ["Group acme"]


def test_null_is_the_default_and_no_fault(pair: AHome) -> None:
    """AZ-01."""
    assert problems(pair, "authz") == []


@pytest.mark.parametrize("stored", ["{broken", "[]", '{"version": 99}', "null", ""])
def test_a_lobe_that_can_not_be_read_is_private_and_closed_and_named(
    pair: AHome, stored: str
) -> None:
    pair.execute("UPDATE space SET lobe_config = ?, config_ok = 0 WHERE id = 'prj_b'", stored)
    assert any("prj_b" in text for text in problems(pair, "authz"))
    assert {hit.space for hit in pair.ask("zephyr", "prj_a").items} == {"prj_a"}
    assert {hit.space for hit in pair.ask("zephyr", "prj_b").items} == {"prj_b"}
    assert next(row.reason for row in explain(pair.lobes, pair.me, "prj_a", "prj_b")) == "private"
    view = lobe_view(pair.lobes, pair.me, "prj_b")
    assert (view.config.is_private, view.config.cross_space) == (True, "deny")
    save(pair.lobes, pair.me, "prj_b", LobeChange(is_private=False, cross_space="open"))
    assert problems(pair, "authz") == []
    assert {hit.space for hit in pair.ask("zephyr", "prj_a").items} == {"prj_a", "prj_b"}


def test_files_that_others_can_read_are_named_and_closed(pair: AHome) -> None:
    """DU-17."""
    pair.folders.store.chmod(0o644)
    pair.folders.data.chmod(0o755)
    assert {"lobes.db", "data"} <= set(
        " ".join(problems(pair, "files"))
        .replace(".", " .")
        .replace("lobes .db", "lobes.db")
        .split()
    )
    assert mend(pair.lobes, pair.me) != ()
    assert problems(pair, "files") == []
    assert pair.folders.store.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_is_away_is_named(pair: AHome) -> None:
    pair.root("prj_b").rename(pair.folders.spaces / "away")
    assert any("prj_b" in text for text in problems(pair, "files"))


def test_a_manifest_that_waits_is_noted(pair: AHome) -> None:
    pair.write("prj_b", "space.yaml", "id: prj_b\ntype: area\nname: B\n")
    pair.index("prj_b")
    found = examine(pair.lobes, pair.me, areas=("files",))
    assert any("prj_b" in one.text and "waits" in one.text for one in found)


def test_unknown_keys_of_a_manifest_are_named_for_each_space(pair: AHome) -> None:
    """Added long ago, the warning of that moment is forgotten."""
    pair.write("prj_b", "space.yaml", "id: prj_b\ntype: project\nname: B\nmemroy: {x: 1}\n")
    pair.index("prj_b")
    found = [one for one in examine(pair.lobes, pair.me, areas=("files",)) if one.level == "note"]
    assert [one.text for one in found] == [
        "prj_b: space.yaml, line 4: unknown key memroy (did you mean memory?)."
    ]
    told = examine(pair.lobes, pair.agent("prj_a"), areas=("files",))
    assert "memroy" in str(told)
    pair.execute("UPDATE space SET is_private = 1 WHERE id = 'prj_b'")
    assert "memroy" not in str(examine(pair.lobes, pair.agent("prj_a"), areas=("files",)))


def test_a_manifest_that_can_not_be_followed_says_why(pair: AHome) -> None:
    pair.write("prj_b", "space.yaml", "id: prj_b\ntype: project\n")
    pair.index("prj_b")
    (text,) = problems(pair, "files")
    assert "prj_b" in text
    assert "name is missing" in text
    pair.write("prj_b", "space.yaml", b"\xff\xfe")
    (text,) = problems(pair, "files")
    assert SKIP_REASONS["not_utf8"] in text


def test_an_archived_space_whose_file_says_otherwise_is_noted(pair: AHome) -> None:
    """Nobody looks at its files, so nothing else would say that the change waits."""
    archive_space(pair.lobes, pair.me, "prj_b")
    assert examine(pair.lobes, pair.me, areas=("files",)) == ()
    pair.write("prj_b", "space.yaml", "id: prj_b\ntype: project\nname: B\n")
    (one,) = examine(pair.lobes, pair.me, areas=("files",))
    assert "prj_b is archived" in one.text
    assert "restore" in one.hint


# The disk --------------------------------------------------------------------------------------


def test_a_disk_with_little_room_is_a_problem_and_named_once(
    pair: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-05."""
    found = os.statvfs(pair.folders.data)
    few = os.statvfs_result((*found[:4], 12_000_000 // found.f_frsize, *found[5:]))
    monkeypatch.setattr(os, "statvfs", lambda path: few)
    (text,) = problems(pair, "files")
    assert "11 MB left" in text or "12 MB left" in text


@pytest.mark.parametrize(
    ("code", "word"), [(errno.ENOSPC, "full"), (errno.EDQUOT, "full"), (errno.EROFS, "read-only")]
)
def test_a_home_that_can_not_be_written_is_a_problem(
    pair: AHome, monkeypatch: pytest.MonkeyPatch, code: int, word: str
) -> None:
    """DU-05."""

    def failing(**wanted: object) -> object:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(tempfile, "TemporaryFile", failing)
    found = [one for one in examine(pair.lobes, pair.me, areas=("files",)) if one.hint]
    assert {one.level for one in found} == {"problem"}
    assert all(word in one.text for one in found)
    assert any(str(pair.folders.data) in one.text for one in found)


def test_looking_leaves_no_file(pair: AHome) -> None:
    pair.lobes.audit.flush()  # what making the home left to write is no trace of looking
    before = sorted(pair.folders.data.rglob("*"))
    problems(pair, "files")
    assert sorted(pair.folders.data.rglob("*")) == before


def test_an_edited_audit_is_named(pair: AHome) -> None:
    """DU-12."""
    import sqlite3
    from contextlib import closing

    search(pair.lobes, pair.me, "zephyr", space="prj_a")
    pair.lobes.audit.flush()
    with closing(sqlite3.connect(pair.folders.audit)) as audit, audit:
        (table,) = [
            row[0]
            for row in audit.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if "actor" in [c[1] for c in audit.execute(f"PRAGMA table_info({row[0]})")]
        ]
        for trigger in audit.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            audit.execute(f"DROP TRIGGER {trigger[0]}")
        audit.execute(f"UPDATE {table} SET actor = 'user:bob' WHERE seq = 2")
    assert problems(pair, "audit") != []


def test_an_audit_that_was_wiped_is_no_whole_audit(pair: AHome) -> None:
    """DU-12: all rows gone, or the file; a home that never had a row is fine."""
    import sqlite3
    from contextlib import closing

    search(pair.lobes, pair.me, "zephyr", space="prj_a")
    pair.lobes.audit.flush()
    with closing(sqlite3.connect(pair.folders.audit)) as audit, audit:
        audit.execute("DELETE FROM audit")
    (text,) = problems(pair, "audit")
    assert "emptied" in text
    assert not verify_audit(pair.lobes, pair.me).is_whole
    pair.folders.audit.unlink()
    assert problems(pair, "audit") != []


def test_a_home_without_a_row_has_a_whole_audit(home: AHome) -> None:
    assert problems(home, "audit") == []


def test_an_agent_learns_from_it_nothing_of_other_spaces(pair: AHome) -> None:
    save(pair.lobes, pair.me, "prj_b", LobeChange(is_private=True))
    pair.execute("UPDATE space SET permission = '{}' WHERE id = 'prj_b'")
    pair.root("prj_b").rename(pair.folders.spaces / "away")
    told: tuple[Finding, ...] = examine(pair.lobes, pair.agent("prj_a"), areas=AREAS)
    assert "prj_b" not in str(told)
    assert not any(one.area == "audit" for one in told)
    with pytest.raises(Forbidden):
        mend(pair.lobes, pair.agent("prj_a", preset="editor"))
