"""Change one setting in the file; comments and everything else stay as they are."""

from __future__ import annotations

from pathlib import Path


def set_value(path: Path, key: str, value: str) -> None:
    """Set `key` in the settings file, which is made when there is none.

    `value` is text as it is typed. Raises `Invalid` for an unknown key or a wrong value.
    """
    raise NotImplementedError
