"""A Space goes out whole, alone and without secrets, and comes back as it was."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from homes import AHome, opened_home
from importing_crash import CUT_OFF, PLACES
from lobes.domain.errors import Conflict, Forbidden, LobesError, NoPresence, NotFound
from lobes.domain.ids import parse_address
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import LobeConfig, alone, parse_config
from lobes.domain.memories import Link, Memory, Provenance, Version, statement_hash
from lobes.services import exporting
from lobes.services.doctor import examine, mend
from lobes.services.exporting import EVERY, export_memories, export_space
from lobes.services.lobe_changes import save
from lobes.services.space_adding import add_space
from lobes.services.space_importing import import_space
from lobes.store.memory_lines import MemoryLine, dump_line, parse_lines
from lobes.store.read_memories import links, lobe_memories, versions
from proposed import FACT, said
from remembered import change, remember
from traces import traces

SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
OTHERS = ("Zephyrquokka", "Quibblewort", "prj_b")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[AHome]:
    with opened_home(tmp_path / "home") as made:
        made.a_space(
            "prj_a",
            {
                "goals.md": "# Goals\n\nSaffron lanterns.\n",
                "docs/token.md": f"# Token\n\n{SECRET}\n",
                "docs/half.md": "# Half\n\nOpen <private>Quelled</private> end.\n",
            },
        )
        made.a_space("prj_b", {"goals.md": "# Goals\n\nZephyrquokka.\n"})
        save(made.lobes, made.me, "prj_a", LobeChange(exclude=("prj_b",), tag=("amber",)))
        made.index()
        yield made


def filled(home: AHome) -> dict[str, Memory]:
    """Memories of every status, tied to each other and to another Space's."""
    now = home.lobes.clock()
    one = remember(
        home,
        "space/prj_a",
        'Lanterns say "amber" – ünder\nall weather',
        subject="lanterns",
        provenance=Provenance("cli", "s1", "code", "add", "ref", ("goals.md",), is_external=True),
        valid_from=now - timedelta(days=3),
        valid_to=now + timedelta(days=300),
        confidence=0.25,
        author="agent",
    )
    later = "Lanterns say amber in any weather"
    one = change(home, one, statement=later, content_hash=statement_hash(later))
    found = {"one": one}
    for status in (*EVERY, "deleted"):
        found[status] = remember(home, "space/prj_a", f"Saffron {status} memory", status=status)
    other = remember(home, "space/prj_b", "Quibblewort elsewhere")
    with home.lobes.database().begin() as unit:
        unit.memories.link("supersedes", found["active"].id, found["superseded"].id)
        unit.memories.link("disputes", found["disputed"].id, found["one"].id)
        unit.memories.link("disputes", other.id, found["one"].id)
        unit.commit()
    return found


def kept(home: AHome, space: str) -> dict[str, tuple[Memory, list[Version], set[Link]]]:
    """Id → the memory, its versions, its links within the Space."""
    lobe = parse_address(f"space/{space}")
    with home.lobes.reading() as store:
        found = {one.id: one for one in lobe_memories(store, lobe, EVERY)}
        return {
            id: (
                one,
                versions(store, id),
                {tie for tie in links(store, [id]) if {tie.memory, tie.other} <= found.keys()},
            )
            for id, one in found.items()
        }


def test_round_trip_into_another_home_is_the_same(home: AHome, tmp_path: Path) -> None:
    """Ids, times, expiry, status, provenance, versions and links are equal afterwards."""
    filled(home)
    out = tmp_path / "out"
    done = export_space(home.lobes, home.me, "prj_a", out, every=True)
    before = kept(home, "prj_a")
    with opened_home(tmp_path / "other") as other:
        imported = import_space(other.lobes, other.me, out)
        after = kept(other, "prj_a")
        assert after.keys() == before.keys()
        for id, (memory, past, ties) in before.items():
            looked_at = replace(after[id][0], classifier=memory.classifier)
            assert (looked_at, after[id][1], after[id][2]) == (memory, past, ties)
        assert sum(len(ties) for _, _, ties in after.values()) == 4
        assert imported.memories == done.memories == len(before)
        other.index()
        assert ("prj_a", "goals.md") in other.found("saffron", "prj_a")
        row = other.rows("SELECT name, kind, lobe_config FROM space")[0]
        assert row[:2] == ("Prj_A", "project")
        assert json.loads(row[2])["tags"] == ["amber"]


