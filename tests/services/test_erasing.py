"""What is erased is in no file of ours any more, and what isn't whole is told and gone on with."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from homes import AHome, opened_home
from lobes.domain.erasing import Erasure, dump_erasure, parse_erasure
from lobes.domain.errors import Forbidden, LobesError, NoPresence, NotFound, Unavailable
from lobes.domain.ids import derived_id
from lobes.domain.lobes import LobeConfig, Subscription, dump_config, parse_config
from lobes.domain.memories import Provenance
from lobes.domain.sessions import Said
from lobes.services import erasing, erasing_rest
from lobes.services.doctor import examine, mend
from lobes.services.erasing import erase_memory, erase_space, preview_memory, preview_space
from lobes.services.installation import Installation
from lobes.services.pack_drafts import open_draft
from lobes.services.recording import record_turn
from lobes.store import database, erasures, pragmas
from lobes.store.backup import back_up
from lobes.store.read_echoes import Echoes, echoes
from lobes.store.unit_of_work import UnitOfWork
from remembered import change, remember
from traces import traces
from world_home import edit_id, session_id, write_edit, write_session

MARKER = 'Zephyrquokka "Bärlauch" Quibblewort'
WORDS = ("Zephyrquokk", "Bärlauch", "Quibblewort")
SAFE = "Marmalade Hippodrome"
TESTS = Path(__file__).parents[1]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[AHome]:
    with opened_home(tmp_path / "home") as made:
        made.a_space("prj_a", {"goals.md": "# Goals\n\nSaffron lanterns.\n"})
        made.a_space("prj_b", {"goals.md": f"# Goals\n\n{SAFE}.\n"})
        made.index()
        yield made


def left(home: AHome, *texts: str) -> list[str]:
    """Where it still is, the packs' own folders apart."""
    home.lobes.audit.flush()
    return traces(home.folders.data.parent, *texts, without=(home.folders.spaces,))


def kept(home: AHome) -> Path:
    """A backup of the store as it is now, as a migration makes one."""
    target = home.folders.backups / "lobes-schema5-20260101T000000.db"
    back_up(home.folders.store, target)
    return target


def test_a_marker_is_searched_in_every_way_that_it_may_be_written(tmp_path: Path) -> None:
    for number, one in enumerate(
        (
            MARKER.encode(),
            json.dumps({"a": MARKER}).encode(),
            MARKER.lower().encode(),
            b"x" + MARKER.encode("utf-16-le"),
            MARKER.encode("utf-16-be"),
        )
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "file").write_bytes(b"before " + one + b" behind")
        assert traces(folder, MARKER) == [f"file: {MARKER}"]


@pytest.mark.parametrize("engine", ["up", "down"])
def test_erased_memory_is_in_no_file(home: AHome, engine: str) -> None:
    """DU-11: the store, the index with its old versions, our backups; its versions too."""
    memory = remember(home, "space/prj_a", f"{MARKER} before")
    memory = change(home, memory, statement=f"{MARKER} behind")
    other = remember(home, "space/prj_a", SAFE)
    home.settle()
    backup = kept(home)
    assert {one.split(":")[0].split("/")[0] for one in left(home, *WORDS)} == {"data", "state"}
    if engine == "down":
        home.lobes.engine.stop()
    erased = erase_memory(home.lobes, home.me, memory.id)
    assert erased.rest.left == ()
    assert erased.rest.rewritten == (backup.name,)
    assert left(home, MARKER, *WORDS, memory.content_hash) == []
    home.settle()
    assert left(home, MARKER, *WORDS, memory.content_hash) == []
    assert [hit.id for hit in home.ask(SAFE, "prj_a").items if hit.kind == "memory"] == [other.id]
    stone = home.rows("SELECT content_hash, cause, actor FROM memory_tombstone")
    assert stone == [("", "erased", "user:ada")]
    assert home.audited("memory.erased")[0]["resources"] == [f"memory/{memory.id}"]
    assert not erasures.unfinished(home.folders.data)


def test_deleted_memory_can_be_erased_and_what_it_replaced_comes_back(home: AHome) -> None:
    old = remember(home, "space/prj_a", SAFE, status="superseded")
    new = remember(home, "space/prj_a", MARKER)
    with home.lobes.database().begin() as unit:
        unit.memories.link("supersedes", new.id, old.id)
        unit.commit()
    erase_memory(home.lobes, home.me, new.id)
    assert home.rows("SELECT id, status FROM memory") == [(old.id, "active")]
    gone = remember(home, "space/prj_a", f"{MARKER} again", status="deleted")
    erase_memory(home.lobes, home.me, gone.id)
    assert left(home, MARKER) == []


