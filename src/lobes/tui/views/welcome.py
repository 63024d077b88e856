"""The first run: three ways to begin, nothing stored before one is chosen and confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.cells import cell_len

from lobes.tui.outcomes import FirstChoice
from lobes.tui.paint import BLANK, Line, Look, Span, fitted, ink, muted, paragraph, trimmed, whole

if TYPE_CHECKING:
    from lobes.tui.values import Proposed

CHOICES: Sequence[tuple[FirstChoice, str, str]] = (
    ("sample", "Sample Spaces", "a project, a health area, two clients"),
    ("folder", "A folder of mine", "reads its AGENTS.md, README and notes"),
    ("empty", "Start empty", "one Area, called Inbox"),
)
INTRODUCTION = (
    ("Knowledge that you and your agents use, kept apart on purpose.", "foreground"),
    ("Everything stays on this machine. No account, no network.", "muted"),
)
WIDTH, HEIGHT = 62, 17
"""Cells of the first page, and its rows with the blank ones that end it."""

LABEL = 11
"""Cells of a label and its gap on the second page."""

DRAWS: Sequence[tuple[str, str, str]] = (
    ("open", "Open", "New Spaces may draw on each other."),
    ("ask", "Ask", "A new Space asks before another one draws on it."),
    ("deny", "Closed", "New Spaces neither draw on others nor answer."),
)
"""How new Spaces draw on each other: what is stored, the word, and what it means."""

STORED_IN: dict[FirstChoice, tuple[str, str]] = {
    "sample": ("Six Spaces are copied into the home of Lobes.", "begin"),
    "folder": ("Nothing in the folder is changed.", "add it"),
    "empty": ("One Area, called Inbox, is made in the home of Lobes.", "begin"),
}


def lines(chosen: int, small: str, width: int, look: Look, *, height: int = 100) -> list[Line]:
    """The first page; the bar marks the choice that `enter` takes.

    What leads nowhere goes first where the screen is low: the blanks, the introduction, the note.
    """
    forms = (_page(chosen, small, width, look, without=without) for without in range(5))
    return next((form for form in forms if len(form) <= height), _page(chosen, small, width, look))


def _page(chosen: int, small: str, width: int, look: Look, *, without: int = 4) -> list[Line]:
    out: list[Line] = [(Span("  Lobes", bold=True),), BLANK]
    for text, colour in INTRODUCTION if without < 2 else ():
        out += [(Span("  "), *line) for line in paragraph(text, width - 2, colour=colour)]
    out += [BLANK] if without < 2 else []
    for place in range(len(CHOICES)):
        out += _choice(place, place == chosen, width, look, about=without < 4)
        out += [BLANK] if without < 1 else []
    out += [BLANK] if without else []
    note = "1 is safe to delete later. 2 changes no file of yours."
    if without != 3:
        out += [(Span("  "), *line) for line in paragraph(note, width - 2, colour="muted")]
        out.append(BLANK)
    out += [
        (Span("  "), Span(small, "warning"))
        if small
        else (
            Span("  enter", "accent", bold=True),
            muted(" choose   "),
            Span("?", "accent", bold=True),
            muted(" keys   "),
            Span("q", "accent", bold=True),
            muted(" quit"),
        ),
    ]
    return [trimmed(line, width, look) for line in out]


def _choice(place: int, lit: bool, width: int, look: Look, *, about: bool) -> list[Line]:
    """A choice and what it means, on two lines where one can't hold both."""
    _, name, words = CHOICES[place]
    action = f"begin({place})"
    bar = look.glyphs.ui("cursor") if lit else " "
    spans = [
        Span(bar, "accent", bold=True, action=action),
        Span(f" {place + 1}  ", "accent", action=action),
    ]
    if width >= WIDTH:
        column = Span(f"{name:<23}", bold=lit, action=action)
        return [(*spans, column, Span(words, "muted", action=action))]
    first = (*spans, Span(name, bold=lit, action=action))
    if not about:
        return [first]
    more = paragraph(words, max(1, width - 5), colour="muted")
    return [first, *((Span("     "), replace(span, action=action)) for (span,) in more)]


def label(text: str, focused: bool, look: Look) -> Line:
    """What stands before a field or a choice: the bar where the focus is, then one or two words."""
    bar = look.glyphs.ui("cursor") if focused else " "
    word = Span(f" {text:<{LABEL}}", "accent" if focused else "muted")
    return (Span(bar, "accent", bold=True), word)


def option(options: Sequence[str], chosen: int) -> list[Span]:
    """The options side by side: the chosen one in brackets, on the chip ground."""
    spans: list[Span] = []
    for place, word in enumerate(options):
        action = f"take:{place}"
        if place == chosen:
            spans.append(Span(f"[{word}]", "accent", True, "chip-bg", action))
        else:
            spans.append(Span(f" {word} ", "muted", action=action))
        spans.append(Span(" "))
    return spans


def meaning(default: int, width: int) -> list[Line]:
    """What the chosen default means, under the choices."""
    indent = Span(" " * (LABEL + 2))
    text = paragraph(DRAWS[default][2], max(1, width - LABEL - 2), colour="muted")
    return [(indent, *line) for line in text]


def found(shown: Proposed | None, said: str, width: int, room: int, look: Look) -> list[Line]:
    """What Lobes would read of the folder, and what it never reads; at most `room` lines."""
    if shown is None:
        return [(Span("  "), *line) for line in whole(said, width, colour="warning")][:room]
    tick, dash = look.glyphs.of("memory", "active"), "-" if look.glyphs.ascii else "–"
    rows = [
        *((Span(f"{tick} ", "success"), path, role) for path, role in shown.roles),
        *((muted(f"{dash} "), path, why) for path, why in shown.ignored),
    ]
    most = min(28, width // 2)
    size = min(most, max((cell_len(ink(path).text) for _, path, _ in rows), default=0) + 1)
    last = max(1, min(28, width - size - 3))
    out: list[Line] = [
        (
            Span("  "),
            mark,
            fitted(ink(path), size, look),
            Span(" "),
            fitted(muted(word), last, look),
        )
        for mark, path, word in rows
    ]
    if len(out) > room - len(shown.warnings):
        kept = max(0, room - len(shown.warnings) - 1)
        out = [*out[:kept], (muted(f"  and {len(out) - kept} more"),)]
    for warning in shown.warnings:
        out += [(Span("  "), *line) for line in whole(warning, width, colour="warning")]
    return out[:room]


def foot(choice: FirstChoice, busy: str, width: int, *, low: bool = False) -> list[Line]:
    """What is stored, and the two keys; on a low screen the keys alone."""
    stored, word = STORED_IN[choice]
    keys: Line = (
        Span("  enter", "accent", bold=True, action="begin_choose"),
        Span(f" {word}   ", "muted", action="begin_choose"),
        Span("esc", "accent", bold=True, action="begin_close"),
        Span(" back", "muted", action="begin_close"),
    )
    last: Line = (Span(f"  {busy}", "warning"),) if busy else keys
    if low:
        return [last]
    text = paragraph(stored, max(1, width - 2), colour="muted")
    return [*((Span("  "), *line) for line in text), BLANK, last]
