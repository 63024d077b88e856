"""What the index follows: the outbox and the passages of the packs, as the store has them."""

from __future__ import annotations

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
