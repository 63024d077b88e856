"""The one clock of the program, made here and passed to all else; it loads nothing heavy."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Now, aware, in UTC."""
    return datetime.now(UTC)  # noqa: TID251 (here the clock is made that all else is given)
