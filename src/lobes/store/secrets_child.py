"""One call to the system's secret store, in a process of its own. Run by path, never imported.

Python's `-I` keeps the environment and the user's folders out. Only back ends of the list that it
is given are imported: no plug-in, no `PYTHON_KEYRING_BACKEND`, no module path of keyring's
configuration. What else is installed or set up is read by name and told, never loaded.

In: one JSON object on stdin. Out: one JSON object a line: it has started, a back end is chosen (so
that whoever waits can tell a store that hangs from one that waits to be unlocked), the answer.
"""

from __future__ import annotations

import configparser
import importlib
import importlib.metadata
import json
import os
import sys
from contextlib import suppress
from typing import Any, TextIO

NOT_KEEPING = ("keyring.backends.null.", "keyring.backends.fail.")
OWN = "keyring.backends."


def main() -> None:
    out = _only_output()
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    asked: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    _tell(out, started=True)
    sys.path[:0] = asked["folders"]
    ignored, turned_off = others(asked)
    if turned_off:
        _tell(out, state="refused", backend=turned_off, ignored=ignored, cause="turned_off")
        return
    name, backend = chosen(asked["allowed"])
    if backend is None:
        state = "refused" if ignored else "unavailable"
        _tell(out, state=state, ignored=ignored)
        return
    _tell(out, chosen=name)
    try:
        secret = act(backend, asked)
    except Exception as error:
        state, cause = meaning(error)
        _tell(out, state=state, backend=name, ignored=ignored, cause=cause)
        return
    _tell(out, state="ready", backend=name, ignored=ignored, secret=secret)


def _only_output() -> TextIO:
    """What a back end prints goes nowhere: the answer has a descriptor of its own."""
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return out


def _tell(out: TextIO, **told: object) -> None:
    out.write(json.dumps(told) + "\n")
    out.flush()


def chosen(allowed: list[str]) -> tuple[str, Any]:
    """The back end of the list with the highest priority, made; ("", None) where none can be."""
    best: tuple[float, str, Any] = (0.0, "", None)
    for name in allowed:
        module, _, kind = name.rpartition(".")
        try:
            made = getattr(importlib.import_module(module), kind)
            priority = float(made.priority)
            if priority > best[0]:
                best = (priority, name, made())
        except Exception:
            # Its own way of saying that it isn't for this system, whatever it raises.
            continue
    return best[1], best[2]


def act(backend: Any, asked: dict[str, Any]) -> str | None:
    service, account = asked["service"], asked["account"]
    match asked["op"]:
        case "get":
            return backend.get_password(service, account)
        case "put":
            backend.set_password(service, account, asked["secret"])
        case "delete":
            if backend.get_password(service, account) is not None:
                backend.delete_password(service, account)
        case _:
            pass
    return None


def meaning(error: Exception) -> tuple[str, str]:
    """State and cause of what a back end raised: that it is locked may stand further down."""
    names: list[str] = []
    link: BaseException | None = error
    while link is not None and len(names) < 10:
        names += [kind.__name__ for kind in type(link).__mro__]
        link = link.__cause__ or link.__context__
    if any("Locked" in name or "Dismissed" in name or "Denied" in name for name in names):
        return "locked", ""
    if "NoKeyringError" in names:
        return "unavailable", ""
    return "unavailable", "failed"


def others(asked: dict[str, Any]) -> tuple[list[str], str]:
    """The back ends that are installed or set up and aren't of the list; the name with which the
    person turned keyring off."""
    found = [entry.value for entry in importlib.metadata.entry_points(group="keyring.backends")]
    named = [asked["named"], *_configured(asked["configuration"])]
    off = next((one for one in named if one.startswith(NOT_KEEPING)), "")
    allowed = {name.rpartition(".")[0] for name in asked["allowed"]}
    ignored = {
        name.replace(":", ".") for name in found if not name.startswith(OWN) and name not in allowed
    }
    return sorted(ignored), off


def _configured(path: str) -> list[str]:
    """What keyring's own configuration names; read as text."""
    config = configparser.RawConfigParser()
    try:
        config.read(path, encoding="utf-8")
        return [config.get("backend", "default-keyring").strip()]
    except (configparser.Error, UnicodeDecodeError):
        return []


if __name__ == "__main__":
    main()
