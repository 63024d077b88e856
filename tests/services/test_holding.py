"""What changes in a holding Space outside of Lobes waits, and what was read stays as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.lobe_change import LobeChange
from lobes.services.decisions import Asked
from lobes.services.exporting import export_space
from lobes.services.indexing import index_space
from lobes.services.installation import Caller
from lobes.services.lobe_changes import put_back, save
from lobes.services.pack_drafts import open_draft, take_over
from lobes.services.pack_queue import PackItem, pack_evidence, pack_queue
from lobes.services.pack_reviewing import PackDecided, decide_packs, undo_packs
from lobes.services.space_adding import new_space
from lobes.services.spaces import pack_text

HOLDS = LobeChange(hold_external_changes=True)


@pytest.fixture
def held(home: AHome) -> AHome:
    home.a_space("area_h", {"a.md": "# A\n\nwillow\n", "b.md": "# B\n\noak\n"}, HOLDS)
    home.index()
    return home


def waiting(home: AHome) -> list[PackItem]:
    return list(pack_queue(home.lobes, home.me))


def told(home: AHome) -> list[tuple[str, str, str]]:
    return [(one.path, one.change, one.state) for one in home.index().held]


def accept(home: AHome, *items: PackItem, confirmed: bool = False) -> PackDecided:
    asked = [Asked(one.id, one.shown, confirmed) for one in items]
    done = decide_packs(home.lobes, home.me, "accept", asked)
    home.settle()
    return done


def finds(home: AHome, word: str) -> bool:
    return bool(home.found(word, "area_h"))


def test_the_first_look_takes_the_pack_as_the_person_added_it(held: AHome) -> None:
    assert finds(held, "willow")
    assert waiting(held) == []


def test_an_external_change_waits_with_its_difference_and_answers_stay(held: AHome) -> None:
    """AG-17"""
    held.write("area_h", "a.md", "# A\n\nwillow\nbirch\n")
    assert told(held) == [("a.md", "changed", "waiting")]
    assert finds(held, "willow")
    assert not finds(held, "birch")
    (item,) = waiting(held)
    found = pack_evidence(held.lobes, held.me, item.id)
    assert [(one.sign, one.text) for one in found.diff if one.sign in "+-"] == [("+", "birch")]
    assert found.stale is None
    # Another look changes nothing: one row, the same approval.
    assert told(held) == [("a.md", "changed", "waiting")]
    assert [one.shown for one in waiting(held)] == [item.shown]


def test_what_waits_is_in_no_reader_preview_or_export(held: AHome, tmp_path: Path) -> None:
    held.write("area_h", "a.md", "# A\n\nbirch\n")
    held.write("area_h", "c.md", "# C\n\nbirch\n")
    held.index()
    assert pack_text(held.lobes, held.me, "area_h", "a.md").text == "# A\n\nwillow\n"
    done = export_space(held.lobes, held.me, "area_h", tmp_path / "out")
    assert ("a.md", "held") in [(one.what, one.reason) for one in done.left_out]
    assert (done.folder / "pack" / "a.md").read_text() == "# A\n\nwillow\n"
    assert not (done.folder / "pack" / "c.md").exists()
    accept(held, *waiting(held))
    assert "birch" in pack_text(held.lobes, held.me, "area_h", "a.md").text
    again = export_space(held.lobes, held.me, "area_h", tmp_path / "again")
    assert again.left_out == ()


def test_whoever_may_not_know_of_a_held_file_is_not_told_of_it(held: AHome) -> None:
    """A member of the Space's group may bring it up to date, and what is confidential in it is its
    owner's."""
    now = "2026-01-01T00:00:00+00:00"
    held.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, ?)", now)
    held.execute("INSERT INTO person_group VALUES ('team_x', 'team', 'X', NULL, ?, NULL)", now)
    held.execute("INSERT INTO membership VALUES ('team_x', 'bob', 'member', ?)", now)
    held.execute("UPDATE space SET group_id = 'team_x'")
    held.write("area_h", "plain.md", "# Plain\n")
    held.write("area_h", "own.md", "---\nsensitivity: confidential\n---\n# Own\n")
    bob = Caller(parse_actor("user:bob"), "cli", is_present=True)
    assert [one.path for one in index_space(held.lobes, bob, "area_h").held] == ["plain.md"]
    assert [one.path for one in held.index().held] == ["own.md", "plain.md"]


