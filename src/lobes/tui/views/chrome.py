"""The three lines of chrome: tabs, context, keys. Counts come from the services."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from lobes.keys.actions import (
    BACK_LINE,
    EMPTY_LINE,
    KEY_LINE,
    NARROW_LINE,
    PAGES,
    READING_LINE,
    Page,
)
from lobes.tui import cells
from lobes.tui.paint import Line, Look, Span, ink, spread, width_of

MIN_WIDTH, MIN_HEIGHT = 40, 10
STACKED = 80
"""Cells from which list and evidence are shown together."""

_OF_THE_LIST = frozenset({"next_pane", "open", "next", "choice"})


@dataclass(frozen=True, slots=True)
class IndexState:
    """What the right end of the key line says. Counts are passages, `rate` is passages a second;
    while `files` are looked through on the person's word, they are files."""

    state: str = "unknown"
    done: int = 0
    total: int = 0
    rate: float = 0.0


def tabs(current: Page, counts: Mapping[str, int], width: int, look: Look) -> Line:
    """All seven tabs, or below 80 cells the current one between arrows."""
    if width < STACKED:
        return _one_tab(current, counts, look)
    spans: list[Span] = []
    for digit, (page, name) in enumerate(PAGES, 1):
        spans.extend(_tab(digit, page, name, page == current, counts.get(page, 0), look))
    brand = Span("Lobes ", "muted")
    if width - width_of(spans) >= cell_len(brand.text) + 2:
        return spread(spans, [brand], width, look)
    return tuple(spans)


def _tab(digit: int, page: Page, name: str, current: bool, count: int, look: Look) -> list[Span]:
    go = f"go_{page}"
    ground = "background" if current else ""
    bar = look.glyphs.ui("cursor") if current else " "
    spans = [
        Span(bar, "accent", ground=ground, action=go),
        Span(f"{digit} ", "accent" if current else "muted", ground=ground, action=go),
        Span(name, "accent" if current else "foreground", bold=current, ground=ground, action=go),
    ]
    if count:
        colour = "accent" if current else "warning"
        spans.append(Span(f" {count}", colour, bold=current, ground=ground, action=go))
    return [*spans, Span(" ", ground=ground, action=go)]


def _one_tab(current: Page, counts: Mapping[str, int], look: Look) -> Line:
    for digit, (page, name) in enumerate(PAGES, 1):
        if page == current:
            count = f" {counts[page]}" if counts.get(page) else ""
            left, right = ("<", ">") if look.glyphs.ascii else ("‹", "›")
            return (
                Span(f" {left} ", "muted"),
                Span(f"{digit} {name}{count}", "accent", bold=True),
                Span(f" {right}", "muted"),
            )
    return ()


def keys(
    page: Page,
    state: Sequence[Span],
    able: frozenset[str],
    width: int,
    look: Look,
    *,
    reading: bool = False,
    zoomed: bool = False,
    empty: bool = False,
) -> Line:
    """The keys that fit, `? keys` always, and at the right end the state of the index.

    Those for reading a file instead of the screen's, while one is read. Where one pane is shown,
    a key that does nothing now gives its place to one that does.
    """
    wanted = READING_LINE if reading else KEY_LINE[page]
    if empty:
        wanted = EMPTY_LINE.get(page, wanted)
    elif width < STACKED and not reading:
        wanted = [one for one in NARROW_LINE.get(page, wanted) if one[0] in able]
    if zoomed and not reading:
        wanted = [*BACK_LINE, *(one for one in wanted if one[0] not in _OF_THE_LIST)]
    end: list[Span] = [*_hint("keys", "?", "keys", True, look)]
    room = width - 3 - width_of(end) - width_of(state)
    spans: list[Span] = []
    for action, key, word in wanted:
        hint = [*_hint(action, key, word, action in able, look), Span("  ")]
        if len(hint) == 1:
            continue
        if width_of(spans) + width_of(hint) > room:
            break
        spans.extend(hint)
    return (Span(" "), *spread([*spans, *end], state, width - 2, look), Span(" "))


