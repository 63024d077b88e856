"""The single check, asked aloud: by whom, about whom, and without telling what is hidden."""

from __future__ import annotations

import json

import pytest

from homes import OWNER, AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Forbidden, Invalid, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.domain.resources import Resource
from lobes.services.can import can
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save
from remembered import remember

A, HIDDEN, UNKNOWN = (Resource("space", name) for name in ("prj_a", "prj_h", "prj_unknown"))


def by(who: str) -> Caller:
    return Caller(parse_actor(who), "cli", is_present=who.startswith("user:"))


@pytest.fixture
def world(home: AHome) -> AHome:
    """Bob reads prj_a, and nothing of prj_h."""
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.a_space("prj_h", {"h.md": "# H\n"})
    home.index()
    home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026-01-01')")
    grants = {"read_meta": ["user:bob"], "read_content": ["user:bob"]}
    text = json.dumps({"visibility": "restricted", "grants": grants})
    home.execute("UPDATE space SET permission = ? WHERE id = 'prj_a'", text)
    home.execute("UPDATE space SET permission = '{\"visibility\": \"private\"}' WHERE id = 'prj_h'")
    return home


@pytest.mark.parametrize(
    ("who", "about", "verb", "answer"),
    [
        (f"user:{OWNER}", "me", "erase", (True, "owner", 7)),
        (f"user:{OWNER}", f"user:{OWNER}", "read_content", (True, "owner", 7)),
        (f"user:{OWNER}", "user:bob", "read_content", (True, "granted", 13)),
        (f"user:{OWNER}", "user:bob", "edit_content", (False, "not_granted", 13)),
        (f"user:{OWNER}", "user:eve", "read_meta", (False, "not_found", 6)),
        (f"user:{OWNER}", "ai:me/reader@prj_a", "read_content", (True, "owner", 7)),
        (f"user:{OWNER}", "ai:me/reader@prj_a", "edit_content", (False, "ceiling", 3)),
        (f"user:{OWNER}", "ai:me/editor@prj_a", "review", (False, "ai_bar", 1)),
        ("user:bob", "me", "read_content", (True, "granted", 13)),
        ("user:bob", "user:bob", "review", (False, "not_granted", 10)),
        ("user:bob", "me", "erase", (False, "owner_only", 8)),
        ("user:bob", "ai:me/reader@prj_a", "read_content", (True, "granted", 13)),
        (f"ai:{OWNER}/reader@prj_a", "me", "read_content", (True, "owner", 7)),
        (f"ai:{OWNER}/reader@prj_a", "me", "export", (False, "ai_bar", 1)),
        *((f"user:{OWNER}", "me", verb, (False, "unknown_verb", 0))
          for verb in ("fly", "", "Read_meta", "read_meta ")),
    ],
)  # fmt: skip
def test_the_answer_is_that_of_the_rules(
    world: AHome, who: str, about: str, verb: str, answer: tuple[bool, str, int]
) -> None:
    """AZ-24 for what is no right."""
    found = can(world.lobes, by(who), about, verb, A)
    assert (found.allowed, found.reason, found.rule) == answer
    assert found.sentence


def test_the_owner_is_told_what_not_found_hides(world: AHome) -> None:
    found = can(world.lobes, world.me, "user:bob", "read_content", HIDDEN)
    assert (found.reason, found.cause, found.rule) == ("not_found", "private", 5)
    assert found.sentence == "Only its owner sees it."
    stranger = can(world.lobes, world.me, "user:eve", "read_content", A)
    assert (stranger.reason, stranger.cause) == ("not_found", "not named")
    assert stranger.sentence == "It isn't given to eve, nor to a group of theirs."
    missing = can(world.lobes, world.me, "user:bob", "export", A)
    assert (missing.reason, missing.would_change) == ("not_granted", "give Bob the right")
    own = can(world.lobes, by("user:bob"), "me", "export", A)
    assert (own.sentence, own.cause) == ("This right wasn't given to you by name.", "")


def test_an_agents_refusal_is_explained_by_its_space_to_the_owner_alone(world: AHome) -> None:
    save(world.lobes, world.me, "prj_h", LobeChange(is_private=True))
    agent = "ai:ada/reader@prj_a"
    found = can(world.lobes, world.me, agent, "read_content", HIDDEN)
    assert (found.reason, found.cause, found.rule) == ("not_found", "private", 4)
    assert found.sentence == "Prj_H is private, so Prj_A may not draw on it."
    assert found.would_change == "turn Private off in Prj_H"
    with pytest.raises(NotFound):
        can(world.lobes, by(agent), "me", "read_content", HIDDEN)


