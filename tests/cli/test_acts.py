"""The verb table holds on every command: each is run as every kind of actor, and by nobody."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from lobes.access.authorize import authorize
from lobes.access.facts import HOME, Facts, Resource
from lobes.cli.acts import ACTS, Act
from lobes.cli.app import root, run
from lobes.domain.actors import Actor, Human, parse_actor
from lobes.domain.agents import MARKERS
from lobes.domain.ids import derived_id
from lobes.store import read
from lobes.store.facts import load_facts
from world_home import (
    edit_id,
    memory_id,
    session_id,
    write_edit,
    write_memory,
    write_session,
)

ME = "user:ada"
PEOPLE = (ME, "user:bob", "user:cleo", "user:dan")
AGENTS = (
    "ai:ada/reader@prj_a",
    "ai:ada/proposer@prj_a",
    "ai:ada/editor@prj_a",
    "ai:cleo/reader@prj_a",
    "ai:dan/editor@prj_a",
)
STRANGER = "ai:bob/reader@prj_a"
PERMISSION = {
    "visibility": "restricted",
    "grants": {
        **{verb: ["user:cleo", "user:dan"] for verb in ("read_meta", "read_content")},
        **{verb: ["user:dan"] for verb in ("write_meta", "edit_content", "change_permission")},
    },
}
"""Of prj_a and prj_b, which ada owns: cleo reads, dan edits and changes who may. prj_bobs is bob's,
and nobody else knows of it. cleo and eve are in ada's team_x."""

OPENED = {
    "visibility": "restricted",
    "grants": {verb: ["all"] for verb in ("read_meta", "read_chat")},
}
"""Of each Space's session: what it lets in is what its Space lets in."""