def test_an_accepted_change_is_read_and_undo_brings_back_what_was_read(held: AHome) -> None:
    held.write("area_h", "a.md", "# A\n\nbirch\n")
    held.index()
    done = accept(held, *waiting(held))
    assert [one.id for one in done.left] == []
    assert finds(held, "birch")
    assert not finds(held, "willow")
    assert waiting(held) == []
    assert told(held) == []
    undo_packs(held.lobes, held.me, done)
    held.settle()
    assert finds(held, "willow")
    assert not finds(held, "birch")
    assert (held.root("area_h") / "a.md").read_text() == "# A\n\nbirch\n"
    assert told(held) == [("a.md", "changed", "waiting")]
    assert len(held.audited("pack.accepted")) == len(held.audited("pack.undone")) == 1


def test_a_rejected_change_stays_out_is_shown_as_held_and_the_file_is_left_alone(
    held: AHome,
) -> None:
    file = held.write("area_h", "new.md", "# New\n\nelm\n")
    assert told(held) == [("new.md", "new", "waiting")]
    (item,) = waiting(held)
    done = decide_packs(held.lobes, held.me, "reject", [Asked(item.id)], reason="wrong")
    assert [one.after.reason for one in done.done] == ["wrong"]
    assert told(held) == [("new.md", "new", "rejected")]
    assert waiting(held) == []
    assert not finds(held, "elm")
    assert file.read_text() == "# New\n\nelm\n"
    held.write("area_h", "new.md", "# New\n\nelm and ash\n")
    assert told(held) == [("new.md", "new", "waiting")]


def test_a_file_that_is_gone_stays_readable_until_somebody_accepts_that(held: AHome) -> None:
    (held.root("area_h") / "a.md").unlink()
    assert told(held) == [("a.md", "removed", "waiting")]
    assert finds(held, "willow")
    done = accept(held, *waiting(held))
    assert not finds(held, "willow")
    assert told(held) == []
    undo_packs(held.lobes, held.me, done)
    held.settle()
    assert finds(held, "willow")
    assert told(held) == [("a.md", "removed", "waiting")]


