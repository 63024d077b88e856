"""The promises, kept by the program as it is run: real processes, the real engine, real files."""

from __future__ import annotations

import json
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lobes.bootstrap import open_installation
from lobes.config.folders import folders_under
from lobes.services.search import search
from shell import Shell, shell_on, until

CANARIES = {
    "prj_initech": "The heliotrope ledger of Initech is sealed by Marit.",
    "prj_globex": "The tangerine turbine of Globex is sealed by Bruno.",
    "area_internal": "The cobalt kettle of Internal is sealed by nobody.",
    "area_writing": "The saffron semicolon of Writing is sealed by ink.",
}
WORDS = {space: text.split()[1] for space, text in CANARIES.items()}
QUESTION = "heliotrope ledger tangerine turbine cobalt kettle saffron semicolon sealed"
MAY_SHOW = {
    "prj_initech": {"prj_initech"},
    "prj_globex": {"prj_globex"},
    "area_internal": {"area_internal", "area_writing"},
    "prj_notidian": {"area_writing"},
}


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """The sample home with one planted sentence in each of four packs, indexed."""
    with shell_on(tmp_path_factory.mktemp("acceptance") / "home") as shell:
        shell.json("init", "--sample", "--presence", "off", "--user", "ada")
        for space, text in CANARIES.items():
            (shell.folder / "spaces" / space / "canary.md").write_text(f"# Canary\n\n{text}\n")
        report = shell.json("index", "--wait")
        assert report["skipped"] == []
        yield shell


def planted(text: str) -> set[str]:
    """The Spaces whose planted sentence is in an output."""
    return {space for space, word in WORDS.items() if word in text.lower()}


@pytest.mark.parametrize("space", MAY_SHOW)
def test_each_space_shows_its_own_sentences_and_those_that_it_may_draw_on(
    sampled: Shell, space: str
) -> None:
    """AZ-22: by words and by meaning, as text and as JSON."""
    for query in (QUESTION, "what is sealed, and by whom?"):
        for words in (("--explain",), ("--json", "-k", "100")):
            ran = sampled.run("search", query, "--space", space, *words)
            assert ran.code == 0
            assert planted(ran.out + ran.err) <= MAY_SHOW[space]
    for other, sentence in CANARIES.items():
        ran = sampled.run("search", sentence, "--space", space, "--json", "-k", "100")
        assert (other in planted(ran.out)) == (other in MAY_SHOW[space])
    everything = sampled.run("search", QUESTION, "--space", space, "--json", "-k", "100")
    assert planted(everything.out) == MAY_SHOW[space]


@pytest.mark.parametrize(
    "space",
    [
        one if one == "prj_initech" else pytest.param(one, marks=pytest.mark.slow)
        for one in MAY_SHOW
    ],
)
def test_no_output_to_an_agent_names_what_its_space_may_not_draw_on(
    sampled: Shell, space: str
) -> None:
    """AZ-22: an Initech agent never learns that Globex exists, not even by a count."""
    known = MAY_SHOW[space] | {space}
    hidden = {"prj_initech", "prj_globex", "area_health", "area_internal", "area_writing",
              "prj_notidian"} - known  # fmt: skip
    names = {one.partition("_")[2] for one in hidden}
    commands: list[tuple[str, ...]] = [
        ("search", QUESTION, "--space", space),
        ("search", QUESTION, "--space", space, "--explain"),
        ("space", "list"),
        ("space", "show", space),
        ("lobe", "list"),
        ("lobe", "show", space),
        ("lobe", "explain", space),
        ("status",),
        ("engine", "status"),
        ("doctor",),
        ("audit", "list"),
        ("index",),
        ("lobe", "set", space, "--no-private", "--cross-space", "open", "--dry-run"),
        ("space", "trash", space, "--dry-run"),
    ]
    for preset, form in (("reader", "--json"), ("editor", "--quiet")):
        for command in commands:
            ran = sampled.run(*command, form, "--as", f"ai:ada/{preset}@{space}")
            said = (ran.out + ran.err).lower()
            assert planted(said) <= MAY_SHOW[space], (command, said)
            if command[0] != "search":
                found = {name for name in names if name in said}
                assert not found, (command, found, said)


def test_an_agent_gets_the_same_for_a_hidden_and_an_unknown_space(sampled: Shell) -> None:
    """AZ-14."""
    agent = ("--as", "ai:ada/reader@prj_initech", "--json")
    for command in (("space", "show"), ("lobe", "show"), ("lobe", "explain"), ("space", "finish")):
        answers = {
            (ran.code, ran.out, ran.err)
            for space in ("prj_globex", "area_health", "prj_nowhere")
            for ran in [sampled.run(*command, space, *agent)]
        }
        assert len(answers) == 1, answers
    searched = {
        (ran.code, ran.out)
        for space in ("prj_globex", "prj_nowhere")
        for ran in [sampled.run("search", "x", "--space", space, *agent)]
    }
    assert [code for code, _ in searched] == [3]


