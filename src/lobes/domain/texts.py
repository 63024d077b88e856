"""What can be kept as a text: what UTF-8 can hold, for SQLite and files take nothing else, and no
NUL, at which some readers would end it."""

from __future__ import annotations

import re

from lobes.domain.errors import Invalid

_HALF = re.compile("[\ud800-\udfff]")


def is_utf8(text: str) -> bool:
    """Whether UTF-8 can hold it; half a pair of surrogates is no character."""
    return _HALF.search(text) is None


def require_text(text: str) -> None:
    """`Invalid` (`bad_text`) of what can't be kept."""
    if "\0" in text or not is_utf8(text):
        raise no_text()


def no_text() -> Invalid:
    return Invalid("That is no text.", hint="Send it as UTF-8.", reason="bad_text")
