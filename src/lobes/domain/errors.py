"""The error tree. Expected outcomes are return values; these are for what stops a call.

    LobesError
    ├── NotFound       unknown, or the actor may not know that it exists (the same for both)
    ├── Forbidden      known, but this act is not allowed
    │   └── NoPresence a person at the keyboard is needed
    ├── Conflict       somebody changed it first, or it exists already
    ├── Invalid        the input can't be taken as it is
    ├── Unavailable    locked store, unreadable root, missing model, engine down
    └── Corrupt        a file of ours is damaged or from a newer version

Each face maps the tree once: `cli.errors` to exit codes, `tui.errors` to toasts and dialogs.
"""

from __future__ import annotations


class LobesError(Exception):
    """Base: can be shown to the person as it is.

    `message` says what happened, `hint` what to do about it, `reason` is the stable code for
    scripts. None of them holds a path outside the Space, SQL or text of a pack.
    """

    code = "failed"

    def __init__(self, message: str, *, hint: str = "", reason: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.reason = reason or self.code


class NotFound(LobesError):
    code = "not_found"


class Forbidden(LobesError):
    code = "forbidden"


class NoPresence(Forbidden):
    code = "no_presence"


class PresenceWanted(Exception):
    """Not an error: the caller may do this, and can be asked to show that a person is there.

    No `LobesError`, so that nothing takes it for an outcome on its way to the face, which asks
    and calls again. `verb` and `resource` are for the record, in case nobody is there.
    """

    def __init__(self, verb: str, resource: str) -> None:
        super().__init__(verb)
        self.verb = verb
        self.resource = resource


class Conflict(LobesError):
    code = "conflict"


class Invalid(LobesError):
    code = "invalid"


class Unavailable(LobesError):
    code = "unavailable"


class Corrupt(LobesError):
    code = "corrupt"


def nothing_there() -> NotFound:
    """The one answer for an unknown id and for what the actor may not know of."""
    return NotFound("There is nothing with that name here.", reason="not_found")
