"""The sessions of every world, and the paths that list them, each beside what the oracle says.

Each Space of a world holds a session that is its owner's alone and one that lets in whomever the
Space does, with turns of two levels each.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from lobes.domain.errors import LobesError
from lobes.domain.ids import derived_id
from lobes.services.paging import MOST
from lobes.services.sessions import SessionRow, list_sessions, show_session
from world_memories import Asks, World

PERMISSIONS: Mapping[str, World] = {
    "private": {"visibility": "private"},
    "open": {
        "visibility": "restricted",
        "grants": {verb: ["all"] for verb in ("read_meta", "read_chat")},
    },
}
LEVELS = ("internal", "confidential")


def with_sessions(world: World) -> World:
    """The world with them; each turn is a thing of its own too, for the oracle."""
    items: World = dict(world.get("items", {}))
    for space, one in world.get("spaces", {}).items():
        for name, permission in PERMISSIONS.items():
            id = derived_id("session", space, name)
            own = {"in": f"space/{space}", "owner": one["owner"], "permission": permission}
            turns = [{"summary": f"Of {id}.", "sensitivity": level} for level in LEVELS]
            items[f"session/{id}"] = {**own, "client": "a client", "turns": turns}
            for level in LEVELS:
                items[f"turn/{id} {level}"] = {**own, "sensitivity": level}
    return {**world, "items": items}


def read_by(one: Asks, space: str = "") -> dict[str, int]:
    """Session → how many of its turns the actor may read, by the oracle."""
    return {
        id.removeprefix("session/"): sum(
            one.may("read_chat", f"{id.replace('session', 'turn', 1)} {level}") for level in LEVELS
        )
        for id, item in one.world["items"].items()
        if "turns" in item and item["in"].endswith(f"/{space}" if space else "")
        if one.may("read_chat", id)
    }


def session_list(one: Asks) -> tuple[object, object]:
    page = list_sessions(one.lobes, one.caller, limit=MOST)
    wanted = read_by(one)
    return (_counted(page.items), page.total), (wanted, len(wanted))


def session_list_of_a_space(one: Asks) -> tuple[object, object]:
    shown: dict[str, object] = {}
    for space in one.world.get("spaces", {}):
        with suppress(LobesError):
            page = list_sessions(one.lobes, one.caller, space=space, limit=MOST)
            shown[space] = _counted(page.items)
    spaces = one.world.get("spaces", {})
    allowed = [space for space in spaces if one.may("read_chat", f"space/{space}")]
    return shown, {space: read_by(one, space) for space in allowed}


def session_show(one: Asks) -> tuple[object, object]:
    shown: dict[str, int] = {}
    for id in one.world["items"]:
        if id.startswith("session/"):
            with suppress(LobesError):
                view = show_session(one.lobes, one.caller, id.removeprefix("session/"))
                shown[view.session.id] = len(view.turns)
    return shown, read_by(one)


def _counted(rows: tuple[SessionRow, ...]) -> dict[str, int]:
    return {row.session.id: row.turns for row in rows}


SESSION_PATHS = {
    path.__name__: path for path in (session_list, session_list_of_a_space, session_show)
}
