"""`doctor`: look for what is wrong; `--fix` mends what a program may mend."""

from __future__ import annotations

from dataclasses import asdict
from typing import cast

import click

from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.domain.errors import Corrupt, Unavailable
from lobes.services.doctor import AREAS, ONLY_NAMED, Area, Finding, examine, examine_unopened, mend


@click.command()
@click.argument("areas", nargs=-1, type=click.Choice((*AREAS, *ONLY_NAMED)))
@click.option("--fix", is_flag=True, help="Close open files; make a damaged index anew.")
@global_options
def doctor(session: Session, *, areas: tuple[str, ...], fix: bool) -> None:
    """Look for what is wrong in the whole home, or in some AREAS of it; secrets only by name."""
    chosen = cast("tuple[Area, ...]", areas) or AREAS
    done: tuple[str, ...] = ()
    try:
        with session.opened() as (lobes, caller):
            done = mend(lobes, caller) if fix else ()
            found = examine(lobes, caller, areas=chosen)
    except (Corrupt, Unavailable) as error:
        # Every other command sends the person here, so here the error is no answer.
        if not isinstance(error, Corrupt) and error.reason != "store":
            raise
        found = examine_unopened(session.folders)
    document = {
        "items": [asdict(one) for one in found],
        "total": len(found),
        "next": None,
        "mended": list(done),
    }
    show(session, document, lambda: [*done, *(line for one in found for line in _lines(one))])
    if any(one.level == "problem" for one in found):
        session.exit_code = 1


def _lines(finding: Finding) -> list[str]:
    mark = "!" if finding.level == "problem" else " "
    lines = [f"{mark} {finding.area:<6} {shown(finding.text)}"]
    if finding.hint:
        lines.append(f"         {shown(finding.hint, limit=2000)}")
    return lines
