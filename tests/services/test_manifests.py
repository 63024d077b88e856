"""`space.yaml`: what narrows binds at once, what widens waits for the person, broken binds not."""

from __future__ import annotations

from contextlib import suppress

import pytest

from homes import AHome
from lobes.domain.errors import Conflict, Invalid, NoPresence, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.services.indexing import index_space
from lobes.services.lobes import lobe_view
from lobes.services.manifests import trust, waiting
from lobes.services.space_changes import Edit, archive_space, edit_space, restore_space
from lobes.services.spaces import list_spaces, show_space

STATUS = "id: prj_a\ntype: project\nname: Prj_A\nstatus: {}\n"
WIDENS = "resources:\n  allowed_roots: [., /elsewhere]\n"
ASKS = "id: prj_a\ntype: project\nname: Prj_A\nmemory:\n  cross_space_retrieval: {}\n"


@pytest.fixture
def asking(home: AHome) -> AHome:
    """A Space whose trusted manifest says `ask`, beside an open one."""
    home.a_space("prj_b", {})
    home.a_space("prj_a", {"a.md": "# A\n\nword\n"})
    manifest(home, ASKS.format("ask"))
    index_space(home.lobes, home.me, "prj_a")
    assert effective(home) == "ask"
    return home


def manifest(home: AHome, text: str) -> None:
    home.write("prj_a", "space.yaml", text)


def effective(home: AHome) -> str:
    return lobe_view(home.lobes, home.me, "prj_a").cross_space


def test_widening_has_no_effect_until_its_very_content_is_trusted(asking: AHome) -> None:
    manifest(asking, ASKS.format("open"))
    index_space(asking.lobes, asking.me, "prj_a")
    assert effective(asking) == "ask"
    assert [row.id for row in list_spaces(asking.lobes, asking.me) if row.waits_for_trust] == [
        "prj_a"
    ]
    shown = waiting(asking.lobes, asking.me, "prj_a")
    assert shown is not None
    assert shown.widens != ()
    manifest(asking, ASKS.format("open") + "description: another\n")
    with pytest.raises(Conflict) as refused:
        trust(asking.lobes, asking.me, "prj_a", content_hash=shown.content_hash)
    assert refused.value.reason == "changed"
    assert effective(asking) == "ask"
    again = waiting(asking.lobes, asking.me, "prj_a")
    assert again is not None
    trust(asking.lobes, asking.me, "prj_a", content_hash=again.content_hash)
    assert effective(asking) == "open"
    assert waiting(asking.lobes, asking.me, "prj_a") is None
    assert len(asking.audited("space.trusted")) == 1


def test_narrowing_binds_at_once(asking: AHome) -> None:
    manifest(asking, ASKS.format("deny"))
    index_space(asking.lobes, asking.me, "prj_a")
    assert effective(asking) == "deny"
    assert waiting(asking.lobes, asking.me, "prj_a") is None


def test_what_narrows_in_a_file_that_also_widens_binds_at_once(asking: AHome) -> None:
    manifest(
        asking,
        ASKS.format("deny") + "resources:\n  allowed_roots: [., /elsewhere]\n",
    )
    index_space(asking.lobes, asking.me, "prj_a")
    assert effective(asking) == "deny"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "id: prj_a\ntype: project\nname: [\n",
        "id: prj_a\nid: prj_a\ntype: project\nname: x\n",
        ASKS.format("off"),
        ASKS.format("open").replace("project", "projekt"),
        "a: &x [1]\nb: *x\n",
        "!!python/object/apply:os.system ['true']\n",
        "{" * 100_000,
    ],
)
def test_a_broken_file_keeps_what_bound(asking: AHome, text: str) -> None:
    """PA-17, PA-18, PA-19, PA-20."""
    manifest(asking, text)
    report = index_space(asking.lobes, asking.me, "prj_a")
    assert [one.state for one in report.roots] == ["ok"]
    assert effective(asking) == "ask"
    assert show_space(asking.lobes, asking.me, "prj_a").row.name == "Prj_A"
    shown = waiting(asking.lobes, asking.me, "prj_a")
    assert shown is not None
    with pytest.raises(Invalid):
        trust(asking.lobes, asking.me, "prj_a", content_hash=shown.content_hash)


def test_a_file_that_is_gone_keeps_what_bound(asking: AHome) -> None:
    (asking.root("prj_a") / "space.yaml").unlink()
    index_space(asking.lobes, asking.me, "prj_a")
    assert effective(asking) == "ask"


@pytest.mark.parametrize(
    ("before", "after"), [("type: project", "type: area"), ("id: prj_a", "id: prj_b")]
)
def test_kind_and_id_never_change_silently(asking: AHome, before: str, after: str) -> None:
    manifest(asking, ASKS.format("ask").replace(before, after))
    index_space(asking.lobes, asking.me, "prj_a")
    row = show_space(asking.lobes, asking.me, "prj_a").row
    assert (row.id, row.kind) == ("prj_a", "project")
    shown = waiting(asking.lobes, asking.me, "prj_a")
    assert shown is not None
    with pytest.raises(Invalid) as refused:
        trust(asking.lobes, asking.me, "prj_a", content_hash=shown.content_hash)
    assert refused.value.reason == "kind_never_changes"