def test_what_is_not_in_use_is_left_out_unless_it_is_asked_for(home: AHome, tmp_path: Path) -> None:
    """AZ-26: archived, superseded, rejected only with --all, deleted never."""
    found = filled(home)
    for every, wanted in ((False, {"proposed", "active", "disputed"}), (True, set(EVERY))):
        out = tmp_path / f"out-{every}"
        export_space(home.lobes, home.me, "prj_a", out, every=every)
        text = (out / "memories.jsonl").read_text() + (out / "memories.md").read_text()
        for status in (*EVERY, "deleted"):
            assert (found[status].id in text) is (status in wanted)


def test_nothing_of_another_space_is_in_it(home: AHome, tmp_path: Path) -> None:
    """Its exclusion, the link to its memory, its names, its texts."""
    filled(home)
    export_space(home.lobes, home.me, "prj_a", tmp_path / "out", every=True)
    assert traces(tmp_path / "out", *OTHERS) == []
    assert traces(tmp_path / "out", "Saffron") != []


def test_secrets_and_private_regions_stay_out_and_are_named(home: AHome, tmp_path: Path) -> None:
    new = remember(home, "space/prj_a", "The token is kept elsewhere")
    old = remember(home, "space/prj_a", f"The token is {SECRET}")
    old = change(home, old, statement="The token was changed")
    done = export_space(home.lobes, home.me, "prj_a", tmp_path / "out")
    left = {(one.what, one.reason) for one in done.left_out}
    assert left == {
        ("docs/token.md", "secret"),
        (f"memory/{old.id}", "secret"),
        ("docs/half.md", "private_region"),
    }
    assert traces(tmp_path / "out", SECRET, "Quelled") == []
    assert new.id in (tmp_path / "out" / "memories.md").read_text()
    about = json.loads((tmp_path / "out" / "export.json").read_text())
    assert len(about["left_out"]) == 3


