"""The leak canaries' harness: every command line, as any actor, and what it gave searched for
words that this actor may not see.

Command lines come from the tree of commands and the examples beside `lobes.cli.acts`; a command, a
switch or an option that names a thing joins by itself. What an actor typed is no leak.
"""

from __future__ import annotations

import io
import shutil
import signal
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import click
from tests.cli.test_acts import COMMANDS, EXAMPLES
from tests.e2e.canary_world import (
    CLOSER,
    COMMON,
    EDITS,
    MEMORIES,
    SESSIONS,
    SPACES,
    CanaryWorld,
    Marker,
    allowed,
    edit_id,
    memory_id,
    session_id,
)

from lobes.cli.app import root, run
from lobes.config.folders import folders_under
from world_home import document_id

UNKNOWN = {"space": "prj_never", "group": "team_never", "person": "never"}
GLOBAL = frozenset(name for one in root.params for name in one.opts)
"""Options that every command takes; lines are run with and without `--json`."""
NOT_RUN = GLOBAL | {"--watch"}
"""Switches that no line gets; a watch goes on until it is stopped."""
PLACES = {
    "SPACE": "{other}",
    "LOBE": "space/{other}",
    "SOURCE": "space:{other}",
    "GROUP": "{group}",
    "PERSON": "{person}",
    "ACTOR": "user:{person}",
    "ADDRESS": "document/{document}",
}
"""What stands behind an option with this metavar."""
OWN_WORDS = {
    "prj_b": "{other}",
    "team_x": "{group}",
    "bob": "{person}",
    "eve": "{person}",
    "user:bob": "user:{person}",
    "user:cleo": "user:{person}",
}
"""Words of the examples that name something, so that a hidden thing can stand there too."""
MORE = (
    "lobe explain {space} {other}",
    "lobe explain {space} team/{group}",
    "lobe explain {space} personal/{person}",
    "lobe subscribe {space} --to team:{group}",
    "permission show doc/{document}",
    "permission show memory/{memory}",
    "permission set memory/{memory} --visibility inherit --dry-run",
    "permission grant space/{space} viewer group:{group}",
    "sensitivity list {space}",
    "sensitivity show memory/{memory}",
    "sensitivity show memory/{memory} --reveal",
    "sensitivity lower memory/{memory} public --reason test",
    "sensitivity raise memory/{memory} confidential",
    "audit readers {space}",
    "can user:{person} read_content space/{space}",
    "can ai:me/reader@{other} read_content space/{space}",
    "can me read_content doc/{document}",
    "can me read_meta group/{group}",
    "can me read_meta person/{person}",
    "can me read_content memory/{memory}",
    "can ai:me/reader@{space} read_meta memory/{memory}",
    "review {memory}",
    "review {edit}",
    "review {edit_rejected}",
    "memory show {edit}",
    "review --decided",
    "memory list --space {space} --status rejected",
    "permission show session/{session}",
    "permission set session/{session} --visibility public --dry-run",
    "permission grant session/{session} read_chat user:{person} --dry-run",
    "can me read_chat session/{session}",
    "can user:{person} read_chat session/{session}",
    "session show {memory}",
    "memory show {session}",
    "review {session}",
    f"memory propose {COMMON} --space {{space}} --replaces {{memory}}",
    f"memory add {COMMON} --space {{space}} --replaces {{memory}}",
    f"memory edit {{memory}} --text {COMMON} --yes",
    "memory move {memory} --to space/{space} --yes",
    "memory move {memory} --to team/{group} --yes",
    "memory promote {memory} --to team/{group} --yes",
    "memory promote {memory} --to personal/{person} --yes",
    "memory reopen {memory}",
    "memory supersede {memory} --yes",
    "space add {packs} --yes",
    "space add {packs}/{space}/inner --id prj_inner --yes",
    "space show {document}",
    f"search {COMMON} --space {{space}} -k 100",
    f"context {COMMON} --space {{space}} --budget 20000",
    f"context {COMMON} --space {{space}} --budget 20000 --format claude-hook",
    "context --space {space}",
    f"allow-once {{other}} --from {{space}} {COMMON}",
)
"""Lines that no example has."""


@dataclass(frozen=True)
class Target:
    """What stands in the places of a line."""

    kind: str
    space: str
    other: str
    group: str
    person: str
    document: str
    memory: str
    edit: str
    edit_rejected: str
    session: str


DOCUMENTS = tuple(f"document/{one}" for pair in zip_longest(SPACES, CLOSER) for one in pair if one)
"""Those that are closer than their Space between the others."""

DECIDED_ON = ("proposal", "other", "rejected", "archived")
"""The memories that a line decides on, whatever has become of them."""


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        return f"{self.code}\n{self.out}\n{self.err}"


@dataclass
class Leak:
    who: str
    line: str
    marker: str
    excerpt: str

    def __str__(self) -> str:
        return f"{self.who}: lobes {self.line}: {self.marker}: …{self.excerpt}…"


