"""By which variables a program tells that a known agent runs it.

Only what an agent sets for the commands that it runs. Keys, models and what an editor sets in a
person's own terminal (`CURSOR_TRACE_ID`, `REPL_ID`, `TERM_PROGRAM`) say nothing about who types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Marker:
    """A variable that an agent sets; with `values` only these, else any but an empty one."""

    agent: str
    variable: str
    values: tuple[str, ...] = ()


MARKERS: tuple[Marker, ...] = (
    Marker("an agent", "LOBES_AGENT"),
    Marker("Claude Code", "CLAUDECODE"),
    Marker("Claude Code", "CLAUDE_CODE_ENTRYPOINT"),
    Marker("Codex", "CODEX_SANDBOX"),
    Marker("Codex", "CODEX_SANDBOX_NETWORK_DISABLED"),
    Marker("Codex", "CODEX_THREAD_ID"),
    Marker("Codex", "CODEX_CI"),
    Marker("Cursor", "CURSOR_AGENT"),
    Marker("Cursor", "CURSOR_EXTENSION_HOST_ROLE", ("agent-exec",)),
    Marker("Gemini CLI", "GEMINI_CLI"),
    Marker("Qwen Code", "QWEN_CODE"),
    Marker("Copilot", "COPILOT_CLI"),
    Marker("Copilot", "COPILOT_AGENT"),
    Marker("Copilot", "COPILOT_AGENT_SESSION_ID"),
    Marker("Copilot", "COPILOT_AGENT_JOB_ID"),
    Marker("opencode", "OPENCODE"),
    Marker("opencode", "OPENCODE_CLIENT"),
    Marker("Aider", "OR_APP_NAME", ("Aider",)),
    Marker("Cline", "CLINE_ACTIVE"),
    Marker("Goose", "GOOSE_TERMINAL"),
    Marker("Amp", "AMP_CURRENT_THREAD_ID"),
    Marker("Augment", "AUGMENT_AGENT"),
    Marker("Antigravity", "ANTIGRAVITY_AGENT"),
    Marker("Crush", "CRUSH"),
    Marker("Pi", "PI_CODING_AGENT"),
    Marker("TRAE", "TRAE_AI_SHELL_ID"),
    Marker("an agent", "AI_AGENT"),
    Marker(
        "an agent",
        "AGENT",
        ("amp", "claude-code", "codex", "crush", "cursor", "gemini-cli", "goose", "opencode", "pi"),
    ),
)
"""The first that fits names the agent. Which variable is whose was read in the agents' own sources
and in programs that tell them apart; `docs/agents.md` lists them."""


def agent_in(environ: Mapping[str, str]) -> Marker | None:
    """The marker of the agent in whose environment this is; None for none that is known."""
    for marker in MARKERS:
        value = environ.get(marker.variable, "")
        if value and (not marker.values or value in marker.values):
            return marker
    return None