def test_somebody_else_is_spoken_of_by_name(world: AHome) -> None:
    assert can(world.lobes, world.me, "me", "erase", A).sentence == "You own it."
    found = can(world.lobes, world.me, "user:bob", "read_content", A)
    assert found.sentence == "This right was given to Bob by name."


@pytest.mark.parametrize("verb", ["read_meta", "read_content", "erase", "fly"])
@pytest.mark.parametrize("about", ["me", "user:bob", "ai:me/reader@prj_a", "user:ada"])
def test_what_may_not_be_known_is_not_there_whatever_is_asked(
    world: AHome, verb: str, about: str
) -> None:
    """AZ-14."""
    said: set[tuple[str, ...]] = set()
    for resource in (HIDDEN, UNKNOWN):
        with pytest.raises(NotFound) as refused:
            can(world.lobes, by("user:bob"), about, verb, resource)
        said.add((refused.value.message, refused.value.hint, refused.value.reason))
    assert len(said) == 1


def test_an_agent_in_a_space_that_may_not_be_known_is_not_asked_about(world: AHome) -> None:
    said: set[str] = set()
    for space in ("prj_h", "prj_unknown"):
        with pytest.raises(NotFound) as refused:
            can(world.lobes, by("user:bob"), f"ai:me/reader@{space}", "read_content", A)
        said.add(refused.value.message)
    assert len(said) == 1


@pytest.mark.parametrize(
    ("who", "about"),
    [
        ("user:bob", f"user:{OWNER}"),
        ("user:bob", f"ai:{OWNER}/reader@prj_a"),
        (f"ai:{OWNER}/reader@prj_a", f"user:{OWNER}"),
        (f"ai:{OWNER}/reader@prj_a", f"ai:{OWNER}/editor@prj_a"),
        (f"ai:{OWNER}/reader@prj_a", "user:bob"),
    ],
)
def test_about_others_only_the_owner_asks(world: AHome, who: str, about: str) -> None:
    with pytest.raises(Forbidden) as refused:
        can(world.lobes, by(who), about, "read_content", A)
    assert refused.value.reason == "owner_only"


def test_what_is_no_actor_is_refused(world: AHome) -> None:
    for who in ("", "Me", "bob", "user:Bob", "ai:me/owner@prj_a", "ai:me/", "job:me/reader@prj_a"):
        with pytest.raises(Invalid):
            can(world.lobes, world.me, who, "read_content", A)


def test_of_whom_the_caller_may_not_know_nothing_is_said_about_a_thing_of_theirs(
    world: AHome,
) -> None:
    """bob's own Space names everybody, so who there is could be tried out name by name."""
    world.execute("INSERT INTO person (id, name, created) VALUES ('cyd', 'Cyd', '2026-01-01')")
    text = json.dumps({"visibility": "restricted", "grants": {"read_meta": ["all"]}})
    world.execute("UPDATE space SET owner = 'bob', permission = ? WHERE id = 'prj_a'", text)
    said: set[tuple[str, ...]] = set()
    for who in ("user:cyd", "user:nobody", "ai:cyd/reader@prj_a", "ai:nobody/reader@prj_a"):
        with pytest.raises(NotFound) as refused:
            can(world.lobes, by("user:bob"), who, "read_meta", A)
        said.add((refused.value.message, refused.value.hint, refused.value.reason))
    assert len(said) == 1
    assert can(world.lobes, by("user:bob"), "me", "read_meta", A).allowed


def test_who_runs_the_installation_is_called_by_name(world: AHome) -> None:
    world.execute(
        "INSERT INTO person (id, name, is_superuser, created)"
        " VALUES ('sue', 'Sue', 1, '2026-01-01')"
    )
    found = can(world.lobes, world.me, "user:sue", "read_content", HIDDEN)
    assert (found.rule, found.sentence) == (2, "Sue runs this installation.")


def test_to_an_agent_a_memory_that_waits_is_none(world: AHome) -> None:
    kept, waiting = (
        Resource("memory", remember(world, "space/prj_a", text, status=status).id)
        for text, status in (("Herons wait.", "active"), ("Herons may wait.", "proposed"))
    )
    agent = by(f"ai:{OWNER}/reader@prj_a")
    assert can(world.lobes, agent, "me", "read_content", kept).allowed
    with pytest.raises(NotFound):
        can(world.lobes, agent, "me", "read_meta", waiting)
    assert can(world.lobes, by(f"user:{OWNER}"), "me", "review", waiting).allowed
    with pytest.raises(NotFound):
        can(world.lobes, by("user:bob"), "me", "read_content", Resource("memory", "0" * 26))
