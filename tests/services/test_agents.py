"""An agent bound to a Space: what its Space may not draw on does not exist, not even as a count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from homes import AHome, opened_home
from lobes.domain.errors import Forbidden, LobesError, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.services import lobe_changes, manifests, space_adding, space_changes
from lobes.services.audit_log import list_audit, verify_audit
from lobes.services.doctor import examine
from lobes.services.engine import rebuild_index, status_for, stop_engine
from lobes.services.explaining import explain
from lobes.services.indexing import index_all, index_space
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import list_lobes, lobe_view
from lobes.services.pack_drafts import open_draft
from lobes.services.search import search
from lobes.services.spaces import list_spaces, pack_text, show_space, state_text
from lobes.services.status import home_status

Act = Callable[[Installation, Caller, str], Any]

READS: dict[str, Act] = {
    "search": lambda lobes, who, space: search(lobes, who, "zephyr", space=space),
    "space show": show_space,
    "lobe show": lobe_view,
    "lobe explain": explain,
    "lobe explain both": lambda lobes, who, space: explain(lobes, who, "prj_own", space),
    "file": lambda lobes, who, space: pack_text(lobes, who, space, "a.md"),
    "state": state_text,
    "waiting": manifests.waiting,
}
WRITES: dict[str, Act] = {
    "lobe set": lambda lobes, who, space: lobe_changes.save(
        lobes, who, space, LobeChange(is_private=False)
    ),
    "lobe set --dry-run": lambda lobes, who, space: lobe_changes.preview(
        lobes, who, space, LobeChange(is_private=False)
    ),
    "index": index_space,
    "rebuild": lambda lobes, who, space: rebuild_index(lobes, who, space=space),
    "edit": lambda lobes, who, space: space_changes.edit_space(
        lobes, who, space, space_changes.Edit(name="x")
    ),
    "finish": space_changes.finish_space,
    "archive": space_changes.archive_space,
    "restore": space_changes.restore_space,
    "trash": space_changes.trash_space,
    "trash --dry-run": space_changes.trash_impact,
    "trust": lambda lobes, who, space: manifests.trust(lobes, who, space, content_hash="0"),
    "editor": lambda lobes, who, space: open_draft(lobes, who, space, "a.md"),
}
HIDDEN = {
    "private": LobeChange(is_private=True),
    "closed": LobeChange(cross_space="deny"),
    "ask": LobeChange(cross_space="ask"),
    "excluding": LobeChange(exclude=("prj_own",)),
}


@pytest.fixture(scope="module", params=HIDDEN)
def world(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[AHome]:
    """The agent's Space, one that it draws on, and one that it must not know of. Nothing that is
    tried here changes any of it."""
    with opened_home(tmp_path_factory.mktemp("agents") / "home") as home:
        home.a_space("prj_own", {"a.md": "# Own\n\nzephyr\n"})
        home.a_space("prj_open", {"a.md": "# Open\n\nzephyr\n"})
        home.a_space("prj_secret", {"a.md": "# Secret\n\nzephyr\n"}, HIDDEN[request.param])
        home.index()
        yield home


def said(act: Act, home: AHome, who: Caller, space: str) -> tuple[str, ...]:
    with pytest.raises(LobesError) as refused:
        act(home.lobes, who, space)
    error = refused.value
    return type(error).__name__, error.message, error.hint, error.reason


@pytest.mark.parametrize("name", [*READS, *WRITES])
def test_a_hidden_space_answers_like_one_that_never_was(world: AHome, name: str) -> None:
    """AZ-14."""
    act = {**READS, **WRITES}[name]
    for preset in ("reader", "editor"):
        who = world.agent("prj_own", preset=preset)
        assert said(act, world, who, "prj_secret") == said(act, world, who, "prj_nowhere")
        if name in READS:
            with pytest.raises(NotFound):
                act(world.lobes, who, "prj_secret")


@pytest.mark.parametrize("name", WRITES)
def test_a_reader_changes_nothing_in_its_own_space(world: AHome, name: str) -> None:
    before = world.rows("SELECT * FROM space")
    with pytest.raises(Forbidden):
        WRITES[name](world.lobes, world.agent("prj_own"), "prj_own")
    assert world.rows("SELECT * FROM space") == before
    assert world.audited("access.denied")[-1]["actor"] == "ai:ada/reader@prj_own"


def test_no_list_count_or_text_names_the_hidden_space(world: AHome) -> None:
    """AZ-14, AZ-22."""
    who = world.agent("prj_own", preset="editor")
    lobes = world.lobes
    told = [
        list_spaces(lobes, who, statuses=("active", "finished", "archived", "deleted")),
        list_lobes(lobes, who),
        home_status(lobes, who),
        status_for(lobes, who),
        examine(lobes, who),
        search(lobes, who, "zephyr secret", space="prj_own"),
        *(act(lobes, who, space) for act in (show_space, lobe_view, explain)
          for space in ("prj_own", "prj_open")),
    ]  # fmt: skip
    assert "secret" not in str(told).replace("secret_", "").lower()
    status = home_status(lobes, who)
    assert (status.spaces, status.documents) == (2, 2)
    assert status.engine.words_total == 0


def test_settings_that_name_a_hidden_space_are_not_shown(home: AHome) -> None:
    from lobes.domain.lobes import Subscription

    home.a_space("prj_own", {})
    home.a_space("prj_secret", {}, LobeChange(is_private=True))
    lobe_changes.save(
        home.lobes,
        home.me,
        "prj_own",
        LobeChange(
            exclude=("prj_secret",),
            mute=("space/prj_secret",),
            subscribe=(Subscription("space", "prj_secret"),),
        ),
    )
    assert "prj_secret" not in str(lobe_view(home.lobes, home.agent("prj_own"), "prj_own"))
    assert "prj_secret" in str(lobe_view(home.lobes, home.me, "prj_own"))


@pytest.mark.parametrize(
    "act",
    [
        list_audit,
        verify_audit,
        stop_engine,
        lambda lobes, who: rebuild_index(lobes, who, space=None),
        lambda lobes, who: space_adding.new_space(lobes, who, "prj_new"),
        lambda lobes, who: space_adding.propose_folder(lobes, who, lobes.folders.spaces),
    ],
)
def test_the_home_is_the_persons(home: AHome, act: Callable[..., object]) -> None:
    home.a_space("prj_own", {})
    for preset in ("reader", "editor"):
        with pytest.raises(LobesError) as refused:
            act(home.lobes, home.agent("prj_own", preset=preset))
        assert refused.value.code in ("forbidden", "not_found", "no_presence")


def test_an_editor_follows_its_own_pack_alone(home: AHome) -> None:
    home.a_space("prj_own", {"a.md": "# A\n\nx\n"})
    home.a_space("prj_open", {"a.md": "# A\n\nx\n"})
    home.execute("UPDATE space SET lobe_config = replace(lobe_config, 'proposer', 'editor')")
    report = index_all(home.lobes, home.agent("prj_own", preset="editor"))
    assert [one.space for one in report.roots] == ["prj_own"]


def test_the_smaller_preset_wins_and_is_read_at_every_call(home: AHome) -> None:
    """The Space allows readers only; the process was started as an editor."""
    home.a_space("prj_own", {"a.md": "# A\n\nx\n"}, LobeChange(agent_preset="reader"))
    who = home.agent("prj_own", preset="editor")
    with pytest.raises(Forbidden):
        index_space(home.lobes, who, "prj_own")
    lobe_changes.save(home.lobes, home.me, "prj_own", LobeChange(agent_preset="editor"))
    assert index_space(home.lobes, who, "prj_own").indexed == 1


@pytest.mark.parametrize("name", ["ai:bob/reader@prj_own", "ai:ada/reader@prj_gone"])
def test_an_agent_of_a_stranger_or_of_no_space_knows_nothing(home: AHome, name: str) -> None:
    from lobes.domain.actors import parse_actor

    home.a_space("prj_own", {"a.md": "# A\n\nzephyr\n"})
    home.index()
    who = Caller(parse_actor(name), "cli")
    assert list_spaces(home.lobes, who) == ()
    for act in READS.values():
        with pytest.raises(NotFound):
            act(home.lobes, who, "prj_own")
