"""`memory …`: what you and your agents remember; what a person decides is in `memory_decisions`."""

from __future__ import annotations

import click

from lobes.cli.app import LazyGroup

_HERE = "lobes.cli.memory_commands"
_DECISIONS = "lobes.cli.memory_decisions"


@click.group(
    cls=LazyGroup,
    lazy={
        "add": (f"{_HERE}:add", "Remember what you type."),
        "propose": (f"{_HERE}:propose", "Let a person decide about it."),
        "list": (f"{_HERE}:list_", "What is remembered, and what waits."),
        "show": (f"{_HERE}:show_", "One memory whole."),
        "history": (f"{_HERE}:history", "What became of one memory."),
        "import": (
            "lobes.cli.memory_import:import_",
            "Propose what another tool kept, or take in an export of Lobes.",
        ),
        "accept": (f"{_DECISIONS}:accept", "Let proposals be used."),
        "edit": (f"{_DECISIONS}:edit", "Say it in other words; the old ones are kept."),
        "reject": (f"{_DECISIONS}:reject", "Not proposed again by itself for 180 days."),
        "reopen": (f"{_DECISIONS}:reopen", "What was rejected waits again."),
        "supersede": (f"{_DECISIONS}:supersede", "One holds, the other is out of use."),
        "dispute": (f"{_DECISIONS}:dispute", "Keep both, as contested."),
        "merge": (f"{_DECISIONS}:merge", "Fold some into one that is kept."),
        "archive": (f"{_DECISIONS}:archive", "Out of use until it is restored."),
        "restore": (f"{_DECISIONS}:restore", "Back from the archive."),
        "recheck": (f"{_DECISIONS}:recheck", "It still holds."),
        "move": (f"{_DECISIONS}:move", "What waits in the wrong lobe waits in another one."),
        "promote": (f"{_DECISIONS}:promote", "Propose it where more may read it."),
        "delete": (f"{_DECISIONS}:delete", "Out of use for good, some or a scope."),
        "export": (
            "lobes.cli.space_export:export_memories",
            "A Space's memories in one file, to read or to move.",
        ),
        "seal": ("lobes.cli.memory_seal:seal", "Seal what is in use; look at the seals."),
        "erase": ("lobes.cli.erasing:erase_memory", "Out of every file of Lobes, for good."),
    },
    help="What you and your agents remember, each in one lobe.",
)
def memory() -> None:
    pass
