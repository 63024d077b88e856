"""Leak canaries: one word for each compartment, and no output of anything shows one to an actor
who may not see it."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_acts import COMMANDS
from tests.e2e.canaries import DOCUMENTS, Canaries, Target, lines
from tests.e2e.canary_world import (
    AGENTS,
    COMMON,
    EDITS,
    MEMORIES,
    PEOPLE,
    SESSIONS,
    SPACES,
    allowed,
    canary_world,
)

import lobes.services
from lobes.domain.actors import PRESETS
from lobes.engine import index
from lobes.engine.inline import Inline
from lobes.engine.minilm import MiniLm
from lobes.engine.protocol import SearchReply, SearchRequest
from lobes.services import authority, explaining, spaces
from world_home import home_of

ALWAYS = (*PEOPLE, "ai:me/editor@prj_ga", "ai:ann/reader@prj_ga", "ai:bob/editor@prj_gb")
AT_ONCE = ("ann", "sid", "ai:me/editor@prj_ga")
"""Who is walked in every run; the others as `slow`."""
TO_NO_AGENT = {"description", "id_of_edit"}
"""Of what no command shows an agent a word: it reviews nothing."""
_WORLD = dict(canary_world().world)
EVERY_AGENT = [
    f"ai:{speaker}/{preset}@{space}"
    for space in SPACES
    for speaker in PEOPLE
    for preset in PRESETS
    if allowed(_WORLD, speaker, "read_meta", f"space/{space}")
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = canary_world()
    folder = tmp_path_factory.mktemp("canaries") / "home"
    with home_of(made.world, folder, made.files, names=True):
        pass
    return folder


@pytest.fixture(scope="module", autouse=True)
def one_model() -> Iterator[None]:
    """Thousands of command lines run in this process: a model loaded for each search is 10 MB
    that the runtime doesn't give back."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "MiniLm", cache(MiniLm))
        patch.setattr(Inline, "search", searched_whole)
        yield


ASKED = Inline.search


def searched_whole(engine: Inline, request: SearchRequest) -> SearchReply:
    """A home that was copied makes its index anew: what isn't in it yet would leak nothing."""
    reply = ASKED(engine, request)
    while "rebuilding" in reply.degraded:
        engine.wait_vectors(seconds=5)
        reply = ASKED(engine, request)
    return reply


@pytest.fixture
def canaries(template: Path, tmp_path: Path) -> Iterator[Canaries]:
    with closing(Canaries(canary_world(), template, tmp_path / "home")) as one:
        one.afresh()
        yield one


def walk(canaries: Canaries, who: str) -> None:
    """Every line, with what the actor may read in its places and with what is hidden from them;
    once as text and once as JSON. And the one question that finds everything, in every Space."""
    for turn, space in enumerate(SPACES):
        line = f"search {COMMON} --space {space} -k 100"
        canaries.check(line, canaries.target("own", who, turn), who, as_json=turn % 2 == 0)
    for turn, line in enumerate(lines()):
        for number, target in enumerate(canaries.targets(who, turn)):
            canaries.check(line, target, who, as_json=(turn + number) % 2 == 0)
    canaries.search_files()


def found(canaries: Canaries) -> list[str]:
    return list(dict.fromkeys(map(str, canaries.leaks)))


def test_every_command_has_a_line() -> None:
    """A new command fails here until an example says how it is run."""
    firsts = {" ".join(line.split(" ")[:size]) for line in lines() for size in (1, 2)}
    not_here = {"init", "demo", "mcp"}
    assert set(COMMANDS) - firsts == not_here, "those that make a home; mcp is walked by itself"


FACES = {
    "cli": "walked here",
    "mcp": "walked in test_canary_tools",
    "tui": "walked in test_canary_screens",
    "services": "what the faces show",
    **dict.fromkeys(
        ("access", "classify", "config", "domain", "engine", "imports", "keys", "store"), "no face"
    ),
}
HANDING_OUT = re.compile(r"export|publish|sync|report$")
NOT_HANDING_OUT = {"index_report", "exporting", "exported_lines"}
"""Counts of a run of the index, which its command shows; what each line writes into a folder, which
is searched like what it says; and what comes in again."""


def test_every_way_out_of_the_home_is_walked() -> None:
    """Another face or an export fails here until the canaries walk it too."""
    there = {one.name for one in pkgutil.iter_modules(lobes.__path__) if one.ispkg}
    assert there == set(FACES)
    made = {one.name for one in pkgutil.iter_modules(lobes.services.__path__)}
    assert {one for one in made if HANDING_OUT.search(one)} == NOT_HANDING_OUT