def test_a_file_of_an_added_folder_without_one_never_opens_it(home: AHome) -> None:
    """An agent writes the first `space.yaml` itself."""
    home.a_space("prj_b", {})
    home.a_space("prj_a", {}, LobeChange(cross_space="deny"))
    manifest(home, ASKS.format("open"))
    index_space(home.lobes, home.me, "prj_a")
    assert effective(home) == "deny"


def test_editing_the_name_trusts_nothing_that_an_agent_wrote_meanwhile(asking: AHome) -> None:
    """The person's edit is spliced into a file that the index has not seen yet."""
    manifest(asking, ASKS.format("open"))
    edit_space(asking.lobes, asking.me, "prj_a", Edit(name="Renamed"))
    assert effective(asking) == "ask"
    index_space(asking.lobes, asking.me, "prj_a")
    assert effective(asking) == "ask"
    shown = waiting(asking.lobes, asking.me, "prj_a")
    assert shown is not None
    assert shown.widens != ()
    assert show_space(asking.lobes, asking.me, "prj_a").row.name == "Renamed"


def test_editing_the_trusted_file_leaves_nothing_waiting(asking: AHome) -> None:
    edit_space(asking.lobes, asking.me, "prj_a", Edit(name="Renamed", description="Words"))
    assert waiting(asking.lobes, asking.me, "prj_a") is None
    index_space(asking.lobes, asking.me, "prj_a")
    row = show_space(asking.lobes, asking.me, "prj_a").row
    assert (row.name, row.description, row.waits_for_trust) == ("Renamed", "Words", False)


def test_trust_needs_a_person(asking: AHome) -> None:
    manifest(asking, ASKS.format("open"))
    index_space(asking.lobes, asking.me, "prj_a")
    shown = waiting(asking.lobes, asking.me, "prj_a")
    assert shown is not None
    with pytest.raises(NoPresence):
        trust(asking.lobes, asking.absent, "prj_a", content_hash=shown.content_hash)
    assert effective(asking) == "ask"


# The status ------------------------------------------------------------------------------------


@pytest.fixture
def plain(home: AHome) -> AHome:
    home.a_space("prj_a", {"a.md": "# A\n\nword\n"})
    home.index()
    return home


def status_after(home: AHome, text: str) -> str:
    """The Space's status once its file says this and the pack was looked at, where it still is."""
    manifest(home, text)
    with suppress(NotFound):
        index_space(home.lobes, home.me, "prj_a")
    return status(home)


def status(home: AHome) -> str:
    return show_space(home.lobes, home.me, "prj_a").row.status


def test_a_status_written_by_hand_is_followed_where_it_opens_nothing(plain: AHome) -> None:
    assert status_after(plain, STATUS.format("finished")) == "finished"
    assert status_after(plain, STATUS.format("active")) == "active"
    assert plain.found("word", "prj_a") != set()
    assert status_after(plain, STATUS.format("archived")) == "archived"
    assert waiting(plain.lobes, plain.me, "prj_a") is None
    assert restore_space(plain.lobes, plain.me, "prj_a").status == "active"
    assert "status: active" in (plain.root("prj_a") / "space.yaml").read_text()


def test_no_file_leads_out_of_the_archive_until_it_is_trusted(plain: AHome) -> None:
    """An agent that may write to the folder must not be able to open it."""
    assert status_after(plain, STATUS.format("archived")) == "archived"
    assert status_after(plain, STATUS.format("active")) == "archived"
    shown = waiting(plain.lobes, plain.me, "prj_a")
    assert shown is not None
    assert shown.widens == ("status: archived → active",)
    trust(plain.lobes, plain.me, "prj_a", content_hash=shown.content_hash)
    assert status(plain) == "active"


def test_archiving_by_a_file_that_also_widens_holds_at_once(plain: AHome) -> None:
    before = (plain.root("prj_a") / "space.yaml").read_text()
    assert status_after(plain, STATUS.format("archived") + WIDENS) == "archived"
    assert status_after(plain, before) == "archived"


def test_what_the_person_archived_stays_so_whatever_the_file_goes_back_to(plain: AHome) -> None:
    """While a change waits, the person's own act goes into a file that nobody trusts."""
    before = (plain.root("prj_a") / "space.yaml").read_text()
    assert status_after(plain, before + WIDENS) == "active"
    archive_space(plain.lobes, plain.me, "prj_a")
    assert status_after(plain, before) == "archived"


def test_a_change_of_other_words_leaves_the_persons_status(plain: AHome) -> None:
    """A Space whose folder was away when it was archived: its file says active all the time."""
    text = (plain.root("prj_a") / "space.yaml").read_text()
    away = plain.root("prj_a").rename(plain.folders.spaces / "away")
    archive_space(plain.lobes, plain.me, "prj_a")
    away.rename(plain.root("prj_a"))
    assert status_after(plain, text + "description: Words\n") == "archived"
    shown = waiting(plain.lobes, plain.me, "prj_a")
    assert shown is not None
    trust(plain.lobes, plain.me, "prj_a", content_hash=shown.content_hash)
    assert status(plain) == "archived"
