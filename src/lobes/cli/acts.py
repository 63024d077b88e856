"""Every command with its verb, what it is asked on, and whether it needs a person.

This is the verb table of the command line. A command without a row fails a test; another test runs
each as every kind of actor and holds what happened against its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from lobes.domain.verbs import VERBS

On = Literal["space", "group", "home", "own", "listed", "nothing", "making", "serving"]
"""`own`: what is the person's who asks; an agent has nothing of the kind. `listed`: asked of each
thing, what may not be known is left out. `nothing`: tells about this program, or of what is listed
elsewhere. `making`: a home that isn't there yet. `serving`: an agent
for as long as it stays, each of whose calls is asked for by itself."""


@dataclass(frozen=True, slots=True)
class Act:
    """The verb that is asked for first; `human_only`: only where a person is known to be there.
    `exception` says where that is asked for in another way."""

    verb: str = ""
    on: On = "space"
    human_only: bool = False
    exception: str = ""

    def __post_init__(self) -> None:
        assert self.verb in VERBS or self.on == "nothing"


_READ = Act("read_content")
_LIST = Act("read_meta", "listed")
_NAME = Act("write_meta")
_ACCESS = Act("change_permission", human_only=True)
_LOOK_AT_ACCESS = Act("change_permission")
_REVIEW = Act("review", human_only=True)
_LOOK_AT_REVIEW = Act("review")
_HOME = Act("write_meta", "home")
_RECORD = Act("read_content", "home", human_only=True)
_MEMBERS = Act("change_permission", "group", human_only=True)
_NOTHING = Act(on="nothing")
_MAKING = Act("write_meta", "making")
_SERVING = Act("read_meta", "serving")

DECISIONS = (
    "accept",
    "edit",
    "reject",
    "reopen",
    "supersede",
    "dispute",
    "merge",
    "archive",
    "restore",
    "recheck",
    "delete",
)

ACTS: Mapping[str, Act] = {
    "init": _MAKING,
    "demo": _MAKING,
    "status": _LIST,
    "which": Act("read_meta"),
    "space list": _LIST,
    "space show": _READ,
    "space add": _HOME,
    "space new": _HOME,
    "space edit": _NAME,
    "space edit --root": _ACCESS,
    "space edit --no-group": _ACCESS,
    "space trust": _ACCESS,
    "space finish": _NAME,
    "space archive": _NAME,
    "space restore": _NAME,
    "space trash": Act("erase", human_only=True),
    "space export": Act("export", human_only=True),
    "space import": Act("write_meta", "home", human_only=True),
    "space erase": Act("erase", human_only=True),
    "index": Act("edit_content", "listed"),
    "index SPACE": Act("edit_content"),
    "index --rebuild": _HOME,
    "search": _READ,
    "context": _READ,
    "memory import": Act("propose", human_only=True),
    "memory import --as-exported": _REVIEW,
    "memory add": Act("add_content"),
    "memory propose": Act("propose"),
    "memory list": _LIST,
    "memory show": _READ,
    "memory history": _READ,
    **{f"memory {act}": _REVIEW for act in DECISIONS},
    "memory delete --author": _REVIEW,
    "memory move": _REVIEW,
    "memory promote": Act("promote", human_only=True),
    "memory promote --dry-run": Act("promote"),
    "pack accept": _REVIEW,
    "pack reject": _REVIEW,
    "pack reopen": _REVIEW,
    "pack recheck": _REVIEW,
    "review": _LIST,
    "review ID": _LOOK_AT_REVIEW,
    "review --space": _LOOK_AT_REVIEW,
    "session list": Act("read_chat", "listed"),
    "session list --space": Act("read_chat"),
    "session show": Act("read_chat"),
    "memory export": Act("export", human_only=True),
    "memory seal": Act("write_meta", "home", human_only=True),
    "memory erase": Act("erase", human_only=True),
    "lobe list": _LIST,
    "lobe show": _READ,
    "lobe set": _ACCESS,
    "lobe set --dry-run": _LOOK_AT_ACCESS,
    "lobe subscribe": _ACCESS,
    "lobe subscribe --dry-run": _LOOK_AT_ACCESS,
    "lobe unsubscribe": _ACCESS,
    "lobe unsubscribe --dry-run": _LOOK_AT_ACCESS,
    "lobe explain": _READ,
    "lobe matrix": _LIST,
    "sensitivity list": _LIST,
    "sensitivity show": _READ,
    "sensitivity show --reveal": Act("read_content", human_only=True),
    "sensitivity lower": _ACCESS,
    "sensitivity raise": _ACCESS,
    "permission show": _LOOK_AT_ACCESS,
    "permission set": _ACCESS,
    "permission set --dry-run": _LOOK_AT_ACCESS,
    "permission grant": _ACCESS,
    "permission grant --dry-run": _LOOK_AT_ACCESS,
    "permission revoke": _ACCESS,
    "permission revoke --dry-run": _LOOK_AT_ACCESS,
    "can": Act("read_meta"),
    "allow-once": _ACCESS,
    "person list": _LIST,
    "person me": _LIST,
    "person add": _HOME,
    "person superuser": Act("change_permission", "home", human_only=True),
    "group list": _LIST,
    "group show": Act("read_content", "group"),
    "group add": Act("write_meta", "home", human_only=True),
    "group edit": _MEMBERS,
    "group join": _MEMBERS,
    "group leave": _MEMBERS,
    "group remove": _MEMBERS,
    "group remove --dry-run": _MEMBERS,
    "group restore": _MEMBERS,
    "mcp": _SERVING,
    "connect": _NOTHING,
    "connect --write": Act("write_meta", "home", human_only=True),
    "audit list": _RECORD,
    "audit verify": _RECORD,
    "audit readers": _RECORD,
    "audit notices": Act("read_content", "own"),
    "audit renew": Act("write_meta", "home", human_only=True),
    "presence status": _NOTHING,
    "presence forget": _NOTHING,
    "presence passphrase": Act("write_meta", "home", human_only=True),
    "backup": Act("export", "home", human_only=True),
    "restore": Act("write_meta", "home", human_only=True),
    "engine status": _LIST,
    "engine stop": _HOME,
    "doctor": _LIST,
    "doctor --fix": _HOME,
    "doctor --accept-older": Act(
        "write_meta",
        "home",
        human_only=True,
        exception="A store that is older can't be opened, so nothing can show a code: its owner at "
        "a terminal, and a typed word.",
    ),
    "config path": _NOTHING,
    "config show": _NOTHING,
    "config schema": _NOTHING,
    "keys list": _NOTHING,
    "keys check": _NOTHING,
}
"""By the words behind `lobes`; with an option where that asks for something else."""