def _hint(action: str, key: str, word: str, able: bool, look: Look) -> list[Span]:
    shown = _arrows(look) if key == "left+right" else look.key(action, key)
    if not shown:
        return []
    return [
        Span(shown, "accent" if able else "muted", bold=able, action=action),
        Span(f" {word}", "muted", action=action),
    ]


def _arrows(look: Look) -> str:
    """The two keys that change a choice."""
    left, right = look.key("pane_left", "left"), look.key("pane_right", "right")
    return left + right if not look.glyphs.ascii else f"{left}/{right}"


def index_state(state: IndexState, width: int, look: Look) -> list[Span]:
    """`✓ indexed`, or how far meaning has come: `words ✓  meaning ━━── 412/1,830  85/s  4 min`.

    A click on it opens Problems, which says what was skipped and stops it.
    """
    return [replace(span, action="problems") for span in _index_state(state, width, look)]


def _index_state(state: IndexState, width: int, look: Look) -> list[Span]:
    tick = look.glyphs.of("memory", "active")
    numbers = f" {state.done:,}/{state.total:,}"
    match state.state:
        case "unknown":
            return []
        case "off":
            return [Span("search is off", "warning")]
        case "files":
            return [Span(f"looking through files{numbers}", "muted")]
        case "words":
            return [Span(f"looking through files {cells.count(state.done)}", "muted")]
        case "rebuilding":
            return [Span("the index is being rebuilt", "warning")]
        case _:
            pass
    if state.total <= state.done:
        return [Span(tick, "success"), *([Span(" indexed", "muted")] if width >= 60 else [])]
    bar = _bar(state, 4, look)
    if width < 100:
        return [Span("meaning ", "muted"), *bar, Span(numbers, "muted")]
    rest = [f"{state.rate:.0f}/s", remaining(state)] if state.rate >= 1 else []
    return [
        Span("words ", "muted"),
        Span(tick, "success"),
        Span("  meaning ", "muted"),
        *bar,
        Span("  ".join([numbers, *rest]), "muted"),
    ]


def remaining(state: IndexState) -> str:
    """How long the rest takes at the present rate, in one unit, rounded up."""
    seconds = (state.total - state.done) / state.rate if state.rate > 0 else 0
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    minutes = math.ceil(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{math.ceil(minutes / 60)} h"


def rebuilding(state: IndexState) -> str:
    """The words of line 2 while the index is made anew."""
    rest = f", {remaining(state)}" if state.rate > 0 and state.done < state.total else ""
    return f"the index is being rebuilt{rest}; nothing is lost"


def _bar(state: IndexState, size: int, look: Look) -> list[Span]:
    full = max(0, min(size, round(size * state.done / max(1, state.total))))
    rest = look.glyphs.ui("rule") * (size - full)
    return [Span(look.glyphs.ui("full") * full, "accent"), Span(rest, "rule")]


def context(left: Sequence[Span], right: Sequence[Span], width: int, look: Look) -> Line:
    """Line 2: the Space at the left, one fact at the right. What is muted goes before it is cut."""
    shown = list(left)
    room = width - 2 - (width_of(right) + 1 if right else 0)
    while len(shown) > 1 and width_of(shown) > room and _may_go(shown[-1]):
        shown.pop()
    return (Span(" "), *spread(shown, right, width - 2, look), Span(" "))


def _may_go(span: Span) -> bool:
    return span.colour == "muted" or span.text.isspace()


def too_small(width: int, height: int) -> str:
    """The one line below 40 × 10, or an empty text."""
    if width >= MIN_WIDTH and height >= MIN_HEIGHT:
        return ""
    return f"Lobes needs {MIN_WIDTH} × {MIN_HEIGHT}; this is {width} × {height}."


def notice(text: str, hint: str, kind: str, look: Look) -> Line:
    """A toast: a bar in the colour of its kind, then one line of words on the chip ground."""
    chip = "chip-bg"
    bar = Span(look.glyphs.ui("cursor"), kind, ground=chip)
    words = ink(text, ground=chip)
    return (bar, Span(" ", ground=chip), words, Span(f"{hint}  ", "muted", ground=chip))
