"""What came out of Lobes is known again: the tag around it, however it is spelled.

A text never says the tag: it couldn't be told apart from the end of its own quotation. And what
comes back with it was said by nobody, so it is taken in as nothing new.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from lobes.domain.display import UNSEEN, has_unseen

RECALLED = "lobes-recalled"
"""Stands in the tag around whatever Lobes hands an agent as context."""

_TAG = re.compile(r"lobes[_\-\u2010-\u2015\u2212\ufe58\uff0d]{1,3}recalled", re.IGNORECASE)
_PROMPT = re.compile(r"<\|?(?:system(?:-reminder)?|im_start|start_header_id)\b", re.IGNORECASE)


def was_given(text: str) -> bool:
    """Whether it holds context that an agent was handed, or marks of a prompt."""
    seen = _seen(text)
    return _TAG.search(seen) is not None or _PROMPT.search(seen) is not None


def says_the_tag(text: str) -> bool:
    """Whether a reader would take it for the tag: in capitals, in wide letters, with another dash,
    or with what nobody sees in between."""
    return _TAG.search(_seen(text)) is not None


def without_the_tag(text: str) -> str:
    """The text as it is, unless it says the tag: then as it is seen, and without that."""
    return _TAG.sub("(tag)", _seen(text)) if says_the_tag(text) else text


def _seen(text: str) -> str:
    shown = UNSEEN.sub("", text) if has_unseen(text) else text
    return shown if shown.isascii() else normalize("NFKC", shown)
