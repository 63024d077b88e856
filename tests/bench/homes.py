"""Homes for measuring: made by the product's own services, with the real engine process."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from lobes.bootstrap import open_installation
from lobes.clock import utc_now
from lobes.config.folders import Folders, folders_under
from lobes.services.homes import NewHome, make_home
from lobes.services.installation import Caller, Installation


@contextmanager
def fresh_folders() -> Generator[Folders]:
    """An empty home without presence, removed at the end."""
    root = Path(tempfile.mkdtemp(prefix="lobes-bench-"))
    os.chmod(root, 0o700)
    folders = folders_under(root)
    make_home(folders, NewHome("me", presence="off"), clock=utc_now)
    try:
        yield folders
    finally:
        shutil.rmtree(root, ignore_errors=True)


@contextmanager
def open_home(folders: Folders) -> Generator[tuple[Installation, Caller]]:
    """The open home; its engine is stopped at the end."""
    with open_installation(folders, environ={}) as lobes:
        try:
            yield lobes, lobes.owner_at("cli", is_present=True)
        finally:
            lobes.engine.stop()
