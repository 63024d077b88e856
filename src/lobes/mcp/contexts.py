"""`get_context`: what matters for a task within a budget, as `lobes context` gives it."""

from __future__ import annotations

from typing import cast

from lobes.mcp.calls import Asked, Document
from lobes.mcp.fields import Arguments
from lobes.services.context import BUDGET, assemble
from lobes.services.context_text import as_document


def get_context(asked: Asked, given: Arguments) -> Document:
    """One text that is quoted whole, and the sources of it, each with the id to read it by."""
    asked.session.limits.may_read()
    query, budget = str(given["query"]), int(cast("int", given.get("budget", BUDGET)))
    found = assemble(asked.lobes, asked.caller, query, space=asked.space, budget=budget)
    document = as_document(found)
    asked.session.limits.has_read(len(document["brief"]))
    for one in found.pieces:
        thing = f"memory/{one.id}" if one.layer == "memories" else f"document/{one.document}"
        asked.session.has_had(
            thing, outside=one.is_from_outside, reason=one.reason, tokens=one.tokens
        )
    return document
