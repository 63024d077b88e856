"""An edit of a file in Review: its row, and its evidence with the difference from the file as it is
now. The difference is never cut: it is agreed to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lobes.domain.reasons import remedy, sentence
from lobes.domain.reviewing import REJECTIONS
from lobes.tui.cells import plural
from lobes.tui.paint import (
    BLANK,
    WHY_LABEL,
    Line,
    Look,
    Span,
    heading,
    ink,
    labelled,
    muted,
    paragraph,
    title,
)
from lobes.tui.screens.triage import Evidence
from lobes.tui.views import marks
from lobes.tui.views.review import SPACED
from lobes.tui.views.review_beside import readers
from lobes.tui.views.review_diff import LaidOut, symbols, wrapped
from lobes.tui.views.review_words import readers_in_short
from lobes.tui.views.triage import Row

if TYPE_CHECKING:
    from lobes.domain.line_diff import DiffLine
    from lobes.domain.pack_edits import PackEdit
    from lobes.tui.reviewing_edits import OpenedEdit, WaitingEdit

KINDS = {"proposed": "pack edit", "changed_outside": "changed outside"}
SHORT = {"proposed": "pack edit", "changed_outside": "outside edit"}
"""The same where a flag has no room for more."""


def row(one: WaitingEdit, look: Look) -> Row:
    edit = one.item.edit
    telling = Span(look.glyphs.of("memory", edit.status), "muted")
    if one.waits:
        word, colour = ("removed", "diff-del") if edit.is_removal else ("weaker", "secondary")
        word, colour = ("added", "diff-add") if edit.is_new else (word, colour)
        telling = Span(look.glyphs.of("change", word), colour)
    flag = _flag(one, look)
    kind = "by agent" if flag[0].text == KINDS["proposed"] else KINDS[edit.cause]
    return Row(telling, symbols(edit.path, look), flag, one.where, kind, one.at)


def _flag(one: WaitingEdit, look: Look) -> tuple[Span, ...]:
    """The gravest that holds it back, else what it is. Glyph, then word."""
    held, level = one.item.brakes, one.item.edit.level
    of = look.glyphs.of
    if not one.waits:
        status = one.item.edit.status
        return Span(f"{of('memory', status)} ", "muted"), muted(status)
    if "secret" in held:
        return Span(f"{of('warning', 'masked')} ", "error"), ink("secret", "error")
    if "confirm" in held:
        return Span(f"{of('sensitivity', level)} ", f"sens-{level}"), muted(level)
    if "outside" in held:
        return Span(f"{of('warning', 'outside')} ", "muted"), muted("outside")
    return (muted(SHORT[one.item.edit.cause]),)


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown and how: `screen` is the width of the screen, `third` whether what stands
    beside it has a pane of its own, `escaped` whether hidden characters show their code points."""

    item: WaitingEdit
    opened: OpenedEdit | None
    screen: int
    third: bool = False
    escaped: bool = False


class LayOut(Protocol):
    def __call__(
        self, diff: tuple[DiffLine, ...], width: int, look: Look, /, *, escaped: bool
    ) -> LaidOut: ...


def evidence(shown: Shown, width: int, focused: bool, look: Look, lay_out: LayOut) -> Evidence:
    """Where, what stands in the way, why, from whom, and what would change: all of it is text that
    is to be read before it is decided. Then who could read it, where that has no pane."""
    item, opened, escaped = shown.item, shown.opened, shown.escaped
    edit = item.item.edit if opened is None else opened.evidence.edit
    name = "Changed outside" if edit.cause == "changed_outside" else "Edit of a file"
    head = heading([title(name)], _flag(item, look), width, look, focused=focused)
    path = edit.path if escaped else symbols(edit.path, look)
    lines: list[Line] = [head, *paragraph(path, width, limit=len(path) * 10 + 1)]
    if opened is None:
        return Evidence(lines, len(lines))
    found = opened.evidence
    if found.stale is not None:
        said = f"{sentence(found.stale)} {remedy(found.stale)}"
        lines += paragraph(said, width, colour="warning")
    if found.hidden:
        said = f"{plural(found.hidden, 'hidden character')} in its text."
        lines += paragraph(said, width, colour="error")
    lines += [BLANK, *_facts(shown, opened, width, look)]
    count = [ink(f"+{found.added:,}", "diff-add"), muted(" "), ink(f"-{found.removed:,}")]
    lines += [BLANK, heading([title(_change(edit))], count, width, look)]
    laid = lay_out(found.diff, width, look, escaped=escaped)
    lines += laid.lines
    if not laid.is_whole:
        return Evidence(lines, is_whole=False)
    if not laid.lines:
        lines.append((muted("Nothing differs from the file."),))
    text = len(lines)
    if shown.screen >= SPACED and not shown.third and found.readers is not None:
        lines += [BLANK, *readers(found.readers, item.where, width, look)]
    return Evidence(lines, text)


def _change(edit: PackEdit) -> str:
    if edit.status == "accepted":
        return "Beside the file as it is"
    if edit.cause == "changed_outside":
        return "Against what is read now"
    return "Against the file as it is"


def _facts(shown: Shown, opened: OpenedEdit, width: int, look: Look) -> list[Line]:
    found, edit = opened.evidence, opened.evidence.edit
    lines: list[Line] = wrapped("Why", edit.why or because(edit), width)
    lines += wrapped("From", origin(edit), width)
    tail = [muted(f"  {', '.join(found.detectors)}")] if found.detectors else []
    level = [*marks.sensitivity(edit.level, look), *tail]
    lines.append(labelled("Sensitivity", level, width, look, column=WHY_LABEL))
    if found.readers is None:
        lines += wrapped("Readers", "nobody: the file would be gone", width)
    elif shown.screen < SPACED:
        lines += wrapped("Readers", readers_in_short(found.readers, shown.item.where), width)
    if edit.status == "rejected":
        lines += wrapped("Rejected", REJECTIONS.get(edit.reason, edit.reason), width)
    return lines


def because(edit: PackEdit) -> str:
    """Where nobody gave a reason."""
    if edit.cause == "changed_outside":
        return "it changed outside of Lobes, and its Space holds such changes"
    return "no reason was given"


def origin(edit: PackEdit) -> str:
    """`claude-code, session s1, propose_edit`: who says so is data, never ours."""
    if edit.cause == "changed_outside":
        return "outside of Lobes; nobody is known to be its author"
    session = f"session {edit.session[:12]}" if edit.session else ""
    parts = [part for part in (edit.client, session, edit.tool) if part]
    return ", ".join(parts) or f"an agent of {edit.person}"
