"""How each agent's program is told to start a server: its file, the place in it, the entry's form.

Read in the programs' own documents. All are files of a project, so that each Space's folder names
its own Space.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

NAME = "lobes"
"""What the server is called in every file."""

Form = Literal["plain", "typed", "one_list"]
_CLAUDE = ".claude/settings.json"
HOOKS = ("hooks", "SessionStart")
"""Where the list of what runs at the start of a session stands."""
HOOK_ENDS = ("--format", "claude-hook")
"""The last words of the command that we put there."""
HOOK_SECONDS = 15
"""After which a session begins without what the hook would have said."""


@dataclass(frozen=True, slots=True)
class Program:
    """`file` is relative to the folder that the program is started in; `section` is the table in
    which the servers stand; `form` is how an entry says what to run."""

    id: str
    name: str
    file: str
    syntax: Literal["json", "toml"]
    section: str
    form: Form = "plain"
    hook_file: str = ""
    """Its settings in which a command can stand that runs when a session begins; "" for none."""


PROGRAMS: Mapping[str, Program] = {
    one.id: one
    for one in (
        Program("claude-code", "Claude Code", ".mcp.json", "json", "mcpServers", hook_file=_CLAUDE),
        Program("codex", "Codex", ".codex/config.toml", "toml", "mcp_servers"),
        Program("cursor", "Cursor", ".cursor/mcp.json", "json", "mcpServers"),
        Program("vscode", "VS Code (Copilot)", ".vscode/mcp.json", "json", "servers", "typed"),
        Program("gemini", "Gemini CLI", ".gemini/settings.json", "json", "mcpServers"),
        Program("opencode", "opencode", "opencode.json", "json", "mcp", "one_list"),
    )
}


def entry(program: Program, words: Sequence[str]) -> dict[str, object]:
    """What stands under the server's name; `words` is the command line."""
    command, *rest = words
    match program.form:
        case "plain":
            return {"command": command, "args": rest}
        case "typed":
            return {"type": "stdio", "command": command, "args": rest}
        case "one_list":
            return {"type": "local", "command": list(words), "enabled": True}


def hook(words: Sequence[str]) -> dict[str, object]:
    """The item of the list `HOOKS` in the settings of Claude Code: `words` run whenever a session
    begins."""
    command = {"type": "command", "command": shlex.join(words), "timeout": HOOK_SECONDS}
    return {"hooks": [command]}


def is_hook(item: object) -> bool:
    """Whether an item of that list is ours and nothing else; one that a person put others into is
    theirs."""
    if not isinstance(item, dict):
        return False
    commands = cast("dict[str, object]", item).get("hooks")
    if not isinstance(commands, list) or len(cast("list[object]", commands)) != 1:
        return False
    only = cast("list[object]", commands)[0]
    command = cast("dict[str, object]", only).get("command") if isinstance(only, dict) else None
    return isinstance(command, str) and command.endswith(" ".join(HOOK_ENDS))
