"""What a save would do, in sentences: what is alike is told once, with all the names.

For where a line for each change would not fit; the pane beside the form gives one to each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lobes.tui.values import Change

ASKS = "asks first, 10 minutes a time"
"""What becomes of a lobe that is drawn on only when its Space allows it."""

NOW = "now drawn on, "
"""Before the reason of a lobe that is newly drawn on."""


def sentences(changes: Sequence[Change], name: str) -> Iterator[tuple[str, str]]:
    """(kind, sentence) of the changes of the Space `name`, in the order they first come in."""
    groups: dict[tuple[str, str], list[str]] = {}
    for one in changes:
        key = one.name if one.kind in ("weaker", "stronger", "other") else ""
        groups.setdefault((one.kind, key + "\n" + one.text), []).append(one.name)
    for (kind, key), names in groups.items():
        yield kind, _sentence(kind, key.partition("\n")[2], names, name)


_VERBS = re.compile(r"\b(read|change|add|propose|hold|rename|decide|review|promote|take)s\b")


def _of_several(text: str) -> str:
    """What one does, said of several: "now reads" becomes "now read"."""
    return _VERBS.sub(r"\1", text)


def _sentence(kind: str, text: str, names: Sequence[str], name: str) -> str:
    several = ", ".join(names)
    if kind in ("weaker", "stronger"):
        less = "less" if kind == "weaker" else "more"
        return f"{several} counts {less}: {text.replace(', now ', ', ')}"
    if text == ASKS:
        return f"{name} no longer draws on {several} by itself; it asks each time"
    if text.startswith(NOW):
        return f"{name} now draws on {several}, {text.removeprefix(NOW)}"
    if text.endswith(f"draws on {name}"):
        verb = text if len(names) == 1 else text.replace("draws", "draw", 1)
        return f"{several} {verb}"
    if text.startswith(("now ", "no longer ")):
        return f"{several} {_of_several(text) if len(names) > 1 else text}"
    if kind == "loss":
        return f"{name} no longer draws on {several}: {text}"
    return f"{several}: {text}"