def test_project_area_and_trio_answer_right(sampled: Shell) -> None:
    for space in ("prj_notidian", "area_writing", "prj_initech", "prj_globex", "area_internal"):
        document = sampled.json("search", "release freeze", "--space", space)
        assert {item["reason"] for item in document["items"]} <= {
            "own", "sibling", "subscribed", "personal",
        }  # fmt: skip
        assert {item["space"] for item in document["items"]} <= MAY_SHOW.get(
            space, {"area_internal"}
        ) | {space}
    top = sampled.json("search", CANARIES["prj_initech"], "--space", "prj_initech")["items"][0]
    assert (top["path"], top["reason"], top["score"] > 0.9) == ("canary.md", "own", True)


def test_private_is_seen_at_once_by_a_process_that_is_already_running(sampled: Shell) -> None:
    """AZ-16: another process holds the home open all the while."""
    folders = folders_under(sampled.folder)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in sampled.env.items():
            patch.setenv(name, value)
        with open_installation(folders, environ={}) as lobes:
            me = lobes.owner_at("tui", is_present=True)

            def spaces() -> set[str]:
                query = CANARIES["area_writing"]
                found = search(lobes, me, query, space="area_internal", limit=100)
                return {hit.space for hit in found.items}

            assert "area_writing" in spaces()
            try:
                sampled.json("lobe", "set", "area_writing", "--private")
                assert spaces() == {"area_internal"}
            finally:
                sampled.json("lobe", "set", "area_writing", "--no-private")
            assert "area_writing" in spaces()


def test_trash_and_back(sampled: Shell) -> None:
    """AZ-26."""
    try:
        sampled.json("space", "trash", "area_writing", "--yes")
        document = sampled.json("search", QUESTION, "--space", "area_internal", "-k", "100")
        assert planted(json.dumps(document)) == {"area_internal"}
        assert "area_writing" not in json.dumps(sampled.json("space", "list"))
        assert sampled.run("search", "x", "--space", "area_writing").code == 3
    finally:
        sampled.json("space", "restore", "area_writing")
    document = sampled.json("search", QUESTION, "--space", "area_internal", "-k", "100")
    assert planted(json.dumps(document)) == {"area_internal", "area_writing"}


def test_a_sentence_typed_into_a_file_is_found_while_watching_and_gone_when_removed(
    sampled: Shell,
) -> None:
    note = sampled.folder / "spaces" / "area_writing" / "style.md"
    before = note.read_text()
    unique = "The vermilion umlaut sleeps in the third drawer."

    def is_found() -> bool:
        items = sampled.json("search", unique, "--space", "area_writing", "-k", "3")["items"]
        return any("vermilion" in item["snippet"] for item in items)

    with sampled.started("index", "--watch", "--json") as watching:
        assert watching.stdout is not None
        first = json.loads(watching.stdout.readline())
        assert first["roots"] != []
        until(lambda: sampled.json("engine", "status")["watching"] >= 6)
        started = time.monotonic()
        note.write_text(f"{before}\n## Drawer\n\n{unique}\n")
        told = json.loads(watching.stdout.readline())
        assert told["indexed"] == 1
        until(is_found, seconds=20)
        took = time.monotonic() - started
        note.write_text(before)
        until(lambda: not is_found(), seconds=20)
        watching.send_signal(signal.SIGINT)
        assert watching.wait(20) == 0
        assert watching.stderr is not None
        assert b"Traceback" not in watching.stderr.read()
    # Two seconds is the promise, a run of the program for each look included; a shared machine
    # gets more before a test calls it broken.
    assert took < 10


def test_a_folder_that_is_unmounted_keeps_answering_and_is_named(sampled: Shell) -> None:
    """PA-07."""
    root = sampled.folder / "spaces" / "area_writing"
    away = sampled.folder / "spaces" / "away"
    root.rename(away)
    try:
        ran = sampled.run("index", "area_writing", "--json")
        assert (ran.code, ran.document["removed"]) == (7, 0)
        assert any("area_writing" in one for one in sampled.json("status")["problems"])
        document = sampled.json("search", QUESTION, "--space", "area_writing")
        assert "area_writing" in planted(json.dumps(document))
    finally:
        away.rename(root)
    assert sampled.run("index", "area_writing", "--json").code == 0


def test_an_index_that_is_thrown_away_comes_back_with_the_same_answers(sampled: Shell) -> None:
    """DU-08."""

    def answers() -> list[object]:
        return [
            [(item["id"], item["score"]) for item in document["items"]]
            for space in MAY_SHOW
            for document in [sampled.json("search", QUESTION, "--space", space, "-k", "100")]
        ]

    before = answers()
    sampled.run("engine", "stop")
    until(lambda: not sampled.engines())
    shutil.rmtree(sampled.folder / "state" / "index")
    sampled.json("index", "--wait")
    assert answers() == before
    sampled.json("index", "--rebuild", "--wait")
    assert answers() == before


def test_the_demo_without_a_terminal_is_a_short_tour(tmp_path: Path) -> None:
    with shell_on(tmp_path / "home") as shell:
        ran = shell.run("demo")
        assert ran.code == 0, ran
        assert "withheld" in ran.out
        assert "prj_globex asks" in ran.out
        assert len(ran.out.splitlines()) < 80
