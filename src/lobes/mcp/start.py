"""From the command line to a running server: the Space, the pipes, then the package.

The order is the point: a refusal is said on stderr before the protocol begins, stdout is out of
reach before anything that could print is imported, and nothing heavy comes before the first answer.
"""

from __future__ import annotations

import gc
import logging
import os
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from lobes.config.folders import Folders
from lobes.domain.actors import Preset
from lobes.domain.errors import LobesError
from lobes.mcp.pipes import taken_over
from lobes.store import read
from lobes.store.faults import in_our_words
from lobes.store.migrations import SCHEMA


def run(folders: Folders, *, preset: Preset, space: str | None, debug: bool) -> None:
    """Serve one client; ends the process when the client has gone.

    Raises `LobesError` for what stands against it, before a word of the protocol was said.
    """
    from lobes.bootstrap import no_home, open_installation
    from lobes.services.binding import bound_caller

    if not folders.store.exists():
        raise no_home()
    if _is_older(folders):
        with open_installation(folders):
            pass  # brings the store up; once after an upgrade, and a client waits for that
    caller = bound_caller(folders, preset, named=space, folder=_here())
    pipes = taken_over()
    # The package notes what it was sent, and places in its own code; neither is for a client's log.
    logging.disable()
    gc.disable()  # 50,000 objects come for good, and looking through them is a third of the time
    from lobes.mcp.face import Face
    from lobes.mcp.server import serve

    gc.enable()
    face = Face(
        caller,
        partial(open_installation, folders),
        on_fault=partial(_noted, folders=folders) if debug else id,
    )
    with suppress(KeyboardInterrupt):
        serve(face, pipes)
    face.close()
    # A call that was given up may still wait for something; nobody waits for it any more.
    os._exit(0)


def _is_older(folders: Folders) -> bool:
    with in_our_words(), closing(read.connect(folders.store)) as store:
        return read.schema_version(store) < SCHEMA


def _here() -> Path | None:
    try:
        return Path.cwd().resolve()
    except OSError:
        return None


def _noted(error: Exception, *, folders: Folders) -> None:
    from lobes.config.fault_log import write_fault

    with suppress(LobesError):
        write_fault(error, folders)
