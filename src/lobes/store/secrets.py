"""The system's secret store, asked in a short-lived child process with a deadline.

Choosing a back end alone can hang for ever on a bus that doesn't answer, and importing one runs
what somebody installed: so neither happens in this process, and a thread couldn't be stopped.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from lobes.domain.secrets import Answer, Secret, SecretState

SERVICE = "lobes"
ALLOWED = (
    "keyring.backends.macOS.Keyring",
    "keyring.backends.Windows.WinVaultKeyring",
    "keyring.backends.SecretService.Keyring",
    "keyring.backends.kwallet.DBusKeyring",
)
"""The back ends that may be asked. Of several the best is taken, which makes a chainer needless."""
READ_SECONDS, PATIENT_SECONDS = 3.0, 60.0
_STARTED_SECONDS = 10.0
"""Python itself may be slow to start on a busy machine; the deadline is the store's alone."""

_CHILD = Path(__file__).with_name("secrets_child.py")
_KEPT = frozenset(
    (
        *("PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "DISPLAY", "WAYLAND_DISPLAY"),
        *("XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "TEMP", "TMP", "USERPROFILE", "APPDATA"),
        *("LOCALAPPDATA", "SYSTEMROOT", "SYSTEMDRIVE"),
    )
)
_KEPT_PREFIXES = ("LC_", "XDG_")


@dataclass(frozen=True, slots=True)
class Seam:
    """What a child works with; tests put back ends of their own here, nothing else does."""

    allowed: tuple[str, ...] = ALLOWED
    folders: tuple[str, ...] = ()
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    read_seconds: float = READ_SECONDS
    patient_seconds: float = PATIENT_SECONDS


class Keyring:
    """The port `SecretStore` over the `keyring` package. `calls` counts the children."""

    def __init__(self, seam: Seam | None = None) -> None:
        self._seam = seam or Seam()
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self._refusal: Answer | None = None
        self.calls = 0

    def status(self, *, patient: bool = False) -> Answer:
        return self._ask("status", "", patient=patient)

    def get(self, account: str, *, patient: bool = False) -> Answer:
        return self._ask("get", account, patient=patient)

    def put(self, account: str, secret: Secret, *, patient: bool = False) -> Answer:
        said = self._ask("put", account, secret, patient=patient)
        if said.state != "ready":
            return said
        again = self._ask("get", account, patient=patient)
        if again.state == "ready" and again.secret != secret:
            again = Answer("refused", None, again.backend, again.ignored, "not_kept")
            self._refusal = again
        return again

    def delete(self, account: str, *, patient: bool = False) -> Answer:
        return self._ask("delete", account, patient=patient)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            child = self._child
        if child is not None:
            _end(child)

    def _ask(self, op: str, account: str, secret: Secret | None = None, *, patient: bool) -> Answer:
        """One child, one answer. What wasn't ready is remembered, so that nobody is prompted in a
        loop: only a person who asks again has it tried again."""
        if self._refusal is not None and not patient:
            return self._refusal
        seconds = self._seam.patient_seconds if patient else self._seam.read_seconds
        said = self._run(self._request(op, account, secret), seconds)
        self._refusal = None if said.state == "ready" else said
        return said

    def _request(self, op: str, account: str, secret: Secret | None) -> bytes:
        environ = self._seam.environ
        asked = {
            "op": op,
            "service": SERVICE,
            "account": account,
            "secret": "" if secret is None else base64.b64encode(secret.reveal()).decode(),
            "allowed": self._seam.allowed,
            "folders": self._seam.folders,
            "named": environ.get("PYTHON_KEYRING_BACKEND", ""),
            "configuration": str(_configuration(environ)),
        }
        return json.dumps(asked).encode()

    def _run(self, request: bytes, seconds: float) -> Answer:
        try:
            child = self._start()
        except OSError:
            return Answer("unavailable", cause="failed")
        # The child's lines come through a thread: on no system else does a pipe have a deadline.
        lines: list[bytes] = []
        is_started, is_over = threading.Event(), threading.Event()

        def listen() -> None:
            assert child.stdout is not None
            for line in child.stdout:
                lines.append(line)
                is_started.set()
            is_started.set()
            is_over.set()

        listener = threading.Thread(target=listen, name="secrets", daemon=True)
        listener.start()
        try:
            with suppress(OSError):
                assert child.stdin is not None
                child.stdin.write(request)
                child.stdin.close()
            is_started.wait(_STARTED_SECONDS)
            is_late = not is_over.wait(seconds)
        finally:
            _end(child)
            listener.join(1)
            _close(child)
            with self._lock:
                self._child = None
        return _understood(lines, is_late=is_late)

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._is_closed:
                raise OSError("closed")
            self.calls += 1
            self._child = subprocess.Popen(
                command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/" if os.name == "posix" else None,
                env=_environment(self._seam.environ),
                start_new_session=True,
            )
            return self._child


def command() -> list[str]:
    return [sys.executable, "-I", str(_CHILD)]


def _end(child: subprocess.Popen[bytes]) -> None:
    """Killed and reaped, together with what it started."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(child.pid, 9)
        else:
            child.kill()
    child.wait()


def _close(child: subprocess.Popen[bytes]) -> None:
    for pipe in (child.stdin, child.stdout):
        with suppress(OSError, AttributeError):
            cast("Any", pipe).close()


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What a back end needs to reach its store; none of keyring's own variables."""
    return {
        name: value
        for name, value in environ.items()
        if name.upper() in _KEPT or name.startswith(_KEPT_PREFIXES)
    }


def _configuration(environ: Mapping[str, str]) -> Path:
    """Where keyring's own configuration lies, as its `platform_` module has it."""
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or "/")
    if sys.platform == "win32":
        root = Path(environ.get("LOCALAPPDATA") or home) / "Python Keyring"
    else:
        root = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "python_keyring"
    return root / "keyringrc.cfg"


def _understood(lines: Sequence[bytes], *, is_late: bool) -> Answer:
    told: dict[str, Any] = {}
    for line in lines:
        with suppress(ValueError):
            told |= json.loads(line)
    if "state" not in told:
        backend = str(told.get("chosen", ""))
        if not is_late:
            return Answer("unavailable", backend=backend, cause="failed")
        # It was chosen and waits: for whoever should unlock it, as far as can be told.
        return Answer("locked" if backend else "unavailable", backend=backend, cause="no_answer")
    secret: Secret | None = None
    state = cast("SecretState", told["state"])
    cause = str(told.get("cause", ""))
    if told.get("secret") is not None:
        try:
            secret = Secret(base64.b64decode(str(told["secret"]), validate=True))
        except ValueError:
            state, cause = "refused", "not_kept"
    return Answer(
        state, secret, str(told.get("backend", "")), tuple(told.get("ignored", ())), cause
    )
