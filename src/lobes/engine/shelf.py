"""The lobes that are on disk, opened when asked for; few files and a bounded memory stay open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import RLock

from lobes.engine.folder import lobe_folder, lobes_on_disk
from lobes.engine.lobe import Lobe, Step

OPEN_FILES = 1500
MEMORY_BYTES = 500_000_000
"""About 220,000 passages of small lobes or 1,100,000 of large ones (450 bytes each, `coded`).

What is searched least goes first and is read again when needed.
"""
WARM_BYTES = 400_000_000
"""Up to here words are taken into memory ahead of the next search."""


class Shelf:
    """Every lobe of one index folder by its address."""

    def __init__(self, folder: Path, *, model: str, dim: int, step: Step) -> None:
        self._folder = folder
        self._model = model
        self._dim = dim
        self._step = step
        self._lobes: dict[str, Lobe] = {}
        self._lock = RLock()
        self._used: dict[str, None] = {}
        self._open_files = open_files()

    def open_all(self) -> None:
        """Open every lobe on disk, so that the counts are known."""
        for address in lobes_on_disk(self._folder):
            self.make(address)
            self.trim()

    def get(self, address: str) -> Lobe | None:
        """The lobe, when it was opened or made before."""
        return self._lobes.get(address)

    def make(self, address: str) -> Lobe | None:
        """The lobe, made when it isn't there; None for what is no lobe address."""
        with self._lock:
            lobe = self._lobes.get(address)
            if lobe is not None:
                return lobe
            path = lobe_folder(self._folder, address)
            if path is None:
                return None
            lobe = Lobe(address, path, model=self._model, dim=self._dim, step=self._step)
            lobe.open()
            self._lobes[address] = lobe
            return lobe

    def drop(self, address: str) -> None:
        """Remove the lobe with its folder."""
        with self._lock:
            lobe = self._lobes.pop(address, None)
            self._used.pop(address, None)
        path = lobe_folder(self._folder, address)
        if lobe is None and path is not None:
            lobe = Lobe(address, path, model=self._model, dim=self._dim, step=self._step)
        if lobe is not None:
            lobe.erase()

    def __iter__(self) -> Iterator[Lobe]:
        return iter([self._lobes[address] for address in sorted(self._lobes)])

    def used(self, lobes: Iterable[Lobe]) -> None:
        """These were searched just now; the ones searched longest ago give room."""
        has_grown = False
        with self._lock:
            for lobe in lobes:
                self._used.pop(lobe.address, None)
                self._used[lobe.address] = None
                has_grown |= lobe.has_grown
                lobe.has_grown = False
        if has_grown:
            self.trim()

    def warm(self, *, stop: Callable[[], bool]) -> None:
        """Take the words of what was searched into memory, while there is room."""
        with self._lock:
            lobes = [self._lobes[address] for address in self._used if address in self._lobes]
        room = WARM_BYTES - sum(lobe.size for lobe in lobes)
        for lobe in reversed(lobes):
            if room <= 0 or stop():
                break
            if lobe.warm():
                room -= lobe.size

    def trim(self, *, all_files: bool = False) -> None:
        """Close files and forget what is in memory beyond the limits, searched last at the end."""
        with self._lock:
            lobes = dict(self._lobes)
            order = [address for address in lobes if address not in self._used]
            order += [address for address in self._used if address in lobes]
        excess_files = sum(lobe.is_open for lobe in lobes.values())
        excess_files -= 0 if all_files else self._open_files
        excess_bytes = sum(lobe.size for lobe in lobes.values()) - MEMORY_BYTES
        for address in order:
            if excess_files <= 0 and excess_bytes <= 0:
                break
            lobe = lobes[address]
            if excess_files > 0 and lobe.is_open:
                lobe.release()
                excess_files -= 1
            if excess_bytes > 0 and lobe.size:
                excess_bytes -= lobe.size
                lobe.forget()


def open_files() -> int:
    """How many words files may stay open: half of what the process may open, raised if it can be.

    Opening a closed file costs 0.2 ms, and 1,000 lobes may be searched at once.
    """
    try:
        import resource
    except ImportError:  # no such limits on Windows
        return OPEN_FILES // 4
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * OPEN_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        room = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if room > soft:
            resource.setrlimit(resource.RLIMIT_NOFILE, (room, hard))
            soft = room
    return OPEN_FILES if soft == resource.RLIM_INFINITY else max(32, min(OPEN_FILES, soft // 2))
