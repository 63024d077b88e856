"""A process that keeps one home open and answers lines: `python held_open.py HOME ACTOR`.

A line is a JSON list: `["search", space, query]`, `["read", space, path]`, `["show", space]`,
`["change", resource, visibility]`, `["grant" | "revoke", resource, right, subject]`. An answer is
what was found, or `{"error": reason}`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, cast

from lobes.bootstrap import open_installation
from lobes.config.folders import folders_under
from lobes.domain.actors import parse_actor
from lobes.domain.errors import LobesError
from lobes.domain.permission_change import PermissionChange, Wanted
from lobes.domain.resources import parse_resource
from lobes.domain.roles import parse_right
from lobes.services.installation import Caller, Installation
from lobes.services.permissions import save_permission
from lobes.services.search import search
from lobes.services.spaces import pack_text, show_pack


def answer(lobes: Installation, caller: Caller, line: list[str]) -> Any:
    match line:
        case ["search", space, query]:
            found = search(lobes, caller, query, space=space, limit=100)
            return sorted({hit.path for hit in found.items})
        case ["read", space, path]:
            return pack_text(lobes, caller, space, path).text
        case ["show", space]:
            return sorted(one.path for one in show_pack(lobes, caller, space).pack)
        case ["change", resource, visibility]:
            change = PermissionChange(visibility=cast("Wanted", visibility))
        case ["grant" | "revoke" as act, resource, right, subject]:
            pairs = tuple((verb, subject) for verb in parse_right(right))
            change = (
                PermissionChange(grant=pairs) if act == "grant" else PermissionChange(revoke=pairs)
            )
        case _:
            raise ValueError(line)
    return save_permission(lobes, caller, parse_resource(resource), change).is_change


def main() -> None:
    home, actor = sys.argv[1:]
    caller = Caller(parse_actor(actor), "cli", is_present=actor.startswith("user:"))
    with open_installation(folders_under(Path(home))) as lobes:
        for line in sys.stdin:
            try:
                said = answer(lobes, caller, json.loads(line))
            except LobesError as error:
                said = {"error": error.reason}
            print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
