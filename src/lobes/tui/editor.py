"""The person's own editor and pager, while the app is suspended. They decide nothing here."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported


@dataclass(frozen=True, slots=True)
class Ended:
    """A program that had the terminal: its name and exit code, or why it was never started."""

    name: str = ""
    code: int = 0
    fault: str = ""


def edit(app: App[Any], file: Path, *, folder: Path) -> Ended:
    """Open `file` in `$VISUAL` or `$EDITOR`, running in `folder`; `/` when that is gone.

    The variable may hold arguments, as in `code --wait`.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    return _lent(app, command, "EDITOR", file=str(file), folder=folder)


def page(app: App[Any], text: str) -> Ended:
    """Show `text` in `$PAGER`; it comes through a pipe, the keys from the terminal."""
    return _lent(app, os.environ.get("PAGER", ""), "PAGER", text=text)


def _lent(
    app: App[Any],
    command: str,
    variable: str,
    *,
    file: str = "",
    folder: Path | None = None,
    text: str | None = None,
) -> Ended:
    try:
        words = shlex.split(command)
    except ValueError:
        return Ended(fault=f"{variable} can't be started.")
    if not words:
        return Ended(fault=f"{variable} isn't set.")
    try:
        with app.suspend():
            code = _ended([*words, file] if file else words, folder=folder, text=text)
    except SuspendNotSupported:
        return Ended(fault=f"This terminal can't be lent to {words[0]}.")
    finally:
        app.refresh(layout=True)
    if code is None:
        return Ended(fault=f"{variable} can't be started.")
    return Ended(os.path.basename(words[0]), code)


def _ended(words: Sequence[str], *, folder: Path | None, text: str | None) -> int | None:
    """The program's exit code; None when it can't be started.

    Caught inside the suspension: Textual takes the terminal back only where none is raised.
    """
    where = folder if folder is not None and folder.is_dir() else Path("/")
    given = None if text is None else text.encode("utf-8", "replace")
    try:
        return subprocess.run(words, cwd=where, input=given, check=False).returncode
    except OSError:
        return None
