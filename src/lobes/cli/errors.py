"""The one mapping of the error tree to exit codes, and how an error looks in the shell."""

from __future__ import annotations

import json
import sys

from lobes.domain.display import one_line
from lobes.domain.errors import (
    Conflict,
    Corrupt,
    Forbidden,
    Invalid,
    LobesError,
    NotFound,
    Unavailable,
)

DONE = 0
FAILED = 1
USAGE = 2
FORBIDDEN = 4
INTERRUPTED = 130

_CODES: tuple[tuple[type[LobesError], int], ...] = (
    (NotFound, 3),
    (Forbidden, FORBIDDEN),
    (Conflict, 5),
    (Invalid, 6),
    (Unavailable, 7),
    (Corrupt, 7),
)


def exit_code(error: LobesError) -> int:
    """0 done, 1 failed, 2 usage, 3 not found, 4 forbidden, 5 conflict, 6 invalid, 7 unavailable."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), FAILED)


def error_body(error: LobesError) -> dict[str, str]:
    """An error in the shape of the contract."""
    return {
        "code": error.code,
        "reason": error.reason,
        "message": error.message,
        "hint": error.hint,
    }


def show_error(error: LobesError, *, as_json: bool) -> None:
    """Under `--json` one document on stdout; otherwise one or two lines on stderr."""
    if as_json:
        print(json.dumps({"error": error_body(error)}))
        return
    print(one_line(error.message, limit=500), file=sys.stderr)
    if error.hint:
        print(one_line(error.hint, limit=500), file=sys.stderr)
