"""What may stand on the command line at all: text that is UTF-8, and places that can be.

A name with bytes that are no UTF-8 names nothing; any other text with them is no text. A place is
asked of the file system before anything else is done with it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import click

from lobes.domain.errors import Invalid, LobesError, nothing_there

_NAMES = frozenset(
    {"space", "named", "target", "id", "ids", "kept", "new", "old", "other", "also"}
    | {"replaces", "session_id"}
)
"""Parameters that name something which is there."""


class Unusable(click.ClickException):
    """A word that no command can take; `error` says why."""

    def __init__(self, error: LobesError) -> None:
        super().__init__(error.message)
        self.error = error


class Place(click.Path):
    """A path, there or not yet; never an empty one, nor one that no file can have."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        if not os.fspath(value):
            raise Unusable(
                Invalid("No name was given.", hint="Name a file or a folder.", reason="no_name")
            )
        path = cast("Path", super().convert(value, param, ctx))
        if _is_too_long(path):
            raise Unusable(
                Invalid(
                    "That name is longer than a file system takes.",
                    hint="Name a shorter one.",
                    reason="bad_name",
                )
            )
        return path


PLACE = Place()


def _is_too_long(path: Path) -> bool:
    try:
        path.lstat()
    except OSError as error:
        return error.errno == errno.ENAMETOOLONG
    return False


def refuse_undecodable(given: Mapping[str, object]) -> None:
    """`NotFound` for such a name, since SQLite would refuse to look for it; else `Invalid`."""
    for name, value in given.items():
        if any("\ud800" <= char <= "\udfff" for text in _texts(value) for char in text):
            if name in _NAMES:
                raise nothing_there()
            raise Invalid("That is no text.", hint="Send it as UTF-8.", reason="bad_text")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in cast("tuple[object, ...]", value):
            yield from _texts(one)
