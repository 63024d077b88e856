"""What an import from another tool's files gives: candidates, and what was left aside and why.

Nothing here is a memory. A candidate is text somebody else's tool kept; it becomes a proposal, and
a person decides. Every code of what was left aside has one sentence, the same in every face.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from lobes.domain.memories import Kind, MemoryClass

SourceKind = Literal[
    "claude_md",
    "agents_md",
    "cursor_rules",
    "copilot_instructions",
    "project_instructions",
    "claude_memory",
    "chatgpt_export",
    "claude_export",
    "mcp_memory",
    "mem0",
    "basic_memory",
    "obsidian",
]

SOURCES: dict[SourceKind, str] = {
    "claude_md": "CLAUDE.md",
    "agents_md": "AGENTS.md",
    "cursor_rules": "Cursor rules",
    "copilot_instructions": "Copilot instructions",
    "project_instructions": "instruction files of a project",
    "claude_memory": "Claude Code memory folder",
    "chatgpt_export": "ChatGPT export",
    "claude_export": "Claude export",
    "mcp_memory": "memory file of the reference MCP server",
    "mem0": "mem0 or OpenMemory export",
    "basic_memory": "basic-memory folder",
    "obsidian": "Obsidian vault",
}
"""What a person reads for each."""


@dataclass(frozen=True, slots=True)
class ImportSource:
    """A file or folder whose format is known; `label` is for a person."""

    kind: SourceKind
    label: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One statement that could become a memory.

    `source_ref` is the file and the place inside it (`CLAUDE.md:12`), never a path outside of what
    was imported. `external_id` is the same wherever the source says the same, in every run.
    `created` is what the source says, in UTC. `tags` and `data` (the head of a note) are data:
    nothing obeys them.
    """

    statement: str
    kind: Kind
    memory_class: MemoryClass
    subject: str
    created: datetime | None
    source_ref: str
    external_id: str
    tags: tuple[str, ...] = ()
    data: tuple[tuple[str, str], ...] = ()
    derived_from_external: bool = True


@dataclass(frozen=True, slots=True)
class Skip:
    """Something that was not taken: where it stands, the code, its sentence, how many alike."""

    where: str
    reason: str
    sentence: str
    count: int = 1

    @property
    def ends(self) -> bool:
        """Whether the source can't be trusted any further: then nothing of it is proposed."""
        return self.reason in ENDS


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A path that can't be imported: why, what else to do, and for an archive each reason."""

    label: str
    reason: str
    sentence: str
    hint: str = ""
    reasons: tuple[Skip, ...] = ()


Found = Candidate | Skip

LEFT_ASIDE: dict[str, str] = {
    # what is no statement
    "code": "Code is no statement.",
    "table": "A table is no statement.",
    "quote": "What a note quotes isn't its statement.",
    "links": "It is only a link.",
    "reference": "It only points to another file.",
    "checkbox": "It is a task on a list.",
    "transcript": "It is a line of a transcript.",
    "question": "It asks something.",
    "short": "It is too short to say something.",
    "long_text": "It is too long for one statement; keep it as a note in a Space.",
    "about": "It only says what the file is for.",
    "prose": "It is the prose of a note; add the folder as a Space to keep it.",
    "relation": "It relates two notes; only statements are taken.",
    "same": "The same statement stands earlier in this import.",
    # what must not come back as knowledge
    "private": "It stood between private tags and was left out before anything else.",
    "recalled": "A tool recalled it into a chat or a file; it is no new knowledge.",
    "chat": "Chats aren't memories; only what was to be remembered is taken.",
    "forgotten": "The tool was told to forget it.",
    "inactive": "It is paused, archived or deleted there.",
    "attachment": "It is an attached file; put it into a Space.",
    "account": "Account data is no memory.",
    # records that can't be read
    "bad_json": "It is no valid JSON.",
    "duplicate_key": "A key stands twice in it, so what it says is open.",
    "bad_number": "It holds a number that is none, or one too long.",
    "nested": "It is nested too deeply.",
    "bad_record": "It hasn't the form that this format has.",
    "not_utf8": "It is not UTF-8; save it as UTF-8 to include it.",
    "too_large": "It is larger than an import takes.",
    "too_many": "An import takes no more than this; the rest was left out.",
    "stopped": "The import was stopped here.",
    # archives
    "traversal": "A name leads out of the archive.",
    "absolute": "A name begins at the root of a disk.",
    "backslash": "A name holds a backslash.",
    "drive": "A name begins with a drive.",
    "member_name": "A name can't be used or shown.",
    "member_link": "It is a link.",
    "device": "It is a device, a pipe or a socket.",
    "duplicate_member": "The same name stands twice.",
    "case_twin": "Two names differ only by case or accents.",
    "encrypted": "It is encrypted; unpack it first.",
    "overlap": "Two files share the same bytes.",
    "bomb": "It unpacks to far more than it holds.",
    "bad_archive": "The archive is damaged, or its entries don't say what they hold.",
    "nested_archive": "An archive inside an archive isn't opened; import it by itself.",
    "not_read": "This format keeps no memories in it.",
}

ENDS = frozenset(
    {
        "traversal",
        "absolute",
        "backslash",
        "drive",
        "member_name",
        "member_link",
        "device",
        "duplicate_member",
        "case_twin",
        "encrypted",
        "overlap",
        "bomb",
        "bad_archive",
    }
)
"""An archive with one of these is refused whole."""


def left_aside(where: str, reason: str, count: int = 1) -> Skip:
    return Skip(where, reason, LEFT_ASIDE[reason], count)
