"""An edited copy goes back into its file only where nothing is lost by it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from homes import AHome
from lobes.domain.errors import Conflict, Invalid, LobesError, NotFound
from lobes.services.pack_drafts import Clash, PackDraft, Written, open_draft, take_over, write_pack

BOM = b"\xef\xbb\xbf"


@pytest.fixture
def pack(home: AHome) -> AHome:
    home.a_space("prj_a", {"current.md": "# Now\n\nbefore\n", "docs/deep.md": "# Deep\n"})
    home.index()
    return home


def opened(home: AHome, path: str = "current.md", *, afresh: bool = False) -> PackDraft:
    return open_draft(home.lobes, home.me, "prj_a", path, afresh=afresh)


def taken(home: AHome, draft: PackDraft) -> Written | Clash | None:
    return take_over(home.lobes, home.me, draft)


def on_disk(home: AHome, path: str = "current.md") -> str:
    return (home.root("prj_a") / path).read_text(encoding="utf-8")


def test_the_copy_has_the_files_own_name_and_is_the_persons_alone(pack: AHome) -> None:
    draft = opened(pack, "docs/deep.md")
    assert draft.file.name == "deep.md"
    assert draft.file.read_text() == "# Deep\n"
    assert draft.folder == pack.root("prj_a")
    assert not draft.file.is_relative_to(pack.root("prj_a"))
    for place in (draft.file.parent, draft.file.parent.parent):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE(draft.file.stat().st_mode) == 0o600


def test_what_was_written_is_in_the_file_and_in_the_record(pack: AHome) -> None:
    draft = opened(pack)
    draft.file.write_text("# Now\n\nafter\n")
    done = taken(pack, draft)
    assert isinstance(done, Written)
    assert (done.before, done.after) == ("# Now\n\nbefore\n", "# Now\n\nafter\n")
    assert on_disk(pack) == "# Now\n\nafter\n"
    assert not draft.file.exists()
    (row,) = pack.audited("pack.edited")
    assert (row["verb"], row["resources"]) == ("edit_content", ["space/prj_a"])


def test_it_is_undone_only_while_the_file_is_what_was_written(pack: AHome) -> None:
    draft = opened(pack)
    draft.file.write_text("after\n")
    done = taken(pack, draft)
    assert isinstance(done, Written)
    expect = done.content_hash
    back = write_pack(
        pack.lobes, pack.me, "prj_a", "current.md", text=done.before, expect_hash=expect
    )
    assert on_disk(pack) == "# Now\n\nbefore\n"
    with pytest.raises(Conflict):
        write_pack(pack.lobes, pack.me, "prj_a", "current.md", text="x", expect_hash=expect)
    assert back.after == done.before


def test_the_byte_order_mark_and_the_line_ends_of_a_file_stay(home: AHome) -> None:
    home.a_space("prj_a", {"current.md": BOM + b"# Now\r\n\r\nbefore\r\n"})
    home.index()
    draft = opened(home)
    draft.file.write_bytes(draft.file.read_bytes().replace(b"before", b"after"))
    assert isinstance(taken(home, draft), Written)
    found = (home.root("prj_a") / "current.md").read_bytes()
    assert found == BOM + b"# Now\r\n\r\nafter\r\n"


def test_the_same_text_changes_nothing_and_leaves_no_draft(pack: AHome) -> None:
    before = (pack.root("prj_a") / "current.md").stat()
    draft = opened(pack)
    assert taken(pack, draft) is None
    assert (pack.root("prj_a") / "current.md").stat().st_mtime_ns == before.st_mtime_ns
    assert not draft.file.parent.exists()
    assert pack.audited("pack.edited") == []


def test_a_file_that_changed_meanwhile_is_not_overwritten_and_both_texts_are_kept(
    pack: AHome,
) -> None:
    draft = opened(pack)
    draft.file.write_text("mine\n")
    pack.write("prj_a", "current.md", "theirs\n")
    clash = taken(pack, draft)
    assert isinstance(clash, Clash)
    assert (clash.mine, clash.theirs) == ("mine\n", "theirs\n")
    assert on_disk(pack) == "theirs\n"
    assert draft.file.read_text() == "mine\n"
    # Whoever has seen both decides: now, and after another start.
    again = opened(pack)
    assert again.is_kept
    assert again.base_hash == clash.draft.base_hash
    assert isinstance(taken(pack, clash.draft), Written)
    assert on_disk(pack) == "mine\n"


def test_one_more_change_after_both_were_seen_is_a_clash_again(pack: AHome) -> None:
    draft = opened(pack)
    draft.file.write_text("mine\n")
    pack.write("prj_a", "current.md", "theirs\n")
    clash = taken(pack, draft)
    assert isinstance(clash, Clash)
    pack.write("prj_a", "current.md", "theirs once more\n")
    assert isinstance(taken(pack, clash.draft), Clash)
    assert on_disk(pack) == "theirs once more\n"


def test_what_an_earlier_editing_left_is_handed_on_until_it_starts_afresh(pack: AHome) -> None:
    draft = opened(pack)
    draft.file.write_text("left there\n")
    again = opened(pack)
    assert (again.is_kept, again.file.read_text()) == (True, "left there\n")
    fresh = opened(pack, afresh=True)
    assert (fresh.is_kept, fresh.file.read_text()) == (False, "# Now\n\nbefore\n")


def test_a_draft_left_before_the_file_changed_is_a_clash(pack: AHome) -> None:
    opened(pack).file.write_text("left there\n")
    pack.write("prj_a", "current.md", "theirs\n")
    assert isinstance(taken(pack, opened(pack)), Clash)
    assert on_disk(pack) == "theirs\n"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a\n\xff\n", "Line 2 is not UTF-8."),
        (b"a\0b", "It is no text: it holds NUL bytes."),
        (b"x" * (1024 * 1024 + 1), "It is larger than 1 MiB."),
    ],
)
def test_a_text_that_a_pack_can_not_hold_is_refused_and_kept(
    pack: AHome, data: bytes, said: str
) -> None:
    draft = opened(pack)
    draft.file.write_bytes(data)
    with pytest.raises(Invalid) as refused:
        taken(pack, draft)
    assert refused.value.message == said
    assert on_disk(pack) == "# Now\n\nbefore\n"
    assert opened(pack).is_kept


def test_a_space_yaml_with_a_fault_is_refused_with_its_line(pack: AHome) -> None:
    draft = opened(pack, "space.yaml")
    before = on_disk(pack, "space.yaml")
    draft.file.write_text("id: prj_a\ntype: nothing\nname: A\n")
    with pytest.raises(Invalid) as refused:
        taken(pack, draft)
    assert "Line 2" in refused.value.message
    assert on_disk(pack, "space.yaml") == before
    draft.file.write_text(before.replace("name: Prj_A", "name: Better"))
    assert isinstance(taken(pack, draft), Written)
    assert "name: Better" in on_disk(pack, "space.yaml")


def test_only_files_of_the_pack_can_be_edited(pack: AHome) -> None:
    pack.write("prj_a", ".git/hooks/post-commit", "rm -rf /")
    for path in ("nowhere.md", ".git/hooks/post-commit", "../../data/lobes.db"):
        with pytest.raises(LobesError):
            opened(pack, path)
    with pytest.raises(NotFound):
        open_draft(pack.lobes, pack.me, "prj_unknown", "current.md")


def test_a_link_in_place_of_the_file_is_not_written_through(pack: AHome, tmp_path: Path) -> None:
    draft = opened(pack)
    draft.file.write_text("mine\n")
    aim = tmp_path / "elsewhere.md"
    aim.write_text("untouched\n")
    file = pack.root("prj_a") / "current.md"
    file.unlink()
    file.symlink_to(aim)
    with pytest.raises(LobesError):
        taken(pack, draft)
    assert aim.read_text() == "untouched\n"
    assert draft.file.read_text() == "mine\n"
