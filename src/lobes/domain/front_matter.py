"""The YAML head of a Markdown file: from a first line `---` to the next one, or to `...`."""

from __future__ import annotations

from collections.abc import Sequence

MOST_LINES = 400
"""Lines in which a head must end: what begins with a rule is no head."""


def front_matter(lines: Sequence[str]) -> int:
    """How many of the lines are the head; 0 where there is none or it is never closed."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    for number, line in enumerate(lines[1:MOST_LINES], start=2):
        if line.rstrip() in ("---", "..."):
            return number
    return 0