@pytest.mark.parametrize(
    "who",
    [one if one in AT_ONCE else pytest.param(one, marks=pytest.mark.slow) for one in ALWAYS],
)
def test_no_command_shows_what_its_actor_may_not_see(canaries: Canaries, who: str) -> None:
    walk(canaries, who)
    assert found(canaries) == []
    assert canaries.runs > 150
    assert canaries.unheard(who) - (TO_NO_AGENT if ":" in who else set()) == set(), (
        canaries.searched
    )


@pytest.mark.parametrize("space", ["prj_ga", "prj_gb"])
def test_no_command_shows_it_in_an_agents_environment(
    canaries: Canaries, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader in its Space's folder, and one in the folder of a Space that its person may not
    know."""
    canaries.asks = True
    canaries.afresh()
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.chdir(canaries.home / "spaces" / space)
    walk(canaries, f"ai:me/reader@{space}")
    assert found(canaries) == []


@pytest.mark.parametrize("who", ["ann", "sid", "ai:ann/reader@prj_ga"])
def test_what_is_hidden_is_answered_as_what_never_was(canaries: Canaries, who: str) -> None:
    """AZ-14 over every line: text, code and shape."""
    differing: list[str] = []
    never = canaries.never()
    for turn, line in enumerate(one for one in lines() if "{" in one):
        hidden = canaries.target("hidden", who, turn)
        told: list[tuple[int, str]] = []
        for target in (hidden, never):
            words = [*canaries.words(line, target), *(["--json"] if turn % 2 else [])]
            ran = canaries.run(words, who)
            told.append((ran.code, masked(ran.text, target)))
            canaries.settle()
        if told[0] != told[1]:
            differing.append(f"{who}: lobes {line}: {hidden}: {told[0]} {told[1]}")
    assert differing == [], "\n".join(differing)


def masked(text: str, target: Target) -> str:
    """What was typed is told back for a thing that is hidden as for one that never was."""
    for name in ("document", "other", "space", "group", "person"):
        word = re.escape(getattr(target, name))
        text = re.sub(rf"(?<![\w-]){word}(?![\w-])", "<it>", text)
    return text


@pytest.mark.parametrize("who", ["sid", "ai:me/editor@prj_ga"])
def test_a_planted_leak_is_found(
    canaries: Canaries, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists that leave out nothing: the canaries must sing."""
    real = authority.may

    def may(caller: Any, verb: str, resource: Any, facts: Any) -> bool:
        return verb == "read_meta" or real(caller, verb, resource, facts)

    monkeypatch.setattr(explaining, "may", may)
    target = canaries.target("own", who, 0)
    canaries.check("space list --all", target, who, as_json=True)
    assert {one.marker for one in canaries.leaks} >= {"name of space/prj_gb", "space/prj_gb"}


def test_a_text_with_a_secret_in_it_is_found(canaries: Canaries) -> None:
    canaries.search(f"a {canaries.made.secrets[0]} b", "me", line="search")
    assert [one.marker for one in canaries.leaks] == ["a secret"]


def test_a_fault_and_its_log_hold_no_word_of_anybody(
    canaries: Canaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault may carry what was just read; what is told and kept of it may not."""
    words = " ".join(one.word for one in canaries.made.markers)

    def broken(*given: object, **named: object) -> None:
        raise RuntimeError(words)

    monkeypatch.setattr(spaces, "space_rows", broken)
    ran = canaries.run(["space", "list", "--debug"], "sid")
    assert ran.code == 1
    assert any("RuntimeError" in one.read_text("utf-8", "replace") for one in canaries.left_files())
    canaries.search(ran.text, "sid", line="space list --debug")
    canaries.search_files()
    assert found(canaries) == []


def test_a_word_in_a_file_that_is_left_is_found(canaries: Canaries) -> None:
    word = next(one.word for one in canaries.made.markers if not one.is_id)
    kept = canaries.home / "state" / "left.log"
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(word, encoding="utf-8")
    canaries.search_files()
    assert [one.line for one in canaries.leaks] == ["left.log"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("who", dict.fromkeys((*AGENTS, *EVERY_AGENT)))
def test_no_command_shows_it_to_any_agent_of_any_space(canaries: Canaries, who: str) -> None:
    walk(canaries, who)
    assert found(canaries) == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("who", ALWAYS)
def test_no_command_shows_it_with_any_thing_named(canaries: Canaries, who: str) -> None:
    """The whole product: every thing in every place, as text and as JSON, each line once."""
    most = max(len(one) for one in (SPACES, DOCUMENTS, MEMORIES, EDITS, SESSIONS, PEOPLE))
    for line in lines():
        targets = {
            tuple(canaries.words(line, target)): target
            for turn in range(most if "{" in line else 1)
            for target in canaries.targets(who, turn)
        }
        for target in targets.values():
            for as_json in (False, True):
                canaries.check(line, target, who, as_json=as_json)
    canaries.search_files()
    assert found(canaries) == []