EXAMPLES: dict[str, str] = {
    "status": "status",
    "which": "which {packs}/{space}",
    "space list": "space list --all",
    "space show": "space show {space}",
    "space add": "space add {folder} --id prj_added --yes",
    "space new": "space new prj_new",
    "space edit": "space edit {space} --name Other",
    "space edit --root": "space edit {space} --root {folder}",
    "space trust": "space trust {space}",
    "space finish": "space finish {space}",
    "space archive": "space archive {space}",
    "space restore": "space restore {space}",
    "space trash": "space trash {space} --yes",
    "space export": "space export {space} --to {folder}/out",
    "space import": "space import {folder}/none",
    "space erase": "space erase {space} --confirm {space}",
    "index": "index",
    "index SPACE": "index {space}",
    "index --rebuild": "index --rebuild",
    "search": "search zephyr --space {space}",
    "context": "context zephyr --space {space}",
    "memory import": "memory import {folder} --kind obsidian --space {space}",
    "memory import --as-exported": "memory import {folder}/none --as-exported --space {space}",
    "memory add": "memory add Zephyrs --space {space}",
    "memory propose": "memory propose Zephyrs --space {space}",
    "memory list": "memory list",
    "memory show": "memory show {memory}",
    "memory history": "memory history {memory}",
    "memory accept": "memory accept {proposal} --yes",
    "memory edit": "memory edit {memory} --text Zephyrs --yes",
    "memory reject": "memory reject {proposal}",
    "memory reopen": "memory reopen {rejected}",
    "memory supersede": "memory supersede {proposal} {memory} --yes",
    "memory dispute": "memory dispute {other} {memory} --yes",
    "memory merge": "memory merge {other} --into {memory} --yes",
    "memory archive": "memory archive {memory}",
    "memory restore": "memory restore {archived}",
    "memory move": "memory move {memory} --to personal/me --yes",
    "memory recheck": "memory recheck {memory}",
    "memory delete": "memory delete {memory} --yes",
    "memory delete --author": "memory delete --space {space} --author user --yes",
    "memory promote": "memory promote {memory} --to personal/me --yes",
    "memory promote --dry-run": "memory promote {memory} --to personal/me --dry-run",
    "pack accept": "pack accept {edit} --yes",
    "pack reject": "pack reject {edit}",
    "pack reopen": "pack reopen {edit_rejected}",
    "pack recheck": "pack recheck {edit}",
    "review": "review",
    "review ID": "review {proposal}",
    "review --space": "review --space {space}",
    "session list": "session list",
    "session list --space": "session list --space {space}",
    "session show": "session show {session}",
    "memory export": "memory export --space {space} --to {folder}/out.jsonl",
    "memory seal": "memory seal",
    "memory erase": "memory erase {memory} --confirm {memory}",
    "lobe list": "lobe list",
    "lobe show": "lobe show {space}",
    "lobe set": "lobe set {space} --private",
    "lobe set --dry-run": "lobe set {space} --private --dry-run",
    "lobe subscribe": "lobe subscribe {space} --to tag:t",
    "lobe subscribe --dry-run": "lobe subscribe {space} --to tag:t --dry-run",
    "lobe unsubscribe": "lobe unsubscribe {space} --to tag:t",
    "lobe unsubscribe --dry-run": "lobe unsubscribe {space} --to tag:t --dry-run",
    "lobe explain": "lobe explain {space}",
    "sensitivity list": "sensitivity list",
    "sensitivity show": "sensitivity show doc/{document}",
    "sensitivity show --reveal": "sensitivity show doc/{document} --reveal",
    "sensitivity lower": "sensitivity lower doc/{document} public --reason test",
    "sensitivity raise": "sensitivity raise doc/{document} restricted",
    "permission show": "permission show space/{space}",
    "permission set": "permission set space/{space} --visibility private",
    "permission set --dry-run": "permission set space/{space} --visibility private --dry-run",
    "permission grant": "permission grant space/{space} viewer user:bob",
    "permission grant --dry-run": "permission grant space/{space} viewer user:bob --dry-run",
    "permission revoke": "permission revoke space/{space} read_content user:cleo",
    "permission revoke --dry-run": "permission revoke space/{space} viewer user:cleo --dry-run",
    "can": "can me read_content space/{space}",
    "allow-once": "allow-once {space} --from prj_b zephyr",
    "space edit --no-group": "space edit {space} --no-group",
    "lobe matrix": "lobe matrix",
    "person list": "person list",
    "person me": "person me",
    "person add": "person add gus",
    "person superuser": "person superuser eve --add",
    "group list": "group list",
    "group show": "group show team_x",
    "group add": "group add team_y --kind team",
    "group edit": "group edit team_x --name Other",
    "group join": "group join team_x --person bob",
    "group leave": "group leave team_x --person eve",
    "group remove": "group remove team_x --yes",
    "group remove --dry-run": "group remove team_x --dry-run",
    "group restore": "group restore team_x",
    "connect": "connect codex",
    "connect --write": "connect codex --space {space} --write",
    "audit list": "audit list",
    "audit readers": "audit readers",
    "audit notices": "audit notices",
    "audit renew": "audit renew --yes",
    "audit verify": "audit verify",
    "presence status": "presence status",
    "presence forget": "presence forget",
    "presence passphrase": "presence passphrase",
    "backup": "backup {folder}/home.lobes",
    "restore": "restore {folder}/none.lobes --confirm replace",
    "engine status": "engine status",
    "engine stop": "engine stop",
    "doctor": "doctor authz",
    "doctor --fix": "doctor authz --fix",
    "doctor --accept-older": "doctor authz --accept-older --confirm older",
    "config path": "config path",
    "config show": "config show",
    "config schema": "config schema",
    "keys list": "keys list",
    "keys check": "keys check",
}

MEMORIES = {
    "proposal": "proposed",
    "other": "active",
    "rejected": "rejected",
    "archived": "archived",
}
"""What each Space remembers besides its `memory`, which is active: name and status."""

EDITS = {"edit": "proposed", "edit_rejected": "rejected"}
"""The edits of each Space's pack: name and status."""

STRICTER = {
    ("allow-once", "user:dan"): "owner_only",
    ("sensitivity show --reveal", "user:cleo"): "owner_only",
    ("sensitivity show --reveal", "user:dan"): "owner_only",
}
"""Where a rule of the act itself refuses what the verb alone would allow."""

LISTED = ("which", "allow-once")
"""Answered from a list that is filtered, or by a rule of its own: no row of a refusal is left."""

RECORD = ("audit list", "audit readers")
"""What was done, also with Spaces that are somebody else's now; its person's alone."""


