"""A row of Review: what is proposed, its most telling sign, where it would be kept, since when."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from lobes.domain.reviewing import hidden_in
from lobes.tui.paint import Look, Span, ink
from lobes.tui.views.review_diff import symbols
from lobes.tui.views.triage import Row

if TYPE_CHECKING:
    from lobes.services.review_queue import Item
    from lobes.tui.reviewing import Waiting

BY = {"user": "by you", "agent": "by agent", "import": "by import", "share": "by share"}
POLICY = "policy"
"""Who accepted what no person looked at: the write policy of its Space."""
SHOWN = 400
"""Characters of a statement that a row may need."""


def row(one: Waiting, look: Look, *, variants: int = 0) -> Row:
    item = one.item
    status = item.row.status
    sign = _sign(one, look, variants)
    telling = Span(look.glyphs.of("memory", status), "success" if one.waits else "muted")
    if sign is not None and sign.leads:
        telling = Span(sign.glyph, sign.colour)
    by_policy = not one.waits and item.row.by == POLICY
    return Row(
        telling,
        symbols(item.statement[:SHOWN], look).replace("\n", " ").removesuffix("."),
        _spans(sign),
        one.where,
        "accepted by policy" if by_policy else BY[item.row.author],
        item.row.created if one.waits else item.row.updated,
    )


def flags(one: Waiting, look: Look, *, variants: int = 0) -> tuple[Span, ...]:
    """The first of what a person must see: of what waits hidden characters, a conflict, a secret,
    how sensitive it is, near copies, a text from outside; else its status. Glyph, then word."""
    return _spans(_sign(one, look, variants))


class _Sign(NamedTuple):
    """`leads`: it stands before the row too."""

    glyph: str
    word: str
    colour: str = "muted"
    leads: bool = False


def _spans(sign: _Sign | None) -> tuple[Span, ...]:
    if sign is None:
        return ()
    glyph = Span(f"{sign.glyph} ", sign.colour)
    return glyph, ink(sign.word, "error" if sign.colour == "error" else "muted")


def _sign(one: Waiting, look: Look, variants: int) -> _Sign | None:
    if not one.waits:
        status = one.item.row.status
        return _Sign(look.glyphs.of("memory", status), status)
    return next(_signs(one.item, look.glyphs.of, variants), None)


def _signs(item: Item, of: Callable[[str, str], str], variants: int) -> Iterator[_Sign]:
    """All of them, the gravest first."""
    row, held = item.row, item.brakes
    if number := hidden_in(row.subject + row.statement):
        yield _Sign(of("warning", "hidden"), f"{number} hidden", "error", leads=True)
    if "conflict" in held:
        yield _Sign(of("memory", "disputed"), "conflict", "warning", leads=True)
    if "secret" in held:
        yield _Sign(of("warning", "masked"), "secret", "error", leads=True)
    if "confirm" in held:
        stays = row.level in ("restricted", "confidential")
        word = row.level if stays else row.category
        yield _Sign(of("sensitivity", row.level), word, f"sens-{row.level}")
    if "retires_yours" in held:
        yield _Sign(of("memory", "superseded"), "replaces yours", "warning", leads=True)
    if "outside" in held:
        yield _Sign(of("warning", "outside"), "outside")
    if variants > 1:
        yield _Sign(of("memory", "near"), f"{variants} variants", "secondary", leads=True)
    if "near_copy" in held:
        yield _Sign(of("memory", "near"), "near copy", "secondary", leads=True)
    if "replaces" in held:
        yield _Sign(of("memory", "superseded"), "replaces")
