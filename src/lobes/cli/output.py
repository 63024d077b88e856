"""What the shell shows: one JSON document, or lines in which every text has passed the gate."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lobes.cli.session import Session
from lobes.domain.display import one_line
from lobes.services.paging import Page
from lobes.store.found import SKIP_REASONS


def show(session: Session, document: dict[str, Any], lines: Callable[[], Iterable[str]]) -> None:
    """The document under `--json`, otherwise the lines, made only when they are wanted."""
    if session.as_json:
        print(json.dumps(document))
        return
    for line in lines():
        print(line)


def items(
    rows: Sequence[Any], *, total: int | None = None, next: str | None = None
) -> dict[str, Any]:
    """A list as every command gives it."""
    return {"items": list(rows), "total": len(rows) if total is None else total, "next": next}


def shown(text: object, *, limit: int = 300) -> str:
    """A text of somebody else's on one line."""
    return one_line(str(text), limit=limit)


def table(rows: Sequence[Sequence[object]], *, gap: str = "  ") -> list[str]:
    """Rows in columns, left-aligned, as wide as their widest cell; every cell passes the gate."""
    from rich.cells import cell_len

    cells = [[shown(cell, limit=120) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)] if cells else []
    lines: list[str] = []
    for row in cells:
        padded = [
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        ]
        lines.append(gap.join(padded).rstrip())
    return lines


def more(page: Page[Any], *, nothing: str) -> Iterable[str]:
    """Below a page of a list: how it goes on, or `nothing` where there is nothing at all."""
    if page.next:
        yield f"{len(page.items)} of {page.total:,}; --after {page.next} goes on."
    elif not page.total:
        yield nothing


def say(session: Session, text: str) -> None:
    """A line about what is going on: on stderr, not under `--quiet`."""
    if not session.quiet:
        print(text, file=sys.stderr, flush=True)


def confirmed(session: Session, question: str) -> bool:
    """The person's yes; `--yes` gives it, no terminal withholds it."""
    return session.yes or _answer(session, f"{question} [y/N] ").lower() in ("y", "yes")


def typed(session: Session, question: str) -> str:
    """What the person types in answer; "" under `--json` and where there is no terminal. `--yes`
    types nothing."""
    return _answer(session, f"{question}: ")


def _answer(session: Session, prompt: str) -> str:
    if session.as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return ""
    print(prompt, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def why_skipped(reason: str) -> str:
    """The sentence of a skip reason."""
    return next((text for code, text in SKIP_REASONS.items() if code == reason), reason)