def test_a_file_that_says_again_what_is_read_waits_no_longer(held: AHome) -> None:
    file = held.root("area_h") / "a.md"
    before = file.stat()
    held.write("area_h", "a.md", "# A\n\nbeech!\n")
    held.write("area_h", "c.md", "# C\n\nlarch\n")
    assert len(told(held)) == 2
    held.write("area_h", "a.md", "# A\n\nwillow\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    (held.root("area_h") / "c.md").unlink()
    assert told(held) == []
    assert waiting(held) == []


def test_only_what_was_accepted_last_is_let_in(held: AHome) -> None:
    for text in ("# A\n\nbirch\n", "# A\n\nlinden\n"):
        held.write("area_h", "a.md", text)
        held.index()
        accept(held, *waiting(held))
    held.write("area_h", "a.md", "# A\n\nbirch\n")
    assert told(held) == [("a.md", "changed", "waiting")]
    assert finds(held, "linden")


def test_what_changed_again_since_it_was_shown_is_not_accepted(held: AHome) -> None:
    held.write("area_h", "a.md", "# A\n\nbirch\n")
    held.index()
    (item,) = waiting(held)
    held.write("area_h", "a.md", "# A\n\npoison\n")
    assert pack_evidence(held.lobes, held.me, item.id).stale == "file_changed"
    assert [one.error.reason for one in accept(held, item).left] == ["file_changed"]
    decide_packs(held.lobes, held.me, "recheck", [Asked(item.id)])
    (again,) = waiting(held)
    assert again.id == item.id
    assert again.shown != item.shown
    assert [one.error.reason for one in accept(held, item).left] == ["changed"]
    assert accept(held, again).left == ()
    assert finds(held, "poison")


def test_a_persons_own_edit_through_lobes_is_not_held(held: AHome) -> None:
    draft = open_draft(held.lobes, held.me, "area_h", "a.md")
    draft.file.write_text("# A\n\nspruce\n")
    take_over(held.lobes, held.me, draft)
    assert told(held) == []
    assert finds(held, "spruce")


def test_hints_of_the_watcher_hold_as_a_whole_look_does(held: AHome) -> None:
    held.write("area_h", "a.md", "# A\n\nbirch\n")
    (held.root("area_h") / "b.md").unlink()
    report = index_space(held.lobes, held.me, "area_h", paths=("a.md", "b.md"))
    assert [(one.path, one.change) for one in report.held] == [
        ("a.md", "changed"),
        ("b.md", "removed"),
    ]
    held.write("area_h", "b.md", "# B\n\noak\n")
    report = index_space(held.lobes, held.me, "area_h", paths=("b.md",))
    assert report.held == ()
    assert [one.edit.path for one in waiting(held)] == ["a.md"]


def test_holding_begins_when_it_is_set_and_ends_when_it_is_taken_back(home: AHome) -> None:
    home.a_space("area_h", {"a.md": "# A\n\nwillow\n"})
    home.index()
    saved = save(home.lobes, home.me, "area_h", HOLDS)
    home.write("area_h", "a.md", "# A\n\nbirch\n")
    assert told(home) == [("a.md", "changed", "waiting")]
    (item,) = waiting(home)
    # No text was kept before: the difference is told by what was read.
    signs = [(one.sign, one.text) for one in pack_evidence(home.lobes, home.me, item.id).diff]
    assert ("-", "willow") in signs
    assert ("+", "birch") in signs
    put_back(home.lobes, home.me, "area_h", saved.before)
    assert told(home) == []
    assert waiting(home) == []
    assert finds(home, "birch")
    assert home.rows("SELECT * FROM pack_text") == []


def test_a_config_that_cannot_be_read_holds(home: AHome) -> None:
    home.a_space("area_h", {"a.md": "# A\n\nwillow\n"})
    home.index()
    home.execute("UPDATE space SET lobe_config = '{' WHERE id = 'area_h'")
    home.write("area_h", "a.md", "# A\n\nbirch\n")
    home.write("area_h", "c.md", "# C\n\nelm\n")
    assert told(home) == [("a.md", "changed", "waiting"), ("c.md", "new", "waiting")]


def test_a_sensitive_area_holds_from_its_template_on(home: AHome) -> None:
    new_space(home.lobes, home.me, "area_h", template="sensitive-area")
    assert told(home) == []
    home.write("area_h", "goals.md", "# Goals\n\nsomething else\n")
    assert told(home) == [("goals.md", "changed", "waiting")]


def test_a_secret_that_comes_from_outside_is_masked_flagged_and_takes_a_yes(held: AHome) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    held.write("area_h", "a.md", f"# A\n\nwillow\ntoken {secret}\n")
    held.index()
    (item,) = waiting(held)
    assert "secret" in item.brakes
    found = pack_evidence(held.lobes, held.me, item.id)
    assert secret not in repr(found)
    assert found.detectors
    assert [one.error.reason for one in accept(held, item).left] == ["needs_confirmation"]
    assert accept(held, item, confirmed=True).left == ()


def test_many_are_decided_each_for_itself_with_one_row_and_one_undo(held: AHome) -> None:
    for name in "abcd":
        held.write("area_h", f"{name}.md", f"# {name}\n\nmaple{name}\n")
    held.index()
    items = waiting(held)
    held.write("area_h", "d.md", "# d\n\nanother\n")
    done = accept(held, *items)
    assert len(done.done) == 3
    assert [one.error.reason for one in done.left] == ["file_changed"]
    assert len(held.audited("pack.accepted")) == 1
    assert all(finds(held, f"maple{name}") for name in "abc")
    assert len(undo_packs(held.lobes, held.me, done).done) == 3
    held.settle()
    assert finds(held, "willow")
    assert not finds(held, "mapleb")


def test_two_programs_that_see_the_same_change_put_it_before_the_person_once(held: AHome) -> None:
    for name in "abc":
        held.write("area_h", f"{name}.md", f"# {name}\n\nsame {name}\n")
    command = [sys.executable, "-m", "lobes", "--home", str(home_folder(held)), "index", "--json"]
    with closing(_Both(command)) as both:
        # 7: the index is held by this very test; the store isn't.
        assert set(both.codes()) <= {0, 7}
    assert sorted(one.edit.path for one in waiting(held)) == ["a.md", "b.md", "c.md"]


class _Both:
    """The same command twice at once."""

    def __init__(self, command: list[str]) -> None:
        env = {**os.environ, "LOBES_SECRET_STORE": "off"}
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": env}
        self._running = [subprocess.Popen([*command, "--inline"], **pipes) for _ in range(2)]  # type: ignore[call-overload]

    def codes(self) -> list[int]:
        return [one.wait(timeout=60) for one in self._running]

    def close(self) -> None:
        for one in self._running:
            one.kill()
            one.wait()


def home_folder(home: AHome) -> Path:
    return home.folders.data.parent
