"""`memory …`: what a Space remembers."""

from __future__ import annotations

import click

from lobes.cli.app import LazyGroup


@click.group(
    cls=LazyGroup,
    lazy={
        "import": (
            "lobes.cli.memory_import:import_",
            "Propose what another tool kept: instructions, exports, notes.",
        ),
    },
    help="What Spaces remember: proposed, reviewed, kept.",
)
def memory() -> None:
    pass
