"""Watching the roots of one caller, supervised: what stops is started again, what can't is polled.

Every real folder is watched by itself, not the root as a tree: a tree watch follows links out of
the root, spends the system's watches on ignored folders, and misses what is written in a folder
that was just made. A new, moved or replaced folder therefore means: watch anew, then hint at the
whole root. New watches are set before the old ones go, so nothing falls between them.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol

from lobes.engine.hints import Hints, relative
from lobes.engine.protocol import WatchRoot
from lobes.engine.roots import Identity, identity, real_folders, real_identity, signature

DEBOUNCE_MS, STEP_MS, LOOK_MS = 50, 20, 1000
"""An event arrives after 20 to 50 ms; a step of 10 ms costs an idle engine 0.7 % of a core,
one of 20 ms half of that."""

POLL_SECONDS = 3.0
LIMIT_REACHED = (
    "The system's limit of watched folders is reached: some folders are looked at every few "
    "seconds instead."
)
CANT_WATCH = "A folder can't be watched: it is looked at every few seconds instead."

_MODIFIED, _DELETED = 2, 3
_FAILURES = 4
_CALM_SECONDS = 30.0
_POLL_SHARE = 20

_log = logging.getLogger(__name__)

Changes = set[tuple[int, str]] | Literal["signal", "stop", "timeout"]


class Native(Protocol):
    """The system's watch on a set of folders; it works from the moment it is made."""

    def watch(
        self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: threading.Event | None
    ) -> Changes: ...

    def close(self) -> None: ...


Arm = Callable[[Sequence[str]], Native]


def arm(folders: Sequence[str]) -> Native:
    """Watch exactly these folders; `OSError` at the system's limit.

    Not by the public generator, which arms only with its first wait. `ignore_permission_denied`
    stays off, because it swallows the error of the limit, too.
    """
    from watchfiles._rust_notify import RustNotify

    return RustNotify(
        list(folders),
        debug=False,
        force_polling=False,
        poll_delay_ms=300,
        recursive=False,
        ignore_permission_denied=False,
    )


class Watcher:
    """Watches the roots of one caller and adds hints, until it is stopped."""

    def __init__(
        self,
        hints: Hints,
        *,
        hint_seconds: float,
        poll_seconds: float = POLL_SECONDS,
        arm: Arm = arm,
    ) -> None:
        self.hints = hints
        self.hint_seconds = hint_seconds
        self.poll_seconds = poll_seconds
        self.arm = arm
        self._lock = threading.Lock()
        self._round = 0
        self._groups: list[_Group] = []
        self._problems: dict[str, None] = {}

    def watch(self, roots: Sequence[WatchRoot]) -> None:
        """Watch exactly these roots; what happens after the return is seen."""
        with self._lock:
            self._round += 1
            old, self._groups = self._groups, []
            self._problems.clear()
        self.spread([tuple(roots)], of=self._round)
        for group in old:
            group.stop()
        self.hints.keep(roots)

    def stop(self) -> None:
        self.watch(())

    def spread(self, parts: Iterable[Sequence[WatchRoot]], *, of: int) -> None:
        """Watch each part by a thread of its own; returns when all are armed.

        `of` is the call of `watch` that the parts come from: nothing is left of an earlier one.
        """
        groups = [_Group(self, part, of=of) for part in parts if part]
        with self._lock:
            if of != self._round:
                return
            self._groups += groups
        for group in groups:
            group.start()
        for group in groups:
            group.armed.wait()

    def problem(self, text: str) -> None:
        """Say it once, in the log and in the status."""
        with self._lock:
            if text in self._problems:
                return
            self._problems[text] = None
        _log.warning(text)

    @property
    def problems(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._problems)


