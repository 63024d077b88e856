"""Many Spaces at once: each has its own outcome, all of them one unit of work and one record."""

from __future__ import annotations

import pytest

from homes import AHome
from lobes.domain.errors import Conflict, NotFound, Unavailable
from lobes.services import space_changes
from lobes.services.space_changes import (
    archive_space,
    archive_spaces,
    finish_space,
    restore_spaces,
    trash_space,
    trash_spaces,
)
from lobes.services.spaces import list_spaces
from lobes.store.audit import Wanted


@pytest.fixture
def three(home: AHome) -> AHome:
    for name in ("prj_a", "prj_b", "area_c"):
        home.a_space(name, {"a.md": "# A\n"})
    return home


def statuses(home: AHome) -> dict[str, str]:
    every = ("active", "finished", "archived", "deleted")
    return {one.id: one.status for one in list_spaces(home.lobes, home.me, statuses=every)}


def test_a_batch_leaves_one_record_that_names_all(three: AHome) -> None:
    batch = archive_spaces(three.lobes, three.me, ["prj_a", "prj_b", "prj_a"])
    assert ([one.id for one in batch.done], batch.left) == (["prj_a", "prj_b"], ())
    (record,) = three.audited("space.archived")
    assert record["resources"] == ["space/prj_a", "space/prj_b"]


def test_what_may_not_change_is_left_and_named_the_rest_is_done(three: AHome) -> None:
    archive_space(three.lobes, three.me, "prj_b")
    batch = archive_spaces(three.lobes, three.me, ["prj_a", "prj_b", "prj_none", "area_c"])
    assert [one.id for one in batch.done] == ["prj_a", "area_c"]
    assert [(one.space, type(one.error)) for one in batch.left] == [
        ("prj_b", Conflict),
        ("prj_none", NotFound),
    ]
    assert [one.name for one in batch.left][1] == "prj_none"
    assert statuses(three) == dict.fromkeys(("area_c", "prj_a", "prj_b"), "archived")
    three.lobes.audit.flush()
    newest = three.lobes.audit.rows(1, Wanted(event="space.archived"))
    assert list(newest[0].resources) == ["space/prj_a", "space/area_c"]
    assert [tuple(one) for one in newest[0].decisions][2:] == [
        ("space/prj_b", "wrong_status", False),
        ("space/prj_none", "not_found", False),
    ]


def test_the_undo_of_a_batch_is_one_batch_back_to_what_each_was(three: AHome) -> None:
    finish_space(three.lobes, three.me, "prj_a")
    archive_space(three.lobes, three.me, "area_c")
    before = statuses(three)
    gone = trash_spaces(three.lobes, three.me, ["prj_a", "prj_b", "area_c"])
    assert set(statuses(three).values()) == {"deleted"}
    restore_spaces(three.lobes, three.me, [one.id for one in gone.done])
    assert statuses(three) == before
    assert len(three.audited("space.trashed")) == len(three.audited("space.restored")) == 1


def test_undoing_an_archive_takes_nothing_out_of_the_trash_that_went_there_since(
    three: AHome,
) -> None:
    archive_spaces(three.lobes, three.me, ["prj_a", "prj_b"])
    trash_space(three.lobes, three.me, "prj_a")
    undone = restore_spaces(three.lobes, three.me, ["prj_a", "prj_b"], out_of="archived")
    assert [one.id for one in undone.done] == ["prj_b"]
    assert undone.left[0].error.message.endswith("is in the trash since.")
    assert statuses(three)["prj_a"] == "deleted"


def test_nothing_that_may_change_leaves_no_record(three: AHome) -> None:
    batch = trash_spaces(three.lobes, three.me, ["prj_none"])
    assert (batch.done, len(batch.left)) == ((), 1)
    assert three.audited("space.trashed") == []


def test_a_write_that_fails_changes_none_of_the_batch(
    three: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lobes.store.unit_of_work import UnitOfWork

    def full(_: UnitOfWork) -> None:
        raise Unavailable("The disk is full.", reason="disk_full")

    before = statuses(three)
    monkeypatch.setattr(UnitOfWork, "commit", full)
    with pytest.raises(Unavailable):
        space_changes.trash_spaces(three.lobes, three.me, ["prj_a", "prj_b"])
    monkeypatch.undo()
    assert statuses(three) == before
    assert three.audited("space.trashed") == []
