"""Start an engine so that one runs, however many faces ask at once.

Correctness is the engine's own lock; the spawn lock only saves vain starts (without it eight
faces started seven processes). Whoever has it looks again, starts, and keeps it until the engine
greets; the others just keep asking at the endpoint.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

from lobes.domain.errors import Unavailable
from lobes.engine.endpoint import EnginePlace
from lobes.engine.link import Greet, Link
from lobes.engine.locking import LOCK_LOST, FileLock, is_held
from lobes.engine.log import open_log

START_SECONDS = 10.0

_STARTS = 2
_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.02
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "TEMP", "TMP", "USERPROFILE", "APPDATA")
_KEPT_TOO = ("LOCALAPPDATA", "SYSTEMROOT", "SYSTEMDRIVE")
_KEPT_PREFIXES = ("LC_", "XDG_")


def start(place: EnginePlace, greet: Greet) -> Link:
    """A greeted link to an engine that runs by then; `Unavailable` when none comes up."""
    until = time.monotonic() + START_SECONDS
    lock = _spawn_lock(place)
    try:
        pause = _FIRST_PAUSE
        while time.monotonic() < until:
            if lock.take():
                return _bring_up(place, greet, until)
            link = greet()
            if link is not None:
                return link
            pause = _sleep(pause)
    finally:
        lock.close()
    raise _no_start(place)


def _bring_up(place: EnginePlace, greet: Greet, until: float) -> Link:
    child: subprocess.Popen[bytes] | None = None
    failed = 0
    pause = _FIRST_PAUSE
    while time.monotonic() < until:
        link = greet()
        if link is not None:
            return link
        code = None if child is None else child.poll()
        if code not in (None, 0, LOCK_LOST):
            failed += 1
            if failed == _STARTS:
                break
            time.sleep(0.1)
        if (child is None or code is not None) and not is_held(place.lock):
            child, pause = _launch(place), _FIRST_PAUSE
        elif code is not None:
            child = None
        pause = _sleep(pause)
    raise _no_start(place)


def _sleep(pause: float) -> float:
    time.sleep(pause)
    return min(pause * 1.5, _LONGEST_PAUSE)


def _spawn_lock(place: EnginePlace) -> FileLock:
    if not place.store.is_file():
        raise Unavailable(
            "There is no store to index.", hint="Run lobes init, or lobes doctor.", reason="store"
        )
    try:
        place.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return FileLock(place.spawn_lock)
    except OSError as error:
        raise Unavailable(
            "The index folder can't be written.",
            hint="Everything but search works. Run lobes doctor.",
            reason="index_read_only",
        ) from error


def _launch(place: EnginePlace) -> subprocess.Popen[bytes]:
    log = open_log(place.log)
    try:
        child = subprocess.Popen(
            command(place),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/" if os.name == "posix" else None,
            env=environment(dict(os.environ)),
            close_fds=True,
            start_new_session=True,
            creationflags=_creation_flags(),
        )
    except OSError as error:
        raise _no_start(place) from error
    finally:
        os.close(log)
    # Reaped at once, else a zombie stays for as long as this face lives.
    threading.Thread(target=child.wait, name="engine-reaper", daemon=True).start()
    return child


def command(place: EnginePlace) -> list[str]:
    """`-P` and not `-I`: the user's site must stay, an install into it would not import."""
    settings = place.settings
    line = [sys.executable, "-P", "-m", "lobes.engine", str(place.folder), str(place.store)]
    line += ["--idle", str(settings.idle_seconds), "--hints", str(settings.hint_seconds)]
    if settings.build:
        line += ["--build", settings.build]
    if place.runtime is not None:
        line += ["--runtime", *map(str, place.runtime)]
    return line


def environment(face: dict[str, str]) -> dict[str, str]:
    """What an engine gets of the face's environment, which would otherwise become every face's."""
    kept = {
        name: value
        for name, value in face.items()
        if name.upper() in _KEPT or name.upper() in _KEPT_TOO or name.startswith(_KEPT_PREFIXES)
    }
    return {**kept, "LANCEDB_LOG": "error", "OPENBLAS_NUM_THREADS": "1"}


def _creation_flags() -> int:
    # An editor's job object kills its children, so the engine leaves it.
    names = ("DETACHED_PROCESS", "CREATE_NEW_PROCESS_GROUP", "CREATE_BREAKAWAY_FROM_JOB")
    return sum(getattr(subprocess, name, 0) for name in names)


def _no_start(place: EnginePlace) -> Unavailable:
    return Unavailable(
        "The index engine doesn't start.",
        hint=f"Everything but search works. Its log is {place.log.name} in the index folder.",
        reason="engine_start",
    )
