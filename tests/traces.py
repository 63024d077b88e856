"""Whether a text is anywhere in the bytes of a folder, however it may have been written."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path


def spellings(text: str) -> set[bytes]:
    """The ways in which a program may have written it."""
    found: set[bytes] = set()
    for one in {text, text.lower(), text.upper(), text.casefold()}:
        escaped = json.dumps(one)[1:-1]
        found |= {one.encode(), escaped.encode(), escaped.replace("\\", "\\\\").encode()}
        found |= {one.encode("utf-16-le"), one.encode("utf-16-be")}
        raw = one.encode()
        for offset in range(3):
            # Only whole groups of three bytes: the letters at both ends depend on what is around.
            part = raw[offset : offset + (len(raw) - offset) // 3 * 3]
            found |= {base64.b64encode(part), base64.urlsafe_b64encode(part)}
    return found


def traces(folder: Path, *texts: str, without: tuple[Path, ...] = ()) -> list[str]:
    """`file: text` for each file below `folder` that holds one of the texts."""
    wanted = {text: spellings(text) for text in texts}
    found: list[str] = []
    for path in _files(folder, without):
        data = path.read_bytes()
        for text, ways in wanted.items():
            if any(one in data for one in ways):
                found.append(f"{path.relative_to(folder)}: {text}")
    return found


def _files(folder: Path, without: tuple[Path, ...]) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if any(path.is_relative_to(one) for one in without):
            continue
        if path.is_file() and not path.is_symlink():
            yield path