class _Spoilt(Exception):
    """The native watch doesn't work for this group of roots."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class _Group:
    """Some roots, one thread, one native watch; it splits when one of the roots spoils it."""

    def __init__(self, watcher: Watcher, roots: Sequence[WatchRoot], *, of: int) -> None:
        self._watcher = watcher
        self._of = of
        self._roots = tuple(roots)
        self._stop = threading.Event()
        self.armed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="engine-watch", daemon=True)
        self._folders: dict[str, Identity] = {}
        self._known: dict[WatchRoot, Identity | None] = {}
        self._native: Native | None = None
        self._failures: list[float] = []
        self._hinted = time.monotonic()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        try:
            self._arm()
            self.armed.set()
            while not self._stop.is_set():
                stale = self._round()
                if stale:
                    self._arm()
                    # A hint before could be followed before the watch is there.
                    for root in stale:
                        self._watcher.hints.add(root)
                self._hint_now_and_then()
        except _Spoilt as spoilt:
            self._give_up(spoilt.problem)
        finally:
            self._let_go()
            self.armed.set()

    def _arm(self) -> None:
        """Set the watches, the new before the old."""
        while not self._stop.is_set():
            self._known = {root: identity(root.path) for root in self._roots}
            self._folders = {}
            for root in self._roots:
                self._folders.update(real_folders(root.path))
            try:
                fresh = self._watcher.arm(list(self._folders)) if self._folders else None
            except FileNotFoundError:  # a folder went while they were counted: count again
                self._note_failure()
                continue
            except (OSError, RuntimeError) as error:
                raise _Spoilt(LIMIT_REACHED) from error
            self._drain()
            self._let_go()
            self._native = fresh
            return

    def _round(self) -> set[WatchRoot]:
        """Pass on what comes; the roots whose watches have to be set anew."""
        try:
            changes = self._changes()
        except RuntimeError:  # a file name that isn't UTF-8 ends the native watch for good
            self._let_go()
            self._note_failure()
            return set(self._roots)
        stale = {root for root in self._roots if self._pass_on(root, changes)}
        return stale | {root for root in self._roots if identity(root.path) != self._known[root]}

    def _changes(self) -> set[tuple[int, str]]:
        if self._native is None:
            self._stop.wait(LOOK_MS / 1000)
            return set()
        changes = self._native.watch(DEBOUNCE_MS, STEP_MS, LOOK_MS, self._stop)
        return set() if isinstance(changes, str) else changes

    def _pass_on(self, root: WatchRoot, changes: set[tuple[int, str]]) -> bool:
        """Add the hints for one root; whether a folder came, went or was replaced."""
        if (_DELETED, root.path) in changes:
            return True
        inside = {change: relative(root.path, change[1]) for change in changes}
        worth = {change: path for change, path in inside.items() if path is not None}
        if any(self._moves_a_folder(*change) for change in worth):
            return True
        if worth:
            self._watcher.hints.add(root, worth.values())
        return False

    def _moves_a_folder(self, kind: int, path: str) -> bool:
        """Also when the identity is the same: a folder made again may get the inode that was."""
        known, now = self._folders.get(path), real_identity(path)
        return known != now or (known is not None and kind != _MODIFIED)

    def _note_failure(self) -> None:
        """Back off; too many failures in a short time, and the group gives up."""
        now = time.monotonic()
        self._failures = [at for at in self._failures if now - at < _CALM_SECONDS] + [now]
        if len(self._failures) >= _FAILURES:
            raise _Spoilt(CANT_WATCH)
        self._stop.wait(0.02 * 2 ** len(self._failures))

    def _give_up(self, problem: str) -> None:
        """Leave the roots to smaller groups, or poll the only one."""
        self._let_go()
        if len(self._roots) == 1:
            self._watcher.problem(problem)
            self._poll(self._roots[0])
            return
        middle = len(self._roots) // 2
        self._watcher.spread((self._roots[:middle], self._roots[middle:]), of=self._of)
        self._hint_all()

    def _poll(self, root: WatchRoot) -> None:
        last = signature(root.path)
        self.armed.set()
        self._hint_all()
        pause = self._watcher.poll_seconds
        while not self._stop.wait(pause):
            started = time.monotonic()
            now = signature(root.path)
            pause = max(self._watcher.poll_seconds, _POLL_SHARE * (time.monotonic() - started))
            if now != last:
                last = now
                self._watcher.hints.add(root)
            self._hint_now_and_then()

    def _hint_now_and_then(self) -> None:
        if time.monotonic() - self._hinted >= self._watcher.hint_seconds:
            self._hint_all()

    def _hint_all(self) -> None:
        self._hinted = time.monotonic()
        for root in self._roots:
            self._watcher.hints.add(root)

    def _drain(self) -> None:
        """What the old watches saw until the new ones were there."""
        if self._native is None:
            return
        try:
            changes = self._native.watch(1, 1, 1, None)
        except RuntimeError:  # it was spoilt; whoever arms anew hints at the whole root
            return
        if not isinstance(changes, str):
            for root in self._roots:
                self._pass_on(root, changes)

    def _let_go(self) -> None:
        if self._native is not None:
            self._native.close()
            self._native = None
