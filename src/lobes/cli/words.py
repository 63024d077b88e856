"""What may stand on the command line at all: names, texts, and places that can be.

A name that is no UTF-8 names nothing; any other word that isn't is no text. A place is asked of the
file system before anything else is done with it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

import click

from lobes.config.folders import checked
from lobes.domain.errors import Invalid, LobesError, nothing_there
from lobes.domain.texts import is_utf8, no_text


class Text(click.ParamType[str]):
    """Words of any kind: data, or something that has a form of its own."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not is_utf8(value):
            raise self.refusal()
        return value

    def refusal(self) -> LobesError:
        return no_text()


class Name(Text):
    """Names something that is there, and is looked for as it stands."""

    def refusal(self) -> LobesError:
        return nothing_there()


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
            raise Invalid("No name was given.", hint="Name a file or a folder.", reason="no_name")
        return checked(cast("Path", super().convert(value, param, ctx)))


TEXT, NAME, PLACE = Text(), Name(), Place()
