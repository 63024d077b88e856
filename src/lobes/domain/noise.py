"""Names that are never knowledge: one list, so that what is scanned is also what is watched.

Hidden files, folders that tools fill, and what editors and browsers leave for a moment. Their
folders would also use up the watches of the system.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

IGNORE_FILE = ".lobesignore"

_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})
_LEFTOVERS = ("*~", "#*#", "*.tmp", "*.sw[a-z]", "*.part", "*.crdownload")
_PASSING = re.compile(r"4913|.*___jb_\w+___")
"""What vim and JetBrains try out for a moment. The names may be a person's own, and no scan would
take them for Markdown, so only the watcher passes them over."""


def is_noise(name: str) -> bool:
    """Whether one part of a path is hidden, a tool's folder, or an editor's temporary file."""
    if name.startswith(".") or name in _FOLDERS:
        return True
    return any(fnmatchcase(name, pattern) for pattern in _LEFTOVERS)


def is_worth_a_look(name: str) -> bool:
    """Whether a change under this name may change what a scan finds: the rules do, too."""
    return name == IGNORE_FILE or not (is_noise(name) or _PASSING.fullmatch(name))
