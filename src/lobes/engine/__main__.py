"""`python -P -m lobes.engine FOLDER STORE`: the engine process of one home.

The lock comes before every import that costs, so that a vain start is over in milliseconds.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from pathlib import Path

from lobes import __version__
from lobes.engine.endpoint import EnginePlace, EngineSettings
from lobes.engine.locking import LOCK_LOST, FileLock

_TRIES = 5


def main(line: list[str]) -> int:
    """Run until the engine leaves; `LOCK_LOST` when another one runs."""
    os.umask(0o077)
    place = _place(line)
    lock = FileLock(place.lock)
    # A face that looks whether an engine lives holds the lock for a moment.
    for _ in range(_TRIES):
        if lock.take():
            break
        time.sleep(0.01)
    else:
        return LOCK_LOST
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(process)d %(message)s"
    )
    from lobes.engine.server import serve

    serve(place, lock, build=place.settings.build or __version__)
    return 0


def _place(line: list[str]) -> EnginePlace:
    parser = argparse.ArgumentParser(prog="lobes.engine")
    parser.add_argument("folder", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--idle", type=float, default=EngineSettings().idle_seconds)
    parser.add_argument("--hints", type=float, default=EngineSettings().hint_seconds)
    parser.add_argument("--build", default="")
    parser.add_argument("--runtime", type=Path, nargs="*", default=None)
    found = parser.parse_args(line)
    runtime = None if found.runtime is None else tuple(found.runtime)
    settings = EngineSettings(found.idle, found.hints, found.build)
    return EnginePlace(found.folder.absolute(), found.store.absolute(), runtime, settings)


def _end(code: int) -> None:
    """Without the usual exit: the threads of the index's libraries make it slow."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _end(main(sys.argv[1:]))
