"""How an error reads in the terminal app: one table from the tree to a sentence and its colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobes.domain.errors import Forbidden, LobesError, Unavailable

if TYPE_CHECKING:
    from lobes.tui.widgets.toast import Kind

BROKEN = "Something broke in Lobes. Nothing was decided."


def sentence(error: Exception) -> tuple[str, Kind]:
    """What a toast says. A fault of ours is named by its type only: its text may hold data."""
    if isinstance(error, LobesError):
        text = f"{error.message} {error.hint}".strip()
        kind: Kind = "warning" if isinstance(error, Forbidden | Unavailable) else "error"
        return text, kind
    return f"{BROKEN} ({type(error).__name__})", "error"
