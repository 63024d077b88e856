"""`lobes demo`: the sample home, then the app; without a terminal a short tour on stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from lobes.bootstrap import open_installation
from lobes.cli.output import say, shown
from lobes.cli.session import Session
from lobes.clock import utc_now
from lobes.config.folders import folders_under, platform_folders
from lobes.services.agents import refuse_app
from lobes.services.homes import add_samples, demo_home, demo_is_made
from lobes.services.indexing import index_all
from lobes.services.installation import Caller, Installation
from lobes.services.search import search

QUESTIONS = (
    ("prj_notidian", "how do we resolve sync conflicts"),
    ("prj_initech", "when is the release freeze"),
    ("prj_globex", "when is the release freeze"),
    ("area_internal", "day rate"),
)
_WORDS_SECONDS = 120.0
_MEANING_SECONDS = 60.0


def open_demo(session: Session) -> int:
    """The exit code. The home is made once and kept, so that a second look starts at once; its
    person counts as present only while it is made."""
    folders = session.folders if session.home else folders_under(platform_folders().cache / "demo")
    refuse_app(folders, os.environ)
    is_unfilled = demo_home(folders, clock=utc_now)
    with open_installation(folders) as lobes:
        if is_unfilled:
            add_samples(lobes, lobes.owner_at("cli", is_present=True))
            demo_is_made(folders)
        caller = session.caller(lobes)
        report = index_all(lobes, caller)
        lobes.engine.wait_words(report.seq, seconds=_WORDS_SECONDS)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            lobes.engine.wait_vectors(seconds=_MEANING_SECONDS)
            for line in tour(lobes, caller):
                print(line)
            say(session, f"The demo home is {shown(folders.home)}.")
            return 0
    return session.open_tui(folders, demo=True)


def tour(lobes: Installation, caller: Caller) -> Iterator[str]:
    """Four questions to four Spaces: what answered, why, and what was withheld."""
    yield "Lobes keeps what you and your agents know in compartments."
    yield "The same question gets each Space's own answer; the reason stands beside it."
    for space, question in QUESTIONS:
        answer = search(lobes, caller, question, space=space, limit=3)
        yield ""
        yield f"{space} asks: {question}"
        for hit in answer.items:
            yield f"  {hit.score:.2f}  {shown(hit.place, limit=70)}"
            yield f"        {shown(hit.snippet, limit=100)}"
            yield f"        {shown(hit.lobe)}  {hit.reason}: {shown(hit.sentence)}"
        codes = sorted({one.reason for one in answer.withheld})
        yield f"  withheld: {len(answer.withheld)} lobes ({', '.join(codes) or 'none'})"
    yield ""
    yield "lobes demo in a terminal opens the app on this home."