def test_an_export_that_looks_for_secrets_keeps_no_writer_waiting(
    home: AHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A snapshot that is open keeps the log from being written back, and without a log it keeps
    every commit waiting."""
    remember(home, "space/prj_a", "Saffron lanterns")
    assess, waited = exporting.assess, list[int]()

    def while_somebody_writes(text: str) -> Any:
        home.execute("UPDATE home SET sequence = sequence")
        with closing(sqlite3.connect(home.folders.store, timeout=0)) as store:
            waited.append(store.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
        return assess(text)

    monkeypatch.setattr(exporting, "assess", while_somebody_writes)
    export_memories(home.lobes, home.me, "prj_a", tmp_path / "a.jsonl")
    assert waited
    assert not any(waited)


def test_a_pack_that_is_closed_while_it_is_exported_stays_in(
    home: AHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, '2026-01-01')")
    begin = exporting.part_of

    def closed_first(*given: Any, **named: Any) -> Any:
        own = json.dumps({"visibility": "restricted", "grants": {"read_meta": ["user:ada"]}})
        home.execute("UPDATE space SET owner = 'bob', permission = ? WHERE id = 'prj_a'", own)
        return begin(*given, **named)

    monkeypatch.setattr(exporting, "part_of", closed_first)
    done = export_space(home.lobes, home.me, "prj_a", tmp_path / "out")
    assert done.files == 0
    assert traces(tmp_path / "out", "Saffron") == []


def test_what_is_held_and_has_a_secret_is_not_named_as_if_it_were_there(
    home: AHome, tmp_path: Path
) -> None:
    save(home.lobes, home.me, "prj_a", LobeChange(hold_external_changes=True))
    home.index()
    home.write("prj_a", "docs/token.md", "# Token\n\nTaken out.\n")
    home.index()
    done = export_space(home.lobes, home.me, "prj_a", tmp_path / "out")
    assert [one.reason for one in done.left_out if one.what == "docs/token.md"] == ["secret"]


def test_only_its_person_exports_and_imports(home: AHome, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(NoPresence):
        export_space(home.lobes, home.absent, "prj_a", out)
    with pytest.raises(Forbidden):
        export_space(home.lobes, home.agent("prj_a", preset="editor"), "prj_a", out)
    with pytest.raises(NotFound):
        export_space(home.lobes, home.me, "prj_never", out)
    assert not out.exists()
    export_space(home.lobes, home.me, "prj_a", out)
    assert home.audited("space.exported")[0]["resources"] == ["space/prj_a"]
    with pytest.raises(Conflict):
        export_space(home.lobes, home.me, "prj_a", out)
    with pytest.raises(NoPresence):
        import_space(home.lobes, home.absent, out, as_id="prj_c")
    with pytest.raises(LobesError):
        import_space(home.lobes, home.agent("prj_a", preset="editor"), out, as_id="prj_c")


def test_import_writes_nothing_where_no_space_can_be(home: AHome, tmp_path: Path) -> None:
    """Inside another Space's folder, or inside one of Lobes' own: not even the folders above it."""
    out = tmp_path / "out"
    export_space(home.lobes, home.me, "prj_a", out)
    for around, reason in ((home.root("prj_b"), "overlap"), (home.folders.backups, "root_is_ours")):
        before = sorted(around.rglob("*"))
        with pytest.raises(LobesError) as told:
            import_space(home.lobes, home.me, out, as_id="prj_c", target=around / "deep" / "pack")
        assert told.value.reason == reason
        assert sorted(around.rglob("*")) == before


def test_import_where_the_space_is_needs_another_id(home: AHome, tmp_path: Path) -> None:
    filled(home)
    out = tmp_path / "out"
    export_space(home.lobes, home.me, "prj_a", out)
    before = kept(home, "prj_a")
    with pytest.raises(Conflict) as told:
        import_space(home.lobes, home.me, out)
    assert told.value.reason == "exists"
    done = import_space(home.lobes, home.me, out, as_id="prj_c")
    assert done.renamed == done.memories
    assert kept(home, "prj_a") == before
    mine = kept(home, "prj_c")
    assert not mine.keys() & before.keys()
    assert sorted(one[0].statement for one in mine.values()) == sorted(
        one[0].statement for one in before.values() if one[0].status in EVERY[:3]
    )
    text = (home.root("prj_c") / "space.yaml").read_text()
    assert text == (home.root("prj_a") / "space.yaml").read_text().replace("prj_a", "prj_c")


def test_erased_and_taken_in_again_it_is_there(home: AHome, tmp_path: Path) -> None:
    from lobes.services.erasing import erase_space

    filled(home)
    out = tmp_path / "out"
    export_space(home.lobes, home.me, "prj_a", out, every=True)
    before = set(kept(home, "prj_a"))
    erase_space(home.lobes, home.me, "prj_a")
    import_space(home.lobes, home.me, out, target=tmp_path / "pack")
    assert set(kept(home, "prj_a")) == before
    there = "SELECT id FROM memory WHERE status <> 'rejected'"
    left = home.rows(f"SELECT id FROM memory_tombstone WHERE id IN ({there})")
    assert left == []


HOSTILE = {
    "no about": ("export.json", None),
    "other": ("export.json", '{"format": "zip", "version": 1}'),
    "deep": ("export.json", "[" * 100_000),
    "no space": ("export.json", '{"format": "lobes space", "version": 1, "space": 3, "files": []}'),
    "traversal": ("files", "../../../etc/passwd"),
    "absolute": ("files", "/etc/passwd"),
    "link": ("link", ""),
    "git": ("files", ".git/hooks/post-commit"),
    "missing": ("files", "none.md"),
    "no memories": ("memories.jsonl", None),
    "broken line": ("memories.jsonl", '{"id": 1}\n'),
    "no line": ("memories.jsonl", "nonsense\n"),
    "deleted": ("status", "deleted"),
    "no kind": ("kind", "rumour"),
    "long": ("statement", "x" * 5000),
    "twice": ("twice", ""),
    "id": ("id", "../x"),
    "settings": ("lobe", {"tags": ["Not a tag"]}),
    "no settings": ("lobe", {"cross_space": "wide"}),
    "name of two lines": ("space", {"name": "Saffron\nlanterns"}),
    "no name": ("space", {"name": " "}),
    "long description": ("space", {"description": "x" * 501}),
    "link elsewhere": ("links", [["disputes", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "", ""]]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_export_is_refused_whole(home: AHome, tmp_path: Path, name: str) -> None:
    """PA-21: names that lead elsewhere, links, lies; nothing is made."""
    remember(home, "space/prj_a", "Saffron lanterns")
    out = tmp_path / "out"
    export_space(home.lobes, home.me, "prj_a", out)
    _spoil(out, *HOSTILE[name])
    before = home.rows("SELECT count(*) FROM memory")
    with pytest.raises(LobesError) as told:
        import_space(home.lobes, home.me, out, as_id="prj_c")
    assert told.value.code == "invalid"
    assert home.rows("SELECT id FROM space ORDER BY id") == [("prj_a",), ("prj_b",)]
    assert home.rows("SELECT count(*) FROM memory") == before
    assert not home.root("prj_c").exists()


def _spoil(out: Path, what: str, value: Any) -> None:
    if what.endswith((".json", ".jsonl")):
        (out / what).unlink() if value is None else (out / what).write_text(str(value))
    elif what == "files":
        about = json.loads((out / "export.json").read_text())
        about["files"].append(value)
        (out / "export.json").write_text(json.dumps(about))
    elif what in ("lobe", "space"):
        about = json.loads((out / "export.json").read_text())
        (about["space"] if what == "space" else about["space"]["lobe"]).update(value)
        (out / "export.json").write_text(json.dumps(about))
    elif what == "link":
        (out / "pack" / "goals.md").unlink()
        (out / "pack" / "goals.md").symlink_to("/etc/passwd")
    else:
        text = (out / "memories.jsonl").read_text()
        line = json.loads(text)
        if what == "twice":
            (out / "memories.jsonl").write_text(text + text)
            return
        line[what] = value
        (out / "memories.jsonl").write_text(json.dumps(line) + "\n")


def config_of(home: AHome, space: str) -> LobeConfig:
    return parse_config(home.rows("SELECT lobe_config FROM space WHERE id = ?", space)[0][0])


STRICT = LobeChange(
    is_private=True, cross_space="deny", agent_preset="reader", agents_see_confidential=True,
    write_policy="all", hold_external_changes=True, inherit=("health",),
)  # fmt: skip


def test_settings_of_a_lobe_come_back_as_they_were(home: AHome, tmp_path: Path) -> None:
    save(home.lobes, home.me, "prj_a", STRICT)
    out = tmp_path / "out"
    export_space(home.lobes, home.me, "prj_a", out)
    import_space(home.lobes, home.me, out, as_id="prj_c")
    was, now = config_of(home, "prj_a"), config_of(home, "prj_c")
    assert was.excluded_from == ("prj_b",)
    assert now == alone(was) != LobeConfig()


def test_an_export_subscribes_to_nothing_where_it_is_taken_in(home: AHome, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_space(home.lobes, home.me, "prj_a", out)
    _spoil(out, "lobe", {"subscriptions": [{"type": "space", "id": "prj_b"}]})
    import_space(home.lobes, home.me, out, as_id="prj_c")
    assert config_of(home, "prj_c").subscriptions == ()


def test_an_export_of_before_its_settings_had_a_version_is_taken_in(
    home: AHome, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    export_space(home.lobes, home.me, "prj_a", out)
    about = json.loads((out / "export.json").read_text())
    about["space"]["lobe"] = {
        "is_private": True, "cross_space": "ask", "tags": ["amber"], "inherit_categories": None,
        "agent_preset": "reader", "agents_see_confidential": False, "write_policy": "all",
        "hold_external_changes": False,
    }  # fmt: skip
    (out / "export.json").write_text(json.dumps(about))
    import_space(home.lobes, home.me, out, as_id="prj_c")
    assert config_of(home, "prj_c") == LobeConfig(
        is_private=True, cross_space="ask", tags=("amber",), agent_preset="reader",
        write_policy="all",
    )  # fmt: skip


def test_words_that_a_pack_says_itself_are_taken_as_long_as_they_are(
    home: AHome, tmp_path: Path
) -> None:
    """A `space.yaml` may say more than is typed in."""
    text = "id: prj_long\ntype: project\nname: {}\ndescription: {}\n".format("n" * 100, "d " * 400)
    home.write("prj_long", "space.yaml", text)
    add_space(home.lobes, home.me, home.root("prj_long"))
    out = tmp_path / "out"
    export_space(home.lobes, home.me, "prj_long", out)
    import_space(home.lobes, home.me, out, as_id="prj_c")
    words = "SELECT name, description FROM space WHERE id = ?"
    assert home.rows(words, "prj_c") == home.rows(words, "prj_long")


def test_memories_alone_as_markdown_and_as_lines(home: AHome, tmp_path: Path) -> None:
    found = filled(home)
    for name in ("a.md", "a.jsonl"):
        done = export_memories(home.lobes, home.me, "prj_a", tmp_path / name)
        text = (tmp_path / name).read_text()
        assert found["active"].statement in text
        assert found["archived"].id not in text
        assert done.memories == 4
    with pytest.raises(Conflict):
        export_memories(home.lobes, home.me, "prj_a", tmp_path / "a.md")


def test_disk_full_leaves_no_half_export(
    home: AHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-05, DU-18."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("lobes.store.writing.os.fsync", full)
        with pytest.raises(LobesError) as told:
            export_space(home.lobes, home.me, "prj_a", tmp_path / "out")
    assert told.value.reason == "disk_full"
    assert [one.name for one in tmp_path.iterdir() if "out" in one.name] == []
    shutil.rmtree(tmp_path / "out", ignore_errors=True)


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an export and homes whose import of it was cut off, each at one moment."""
    folder = tmp_path_factory.mktemp("cut")
    with opened_home(folder / "one") as one:
        one.a_space("prj_a", {"goals.md": "# Goals\n\nSaffron.\n", "docs/more.md": "# More\n"})
        filled_alone(one)
        one.index()
        export_space(one.lobes, one.me, "prj_a", folder / "out", every=True)
    with opened_home(folder / "empty"):
        pass
    homes = [folder / point for point in PLACES]
    for one in homes:
        shutil.copytree(folder / "empty", one, symlinks=True)
    script = Path(__file__).parents[1] / "importing_crash.py"
    ran = subprocess.run([sys.executable, script, folder / "out", *homes], check=False)
    assert ran.returncode == CUT_OFF
    return folder


def filled_alone(home: AHome) -> None:
    gone = remember(home, "space/prj_a", "Saffron was dear", status="superseded")
    new = remember(home, "space/prj_a", "Saffron is cheap")
    remember(home, "space/prj_a", "Saffron is bad", status="rejected")
    with home.lobes.database().begin() as unit:
        unit.memories.link("supersedes", new.id, gone.id)
        unit.commit()


@pytest.mark.parametrize("point", PLACES)
def test_import_that_is_killed_leaves_no_space_or_all_of_it(cut: Path, point: str) -> None:
    """What it leaves besides is gone on with by the next one, or named and removed."""
    with opened_home(cut / point) as home:
        made = home.rows("SELECT id FROM space")
        assert made == ([("prj_a",)] if point == "committed" else [])
        assert home.rows("SELECT count(*) FROM memory") == [(3 if made else 0,)]
        if not made:
            import_space(home.lobes, home.me, cut / "out")
        assert (home.root("prj_a") / "docs" / "more.md").read_text() == "# More\n"
        assert len(kept(home, "prj_a")) == 3
        assert home.rows("SELECT cause FROM memory_tombstone") == [("rejected",)]
        halves = list(home.folders.spaces.glob(".*.lobes-part"))
        assert len(halves) == (point == "begun")
        assert not any("cut off" in one.text for one in examine(home.lobes, home.me))
        for one in [path for half in halves for path in (half, *half.rglob("*"))]:
            os.utime(one, (0, 0))
        told = [one.text for one in examine(home.lobes, home.me) if "cut off" in one.text]
        assert len(told) == len(halves)
        mend(home.lobes, home.me)
        assert list(home.folders.spaces.iterdir()) == [home.root("prj_a")]


def test_import_goes_on_only_with_a_folder_that_is_just_what_it_brings(
    home: AHome, tmp_path: Path
) -> None:
    out, place = tmp_path / "out", tmp_path / "place"
    export_space(home.lobes, home.me, "prj_a", out)
    shutil.copytree(out / "pack", place)
    text = (place / "space.yaml").read_text().replace("prj_a", "prj_c")
    (place / "space.yaml").write_text(text)
    (place / "mine.md").write_text("mine")
    with pytest.raises(Conflict):
        import_space(home.lobes, home.me, out, as_id="prj_c", target=place)
    assert (place / "mine.md").read_text() == "mine"
    (place / "mine.md").unlink()
    import_space(home.lobes, home.me, out, as_id="prj_c", target=place)
    assert ("prj_c",) in home.rows("SELECT id FROM space")


def test_what_was_rejected_is_not_proposed_again_where_it_was_taken_in(
    home: AHome, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    remember(home, "space/prj_a", FACT, status="rejected")
    export_space(home.lobes, home.me, "prj_a", out, every=True)
    with opened_home(tmp_path / "other") as other:
        import_space(other.lobes, other.me, out)
        assert said(other, FACT).outcome == "suppressed"


def test_a_line_says_all_of_a_memory(home: AHome) -> None:
    filled(home)
    lobe = parse_address("space/prj_a")
    with home.lobes.reading() as store:
        for memory in lobe_memories(store, lobe, EVERY):
            line = MemoryLine(memory, tuple(versions(store, memory.id)), ())
            assert parse_lines(dump_line(line) + "\n", lobe) == [line]
