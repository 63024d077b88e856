"""`memory seal`: seal what is in use, look at the seals, or seal no more."""

from __future__ import annotations

from collections.abc import Iterable

import click

from lobes.cli.output import show
from lobes.cli.session import Session, global_options
from lobes.domain.errors import Invalid
from lobes.services import memory_seals
from lobes.services.memory_seals import Seals


@click.command("seal")
@click.option(
    "--anew", is_flag=True, help="The old key is gone: seal what is in use with a new one."
)
@click.option("--end", "ends", is_flag=True, help="Seal no more.")
@global_options
def seal(session: Session, *, anew: bool, ends: bool) -> None:
    """Seal what is in use, with a key of the system's secret store; later, look at every seal.

    What has a seal that isn't its own goes back to review.
    """
    if anew and ends:
        raise Invalid("--anew and --end contradict each other.", hint="Take one.", reason="usage")
    with session.opened() as (lobes, caller):
        if ends:
            memory_seals.end(lobes, caller)
            document = {"state": "ended", "sealed": 0, "taken_out": [], "waiting": []}
            show(session, document, lambda: ["Nothing is sealed any more."])
            return
        done = memory_seals.seal(lobes, caller, anew=anew)
    document = {
        "state": done.state,
        "sealed": done.sealed,
        "taken_out": list(done.taken_out),
        "waiting": list(done.waiting),
    }
    show(session, document, lambda: _lines(done))


def _lines(done: Seals) -> Iterable[str]:
    words = {"begun": "Sealed", "renewed": "Sealed anew", "checked": "In use with their seal"}
    yield f"{words[done.state]}: {done.sealed:,}."
    if done.taken_out:
        yield f"Out of use, for their seal isn't theirs: {', '.join(done.taken_out)}."
    if done.waiting:
        yield f"They wait for you, without a seal: {len(done.waiting):,}. lobes review shows them."
