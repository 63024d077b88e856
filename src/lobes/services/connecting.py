"""Tell an agent's program how to start the server, and what to run when a session begins: what to
write, and writing it where wanted.

Only one entry and one item are written, into files of the Space's folder that are opened below its
pinned root; what was there is kept beside each as `NAME.before-lobes`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from lobes.access.facts import HOME, Resource
from lobes.domain.agent_programs import (
    HOOK_ENDS,
    HOOKS,
    NAME,
    PROGRAMS,
    Program,
    entry,
    hook,
    is_hook,
)
from lobes.domain.errors import Invalid, nothing_there
from lobes.services.authority import facts_for, record, require
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import open_root
from lobes.store.files import SafeRoot
from lobes.store.found import ReadFile
from lobes.store.json_merge import merged, merged_item
from lobes.store.read_spaces import space_row
from lobes.store.toml_merge import merged_toml

KEPT = ".before-lobes"


@dataclass(frozen=True, slots=True)
class Connection:
    """What a program has to be told: the command lines of the server and of what a session begins
    with. `text` is the file as it would be if it held nothing else."""

    program: Program
    words: tuple[str, ...]
    hook: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Connected:
    """`kept` is the name of the copy of what was there; "" where there was nothing or the same."""

    path: str
    changed: bool
    kept: str


def connection(program: str, *, home: str | None, space: str | None) -> Connection:
    """For one of `PROGRAMS`, with this very program as it is started now."""
    found = PROGRAMS[program]
    named = ("--space", space) if space else ()
    words = (*_program(home), "mcp", *named)
    begins = (*_program(home), "context", *named, *HOOK_ENDS)
    return Connection(found, words, begins, _with(found, "", entry(found, words)))


def _program(home: str | None) -> list[str]:
    script = Path(sys.argv[0])
    command = [str(script.absolute())] if script.name == NAME else [sys.executable, "-m", "lobes"]
    return command if home is None else [*command, "--home", home]


def connect(
    lobes: Installation, caller: Caller, wanted: Connection, space: str
) -> tuple[Connected, ...]:
    """Write the entry into the program's file in the Space's folder, and the hook into its
    settings where it has any; for a person at the keyboard. What became of each file.

    Raises `Invalid` (`not_json`, `not_toml`) where one can't be changed without touching something
    else; both are left as they are.
    """
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        decision = require(lobes, caller, "write_meta", HOME, facts=facts, human_only=True)
        require(lobes, caller, "edit_content", Resource("space", space), facts=facts)
        row = space_row(store, space)
    if row is None:
        raise nothing_there()
    with open_root(row) as root:
        drafts = [_entered(root, wanted)]
        if wanted.program.hook_file:
            drafts.append(_hooked(root, wanted))
        done = tuple(_written(root, one) for one in drafts)
    record(lobes, caller, "space.connected", "write_meta", HOME, answer=decision.reason)
    return done


@dataclass(frozen=True, slots=True)
class _Draft:
    """A file as it is and as it is wanted; `before` is None where there is none."""

    file: str
    before: ReadFile | None
    after: str


def _entered(root: SafeRoot, wanted: Connection) -> _Draft:
    file = wanted.program.file
    before = _there(root, file)
    text = before.text if before else ""
    return _Draft(file, before, _with(wanted.program, text, entry(wanted.program, wanted.words)))


def _hooked(root: SafeRoot, wanted: Connection) -> _Draft:
    file = wanted.program.hook_file
    before = _there(root, file)
    text = before.text if before else ""
    return _Draft(file, before, merged_item(text, *HOOKS, hook(wanted.hook), is_ours=is_hook))


def _written(root: SafeRoot, draft: _Draft) -> Connected:
    before, file = draft.before, draft.file
    if before is not None and draft.after == before.text:
        return Connected(file, changed=False, kept="")
    kept = ""
    if before is not None:
        kept = f"{file}{KEPT}"
        older = _there(root, kept)
        expected = older.content_hash if older else None
        root.write(kept, before.text, expect_hash=expected, for_a_program=True)
    expected = before.content_hash if before else None
    root.write(file, draft.after, expect_hash=expected, for_a_program=True)
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
