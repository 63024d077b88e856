"""What the store keeps of a pack's files: one row a file, and its passages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """One file of a Space's pack as it was last read.

    `path` is relative to the pack's root, `size` in bytes, `mtime_ns` the file's own time; size
    and time only say that a file is worth reading again, `content_hash` says whether it changed.
    """

    id: str
    space: str
    path: str
    role: str
    title: str
    content_hash: str
    size: int
    mtime_ns: int
    tokens: int


@dataclass(frozen=True, slots=True)
class PassageRow:
    """One passage of a document; `heading` is the path of headings, joined with ` › `.

    Lines count from 1, both ends included.
    """

    id: str
    ordinal: int
    heading: str
    text: str
    first_line: int
    last_line: int
    tokens: int
    content_hash: str