def commands_of(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    with click.Context(group) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from commands_of(command, f"{before}{name} ")
            else:
                yield f"{before}{name}", command


COMMANDS = dict(commands_of(root))


def is_there(words: str) -> bool:
    """Whether a row is of a command that there is, and of an option that it has."""
    name, _, option = words.removesuffix(" SPACE").removesuffix(" ID").partition(" --")
    if name not in COMMANDS:
        return False
    return not option or any(f"--{option}" in one.opts for one in COMMANDS[name].params)


RUN = {
    words: act
    for words, act in ACTS.items()
    if act.on not in ("making", "serving") and is_there(words)
}


@dataclass
class Ran:
    code: int
    out: str

    @property
    def said(self) -> str:
        """How the rules answered: allowed, or the reason of the refusal."""
        if self.code not in (3, 4):
            return "allowed"
        return str(self.document["error"]["reason"])

    @property
    def document(self) -> Any:
        return json.loads(self.out)


def lobes(home: Path, *words: str) -> Ran:
    """Run a command line in this process."""
    out, handler = io.StringIO(), signal.getsignal(signal.SIGINT)
    line = ["--home", str(home), *words, "--json", "--inline"]
    try:
        with redirect_stdout(out), redirect_stderr(io.StringIO()):
            code = run(line, open_tui=lambda folders, demo: 0)
    finally:
        signal.signal(signal.SIGINT, handler)
    return Ran(code, out.getvalue())


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with three people's Spaces, followed."""
    home = tmp_path_factory.mktemp("acts") / "home"
    with pytest.MonkeyPatch.context() as patch:
        for marker in MARKERS:
            patch.delenv(marker.variable, raising=False)
        assert lobes(home, "init", "--presence", "off", "--user", "ada").code == 0
        for space in ("prj_a", "prj_b", "prj_bobs"):
            assert lobes(home, "space", "new", space).code == 0
        assert lobes(home, "lobe", "set", "prj_a", "--agent-preset", "editor").code == 0
        assert lobes(home, "lobe", "set", "prj_b", "--cross-space", "ask").code == 0
        for name in ("bob", "cleo", "dan", "eve"):
            assert lobes(home, "person", "add", name).code == 0
        assert lobes(home, "group", "add", "team_x", "--kind", "team").code == 0
        for name in ("cleo", "eve"):
            assert lobes(home, "group", "join", "team_x", "--person", name).code == 0
        assert lobes(home, "index").code == 0
    with closing(sqlite3.connect(home / "data" / "lobes.db")) as store, store:
        sql = "UPDATE space SET permission = ? WHERE id IN ('prj_a', 'prj_b')"
        store.execute(sql, (json.dumps(PERMISSION),))
        store.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_bobs'")
        for space in ("prj_a", "prj_b", "prj_bobs"):
            write_memory(store, space, f"Remembered of {space}.")
            for name, status in MEMORIES.items():
                write_memory(store, space, f"A {name} of {space}.", name=name, status=status)
            for name, status in EDITS.items():
                write_edit(store, space, name=name, status=status)
            person = "bob" if space == "prj_bobs" else "ada"
            write_session(store, session_id(space), space, person, permission=OPENED)
    return home


@dataclass
class Place:
    """A copy of the template that each run finds as it was."""

    template: Path
    home: Path

    def afresh(self, *, presence: str = "off") -> None:
        for name in ("data", "spaces"):
            shutil.rmtree(self.home / name, ignore_errors=True)
            shutil.copytree(self.template / name, self.home / name)
        with closing(sqlite3.connect(self.home / "data" / "lobes.db")) as store, store:
            store.execute("UPDATE home SET presence = ?", (presence,))
            old, new = str(self.template), str(self.home)
            store.execute("UPDATE space SET root = replace(root, ?, ?)", (old, new))
            store.execute("UPDATE space SET root_device = '', root_inode = ''")

    def run(self, words: str, *more: str, space: str = "prj_a") -> Ran:
        return self.run_all(words.split(" "), *more, space=space)

    def run_all(self, words: Sequence[str], *more: str, space: str = "prj_a") -> Ran:
        folder = self.home / "folder"
        folder.mkdir(exist_ok=True)
        packs = self.home / "spaces"
        document = derived_id("document", space, "goals.md")
        memories = {name: memory_id(space, name) for name in ("memory", *MEMORIES)}
        memories |= {name: edit_id(space, name) for name in EDITS}
        memories["session"] = session_id(space)
        named = {"space": space, "folder": folder, "packs": packs, "document": document, **memories}
        return lobes(self.home, *(word.format(**named) for word in words), *more)

    def stored(self) -> list[str]:
        with closing(sqlite3.connect(self.home / "data" / "lobes.db")) as store:
            return list(store.iterdump())

    def denials(self) -> list[tuple[str, str]]:
        with closing(sqlite3.connect(self.home / "data" / "audit.db")) as store:
            sql = "SELECT channel, actor FROM audit WHERE event = 'access.denied'"
            return store.execute(sql).fetchall()

    def facts(self) -> Facts:
        with closing(read.connect(self.home / "data" / "lobes.db")) as store:
            return load_facts(store, asking=["prj_a"])


@pytest.fixture
def place(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    for marker in MARKERS:
        monkeypatch.delenv(marker.variable, raising=False)
    return Place(template, tmp_path / "home")


def expected(actor: Actor, act: Act, facts: Facts, *, present: bool) -> str:
    """What the row says about this actor, by the rules of `access` alone."""
    if act.on in ("nothing", "listed"):
        return "allowed"
    own = Resource("person", actor.person) if isinstance(actor, Human) else HOME
    things = {"home": HOME, "group": Resource("group", "team_x"), "own": own}
    resource = things.get(act.on, Resource("space", "prj_a"))
    found = authorize(actor, act.verb, resource, facts)
    if found.allowed:
        return "no_presence" if act.human_only and not present else "allowed"
    knows = authorize(actor, "read_meta", resource, facts).allowed
    return found.reason if knows or found.reason in ("ai_bar", "ceiling") else "not_found"


def test_every_command_has_a_row_and_an_example() -> None:
    assert set(COMMANDS) - set(ACTS) == set(), "give it a row in lobes.cli.acts"
    assert set(RUN) - set(EXAMPLES) == set(), "say here how it is run"


def test_what_needs_a_person_is_marked_so_in_the_document() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text("utf-8").replace("\\|", "|")
    needing = {words.partition(" --")[0] for words, act in RUN.items() if act.human_only}
    rows = re.findall(r"^\| `lobes ([a-z-]+) ?([a-z]+(?:\|[a-z]+)*)?[^`]*`.*$", page, re.M)
    lines = re.findall(r"^\| `lobes .*$", page, re.M)
    assert len(rows) == len(lines) > 20
    for (first, seconds), line in zip(rows, lines, strict=True):
        names = {f"{first} {second}".strip() for second in seconds.split("|")}
        assert ("**P**" in line) is bool(names & needing), line


def test_an_exception_from_the_table_is_a_limit_that_is_stated() -> None:
    page = (Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8")
    exceptions = [words for words, act in ACTS.items() if act.exception]
    assert exceptions == ["doctor --accept-older"]
    assert all(f"`lobes {words}`" in page for words in exceptions)


@pytest.mark.parametrize("words", RUN)
def test_each_actor_gets_what_the_row_says(place: Place, words: str) -> None:
    act, example = RUN[words], EXAMPLES[words]
    told: dict[str, tuple[str, str]] = {}
    for name in (*PEOPLE, *AGENTS):
        place.afresh()
        facts, before = place.facts(), place.stored()
        ran = place.run(example, *([] if name == ME else ["--as", name]))
        row = expected(parse_actor(name), act, facts, present=name in PEOPLE)
        told[name] = (ran.said, STRICTER.get((words, name), row))
        if ran.said != "allowed":
            assert place.stored() == before, f"{name} was refused, and yet changed something"
            assert words in LISTED or ("cli", name) in place.denials()
    assert {name: said for name, (said, _) in told.items()} == {
        name: row for name, (_, row) in told.items()
    }


@pytest.mark.parametrize("words", RUN)
def test_without_a_person_and_inside_an_agent_too(
    place: Place, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home that asks: the owner at a pipe, and a known agent in the Space's folder."""
    act, example = RUN[words], EXAMPLES[words]
    place.afresh(presence="on")
    facts, before = place.facts(), place.stored()
    ran = place.run(example, "--yes")
    assert ran.said == expected(parse_actor(ME), act, facts, present=False)
    if ran.said != "allowed":
        assert place.stored() == before
        assert ("cli", ME) in place.denials()
    place.afresh(presence="on")
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.chdir(place.home / "spaces" / "prj_a")
    ran = place.run(example, "--yes")
    assert ran.said == expected(parse_actor(AGENTS[0]), act, facts, present=False)
    if ran.said != "allowed":
        assert place.stored() == before


@pytest.mark.parametrize("words", [one for one, act in RUN.items() if act.on != "nothing"])
def test_who_may_not_know_the_space_gets_the_answer_of_one_that_never_was(
    place: Place, words: str
) -> None:
    """AZ-14. An agent whose person may not know its Space gets nothing at all."""
    place.afresh()
    act, example = RUN[words], EXAMPLES[words]
    ran = place.run(example, "--as", STRANGER)
    assert ran.said == "not_found"
    if act.on != "space":
        assert words in RECORD or "prj_bobs" not in place.run(example).out
        return
    for name in (ME, "user:cleo", AGENTS[2]):
        hidden = place.run(example, "--as", name, space="prj_bobs")
        never = place.run(example, "--as", name, space="prj_never")
        assert (hidden.code, hidden.out) == (never.code, never.out)
        assert "prj_bobs" not in hidden.out


def test_the_example_of_every_act_is_for_that_act() -> None:
    for words, example in EXAMPLES.items():
        for word in words.replace(" SPACE", "").replace(" ID", "").split(" "):
            assert word in example.split(" "), words
    assert os.environ.get("LOBES_HOME") is None


REFUSED = (2, 3, 4, 5, 6, 7)
BAD_WORDS = {"no UTF-8": os.fsdecode(b"a\xff\x1b[2Jb"), "too long": "x" * 5000}


FITS = {
    "no UTF-8": {"{folder}", "{folder}/home.lobes", "--to"},
    "too long": {"zephyr", "read_content", "--reason", "--confirm", "--hash", "--shown", "--space"}
    | {"--actor", "--event", "--resource", "--before", "--author", "--session", "--source"}
    | {"--untag", "--no-exclude", "--unmute"},
}
"""Words that a command may take though they are spoilt: a file may have any bytes for its name; a
text, what a list is narrowed by and what is taken away may be of any length, and so may what this
very run doesn't look at. Each is refused elsewhere, or names nothing."""

NO_HOME = {words for words in RUN if words.split(" ")[0] in ("config", "connect", "keys")}
"""Commands that open no home, and so ask nobody who calls."""


def spoilt(words: str, bad: str) -> Iterator[tuple[str, list[str]]]:
    """The example of this act with one word or one option after the other spoilt: which, the line.
    A value goes by its option."""
    command = COMMANDS[words.removesuffix(" SPACE").removesuffix(" ID").partition(" --")[0]]
    options = [one for one in command.params if isinstance(one, click.Option) and not one.is_flag]
    names = {name for one in options for name in one.opts}
    example = EXAMPLES[words].split(" ")
    for at, word in enumerate(example):
        if word not in words.split(" ") and not word.startswith("--"):
            before = example[at - 1]
            yield before if before in names else word, [*example[:at], bad, *example[at + 1 :]]
    for one in options:
        if one.name != "home":
            yield one.opts[0], [*example, one.opts[0], bad]


@pytest.mark.parametrize("kind", BAD_WORDS)
@pytest.mark.parametrize("words", RUN)
def test_a_word_that_nothing_can_hold_is_refused_and_never_a_fault(
    place: Place, words: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes that are no UTF-8, and names longer than any file system takes."""
    place.afresh()
    monkeypatch.chdir(place.home)
    for which, line in spoilt(words, BAD_WORDS[kind]):
        ran = place.run_all(line)
        assert "internal_error" not in ran.out, line
        fits = which in FITS[kind] or ((which, kind) == ("--as", "too long") and words in NO_HOME)
        assert ran.code in ((0, *REFUSED) if fits else REFUSED), line


def test_every_word_of_a_command_is_a_name_or_a_text_or_has_a_form_of_its_own() -> None:
    """A word of no kind would reach the store with bytes that it can't hold."""
    plain = [
        f"{words} {one.name}"
        for words, command in COMMANDS.items()
        for one in command.params
        if one.type is click.STRING
    ]
    assert plain == []


@pytest.mark.parametrize(
    "line",
    ["group join team_x --person", "space edit prj_a --group", "person superuser --add"],
)
def test_a_name_that_is_no_text_is_one_that_nobody_has(place: Place, line: str) -> None:
    place.afresh()
    never, bad = (place.run_all([*line.split(" "), word]) for word in ("never", "a\udcff"))
    assert (never.code, never.said) == (3, "not_found")
    assert bad == never
