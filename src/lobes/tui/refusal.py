"""When the terminal app does not start: it would hang on a pipe and paint garbage on `dumb`."""

from __future__ import annotations

from collections.abc import Mapping

EXIT = 2
SENTENCE = "Lobes needs a terminal. `lobes status` and `lobes search` work without one."


def refusal(environ: Mapping[str, str], stdin_tty: bool, stdout_tty: bool) -> str | None:
    """Why the app can't start here, or None. The caller prints it and ends with `EXIT`."""
    if not stdin_tty or not stdout_tty or environ.get("TERM") == "dumb":
        return SENTENCE
    return None
