"""The person's own editor, while the app is suspended. Nothing is decided when it fails."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from lobes.tui.widgets.toast import Kind


@dataclass(frozen=True, slots=True)
class Edited:
    """Whether the file is another one now, and what there is to say (empty: nothing)."""

    changed: bool
    text: str = ""
    kind: Kind = "error"


def edit(app: App[Any], path: Path) -> Edited:
    """Open `path` in `$VISUAL` or `$EDITOR`. What it wrote counts, however it ended.

    The variable may hold arguments, as in `code --wait`.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        words = shlex.split(command)
    except ValueError:
        return Edited(False, "Nothing was changed: EDITOR can't be started.")
    if not words:
        return Edited(False, "Nothing was changed: EDITOR isn't set.")
    before = _content(path)
    try:
        with app.suspend():
            code = _ended([*words, str(path)])
    except SuspendNotSupported:
        return Edited(False, "Nothing was changed: this terminal can't be lent to an editor.")
    finally:
        app.refresh(layout=True)
    return _told(os.path.basename(words[0]), code, changed=_content(path) != before)


def _ended(words: Sequence[str]) -> int | None:
    """The editor's exit code; None when it can't be started.

    Caught inside the suspension: Textual takes the terminal back only where none is raised.
    """
    try:
        return subprocess.call(words)
    except OSError:
        return None


def _told(name: str, code: int | None, *, changed: bool) -> Edited:
    if code is None:
        return Edited(changed, "Nothing was changed: EDITOR can't be started.")
    if code:
        return Edited(changed, f"{name} ended with {code}{'; the file was changed' * changed}.")
    return Edited(changed, "" if changed else "Nothing was changed.", "warning")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
