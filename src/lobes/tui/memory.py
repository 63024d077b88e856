"""How the app was left, kept for the next start: a small file that may be lost or broken.

It names the Space, the screen, the commands used last, and of each list its view, its filter and
the row of the cursor.
Whatever can't be read of it is left out, and the app opens as it does the first time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 64 * 1024
MOST_RECENT = 8
"""Commands that are kept."""
LONGEST = 200
"""Characters of one field: the filter takes no more."""


@dataclass(frozen=True, slots=True)
class Kept:
    """How one list was left."""

    view: str = ""
    part: str = ""
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """How the app was left."""

    space: str = ""
    page: str = ""
    lists: Mapping[str, Kept] = field(default_factory=dict[str, Kept])
    recent: tuple[str, ...] = ()
    """Ids of the commands used last, the newest first."""


def read(path: Path) -> Left:
    """What is kept there; never raises."""
    import json

    try:
        if path.stat().st_size > LARGEST:
            return Left()
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Left()
    if not isinstance(found, dict):
        return Left()
    known = cast("dict[str, Any]", found)
    lists = known.get("lists")
    return Left(
        _text(known, "space"),
        _text(known, "page"),
        {
            page[:LONGEST]: Kept(_text(one, "view"), _text(one, "part"), _text(one, "cursor"))
            for page, one in (lists.items() if isinstance(lists, dict) else ())
            if isinstance(one, dict)
        },
        _texts(known, "recent"),
    )


def write(path: Path, left: Left) -> None:
    """Keep it, in one step. `Unavailable` where it can't be."""
    import json

    from lobes.store.writing import write_atomic

    write_atomic(path, json.dumps(asdict(left)).encode())


def _texts(found: dict[str, Any], key: str) -> tuple[str, ...]:
    listed = found.get(key)
    words: list[Any] = listed if isinstance(listed, list) else []
    fit = [one for one in words if isinstance(one, str) and 0 < len(one) <= LONGEST]
    return tuple(dict.fromkeys(fit))[:MOST_RECENT]


def _text(found: dict[str, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) and len(value) <= LONGEST else ""
