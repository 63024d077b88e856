"""Sessions are their author's: what agents record of their turns, and who may look at it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from decided import remember
from homes import AHome, opened_home
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Forbidden, Invalid, LobesError, NotFound, Unavailable
from lobes.domain.ids import derived_id
from lobes.domain.lobe_change import LobeChange
from lobes.domain.memories import Provenance
from lobes.domain.permission_change import PermissionChange
from lobes.domain.permissions import Permission
from lobes.domain.resources import Resource
from lobes.domain.sessions import MOST_TURNS, PER_HOUR, Said
from lobes.services import recording
from lobes.services.can import can
from lobes.services.doctor import examine
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save
from lobes.services.notices import list_notices
from lobes.services.permissions import preview_permission, save_permission, show_permission
from lobes.services.recording import Recorded, record_turn
from lobes.services.search import search
from lobes.services.sessions import SessionView, list_sessions, show_session
from lobes.services.space_changes import restore_space, trash_space

BOB = Caller(parse_actor("user:bob"), "cli", is_present=True)
WORDS = "Moved the quibblewort ledger."
TOKEN = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
ONE = derived_id("session", "one")
TWO = derived_id("session", "two")
READER = ("read_meta", "read_content", "read_chat", "converse")


@pytest.fixture
def shared(home: AHome) -> AHome:
    """A Space that its owner lets one other person read and converse in."""
    home.a_space("prj_a", {"a.md": "# A\n\nzephyr\n"})
    home.a_space("prj_b", {"b.md": "# B\n"}, LobeChange(cross_space="deny"))
    home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026-01-01')")
    grant = tuple((verb, "user:bob") for verb in READER)
    change = PermissionChange(visibility="restricted", grant=grant)
    save_permission(home.lobes, home.me, Resource("space", "prj_a"), change)
    return home


def turn(
    home: AHome,
    summary: str = WORDS,
    *decisions: str,
    by: Caller | None = None,
    session: str = ONE,
    space: str = "prj_a",
    **more: Any,
) -> Recorded:
    """An agent records one."""
    came = Provenance("mcp", session, more.pop("client", "codex"), "record_turn", **more)
    evidence = came.evidence
    said = Said(summary, decisions, evidence)
    return record_turn(home.lobes, by or an_agent(home, space), space, said, came)


def an_agent(home: AHome, space: str = "prj_a", **more: Any) -> Caller:
    return home.agent(space, **{"preset": "proposer", **more})


def bobs_agent() -> Caller:
    return Caller(parse_actor("ai:bob/proposer@prj_a"), "mcp")


def seen(home: AHome, caller: Caller, id: str = ONE) -> SessionView:
    return show_session(home.lobes, caller, id)


def listed(home: AHome, caller: Caller, space: str = "") -> list[tuple[str, int]]:
    page = list_sessions(home.lobes, caller, space=space)
    return [(one.session.id, one.turns) for one in page.items]


# Recording --------------------------------------------------------------------------------------


def test_turns_stand_in_their_order_with_where_they_come_from(shared: AHome) -> None:
    first = turn(shared, WORDS, "Ledgers stay local.", "Ledgers stay local.")
    second = turn(shared, "Said more.", is_external=True)
    assert (first, second) == (Recorded(ONE, 1), Recorded(ONE, 2))
    view = seen(shared, shared.me)
    assert (view.session.space, view.session.person) == ("prj_a", "ada")
    assert view.session.actor == "ai:ada/proposer@prj_a"
    assert (view.session.client, view.session.permission) == ("codex", Permission("private"))
    one, two = view.turns
    assert (one.summary, one.decisions) == (WORDS, ("Ledgers stay local.",))
    assert (one.place, one.actor, one.is_external) == (1, "ai:ada/proposer@prj_a", False)
    assert (two.place, two.summary, two.is_external) == (2, "Said more.", True)
    assert view.session.started == one.at <= two.at
    rows = shared.audited("session.turn_recorded")
    assert [one["resources"] for one in rows] == [[f"session/{ONE}", "space/prj_a"]] * 2
    assert "quibblewort" not in json.dumps(rows)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (Said(""), "no_summary"),
        (Said(" \u200b\n"), "no_summary"),
        (Said("<private>all of it</private>"), "no_summary"),
        (Said("a\0b"), "bad_text"),
        (Said("a\ud800"), "bad_text"),
        (Said("<|im_start|>system"), "not_a_summary"),
        (Said("<sys\u200btem-reminder>"), "not_a_summary"),
        (Said("Fine.", ("<|im_start|>",)), "not_a_summary"),
        (Said("x" * 4_001), "turn_too_long"),
        (Said("Fine.", ("y" * 501,)), "turn_too_long"),
        (Said("Fine.", tuple(map(str, range(21)))), "turn_too_long"),
        (Said("Fine.", evidence=("a.md",)), "bad_evidence"),
    ],
)
def test_what_is_no_turn_is_refused_and_nothing_is_kept(
    shared: AHome, said: Said, reason: str
) -> None:
    came = Provenance("mcp", ONE)
    with pytest.raises(Invalid) as refused:
        record_turn(shared.lobes, an_agent(shared), "prj_a", said, came)
    assert refused.value.reason == reason
    assert shared.rows("SELECT id FROM session") == []


def test_what_was_said_in_private_is_not_kept(shared: AHome) -> None:
    turn(shared, "Before <private>zwieback</private> after.", "On <private>zwieback</private>ly.")
    (one,) = seen(shared, shared.me).turns
    assert "zwieback" not in one.summary + "".join(one.decisions)
    assert shared.rows("SELECT 1 FROM session_turn WHERE summary LIKE '%zwieback%'") == []


def test_secrets_are_masked_on_the_way_out_and_raise_the_level(shared: AHome) -> None:
    """In a decision too, and in what the client calls itself, which isn't kept as it was."""
    turn(shared, f"Took {TOKEN}.", f"Keep {TOKEN}.", client=f"codex {TOKEN}")
    view = seen(shared, shared.me)
    assert TOKEN not in str(view)
    assert "hidden]" in view.turns[0].summary
    assert "hidden]" in view.turns[0].decisions[0]
    assert shared.rows("SELECT level FROM session_turn") == [("confidential",)]
    assert TOKEN not in shared.rows("SELECT client FROM session")[0][0]
    # What an older classifier found nothing in is looked at again.
    shared.execute("UPDATE session_turn SET classifier = 0, findings = '[]'")
    assert TOKEN not in str(seen(shared, shared.me))


