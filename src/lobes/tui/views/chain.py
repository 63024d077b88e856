"""Whether the record is whole, in a word at the top and in sentences in the pane."""

from __future__ import annotations

from datetime import datetime

from lobes.tui import cells
from lobes.tui.paint import (
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
from lobes.tui.values import Chain

CHAIN_WORDS = {
    "ok": "whole",
    "unsealed": "whole",
    "edited": "edited at row {row}",
    "reordered": "row {row} is not in its place",
    "rewritten": "rewritten",
    "truncated": "cut after row {before}",
    "head_missing": "head missing",
    "seal_missing": "seal missing",
    "key_missing": "key missing",
    "key_changed": "another key",
    "empty": "emptied",
}


def chain_words(chain: Chain) -> str:
    """`whole`, or what is wrong and from which row on."""
    words = CHAIN_WORDS.get(chain.state)
    if words is None:
        return chain.state
    return words.format(row=f"{chain.at:,}", before=f"{max(0, chain.at - 1):,}")


def chain_mark(chain: Chain, look: Look) -> list[Span]:
    """The right end of line 2: `✓ whole 18,402 rows`."""
    glyph = look.glyphs.of("memory", "active" if chain.is_whole else "rejected")
    colour = "success" if chain.is_whole else "error"
    return [
        ink(f"{glyph} {chain_words(chain)}", colour),
        muted(f" {cells.plural(chain.rows, 'row')}"),
    ]


def chain_pane(chain: Chain, width: int, look: Look, *, focused: bool = False) -> list[Line]:
    """How many rows since when, whether a key speaks for them, and what to do where it is wrong."""
    name, mark = [title("Chain")], chain_mark(chain, look)[:1]
    lines: list[Line] = [heading(name, mark, width, look, focused=focused)]
    now = look.now.astimezone()
    since = f" since {cells.day(chain.since, now)}" if chain.since else ""
    lines.append(_line("Rows", f"{chain.rows:,}{since}", width, look))
    lines.append(_line("Seal", _seal(chain, now), width, look))
    key = Span(look.key("check_chain"), "accent", bold=True, action="check_chain")
    checked = f"{chain.checked.astimezone():%H:%M}  " if chain.checked else ""
    told = [ink(checked), key, muted(" checks it again")]
    lines.append(labelled("Checked", told, width, look, column=WHY_LABEL))
    for text in chain.told:
        colour = "foreground" if chain.is_whole else "warning"
        lines += paragraph(text, width, colour=colour)
    return lines


def _line(label: str, text: str, width: int, look: Look) -> Line:
    return labelled(label, [ink(text)], width, look, column=WHY_LABEL)


def _seal(chain: Chain, now: datetime) -> str:
    match chain.seal:
        case "whole" if chain.sealed:
            local = chain.sealed.astimezone()
            at = f"{local:%H:%M}" if local.date() == now.date() else cells.day(local, now)
            return f"to row {chain.sealed_to:,}, {at}"
        case "none":
            return "none: no key to seal it with"
        case "unchecked":
            return "not checked: the key can't be had"
        case other:
            return {"lapsed": "too old to tell", "no_key": "its key is gone"}.get(other, other)
