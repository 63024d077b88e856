"""One list of actions: keys never collide, every action has its handler, key lines are true."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.screen import Screen

from lobes.keys import actions
from lobes.keys.faults import faults
from lobes.tui.screens.activity import ActivityScreen
from lobes.tui.screens.begin import BeginScreen
from lobes.tui.screens.later import LaterScreen
from lobes.tui.screens.lobe import LobeScreen
from lobes.tui.screens.page import PageScreen
from lobes.tui.screens.review import ReviewScreen
from lobes.tui.screens.search import SearchScreen
from lobes.tui.screens.spaces import SpacesScreen
from lobes.tui.screens.welcome import WelcomeScreen

SCREENS: dict[str, type[Screen[Any]]] = {
    "spaces": SpacesScreen,
    "search": SearchScreen,
    "review": ReviewScreen,
    "lobe": LobeScreen,
    "activity": ActivityScreen,
    "welcome": WelcomeScreen,
    "begin": BeginScreen,
}


PAGES = [one for one in SCREENS.values() if issubclass(one, PageScreen)]

# What lies over a screen asks the registry what a key does, so it has no handler by name.
DONE_BY_SCREENS = [
    one for one in actions.ACTIONS if one.screen not in ("dialog", "picker", "help", "matrix")
]


def test_the_list_has_no_fault() -> None:
    assert faults() == []


def test_a_screen_key_over_a_global_one_is_a_fault() -> None:
    hidden = replace(actions.SPACES[0], keys=("w",))
    assert faults([*actions.EVERYWHERE, hidden]) == ["w of edit_pack hides why"]


def test_a_key_or_an_id_that_is_there_twice_is_a_fault() -> None:
    first, second = actions.SPACES[:2]
    assert faults([first, replace(second, keys=first.keys)])
    assert faults([first, replace(second, id=first.id)])


@pytest.mark.parametrize("action", DONE_BY_SCREENS, ids=lambda a: a.id)
def test_every_action_has_its_handler(action: actions.Action) -> None:
    name = actions.call(action).partition("(")[0]
    screens = [SCREENS[action.screen]] if action.screen else [*PAGES, LaterScreen]
    assert all(hasattr(screen, f"action_{name}") for screen in screens)


@pytest.mark.parametrize("page", actions.KEY_LINE)
def test_the_key_line_names_keys_that_work_there(page: actions.Page) -> None:
    known = {action.id: action for action in actions.here(page)}
    for id, key, _ in actions.KEY_LINE[page]:
        if key == "left+right":
            assert {"left", "right"} <= {k for a in known.values() for k in a.keys}
        else:
            assert key in known[id].keys


def test_every_condition_says_why_not() -> None:
    assert {action.when for action in actions.ACTIONS} <= set(actions.NOT_NOW)
