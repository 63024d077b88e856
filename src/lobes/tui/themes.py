"""Themes are files: one TOML a theme, read whole and checked before Textual sees it.

A colour that Textual can't parse would raise deep inside its style sheet, so each value is parsed
here first; a broken file is refused with its name and the theme in use stays.
"""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from textual.color import Color, ColorParseError
from textual.theme import Theme

from lobes.domain.errors import Invalid

LARGEST = 64 * 1024
"""Bytes of a theme file: the shipped ones have three thousand."""

DEFAULT = "lobes-night"
SHIPPED = ("lobes-night", "lobes-paper", "lobes-contrast", "ansi")

COLOURS = (
    "primary",
    "secondary",
    "accent",
    "warning",
    "error",
    "success",
    "foreground",
    "background",
    "surface",
    "panel",
    "boost",
)
_NOT_COLOURS = frozenset({"block-cursor-text-style"})


@cache
def folder() -> Path:
    """Where the shipped themes are: inside the wheel, or beside `src` in a source tree."""
    inside = Path(str(files("lobes"))) / "themes"
    return inside if inside.is_dir() else inside.parents[2] / "themes"


def read_theme(path: Path) -> Theme:
    """The theme of a file, or `Invalid` naming the file and the first thing wrong with it."""
    data = _toml(path)
    name = data.get("name")
    if not isinstance(name, str) or not name:
        raise _broken(path, "it has no name")
    colours = _strings(path, data, "colors")
    variables = _strings(path, data, "variables")
    for field in COLOURS:
        if field not in colours:
            raise _broken(path, f"the colour {field} is missing")
    for field, value in [*colours.items(), *variables.items()]:
        _check(path, field, value)
    return Theme(
        name=name,
        dark=bool(data.get("dark", True)),
        ansi=bool(data.get("ansi", False)),
        luminosity_spread=_number(path, data, "luminosity_spread", 0.12),
        text_alpha=_number(path, data, "text_alpha", 1.0),
        variables=dict(variables),
        **{field: colours[field] for field in COLOURS},
    )


def _toml(path: Path) -> dict[str, Any]:
    """What the file holds; of a pipe, a device or a file of a gigabyte nothing is read."""
    try:
        # Without O_NONBLOCK a pipe that takes the file's place would hold the thread for ever.
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise _broken(path, "it is no plain file")
            if found.st_size > LARGEST:
                raise _broken(path, "it is too large")
            return tomllib.loads(file.read(LARGEST + 1).decode())
    except FileNotFoundError as error:
        raise _broken(path, "it is gone") from error
    except OSError as error:
        loops = error.errno == errno.ELOOP
        raise _broken(path, "it is a link to itself" if loops else "it can't be read") from error
    except (UnicodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise _broken(path, "it can't be read as TOML") from error


@cache
def shipped(name: str = DEFAULT) -> Theme:
    """A theme that comes with Lobes."""
    return read_theme(folder() / f"{name}.toml")


def own_theme(name: str, folder: Path) -> Theme:
    """The person's own theme; it is called by its file's name, whatever it calls itself."""
    theme = read_theme(folder / f"{name}.toml")
    theme.name = name
    return theme


def find(name: str, own: Path | None = None) -> Theme:
    """The person's own theme of that name, else the shipped one; `Invalid` when neither is good."""
    path = own / f"{name}.toml" if own is not None and _is_file_name(name) else None
    if path is not None and os.path.lexists(path):
        return own_theme(name, path.parent)
    if name in SHIPPED:
        return shipped(name)
    raise Invalid("There is no theme of that name.", hint="The theme in use stays.")


def _is_file_name(name: str) -> bool:
    """The setting names a file of the folder and can't lead out of it."""
    return bool(name) and name == os.path.basename(name) and "\0" not in name


def theme_for(chosen: str, environ: Mapping[str, str]) -> str:
    """The theme for a terminal: the Linux console has sixteen colours, whatever was chosen."""
    return "ansi" if environ.get("TERM") == "linux" else chosen


def names(own: Path | None = None) -> list[str]:
    """The themes that can be chosen: the shipped ones, then the person's own."""
    mine = sorted(path.stem for path in own.glob("*.toml")) if own and own.is_dir() else []
    return [*SHIPPED, *(name for name in mine if name not in SHIPPED)]


def after(name: str, own: Path | None = None) -> tuple[Theme, str]:
    """The next theme that can be taken, and what is wrong with those before it ("": nothing)."""
    known = names(own)
    place = known.index(name) if name in known else -1
    broken: list[str] = []
    for one in (*known[place + 1 :], *known[: place + 1]):
        try:
            return find(one, own), " ".join(broken)
        except Invalid as error:
            broken.append(error.message)
    return shipped(), " ".join(broken)


OF_TEXTUAL = {"ansi-background": "ansi_default", "ansi-foreground": "ansi_default"}
"""What Textual's own rules for ANSI themes name and only its own ANSI themes define."""


def variable_defaults() -> dict[str, str]:
    """A value for every variable that the style sheet names, for themes that leave some out."""
    return dict(shipped(DEFAULT).variables)


def _strings(path: Path, data: Mapping[str, Any], key: str) -> dict[str, str]:
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise _broken(path, f"[{key}] is no table")
    for field, value in cast("dict[str, Any]", table).items():
        if not isinstance(value, str):
            raise _broken(path, f"{field} is no text")
    return cast("dict[str, str]", table)


def _number(path: Path, data: Mapping[str, Any], key: str, default: float) -> float:
    value = data.get(key, default)
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _broken(path, f"{key} is no number from 0 to 1")
    return float(value)


def _check(path: Path, field: str, value: str) -> None:
    if field in _NOT_COLOURS:
        return
    # A share such as "#6CC5CC 35%" is the style sheet's own form of an alpha value.
    colour, _, share = value.partition(" ")
    try:
        Color.parse(colour)
    except ColorParseError as error:
        raise _broken(path, f"{field} is no colour") from error
    if share and not (share.endswith("%") and share[:-1].isdigit()):
        raise _broken(path, f"{field} is no colour")


def _broken(path: Path, what: str) -> Invalid:
    return Invalid(
        f"The theme file {path.name} was not taken: {what}.",
        hint="The theme in use stays.",
        reason="bad_theme",
    )
