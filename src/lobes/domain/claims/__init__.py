"""How memories stand to each other: repeats, contradictions, successions, near copies.

No model takes part. What is found is a candidate that a person decides on.
"""

from lobes.domain.claims.canonical import content_hash
from lobes.domain.claims.claim import (
    DUPLICATE,
    MERGE,
    SENTENCES,
    VERDICTS,
    Cause,
    Claim,
    Group,
    Neighbour,
    Relation,
    Span,
    Verdict,
)
from lobes.domain.claims.compare import compare
from lobes.domain.claims.near import group, neighbours
from lobes.domain.claims.subject import subject_of

__all__ = [
    "DUPLICATE",
    "MERGE",
    "SENTENCES",
    "VERDICTS",
    "Cause",
    "Claim",
    "Group",
    "Neighbour",
    "Relation",
    "Span",
    "Verdict",
    "compare",
    "content_hash",
    "group",
    "neighbours",
    "subject_of",
]