def test_an_agent_has_no_confidential_turn_unless_its_space_lets_it(shared: AHome) -> None:
    turn(shared, f"Took {TOKEN}.")
    turn(shared)
    agent = an_agent(shared)
    assert [one.summary for one in seen(shared, agent).turns] == [WORDS]
    assert [one.place for one in seen(shared, agent).turns] == [1]
    assert listed(shared, agent) == [(ONE, 1)]
    assert listed(shared, shared.me) == [(ONE, 2)]
    save(shared.lobes, shared.me, "prj_a", LobeChange(agents_see_confidential=True))
    assert listed(shared, agent) == [(ONE, 2)]


def test_what_is_hidden_shows_in_no_time_either(shared: AHome) -> None:
    """When the last turn was that one may have, not the last of all."""
    turn(shared)
    turn(shared, f"Took {TOKEN}.")
    shared.execute("UPDATE session_turn SET at = '2030-01-01T00:00:00+00:00' WHERE place = 2")
    (row,) = list_sessions(shared.lobes, an_agent(shared)).items
    assert row.last.year < 2030
    (row,) = list_sessions(shared.lobes, shared.me).items
    assert row.last.year == 2030


def test_only_who_may_converse_records(shared: AHome) -> None:
    for caller, error in (
        (an_agent(shared, preset="reader"), Forbidden),
        (an_agent(shared, "prj_b"), NotFound),
        (Caller(parse_actor("ai:eve/proposer@prj_a"), "mcp"), NotFound),
    ):
        with pytest.raises(error):
            turn(shared, by=caller)
    assert shared.rows("SELECT id FROM session") == []


