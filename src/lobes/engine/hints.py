"""What a watcher saw, as hints: which root, which relative paths, or "look at all of it".

An event only says "look at this path again"; stat and hash decide. So hints may be merged and
widened, never lost: a root with more than 200 paths becomes a hint for the whole root, and the
memory for a storm of events is bounded.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterable
from pathlib import PurePath

from lobes.domain.noise import is_noise, is_worth_a_look
from lobes.engine.protocol import WatchEvent, WatchRoot

PATHS_LIMIT = 200


def relative(root: str, path: str) -> str | None:
    """`path` below `root` with forward slashes; None when it isn't worth a look.

    That is: outside the root, the root itself, in a folder that is noise, a passing file, or
    reached through a link to a folder, because what lies behind a link is not in the Space.
    """
    prefix = root.rstrip(os.sep) + os.sep
    if not path.startswith(prefix):
        return None
    parts = PurePath(path[len(prefix) :]).parts
    if not parts or ".." in parts or any(map(is_noise, parts[:-1])):
        return None
    if not is_worth_a_look(parts[-1]):
        return None
    folder = root
    for part in parts[:-1]:
        folder = os.path.join(folder, part)
        if _is_link(folder):
            return None
    return "/".join(parts)


def _is_link(path: str) -> bool:
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except OSError:  # gone by now: the hint says so
        return False


class Hints:
    """The hints that a caller has yet to fetch, merged by root; for several threads."""

    def __init__(self, *, added: Callable[[], None] = lambda: None) -> None:
        self._waiting: dict[WatchRoot, set[str]] = {}
        self._turn = threading.Condition()
        self._added = added

    def add(self, root: WatchRoot, paths: Iterable[str] = ()) -> None:
        """Look at `paths` of `root` again; none given: at the whole root."""
        fresh = set(paths)
        with self._turn:
            before = self._waiting.get(root)
            whole = not fresh or (before is not None and not before)
            merged = set[str]() if whole else fresh | (before or set())
            self._waiting[root] = set() if len(merged) > PATHS_LIMIT else merged
            self._turn.notify_all()
        self._added()

    def __bool__(self) -> bool:
        with self._turn:
            return bool(self._waiting)

    def take(self) -> WatchEvent | None:
        """The oldest hint, or None."""
        with self._turn:
            if not self._waiting:
                return None
            root = next(iter(self._waiting))
            paths = self._waiting.pop(root)
            return WatchEvent(root.space, root.path, tuple(sorted(paths)))

    def keep(self, roots: Iterable[WatchRoot]) -> None:
        """Forget the hints of all other roots."""
        kept = set(roots)
        with self._turn:
            self._waiting = {root: paths for root, paths in self._waiting.items() if root in kept}

    def wait(self, *, seconds: float) -> WatchEvent | None:
        """The oldest hint, waiting for it in this thread."""
        with self._turn:
            self._turn.wait_for(lambda: self._waiting, seconds)
            return self.take()
