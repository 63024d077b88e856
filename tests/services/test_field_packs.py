"""Packs as people and other programs leave them: cases from the field, each for its whole kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from homes import AHome
from lobes.services.following import BATCH
from lobes.services.indexing import index_space
from lobes.services.space_adding import AddOptions, add_space, propose_folder

SPACE = "prj_a"
NOTE = "# Note\n\nThe periwinkle stands here.\n"


def paths(home: AHome, space: str = SPACE) -> set[str]:
    return {row[0] for row in home.rows("SELECT path FROM document WHERE space = ?", space)}


def test_a_moved_note_and_the_copy_at_its_old_path_are_both_there(home: AHome) -> None:
    """Field: the copy is not mistaken for the move's remains."""
    root = home.a_space(SPACE, {"old.md": NOTE})
    home.index()
    (root / "sub").mkdir()
    (root / "old.md").rename(root / "sub" / "new.md")
    home.write(SPACE, "old.md", NOTE)
    home.index()
    both = {(SPACE, "old.md"), (SPACE, "sub/new.md")}
    assert home.found("periwinkle", SPACE) == both
    index_space(home.lobes, home.me, SPACE, paths=["old.md", "sub/new.md", "old.md"])
    home.settle()
    assert home.found("periwinkle", SPACE) == both


def test_what_is_ignored_later_leaves_the_index_and_stays_on_the_disk(home: AHome) -> None:
    """Field: a pattern is added after files were indexed."""
    root = home.a_space(SPACE, {"a.md": NOTE, "drafts/b.md": NOTE, "drafts/keep.md": NOTE})
    home.index()
    home.write(SPACE, ".lobesignore", "drafts/*\n!drafts/keep.md\n")
    home.index()
    assert home.found("periwinkle", SPACE) == {(SPACE, "a.md"), (SPACE, "drafts/keep.md")}
    assert (root / "drafts" / "b.md").read_text() == NOTE
    (root / ".lobesignore").unlink()
    home.index()
    assert (SPACE, "drafts/b.md") in home.found("periwinkle", SPACE)


@pytest.mark.parametrize(
    "text",
    [
        "---\nid: mine\nz: 1\na: 2 # kept\n---\n# T\n\nx\n",
        "---\nid: [broken\n---\n# T\n\nx\n",
        "---\nnever closed\n# T\n\nx\n",
        "--- \r\ntitle: T\r\n---\r\n\r\nx",
        "\ufeff---\ntitle: T\n---\nx\n",
        "",
    ],
)
def test_following_a_pack_changes_no_byte_and_no_time_of_it(home: AHome, text: str) -> None:
    """Field: broken or unusual frontmatter; other tools' ids, order and comments are theirs."""
    root = home.a_space(SPACE, {"a.md": text})
    before = {one: (one.read_bytes(), one.stat().st_mtime_ns) for one in root.rglob("*")}
    home.index()
    home.index()
    assert {one: (one.read_bytes(), one.stat().st_mtime_ns) for one in root.rglob("*")} == before
    assert paths(home) == {"a.md"}


def test_the_same_file_in_two_spaces_is_deleted_from_one_alone(home: AHome) -> None:
    """Field: ownership is of the Space and the file, never of the content."""
    home.a_space("prj_alfa", {"same.md": NOTE})
    home.a_space("prj_beta", {"same.md": NOTE})
    home.index()
    (home.root("prj_alfa") / "same.md").unlink()
    home.index()
    assert home.found("periwinkle", "prj_beta") == {("prj_beta", "same.md")}
    assert paths(home, "prj_alfa") == set()


def test_a_long_path_and_an_empty_note_end_in_the_index_or_with_a_reason(home: AHome) -> None:
    """Field: more than 260 characters, and a note without a word; nothing loads for ever."""
    long = "/".join(["a folder with a long name " * 2] * 6).replace(" /", "/").rstrip()
    named = f"{long}/note.md"
    assert len(named) > 260
    home.a_space(SPACE, {named: NOTE, "empty.md": "", "blank.md": "\n\n  \n"})
    report = home.index()
    listed = {one.path for one in report.skipped}
    assert paths(home) | listed >= {named, "empty.md", "blank.md"}
    assert index_space(home.lobes, home.me, SPACE).indexed == 0


ODD = ["My Notes", "100%s {0} {x.__class__}", 'a\'b "c" $HOME `id`', "-rf", "Ünïcödé 部署"]


@pytest.mark.parametrize("name", ODD)
def test_a_folder_of_any_name_is_opened_as_it_is_called(home: AHome, name: str) -> None:
    """Field: a profile with a space in it, braces, percent signs: never split."""
    folder = home.folders.data.parent / "person" / name
    folder.mkdir(parents=True)
    (folder / f"{name}.md").write_text(NOTE)
    proposal = propose_folder(home.lobes, home.me, folder)
    assert (proposal.folder, proposal.files) == (folder, 1)
    space = add_space(home.lobes, home.me, folder, AddOptions(id="prj_odd"))
    home.index()
    assert home.found("periwinkle", space.id) == {("prj_odd", f"{name}.md")}


@pytest.mark.parametrize("name", ["a home", "100%s {0}"])
def test_a_home_of_any_name_works(a_home: Callable[..., AHome], name: str) -> None:
    """Field: the same for the home itself, its store and its index."""
    home = a_home(name=name)
    home.a_space(SPACE, {"a.md": NOTE})
    home.index()
    assert home.found("periwinkle", SPACE) == {(SPACE, "a.md")}


def test_files_that_move_while_they_are_followed_end_as_on_the_disk(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field: an agent creates and moves files while the watcher indexes the same paths."""
    from lobes.services import following

    root = home.a_space(SPACE, {f"n{n}.md": NOTE for n in range(BATCH + 10)})
    real, turns, under_way = following._store_once, iter(range(1000)), list[int]()

    def moving(run: following.PackRun, found: list[str]) -> list[str]:
        if not under_way:  # the look that this brings about is as it is
            turn = next(turns)
            under_way.append(turn)
            (root / f"n{turn}.md").rename(root / f"moved{turn}.md")
            (root / f"made{turn}.md").write_text(NOTE)
            index_space(home.lobes, home.me, SPACE, paths=[f"made{turn}.md", f"n{turn}.md"])
            under_way.clear()
        return real(run, found)

    monkeypatch.setattr(following, "_store_once", moving)
    index_space(home.lobes, home.me, SPACE)
    monkeypatch.undo()
    home.index()
    assert paths(home) == {one.name for one in root.glob("*.md")}
