"""A pack with files and folders that the person may not read, followed by who may not: no root.

    python dropped.py FOLDER FILE_MODE SUB_MODE ROOT_MODE

Modes are octal. Started by root, the process becomes nobody, to whom modes apply, once all that it
needs of Python is loaded: that may lie where only root may look. Prints one JSON document of what
each look at the pack gave.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from homes import AHome, opened_home
from lobes.services.indexing import index_space

NOBODY = 65534
SPACE = "prj_a"
FILES = {
    "open.md": "# Open\n\nThe zephyr stands here.\n",
    "closed.md": "# Closed\n\nThe quokka stands here.\n",
    "gone.md": "# Gone\n\nThe marimba stands here.\n",
    "sub/deep.md": "# Deep\n\nThe obelisk stands here.\n",
}


def main(folder: Path, file_mode: int, sub_mode: int, root_mode: int) -> None:
    with opened_home(folder / "home") as home:
        root = home.a_space(SPACE, FILES)
        look(home)
        if os.geteuid() == 0:
            become_nobody(folder)
        home.write(SPACE, "open.md", "# Open\n\nThe lantern stands here.\n")
        home.write(SPACE, "closed.md", "# Closed\n\nThe saffron stands here.\n")
        (root / "gone.md").unlink()
        (root / "closed.md").chmod(file_mode)
        (root / "sub").chmod(sub_mode)
        root.chmod(root_mode)
        refused = look(home)
        for path, mode in ((root, 0o700), (root / "sub", 0o700), (root / "closed.md", 0o600)):
            path.chmod(mode)
        print(json.dumps({"refused": refused, "after": look(home)}))


def become_nobody(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def look(home: AHome) -> dict[str, Any]:
    report = index_space(home.lobes, home.me, SPACE)
    home.settle()
    return {
        "state": [one.state for one in report.roots],
        "skipped": {one.path: one.reason for one in report.skipped},
        "indexed": report.indexed,
        "removed": report.removed,
        "found": sorted(
            word
            for word in ("zephyr", "lantern", "quokka", "saffron", "marimba", "obelisk")
            if home.found(word, SPACE)
        ),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), *(int(mode, 8) for mode in sys.argv[2:]))
