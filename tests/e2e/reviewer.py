"""A person who decides on all that waits, as a process of its own: `python -m tests.e2e.reviewer
HOME [CLIENT]`, until its input ends and nothing waits any more. What CLIENT proposed is left to
others until then.

A line of JSON for each decision; every seventh is taken back and taken again.
"""

from __future__ import annotations

import json
import select
import sys
from collections.abc import Iterator
from pathlib import Path

from lobes.bootstrap import open_installation
from lobes.config.folders import folders_under
from lobes.domain.reviewing import Decides
from lobes.services.decisions import Asked
from lobes.services.installation import Caller, Installation
from lobes.services.review_queue import Item, queue
from lobes.services.reviewing import decide, undo


def words(home: Path, leaves: str = "") -> list[str]:
    """The command line of one, to be run where `tests` lies."""
    return [sys.executable, "-m", "tests.e2e.reviewer", str(home), leaves]


def main(home: Path, leaves: str) -> None:
    with open_installation(folders_under(home), environ={}) as lobes:
        me = lobes.owner_at("cli", is_present=True)
        number = 0
        while True:
            ended = is_over(0.05)
            waiting = queue(lobes, me).items
            for item in waiting:
                if item.row.client == leaves and not ended:
                    continue
                number += 1
                for line in decided(lobes, me, item, number):
                    print(json.dumps(line), flush=True)
            if ended and not waiting:
                return


def is_over(seconds: float) -> bool:
    """Whether the input has ended; waits for it no longer than this."""
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    return bool(ready)


def decided(lobes: Installation, me: Caller, item: Item, number: int) -> Iterator[dict[str, str]]:
    act: Decides = "supersede" if item.row.replaces else "accept"
    if number % 3 == 0:
        act = "reject"
    found = decide(lobes, me, act, (Asked(item.id, item.shown, confirmed=True),))
    if number % 7 == 0 and found.done:
        found = undo(lobes, me, undo(lobes, me, found))
        yield {"id": item.id, "act": "undo"}
    yield from ({"id": one.id, "act": act} for one in found.done)
    yield from ({"id": one.id, "left": one.error.reason} for one in found.left)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
