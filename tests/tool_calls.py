"""One call of each tool of the agent server, which a Space that is there can answer."""

from __future__ import annotations

from typing import Any

CALLS: dict[str, dict[str, Any]] = {
    "search": {"query": "herons"},
    "get_context": {"query": "herons"},
    "read_source": {"id": "0" * 26},
    "propose_memory": {"statement": "Herons.", "kind": "context", "derived_from_external": False},
    "propose_pack_edit": {"path": "n.md", "text": "# N\n", "why": "Herons."},
    "record_turn": {"summary": "Moved the herons' ledger."},
    "list_pending": {},
}