def test_erased_space_is_in_no_file_and_its_folder_is_untouched(home: AHome) -> None:
    home.write("prj_a", "goals.md", f"# Goals\n\n{MARKER}\n")
    home.index("prj_a")
    remember(home, "space/prj_a", f"{MARKER} too")
    remember(home, "space/prj_b", SAFE)
    said = Said(f"{MARKER} said", (f"{MARKER} decided",))
    came = Provenance("mcp", home.lobes.new_id(), MARKER)
    record_turn(home.lobes, home.agent("prj_a", preset="proposer"), "prj_a", said, came)
    open_draft(home.lobes, home.me, "prj_a", "goals.md")
    drafted = open_draft(home.lobes, home.me, "prj_b", "goals.md")
    home.settle()
    kept(home)
    shown = preview_space(home.lobes, home.me, "prj_a")
    assert dict(shown.counts)["memories"] == 1
    assert dict(shown.counts)["documents"] == 1
    assert dict(shown.counts)["sessions"] == 1
    erased = erase_space(home.lobes, home.me, "prj_a")
    assert erased.rest.left == ()
    home.settle()
    assert left(home, MARKER, *WORDS) == []
    assert drafted.file.exists()
    assert MARKER in (home.root("prj_a") / "goals.md").read_text("utf-8")
    assert ("prj_b", "goals.md") in home.found(SAFE, "prj_b")
    assert home.rows("SELECT id FROM space") == [("prj_b",)]
    assert home.rows("SELECT id FROM session") == home.rows("SELECT place FROM session_turn") == []
    assert home.rows("PRAGMA foreign_key_check") == []
    with pytest.raises(NotFound):
        erase_space(home.lobes, home.me, "prj_a")


def test_space_in_the_trash_can_be_erased(home: AHome) -> None:
    from lobes.services.space_changes import trash_space

    trash_space(home.lobes, home.me, "prj_a")
    erase_space(home.lobes, home.me, "prj_a")
    assert home.rows("SELECT id FROM space") == [("prj_b",)]


@pytest.mark.parametrize("is_sound", [True, False])
def test_others_forget_the_name_of_an_erased_space(home: AHome, is_sound: bool) -> None:
    from lobes.services.space_changes import Edit, edit_space

    edit_space(home.lobes, home.me, "prj_a", Edit(name=MARKER))
    config = LobeConfig(subscriptions=(Subscription("space", "prj_a", MARKER),))
    stored = dump_config(config) if is_sound else json.dumps({"prj_a": MARKER})
    home.execute("UPDATE space SET lobe_config = ? WHERE id = 'prj_b'", stored)
    erase_space(home.lobes, home.me, "prj_a")
    assert left(home, MARKER) == []
    now = parse_config(home.rows("SELECT lobe_config FROM space")[0][0])
    assert now.sound is is_sound
    assert now.subscriptions == ()


def test_only_its_owner_and_only_present_erases(home: AHome) -> None:
    memory = remember(home, "space/prj_a", MARKER)
    for act in (preview_memory, erase_memory):
        with pytest.raises(NoPresence):
            act(home.lobes, home.absent, memory.id)
        with pytest.raises(Forbidden):
            act(home.lobes, home.agent("prj_a", preset="editor"), memory.id)
        for unknown in ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "x", "../x"):
            with pytest.raises(NotFound):
                act(home.lobes, home.me, unknown)
    assert home.rows("SELECT id FROM memory") == [(memory.id,)]
    assert not erasures.unfinished(home.folders.data)