def test_nobody_goes_on_with_somebody_elses_session(shared: AHome) -> None:
    """Not by its id either, nor from another Space; a bad id begins none."""
    turn(shared)
    for caller, space, session in (
        (bobs_agent(), "prj_a", ONE),
        (an_agent(shared, "prj_b"), "prj_b", ONE),
        (shared.me, "prj_b", ONE),
        (an_agent(shared), "prj_a", "../x"),
    ):
        with pytest.raises(NotFound):
            turn(shared, by=caller, space=space, session=session)
    assert shared.rows("SELECT count(*) FROM session_turn") == [(1,)]


def test_a_right_that_another_installation_took_is_gone_at_the_very_next_turn(
    shared: AHome,
) -> None:
    turn(shared, by=bobs_agent())
    with opened_home(shared.folders.data.parent) as second:
        change = PermissionChange(revoke=(("converse", "user:bob"),))
        save_permission(second.lobes, second.me, Resource("space", "prj_a"), change)
    with pytest.raises(Forbidden):
        turn(shared, by=bobs_agent())
    assert shared.rows("SELECT count(*) FROM session_turn") == [(1,)]


def test_a_right_that_is_taken_while_a_turn_is_looked_at_records_none(
    shared: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The texts are looked at before the store is locked: who may is asked again then."""
    kept = recording.as_kept

    def taken_first(came: Provenance) -> Provenance:
        change = PermissionChange(revoke=(("converse", "user:bob"),))
        save_permission(shared.lobes, shared.me, Resource("space", "prj_a"), change)
        return kept(came)

    monkeypatch.setattr(recording, "as_kept", taken_first)
    with pytest.raises(Forbidden):
        turn(shared, by=bobs_agent())
    assert shared.rows("SELECT id FROM session") == []


def test_a_session_and_a_persons_agents_have_their_fill(shared: AHome) -> None:
    turn(shared)
    now = shared.lobes.clock()
    like = (
        "INSERT INTO session_turn (session, place, at, actor, summary)"
        " WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
        " SELECT ?, i, ?, 'ai:ada/proposer@prj_a', 'x' FROM n"
    )
    shared.execute(like, PER_HOUR, ONE, now.isoformat())
    with pytest.raises(Unavailable) as refused:
        turn(shared, session=TWO)
    assert refused.value.reason == "too_many_turns"
    turn(shared, session=TWO, by=bobs_agent())
    shared.execute("UPDATE session_turn SET at = ?", (now - timedelta(hours=2)).isoformat())
    turn(shared)
    shared.execute("UPDATE session_turn SET place = ? WHERE place = 2", MOST_TURNS)
    with pytest.raises(Unavailable) as refused:
        turn(shared)
    assert refused.value.reason == "session_full"


# Looking ----------------------------------------------------------------------------------------


def test_a_new_session_is_its_authors_alone(shared: AHome) -> None:
    """Also where somebody else owns the Space, and for the agents of each."""
    turn(shared)
    turn(shared, by=bobs_agent(), session=TWO)
    for caller, own, other in (
        (shared.me, ONE, TWO),
        (an_agent(shared), ONE, TWO),
        (BOB, TWO, ONE),
        (bobs_agent(), TWO, ONE),
    ):
        assert listed(shared, caller) == listed(shared, caller, "prj_a") == [(own, 1)]
        assert seen(shared, caller, own).session.id == own
        with pytest.raises(NotFound):
            seen(shared, caller, other)


def test_who_may_not_know_one_gets_the_answer_of_one_that_never_was(shared: AHome) -> None:
    turn(shared)
    never = derived_id("session", "never")
    answers: list[tuple[str, str, str]] = []
    for id in (ONE, never, "x", "../x"):
        with pytest.raises(LobesError) as refused:
            seen(shared, BOB, id)
        answers.append((refused.value.message, refused.value.hint, refused.value.reason))
    assert len(set(answers)) == 1


def test_an_agent_sees_those_of_its_own_space_and_a_reader_none(shared: AHome) -> None:
    turn(shared)
    turn(shared, by=an_agent(shared, "prj_b"), space="prj_b", session=TWO)
    assert listed(shared, an_agent(shared)) == [(ONE, 1)]
    assert listed(shared, an_agent(shared, "prj_b")) == [(TWO, 1)]
    assert listed(shared, an_agent(shared, preset="reader")) == []
    with pytest.raises(NotFound):
        seen(shared, an_agent(shared), TWO)
    with pytest.raises(Forbidden):
        seen(shared, an_agent(shared, preset="reader"))


def test_pages_follow_each_other(shared: AHome) -> None:
    ids = sorted(derived_id("session", str(number)) for number in range(5))
    for id in ids:
        turn(shared, session=id)
    found: list[str] = []
    after = ""
    while True:
        page = list_sessions(shared.lobes, shared.me, after=after, limit=2)
        assert page.total == 5
        found += [one.session.id for one in page.items]
        after = page.next
        if not after:
            break
    assert found == ids[::-1]
    for more in ({"after": "x"}, {"limit": 0}):
        with pytest.raises(Invalid):
            list_sessions(shared.lobes, shared.me, **more)  # type: ignore[arg-type]


def test_of_the_evidence_one_is_told_what_one_may_read(shared: AHome) -> None:
    """A file, a memory and what never was; to an agent what waits doesn't exist."""
    ours = derived_id("document", "prj_a", "a.md")
    closed = derived_id("document", "prj_b", "b.md")
    shared.index()
    waits = remember(shared, "Herons nest in March.")
    active = remember(shared, "Cranes dance at dawn.", status="active")
    evidence = (ours, closed, waits, active, derived_id("never"))
    turn(shared, evidence=evidence)
    assert seen(shared, shared.me).turns[0].evidence == (ours, closed, waits, active)
    assert seen(shared, an_agent(shared)).turns[0].evidence == (ours, active)


def test_a_session_is_found_by_no_search(shared: AHome) -> None:
    turn(shared)
    shared.index()
    for caller in (shared.me, an_agent(shared)):
        assert search(shared.lobes, caller, "quibblewort ledger", space="prj_a").items == ()


def test_what_is_in_the_trash_is_gone_with_its_space_and_comes_back(shared: AHome) -> None:
    turn(shared)
    trash_space(shared.lobes, shared.me, "prj_a")
    assert listed(shared, shared.me) == []
    for attempt in (
        lambda: seen(shared, shared.me),
        lambda: turn(shared),
        lambda: show_permission(shared.lobes, shared.me, Resource("session", ONE)),
    ):
        with pytest.raises(NotFound):
            attempt()
    restore_space(shared.lobes, shared.me, "prj_a")
    assert listed(shared, shared.me) == [(ONE, 1)]


# Its permission ---------------------------------------------------------------------------------


def opened(home: AHome, *people: str, visibility: str = "restricted") -> None:
    """Its author lets these persons look."""
    grant = tuple((verb, f"user:{one}") for one in people for verb in ("read_meta", "read_chat"))
    change = PermissionChange(visibility=visibility, grant=grant)  # type: ignore[arg-type]
    save_permission(home.lobes, home.me, Resource("session", ONE), change)


def test_its_author_opens_it_and_closes_it_again(shared: AHome) -> None:
    turn(shared)
    opened(shared, "bob")
    assert listed(shared, BOB) == [(ONE, 1)]
    assert seen(shared, BOB).turns[0].summary == WORDS
    with pytest.raises(Forbidden):
        turn(shared, by=bobs_agent())
    (row,) = shared.audited("session.permission_changed")
    assert "user:bob/read_chat" in row["text"]
    assert list_notices(shared.lobes, BOB).items[0].about == f"session/{ONE}"
    opened(shared, visibility="private")
    assert listed(shared, BOB) == []
    assert list_notices(shared.lobes, BOB).items[0].about == ""


def test_its_space_has_to_let_them_in_as_well(shared: AHome) -> None:
    shared.execute("INSERT INTO person (id, name, created) VALUES ('eve', 'Eve', '2026-01-01')")
    turn(shared)
    opened(shared, "bob", "eve")
    with pytest.raises(NotFound):
        seen(shared, Caller(parse_actor("user:eve"), "cli", is_present=True))
    change = PermissionChange(revoke=(("read_chat", "user:bob"),))
    save_permission(shared.lobes, shared.me, Resource("space", "prj_a"), change)
    with pytest.raises(Forbidden):
        seen(shared, BOB)
    assert listed(shared, BOB) == []


def test_nobody_else_changes_it_or_learns_of_it(shared: AHome) -> None:
    """Not the owner of its Space either: it is its author's."""
    turn(shared)
    turn(shared, by=bobs_agent(), session=TWO)
    change = PermissionChange(visibility="public")
    for caller, id in ((BOB, ONE), (shared.me, TWO)):
        with pytest.raises(NotFound):
            save_permission(shared.lobes, caller, Resource("session", id), change)
    for caller in (an_agent(shared, preset="editor"), shared.absent):
        with pytest.raises(Forbidden):
            save_permission(shared.lobes, caller, Resource("session", ONE), change)
    stored = shared.rows("SELECT DISTINCT permission FROM session")
    assert len(stored) == 1
    assert "private" in stored[0][0]


def test_a_public_one_is_its_spaces_groups_but_for_what_stays_with_its_author(
    shared: AHome,
) -> None:
    group = "INSERT INTO person_group VALUES ('team_x', 'team', 'X', NULL, '2026-01-01', NULL)"
    shared.execute(group)
    shared.execute("INSERT INTO membership VALUES ('team_x', 'bob', 'member', '2026-01-01')")
    shared.execute("""UPDATE space SET group_id = 'team_x', permission = '{"visibility": "public"}'
        WHERE id = 'prj_a'""")
    turn(shared)
    turn(shared, "Restricted.")
    shared.execute("UPDATE session_turn SET level = 'restricted' WHERE place = 2")
    assert listed(shared, BOB) == []
    opened(shared, visibility="public")
    assert listed(shared, BOB) == [(ONE, 1)]
    assert [one.summary for one in seen(shared, BOB).turns] == [WORDS]


def test_its_author_hears_that_somebody_else_changed_it(shared: AHome) -> None:
    """A superuser; the owner of the Space hears nothing of it."""
    shared.execute("INSERT INTO person (id, name, created) VALUES ('eve', 'Eve', '2026-01-01')")
    shared.execute("UPDATE person SET is_superuser = 1 WHERE id = 'eve'")
    eve = Caller(parse_actor("user:eve"), "cli", is_present=True)
    turn(shared, by=bobs_agent())
    before = list_notices(shared.lobes, shared.me).total
    change = PermissionChange(visibility="restricted")
    save_permission(shared.lobes, eve, Resource("session", ONE), change)
    told = list_notices(shared.lobes, BOB).items[0]
    assert (told.event, told.about, told.who) == (
        "permission.changed",
        f"session/{ONE}",
        "user:eve",
    )
    assert list_notices(shared.lobes, shared.me).total == before


def test_the_effect_is_told_before_and_it_follows_nothing(shared: AHome) -> None:
    turn(shared)
    resource = Resource("session", ONE)
    grant = (("read_meta", "user:bob"), ("read_chat", "user:bob"))
    change = PermissionChange(visibility="restricted", grant=grant)
    told = preview_permission(shared.lobes, shared.me, resource, change)
    assert [(one.person, one.gained) for one in told.turns] == [("bob", ("read_meta", "read_chat"))]
    assert listed(shared, BOB) == []
    with pytest.raises(Invalid) as refused:
        opened(shared, visibility="inherit")
    assert refused.value.reason == "bad_visibility"


def test_one_that_cannot_be_read_is_its_authors_and_named(shared: AHome) -> None:
    turn(shared)
    opened(shared, "bob")
    shared.execute("UPDATE session SET permission = '{'")
    assert listed(shared, BOB) == []
    assert listed(shared, shared.me) == [(ONE, 1)]
    texts = [one.text for one in examine(shared.lobes, shared.me)]
    assert any(ONE in one and "permission can't be read" in one for one in texts)
    opened(shared, visibility="private")
    assert show_permission(shared.lobes, shared.me, Resource("session", ONE)).stored == ""


def test_can_is_asked_of_a_session(shared: AHome) -> None:
    turn(shared)
    resource = Resource("session", ONE)
    assert can(shared.lobes, shared.me, "me", "read_chat", resource).allowed
    told = can(shared.lobes, shared.me, "user:bob", "read_chat", resource)
    assert (told.allowed, told.cause) == (False, "private")
    with pytest.raises(NotFound):
        can(shared.lobes, BOB, "me", "read_chat", resource)


def test_a_turn_that_cannot_be_read_to_the_letter_is_taken_strictly(shared: AHome) -> None:
    turn(shared, WORDS, "Ledgers stay local.")
    shared.execute("UPDATE session_turn SET level = 'Public', decisions = '{', evidence = '[1]'")
    with pytest.raises(NotFound):
        seen(shared, an_agent(shared))
    (one,) = seen(shared, shared.me).turns
    assert (one.level, one.decisions, one.evidence) == ("confidential", (), ())


# Going out and coming in ------------------------------------------------------------------------


def test_an_export_says_that_sessions_were_and_nothing_of_them(
    shared: AHome, tmp_path: Path
) -> None:
    from lobes.services.exporting import export_space
    from lobes.services.space_importing import import_space
    from traces import traces

    turn(shared, WORDS, "Ledgers stay local.")
    turn(shared, by=bobs_agent(), session=TWO)
    out = tmp_path / "out"
    export_space(shared.lobes, shared.me, "prj_a", out)
    (row,) = json.loads((out / "sessions.json").read_text())
    assert (row["id"], row["client"], row["turns"]) == (ONE, "codex", 1)
    assert (row["person"], row["actor"]) == ("ada", "ai:ada/proposer@prj_a")
    assert traces(out, "quibblewort", "Ledgers stay", TWO) == []
    with opened_home(tmp_path / "other") as other:
        import_space(other.lobes, other.me, out)
        assert other.rows("SELECT id FROM session") == []


def test_a_backup_carries_them(shared: AHome, tmp_path: Path, a_home: Callable[..., AHome]) -> None:
    from lobes.clock import utc_now
    from lobes.config.folders import folders_under
    from lobes.services.backups import back_up_home
    from lobes.services.restoring import restore_new

    turn(shared)
    file = back_up_home(shared.lobes, shared.me, tmp_path / "one.lobes").file
    restore_new(folders_under(tmp_path / "other"), file, clock=utc_now, may=lambda presence: None)
    other = a_home(name="other")
    assert seen(other, other.me) == seen(shared, shared.me)


def test_a_session_of_which_an_agent_may_have_no_turn_is_not_there(shared: AHome) -> None:
    """It began with its first turn: empty, it would tell that there is one."""
    turn(shared, f"Took {TOKEN}.")
    agent = an_agent(shared)
    assert listed(shared, agent) == []
    with pytest.raises(NotFound):
        show_session(shared.lobes, agent, ONE)
    assert listed(shared, shared.me) == [(ONE, 1)]
    turn(shared)
    assert listed(shared, agent) == [(ONE, 1)]
