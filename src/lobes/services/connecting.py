"""Tell an agent's program how to start the server: what to write, and writing it where wanted.

Only the one entry is written, into a file of the Space's folder that is opened below its pinned
root; what was there is kept beside it as `NAME.before-lobes`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lobes.access.facts import HOME, Resource
from lobes.domain.agent_programs import NAME, PROGRAMS, Program, entry
from lobes.domain.errors import Invalid, nothing_there
from lobes.services.authority import facts_for, record, require
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import open_root
from lobes.store.files import SafeRoot
from lobes.store.found import ReadFile
from lobes.store.json_merge import merged
from lobes.store.read_spaces import space_row
from lobes.store.toml_merge import merged_toml

KEPT = ".before-lobes"


@dataclass(frozen=True, slots=True)
class Connection:
    """What a program has to be told. `text` is the file as it would be if it held nothing else."""

    program: Program
    words: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Connected:
    """`kept` is the name of the copy of what was there; "" where there was nothing or the same."""

    path: str
    changed: bool
    kept: str


def connection(program: str, *, words: Sequence[str]) -> Connection:
    """For one of `PROGRAMS`; `words` is the command line that starts the server."""
    found = PROGRAMS[program]
    return Connection(found, tuple(words), _with(found, "", entry(found, words)))


def server_words(home: str | None, space: str | None) -> list[str]:
    """The command line of the server as this very program is started now."""
    return [*_program(home), "mcp", *(("--space", space) if space else ())]


def hook_words(home: str | None, space: str | None) -> list[str]:
    """The command line that gives a session its first context."""
    named = ("--space", space) if space else ()
    return [*_program(home), "context", *named, "--format", "claude-hook"]


def _program(home: str | None) -> list[str]:
    script = Path(sys.argv[0])
    command = [str(script.absolute())] if script.name == NAME else [sys.executable, "-m", "lobes"]
    return command if home is None else [*command, "--home", home]


def connect(lobes: Installation, caller: Caller, wanted: Connection, space: str) -> Connected:
    """Write the entry into the program's file in the Space's folder; for a person at the keyboard.

    Raises `Invalid` (`not_json`, `not_toml`) where the file can't be changed without touching
    something else; it is left as it is.
    """
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        decision = require(lobes, caller, "write_meta", HOME, facts=facts, human_only=True)
        require(lobes, caller, "edit_content", Resource("space", space), facts=facts)
        row = space_row(store, space)
    if row is None:
        raise nothing_there()
    with open_root(row) as root:
        done = _written(root, wanted)
    record(lobes, caller, "space.connected", "write_meta", HOME, answer=decision.reason)
    return done


def _written(root: SafeRoot, wanted: Connection) -> Connected:
    file = wanted.program.file
    before = _there(root, file)
    text = before.text if before else ""
    after = _with(wanted.program, text, entry(wanted.program, wanted.words))
    if after == text:
        return Connected(file, changed=False, kept="")
    kept = ""
    if before is not None:
        kept = f"{file}{KEPT}"
        older = _there(root, kept)
        expected = older.content_hash if older else None
        root.write(kept, text, expect_hash=expected, for_a_program=True)
    expected = before.content_hash if before else None
    root.write(file, after, expect_hash=expected, for_a_program=True)
    return Connected(file, changed=True, kept=kept)


def _there(root: SafeRoot, file: str) -> ReadFile | None:
    """The file; None where there is none."""
    found = root.read(file)
    if isinstance(found, ReadFile):
        return found
    if found.reason == "gone":
        return None
    raise Invalid(found.sentence, hint="Add what is printed here by hand.", reason=found.reason)


def _with(program: Program, text: str, value: dict[str, object]) -> str:
    if program.syntax == "toml":
        return merged_toml(text, program.section, NAME, value)
    return merged(text, program.section, NAME, value)


def as_json(wanted: Connection) -> object:
    """The entry alone, as data."""
    return json.loads(json.dumps(entry(wanted.program, wanted.words)))
