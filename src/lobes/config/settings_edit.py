"""Change one setting in the file; comments and everything else stay as they are."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from lobes.config.settings import read_value
from lobes.domain.errors import Invalid, Unavailable


def set_value(path: Path, key: str, value: str) -> None:
    """Set `key` in the settings file, which is made when there is none.

    `value` is text as it is typed. Raises `Invalid` for an unknown key, a wrong value, or a file
    that is no TOML, which is left as it is; `Unavailable` when the file can't be written.
    """
    typed = read_value(key, value)
    # A person may keep the file elsewhere and link to it; the link stays.
    path = path.resolve()
    try:
        before = path.read_bytes().decode("utf-8") if path.exists() else ""
        document = tomlkit.parse(before)
        document[key] = typed
        _replace(path, tomlkit.dumps(document))
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise Invalid(
            "The settings file is no TOML, so it wasn't changed.",
            hint="Correct it in an editor, or move it away.",
            reason="bad_settings",
        ) from error
    except OSError as error:
        raise Unavailable(
            "The settings can't be written; they are as they were.",
            hint="Check who owns the folder and whether its disk is full or read-only.",
            reason="read_only",
        ) from error


def _replace(path: Path, text: str) -> None:
    """Old or new, whole, after any crash: a synced file, renamed over it, in a synced folder."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        handle = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(handle)
        os.replace(draft, path)
        _sync_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """The new settings hold by now: a file system that syncs no folders takes nothing back."""
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
