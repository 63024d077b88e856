"""The first run: three ways to begin, nothing stored before one is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from lobes.tui.paint import BLANK, Line, Look, Span, ink, muted
from lobes.tui.ports import FirstChoice

CHOICES: Sequence[tuple[FirstChoice, str, str]] = (
    ("sample", "Sample Spaces", "a project, a health area, two clients"),
    ("folder", "A folder of mine", "reads its AGENTS.md, README and notes"),
    ("empty", "Start empty", "one Area, called Inbox"),
)
WIDTH = 62


def lines(chosen: int, busy: str, look: Look) -> list[Line]:
    """The page; the bar marks the choice that `enter` takes."""
    out: list[Line] = [
        (Span("  Lobes", bold=True),),
        BLANK,
        (ink("  Knowledge that you and your agents use, kept apart on purpose."),),
        (muted("  Everything stays on this machine. No account, no network."),),
        BLANK,
    ]
    for place, (_, name, about) in enumerate(CHOICES):
        lit = place == chosen
        bar = look.glyphs.ui("cursor") if lit else " "
        action = f"begin({place})"
        out += [
            (
                Span(bar, "accent", bold=True, action=action),
                Span(f" {place + 1}  ", "accent", action=action),
                Span(f"{name:<23}", bold=lit, action=action),
                Span(about, "muted", action=action),
            ),
            BLANK,
        ]
    out += [
        (muted("  1 is safe to delete later. 2 changes no file of yours."),),
        BLANK,
        (Span("  "), Span(busy, "warning"))
        if busy
        else (
            Span("  enter", "accent", bold=True),
            muted(" choose   "),
            Span("?", "accent", bold=True),
            muted(" keys   "),
            Span("q", "accent", bold=True),
            muted(" quit"),
        ),
    ]
    return out
