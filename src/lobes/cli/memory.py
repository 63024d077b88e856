"""`memory …`: what you and your agents remember."""

from __future__ import annotations

import click

from lobes.cli.app import LazyGroup

_HERE = "lobes.cli.memory_commands"


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
            "Propose what another tool kept: instructions, exports, notes.",
        ),
    },
    help="What you and your agents remember, each in one lobe.",
)
def memory() -> None:
    pass
