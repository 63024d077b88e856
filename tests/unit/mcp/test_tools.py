"""What an agent is shown of the tools never changes by itself: words, schemas and hints are pinned.

A change that is meant is written into `tools.json`: `python -m tests.unit.mcp.test_tools`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lobes.domain.verbs import VERBS
from lobes.mcp.calls import HANDLERS
from lobes.mcp.tools import INSTRUCTIONS, TOOLS

PINNED = Path(__file__).with_name("tools.json")


def as_shown() -> dict[str, Any]:
    from lobes.mcp.server import tool_list

    tools = [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in tool_list()]
    return {"instructions": INSTRUCTIONS, "tools": tools}


def test_the_tools_are_what_they_were() -> None:
    assert as_shown() == json.loads(PINNED.read_text("utf-8"))


def test_each_tool_asks_for_a_verb_that_an_agent_can_hold() -> None:
    verbs = {one.name: one.verb for one in TOOLS.values()}
    assert set(verbs.values()) <= set(VERBS)
    assert verbs == {
        "search": "read_content",
        "get_context": "read_content",
        "read_source": "read_content",
        "propose_memory": "propose",
        "propose_pack_edit": "propose",
        "propose_lesson": "propose",
        "record_turn": "converse",
        "list_pending": "propose",
    }


def test_no_tool_takes_who_asks_or_for_which_space() -> None:
    taken = {field.name for one in TOOLS.values() for field in one.fields}
    assert not taken & {
        "actor",
        "user",
        "space",
        "lobe",
        "author",
        "session",
        "client",
        "approved",
        "status",
    }


def test_every_row_of_an_answer_is_of_a_tool() -> None:
    assert set(HANDLERS) <= set(TOOLS)


if __name__ == "__main__":
    PINNED.write_text(json.dumps(as_shown(), indent=2, ensure_ascii=False) + "\n", "utf-8")
