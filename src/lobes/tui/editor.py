"""The person's own editor, while the app is suspended. Nothing is decided when it fails."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from lobes.tui.widgets.toast import Kind

Note = tuple[str, Kind]


def edit(app: App[Any], path: Path) -> Note | None:
    """Open `path` in `$VISUAL` or `$EDITOR`; None when the text changed, else what happened.

    The variable may hold arguments, as in `code --wait`.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        return "Nothing was changed: EDITOR isn't set.", "error"
    before = _content(path)
    try:
        with app.suspend():
            code = subprocess.call([*words, str(path)])
    except SuspendNotSupported:
        return "Nothing was changed: this terminal can't be lent to an editor.", "error"
    except OSError:
        return f"Nothing was changed: {words[0]} can't be started.", "error"
    finally:
        app.refresh(layout=True)
    if code:
        return f"{os.path.basename(words[0])} ended with {code}.", "error"
    return None if _content(path) != before else ("Nothing was changed.", "warning")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
