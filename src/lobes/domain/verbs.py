"""The verbs: what can be asked for. Closed; a name that is not here is denied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

VerbClass = Literal["data", "listed", "owner"]


@dataclass(frozen=True, slots=True)
class Verb:
    """A right. `also_by` names the rights that include this one."""

    name: str
    description: str
    kind: VerbClass
    also_by: tuple[str, ...] = ()


_ALL = (
    Verb("read_meta", "know that it exists, its name and counts", "data"),
    Verb("write_meta", "change its name, description and status", "data"),
    Verb("read_content", "read what it says", "data"),
    Verb("add_content", "add to it", "data", also_by=("edit_content",)),
    Verb("edit_content", "change what it says", "data"),
    Verb("read_chat", "read its sessions", "data"),
    Verb("converse", "hold a session in it", "data"),
    Verb("execute", "run an external command for it", "data"),
    Verb("use_terminal", "open an editor or a shell there", "data"),
    Verb("propose", "propose memories and edits", "data"),
    Verb("export", "take a copy out", "data"),
    Verb("change_permission", "change who may do what, and its lobe", "listed"),
    Verb("review", "accept, edit and reject what is proposed", "listed"),
    Verb("promote", "make it readable more widely", "listed"),
    Verb("share", "offer, accept, revoke and leave shares", "owner"),
    Verb("confirm_reach", "confirm how far a lesson may travel", "owner"),
    Verb("erase", "remove its bytes for good", "owner"),
)

VERBS: dict[str, Verb] = {verb.name: verb for verb in _ALL}

BARRED_TO_AI = frozenset(
    {
        "change_permission",
        "use_terminal",
        "review",
        "promote",
        "share",
        "confirm_reach",
        "export",
        "erase",
    }
)
"""What no agent and no job may do, whoever its speaker is."""
