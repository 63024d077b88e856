"""End an engine that doesn't answer.

The endpoint only says which process wrote it, so nothing is signalled unless the engine's lock is
held, the number may be an engine's, and the endpoint still names it. What is killed loses nothing:
the index follows the store again from its last batch.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

from lobes.engine.endpoint import EnginePlace, read_endpoint
from lobes.engine.locking import is_held

TERM_SECONDS = 5.0
KILL_SECONDS = 5.0
_PAUSE_SECONDS = 0.01


def end_by_force(place: EnginePlace) -> bool:
    """Ask the process to end, then end it; whether no engine holds the lock any more."""

    def gone() -> bool:
        return not _lives(place)

    endpoint = read_endpoint(place.endpoint)
    if gone() or endpoint is None or endpoint.pid <= 1 or endpoint.pid == os.getpid():
        return gone()
    _signal(endpoint.pid, signal.SIGTERM)
    if _until(gone, seconds=TERM_SECONDS):
        return True
    again = read_endpoint(place.endpoint)
    if again is not None and (again.pid, again.token) == (endpoint.pid, endpoint.token):
        _signal(endpoint.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    return _until(gone, seconds=KILL_SECONDS)


def _lives(place: EnginePlace) -> bool:
    try:
        return place.lock.exists() and is_held(place.lock)
    except OSError:
        return False


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:  # it is gone, or not ours: the lock says what came of it
        return


def _until(there: Callable[[], bool], *, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not there():
        if time.monotonic() >= until:
            return False
        time.sleep(_PAUSE_SECONDS)
    return True
