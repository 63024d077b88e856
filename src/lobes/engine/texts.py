"""What of a passage is embedded, and the key that tells whether it was embedded before.

Title, headings and text, and for a short passage the end of the one before it in the same document:
a turn or line alone says too little. Figures in `docs/benchmarks.md`, from `tests/bench/retrieval`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from lobes.domain.passages import StoredPassage

CONTEXT = 300
"""Characters at most of the passage before."""
FILL = 900
"""Characters up to which a text is filled with context: the model reads about as many."""


def embedded_texts(passages: Sequence[StoredPassage]) -> Iterator[tuple[StoredPassage, str]]:
    """Each passage with what is embedded for it; `passages` are whole documents in order."""
    before: StoredPassage | None = None
    for passage in passages:
        if before is not None and before.document_id != passage.document_id:
            before = None
        yield passage, _embedded(passage, before.text if before else "")
        before = passage


def embed_key(model: str, text: str) -> bytes:
    """32 bytes: the same model would give the same vector for the same text."""
    digest = hashlib.sha256(model.encode())
    digest.update(b"\0")
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()


def heading_line(title: str, heading: str) -> str:
    """Title and headings, with a first heading that only repeats the title said once."""
    if not heading or heading == title or heading.startswith(f"{title} › "):
        return heading or title
    return f"{title} › {heading}" if title else heading


def _embedded(passage: StoredPassage, before: str) -> str:
    room = min(CONTEXT, FILL - len(passage.text))
    tail = before[-room:] if room > 0 else ""
    if len(tail) < len(before):
        tail = tail.partition(" ")[2]
    # Its own text before the context: the other way round the turns blur into one another
    # (nDCG@10 of the meaning leg 28.0 instead of 36.8), and what is cut off is the context.
    parts = (heading_line(passage.title, passage.heading), passage.text, tail)
    return "\n".join(part for part in parts if part)