def test_what_could_not_be_done_is_told_and_gone_on_with(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = remember(home, "space/prj_a", MARKER)
    home.settle()

    def busy(path: Path) -> None:
        raise Unavailable("Another window is writing just now.", reason="store_busy")

    with monkeypatch.context() as patch:
        patch.setattr(erasing_rest, "compact", busy)
        erased = erase_memory(home.lobes, home.me, memory.id)
    assert erased.rest.left == ("Another window is writing just now.",)
    texts = [one.text for one in examine(home.lobes, home.me, areas=("store",))]
    assert any("Erasures that aren't whole: 1" in one for one in texts)
    assert any("erased" in one for one in mend(home.lobes, home.me))
    texts = [one.text for one in examine(home.lobes, home.me, areas=("store",))]
    assert not any("Erasures" in one for one in texts)
    assert left(home, MARKER, *WORDS) == []


@pytest.mark.parametrize("point", ["noted", "committed", "compacted", "forgotten"])
def test_killed_in_the_middle_it_never_was_or_is_gone_on_with(tmp_path: Path, point: str) -> None:
    """DU-05's sibling: a process that ends between two steps."""
    folder = tmp_path / "home"
    with opened_home(folder) as home:
        home.a_space("prj_a", {})
        memory = remember(home, "space/prj_a", MARKER)
        home.settle()
        kept(home)
    ran = subprocess.run(
        [sys.executable, TESTS / "erasing_crash.py", folder, memory.id, point], check=False
    )
    assert ran.returncode == 77
    with opened_home(folder) as home:
        mend(home.lobes, home.me)
        assert not erasures.unfinished(home.folders.data)
        if point == "noted":
            assert home.rows("SELECT id FROM memory") == [(memory.id,)]
            return
        home.settle()
        assert left(home, MARKER, *WORDS) == []


def test_backup_that_is_none_is_removed_and_named(home: AHome) -> None:
    memory = remember(home, "space/prj_a", MARKER)
    junk = home.folders.backups / "lobes-schema1-20200101T000000.db"
    junk.write_bytes(MARKER.encode())
    sound = kept(home)
    shutil.copy(sound, home.folders.backups / "lobes-older.db")
    erased = erase_memory(home.lobes, home.me, memory.id)
    assert erased.rest.removed == (junk.name,)
    assert len(erased.rest.rewritten) == 2
    assert left(home, MARKER) == []


def test_disk_full_while_a_backup_is_made_anew_keeps_it(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-05: what can't be made anew now is told, and stays until it can."""
    memory = remember(home, "space/prj_a", MARKER)
    backup = kept(home)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("lobes.store.wiping.os.replace", full)
        erased = erase_memory(home.lobes, home.me, memory.id)
    assert backup.exists()
    assert erased.rest.left
    assert erasing_rest.finish(home.lobes).rewritten == (backup.name,)
    assert left(home, MARKER) == []


def test_texts_that_were_promoted_or_copied_and_stay_are_named_before_an_erasure(
    home: AHome,
) -> None:
    """What can't be reached by it is shown: the words are in other lobes, and in older versions."""
    memory = change(home, remember(home, "space/prj_a", MARKER), statement=SAFE, content_hash="x")
    came = Provenance("promotion", evidence=(f"memory/{memory.id}",))
    named = {
        remember(home, "personal/ada", "Edited since", provenance=came, status="proposed").id,
        remember(home, "space/prj_b", MARKER, status="proposed").id,
        change(home, remember(home, "space/prj_b", MARKER), statement="It is", content_hash="y").id,
    }
    remember(home, "space/prj_b", "Nothing of the kind", provenance=Provenance(evidence=("x",)))
    assert set(preview_memory(home.lobes, home.me, memory.id).stays) == named
    assert set(preview_space(home.lobes, home.me, "prj_a").stays) == named
    erase_memory(home.lobes, home.me, memory.id)
    assert left(home, MARKER) != []
    for one in named:
        erase_memory(home.lobes, home.me, one)
    assert left(home, MARKER) == []


def test_what_was_said_in_sessions_and_edits_was_not_named_before_an_erasure(
    home: AHome,
) -> None:
    """A turn that rests on it, has it as a decision or a line, and an edit that has it as an item;
    of others' sessions nothing, and of what goes with its Space nothing."""
    memory = remember(home, "space/prj_a", SAFE)
    before = change(home, memory, statement="Said otherwise", content_hash="x")
    turns = {
        "rests": {"summary": "As agreed.", "evidence": [before.id]},
        "named": {"summary": "As agreed.", "evidence": [f"memory/{before.id}"]},
        "decided": {"summary": "Talked.", "decisions": [SAFE]},
        "listed": {"summary": f"Talked.\n 1. {SAFE} \nAnd went."},
        "other": {"summary": f"{SAFE} and more", "evidence": ["x"]},
    }
    texts = {"item": f"# New\n\n- {SAFE}\n", "none": f"# {SAFE}s\n"}
    with closing(sqlite3.connect(home.folders.store)) as store, store:
        store.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '')")
        for space in ("prj_a", "prj_b"):
            for name, turn in turns.items():
                write_session(store, session_id(space, name), space, "ada", turns=[turn])
            write_session(store, session_id(space, "b"), space, "bob", turns=[turns["decided"]])
            for name, text in texts.items():
                write_edit(store, space, name=name, text=text)

    def named(*spaces: str) -> set[str]:
        told = {f"edit/{edit_id(space, 'item')}" for space in spaces}
        kinds = ("rests", "named", "decided", "listed")
        return told | {f"session/{session_id(space, one)}" for space in spaces for one in kinds}

    alone = preview_memory(home.lobes, home.me, memory.id)
    whole = preview_space(home.lobes, home.me, "prj_a")
    assert set(alone.elsewhere) == named("prj_a", "prj_b")
    assert set(whole.elsewhere) == named("prj_b")
    assert alone.stays == whole.stays == ()


@pytest.mark.parametrize("number", [1, 1500])
def test_every_table_was_walked_once_for_each_few_hundred_memories_of_a_space(
    home: AHome, number: int
) -> None:
    asked: list[str] = []
    with home.lobes.reading() as store:
        store.set_trace_callback(asked.append)
        found = echoes(store, [derived_id("memory", str(one)) for one in range(number)])
        store.set_trace_callback(None)
    assert found == Echoes(frozenset(), frozenset(), frozenset())
    assert len(asked) == 4


def test_a_file_that_is_no_note_erases_nothing(home: AHome) -> None:
    memory = remember(home, "space/prj_a", SAFE)
    folder = home.folders.data / erasures.FOLDER
    folder.mkdir()
    good = Erasure(home.lobes.new_id(), "space/prj_a", (memory.id,))
    assert parse_erasure(dump_erasure(good)) == good
    for number, text in enumerate(
        (
            "",
            "[]",
            "{}",
            "[" * 100_000,
            dump_erasure(replace(good, lobe="../x")),
            dump_erasure(replace(good, memories=("x",))),
            dump_erasure(replace(good, space="../x")),
        )
    ):
        assert parse_erasure(text) is None
        (folder / f"{number}.json").write_text(text)
    erasing_rest.finish(home.lobes)
    assert home.rows("SELECT id FROM memory") == [(memory.id,)]


def test_two_who_erase_at_once_both_end_well(home: AHome) -> None:
    memory = remember(home, "space/prj_a", MARKER)
    with opened_home(home.folders.data.parent) as second:
        erase_memory(home.lobes, home.me, memory.id)
        with pytest.raises(LobesError):
            erase_memory(second.lobes, second.me, memory.id)
        assert left(home, MARKER) == []


def test_an_erasure_that_comes_too_late_leaves_no_note_of_itself(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two at once: the other is done with it between our two looks."""
    memory = remember(home, "space/prj_a", MARKER)
    prepare = erasing.prepare_leaving

    def prepare_and_wait(lobes: Installation, ids: Sequence[str]) -> None:
        prepare(lobes, ids)
        monkeypatch.setattr(erasing, "prepare_leaving", prepare)
        erase_memory(home.lobes, home.me, memory.id)

    monkeypatch.setattr(erasing, "prepare_leaving", prepare_and_wait)
    with pytest.raises(NotFound):
        erase_memory(home.lobes, home.me, memory.id)
    assert erasures.unfinished(home.folders.data) == []
    assert left(home, MARKER) == []


def test_an_erasure_was_left_in_every_file_where_the_end_of_its_commit_was_unknown(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = remember(home, "space/prj_a", MARKER)
    kept(home)
    commit = UnitOfWork.commit

    def unknown(unit: UnitOfWork) -> None:
        commit(unit)
        raise Unavailable("The disk failed.", reason="io_error")

    with monkeypatch.context() as patch:
        patch.setattr(UnitOfWork, "commit", unknown)
        with pytest.raises(Unavailable):
            erase_memory(home.lobes, home.me, memory.id)
    assert left(home, MARKER) != []
    assert erasing_rest.finish(home.lobes).left == ()
    assert left(home, MARKER) == []


def test_whoever_mends_while_an_erasure_is_committed_took_its_note_away(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = remember(home, "space/prj_a", MARKER)
    note = erasures.note
    monkeypatch.setattr(pragmas, "BUSY_MS", 50)
    monkeypatch.setattr(database, "BUSY_MS", 50)
    with opened_home(home.folders.data.parent) as second:

        def note_and_mend(data: Path, erasure: Erasure) -> None:
            note(data, erasure)
            (why,) = erasing_rest.finish(second.lobes).left
            assert "is writing" in why

        monkeypatch.setattr(erasures, "note", note_and_mend)
        erase_memory(home.lobes, home.me, memory.id)
    assert erasures.unfinished(home.folders.data) == []
    assert left(home, MARKER) == []