def lines() -> list[str]:
    """Every line to run, with its places still open."""
    found = [_opened(example) for example in EXAMPLES.values()]
    for name, command in COMMANDS.items():
        example = next((one for one in found if _is_of(one, name)), None)
        if example is not None:
            found += [f"{example} {more}" for more in _additions(command, example)]
    return list(dict.fromkeys((*found, *MORE)))


def _is_of(example: str, name: str) -> bool:
    return example == name or example.startswith(f"{name} ")


def _opened(example: str) -> str:
    return " ".join(OWN_WORDS.get(one, one) for one in example.split(" "))


def _additions(command: click.Command, example: str) -> Iterator[str]:
    """Each switch of a command, and each option that names a thing."""
    for one in command.params:
        if not isinstance(one, click.Option) or one.hidden:
            continue
        name = one.opts[-1]
        if name in NOT_RUN or name in example.split(" "):
            continue
        if one.is_flag:
            yield name
        elif one.metavar in PLACES:
            yield f"{name} {PLACES[one.metavar]}"


BACKUP = "home.lobes"


def _kinds(words: Iterable[str]) -> set[str]:
    """What they are of: a name, a title, a text. The id of a Space is its address."""
    return {one.partition(" ")[0] for one in words if " " in one}


@dataclass
class Canaries:
    """One home that every run finds as it was."""

    made: CanaryWorld
    template: Path
    home: Path
    asks: bool = False
    """A home with presence, where `--as` counts for nothing and an agent's environment does."""
    runs: int = 0
    leaks: list[Leak] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)
    """What the words that were shown to those who may see them are words of."""
    searched: list[Ran] = field(default_factory=list)
    """What the searches gave, to be read where a walk heard nothing of a text."""
    watched: sqlite3.Connection | None = None
    """The store, held open to notice that a run has written."""

    def close(self) -> None:
        if self.watched is not None:
            self.watched.close()

    def afresh(self) -> None:
        self.close()
        for name in ("data", "spaces", "state"):
            shutil.rmtree(self.home / name, ignore_errors=True)
            if (self.template / name).exists():
                shutil.copytree(self.template / name, self.home / name, symlinks=True)
        (self.home / "folder" / "inner").mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self._path)) as store, store:
            old, new = str(self.template), str(self.home)
            store.execute("UPDATE space SET root = replace(root, ?, ?)", (old, new))
            store.execute("UPDATE space SET root_device = '', root_inode = ''")
            if self.asks:
                store.execute("UPDATE home SET presence = 'on'")
        self.watched = sqlite3.connect(self._path)
        self._seen = self._committed(self.watched)
        self._as_it_was = list(self.watched.iterdump())

    @property
    def _path(self) -> Path:
        return self.home / "data" / "lobes.db"

    def _committed(self, store: sqlite3.Connection) -> tuple[int, int]:
        """The file, and a number that is another one once somebody else has committed to it."""
        return self._path.stat().st_ino, store.execute("PRAGMA data_version").fetchone()[0]

    def settle(self) -> None:
        """What a run changed is put back; most change nothing, and many don't write at all."""
        assert self.watched is not None
        if (seen := self._committed(self.watched)) == self._seen:
            return
        is_same = seen[0] == self._seen[0] and list(self.watched.iterdump()) == self._as_it_was
        self._seen = seen
        if not is_same:
            self.afresh()

    def words(self, line: str, target: Target) -> list[str]:
        places = {name: getattr(target, name) for name in Target.__dataclass_fields__}
        places |= {"folder": self.home / "folder", "packs": self.home / "spaces"}
        places |= dict.fromkeys(DECIDED_ON, target.memory)
        return line.format(**places).split(" ")

    def run(self, words: Sequence[str], who: str) -> Ran:
        """Run a command line in this process; `who` as the oracle writes an actor."""
        line = ["--home", str(self.home), *words, "--inline"]
        if not self.asks:
            line += ["--as", who if ":" in who else f"user:{who}"]
        out, err, handler = io.StringIO(), io.StringIO(), signal.getsignal(signal.SIGINT)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = run(line, open_tui=lambda folders, demo: 0)
        finally:
            signal.signal(signal.SIGINT, handler)
        self.runs += 1
        return Ran(code, out.getvalue(), err.getvalue())

    def check(self, line: str, target: Target, who: str, *, as_json: bool) -> Ran:
        words = self.words(line, target)
        ran = self.run([*words, "--json"] if as_json else words, who)
        if words[0] == "search":
            self.searched.append(ran)
        line = " ".join(words)
        self.search(ran.text + self.handed_out(), who, line=line, typed=words)
        self.settle()
        return ran

    def handed_out(self) -> str:
        """What the run wrote to read elsewhere, which goes again. A backup of the home is no such
        thing: it is its owner's, whole, and nobody else gets one."""
        place = self.home / "folder"
        text = ""
        for path in sorted(place.rglob("*")):
            if path.is_file() and path.name != BACKUP:
                text += "\n" + path.read_text("utf-8", "replace")
        for path in (place / "out", place / "out.jsonl", place / BACKUP):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        return text

    def search(self, text: str, who: str, *, line: str, typed: Iterable[str] = ()) -> None:
        """Note each word in a text that this actor may not see."""
        written = " ".join(typed).replace(str(self.home), "")
        for marker in self.made.markers:
            if marker.word in text and marker.word not in written:
                may_see = marker.may_see(who) and marker.may_stand_in(line)
                if may_see or _is_of_the_record(line, who, marker):
                    self.heard.add(marker.of)
                else:
                    self.note(who, line, marker.of, marker.word, text)
        for secret in self.made.secrets:
            if secret in text and not ("--reveal" in line and who == "me"):
                self.note(who, line, "a secret", secret, text)

    def unheard(self, who: str) -> set[str]:
        """Of what no word was shown, although this actor may see some: a walk that goes nowhere
        finds no leak either."""
        mine = {one.of for one in self.made.markers if one.may_see(who)}
        return _kinds(mine) - _kinds(self.heard)

    def note(self, who: str, line: str, of: str, word: str, text: str) -> None:
        at = text.index(word)
        self.leaks.append(Leak(who, line, of, " ".join(text[max(0, at - 80) : at + 60].split())))

    # -- what stands in the places

    def targets(self, who: str, turn: int) -> Iterator[Target]:
        """Things that the actor may read, one that is hidden from them and one that never was;
        with `turn` it is another one each time."""
        yield self.target("own", who, turn)
        yield self.target("hidden", who, turn)

    def target(self, kind: str, who: str, turn: int) -> Target:
        world = dict(self.made.world)
        wanted = kind == "own"

        def pick(ids: Iterable[str], of: str, *, verb: str = "read_meta", step: int = 0) -> str:
            fit = [one for one in ids if allowed(world, who, verb, f"{of}/{one}") is wanted]
            return fit[(turn + step) % len(fit)] if fit else UNKNOWN[of]

        verb = "read_content" if wanted else "read_meta"
        space = pick(SPACES, "space", verb=verb)
        return Target(
            kind,
            space,
            pick(SPACES, "space", verb=verb, step=1),
            pick(world["groups"], "group"),
            pick(world["people"], "person"),
            self._document(who, turn, verb, wanted=wanted),
            self._memory(who, turn, verb, wanted=wanted),
            self._edit(who, turn, wanted=wanted, rejected=False),
            self._edit(who, turn, wanted=wanted, rejected=True),
            self._session(who, turn, wanted=wanted),
        )

    def _document(self, who: str, turn: int, verb: str, *, wanted: bool) -> str:
        world = dict(self.made.world)
        fit = [
            document_id(
                world["items"][one]["in"].removeprefix("space/"), world["items"][one]["path"]
            )
            for one in DOCUMENTS
            if allowed(world, who, verb, one) is wanted
        ]
        return fit[turn % len(fit)] if fit else document_id("prj_never", "none.md")

    def _memory(self, who: str, turn: int, verb: str, *, wanted: bool) -> str:
        world = dict(self.made.world)
        ids = [memory_id(name) for name in MEMORIES]
        fit = [one for one in ids if allowed(world, who, verb, f"memory/{one}") is wanted]
        return fit[turn % len(fit)] if fit else memory_id("none")

    def _edit(self, who: str, turn: int, *, wanted: bool, rejected: bool) -> str:
        world = dict(self.made.world)
        these = [name for name, one in EDITS.items() if ("status" in one) is rejected]
        verbs = ("review", "read_content") if wanted else ("read_meta",)
        fit = [
            name
            for name in these
            if all(allowed(world, who, verb, f"edit/{edit_id(name)}") is wanted for verb in verbs)
        ]
        return edit_id(fit[turn % len(fit)] if fit else "none")

    def _session(self, who: str, turn: int, *, wanted: bool) -> str:
        world, verb = dict(self.made.world), "read_chat" if wanted else "read_meta"
        ids = [session_id(name) for name in SESSIONS]
        fit = [one for one in ids if allowed(world, who, verb, f"session/{one}") is wanted]
        return fit[turn % len(fit)] if fit else session_id("none")

    def never(self) -> Target:
        document, memory = document_id("prj_never", "none.md"), memory_id("prj_never")
        edits = edit_id("never"), edit_id("never, rejected")
        spaces = "prj_never", "prj_never2"
        session = session_id("never")
        return Target("never", *spaces, "team_never", "never", document, memory, *edits, session)

    # -- what is left on the disk

    def search_files(self) -> None:
        """The record and what is written besides hold ids, never texts or names."""
        for path in self.left_files():
            kept = path.read_bytes().decode("utf-8", "replace")
            for marker in self.made.markers:
                if not marker.is_id and marker.word in kept:
                    self.note("whoever reads the file", path.name, marker.of, marker.word, kept)

    def left_files(self) -> list[Path]:
        record = [one for one in (self.home / "data").glob("audit*") if one.is_file()]
        index = folders_under(self.home).index
        state = (one for one in (self.home / "state").rglob("*") if one.is_file())
        return record + [one for one in state if not one.is_relative_to(index)]


def _is_of_the_record(line: str, who: str, marker: Marker) -> bool:
    """The installation's owner reads the record of everything, which holds ids and never texts."""
    return line.startswith("audit ") and who == "me" and marker.is_id
