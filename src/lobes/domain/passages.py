"""What the index follows: the outbox, the passages of the packs and the memories, as the store has
them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """One change that the index has yet to follow, in the order of `seq`."""

    seq: int
    op: Literal["upsert", "delete"]
    kind: Literal["document", "lobe"]
    id: str
    lobe: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage as the store has it; `heading` is the path of headings, joined with ` › `."""

    id: str
    document_id: str
    lobe: str
    ordinal: int
    title: str
    heading: str
    text: str
    content_hash: str


def memory_passage_hash(subject: str, statement: str) -> str:
    """SHA-256 of all that the index takes in of a memory, to the letter: `content_hash` is of what
    a person reads, so two texts of one hash may be two to the index."""
    digest = hashlib.sha256(subject.encode("utf-8", "surrogatepass"))
    digest.update(b"\0")
    digest.update(statement.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
