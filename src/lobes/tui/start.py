"""From the shell to the first frame: refuse where there is no terminal, then run the app."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lobes.clock import utc_now
from lobes.config.folders import Folders
from lobes.domain.errors import LobesError, Unavailable
from lobes.tui.refusal import EXIT, refusal

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp
    from lobes.tui.home import Home

SWITCH = 0.0005
"""Seconds after which a working thread gives way: a key waits for several turns of it, and with
CPython's 5 ms each would be seen."""

FRAMES = "120"
"""Times a second that the screen is written at most: with Textual's 60, what a key changes waits up
to 16 ms for its turn, and a pane that gets its scrollbar three times that."""

UNRECORDED = "What was looked at and done in this session could not all be kept in Activity."


def start(folders: Folders, *, demo: bool = False) -> int:
    """Run the terminal app on this home; the exit code. `demo` opens on a first question.

    Raises `Unavailable` where what was done could not all be recorded.
    """
    reason = refusal(os.environ, sys.stdin.isatty(), sys.stdout.isatty())
    if reason is not None:
        sys.stderr.write(f"{reason}\n")
        return EXIT
    os.environ.setdefault("TEXTUAL_FPS", FRAMES)  # read when Textual is imported
    gc.disable()  # until the first frame: nothing that an import makes is garbage
    from lobes.tui.home import SAMPLE_SPACE, Home

    home = Home(folders, first=SAMPLE_SPACE if demo else "")
    app = _app(home, folders, demo=demo)
    sys.setswitchinterval(SWITCH)
    try:
        app.run()
    finally:
        _end(app, home)
    return app.return_code or 0


def _app(home: Home, folders: Folders, *, demo: bool) -> LobesApp:
    """The app as the settings and the keys of this home want it."""
    from lobes.config.settings import load_settings
    from lobes.keys.keymap import load_keys
    from lobes.tui.app import LobesApp
    from lobes.tui.departure import Departure
    from lobes.tui.glyphs import as_choice, choose
    from lobes.tui.paste import protect_pastes
    from lobes.tui.themes import theme_for

    loaded = load_settings(folders, os.environ)
    settings = loaded.settings
    app = LobesApp(
        home,
        clock=utc_now,
        glyphs=choose(as_choice(settings.glyphs), os.environ),
        theme=theme_for(settings.theme, os.environ),
        themes_folder=folders.themes,
        demo=demo,
        keys=load_keys(folders.keys_file),
        hides=settings.private_names == "hidden",
    )
    app.departure = Departure()
    app.warnings = loaded.warnings
    app.note = partial(_note, folders)
    protect_pastes()
    if not settings.animation:
        app.animation_level = "none"
    return app


def _end(app: LobesApp, home: Home) -> None:
    app.stopping.set()
    if app.left is not None:
        # Where nothing can be kept, the next start opens as the first.
        with suppress(LobesError):
            app.source.remember(app.left)
    try:
        home.close()
    except LobesError as error:
        raise Unavailable(UNRECORDED, hint=error.hint, reason=error.reason) from error


def _note(folders: Folders, error: BaseException) -> Path | None:
    from lobes.config.fault_log import write_fault

    return write_fault(error, folders)
