"""The one list of what a key can do. Bindings, key line, commands, help and the documents are
made from it; it is data, so that the shell reads it without the terminal app.

A screen's key never hides a global one: `faults` checks that, and a test runs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Page = Literal["spaces", "search", "review", "lessons", "shares", "lobe", "activity"]
When = Literal["always", "row", "changed", "draft", "source"]
Group = Literal["Do", "Look", "Move", "Go", "Lobes"]

PAGES: tuple[tuple[Page, str], ...] = (
    ("spaces", "Spaces"),
    ("search", "Search"),
    ("review", "Review"),
    ("lessons", "Lessons"),
    ("shares", "Shares"),
    ("lobe", "Lobe"),
    ("activity", "Activity"),
)
"""The modes in the order of their digits."""

NOT_NOW: Mapping[When, str] = {
    "always": "",
    "row": "nothing is chosen",
    "changed": "its space.yaml has not changed",
    "draft": "nothing has changed",
    "source": "no source of your own is chosen",
}
"""Why an action can't run, in the words that the list of commands shows."""


@dataclass(frozen=True, slots=True)
class Action:
    """`screen` empty means everywhere; the handler is the screen's or the app's `action_<id>`."""

    id: str
    title: str
    keys: tuple[str, ...]
    group: Group
    help: str
    screen: Page | Literal[""] = ""
    when: When = "always"


def _go() -> list[Action]:
    return [
        Action(f"go_{page}", name, (str(digit),), "Go", f"go to {name}")
        for digit, (page, name) in enumerate(PAGES, 1)
    ]


EVERYWHERE: tuple[Action, ...] = (
    *_go(),
    Action("open_space", "open a Space", ("ctrl+o",), "Go", "open a Space by name"),
    Action("commands", "commands", (":", "ctrl+p"), "Go", "everything that can be done here"),
    Action("filter", "filter", ("/",), "Look", "filter the list; in Search, to the question"),
    Action("keys", "keys", ("?", "f1"), "Go", "the keys that work here"),
    Action("leave", "back", ("escape",), "Move", "close, clear, back"),
    Action("back", "back", ("q",), "Go", "back; at the root, quit"),
    Action("quit", "quit", ("ctrl+q",), "Go", "quit"),
    Action("next", "next", ("j", "down"), "Move", "next row"),
    Action("previous", "previous", ("k", "up"), "Move", "previous row"),
    Action("first", "first", ("g", "home"), "Move", "first row"),
    Action("last", "last", ("G", "end"), "Move", "last row"),
    Action("half_down", "half a page down", ("ctrl+d",), "Move", "half a page down"),
    Action("half_up", "half a page up", ("ctrl+u",), "Move", "half a page up"),
    Action("page_down", "page down", ("pagedown",), "Move", "a page down"),
    Action("page_up", "page up", ("pageup",), "Move", "a page up"),
    Action("pane_left", "left", ("h", "left"), "Move", "pane to the left; change a choice"),
    Action("pane_right", "right", ("l", "right"), "Move", "pane to the right; change a choice"),
    Action("next_pane", "next pane", ("tab",), "Move", "next pane or field"),
    Action("previous_pane", "previous pane", ("shift+tab",), "Move", "previous pane or field"),
    Action("open", "open", ("enter",), "Look", "open; zoom the evidence"),
    Action("why", "why", ("w",), "Look", "why, in sentences"),
    Action("copy", "copy", ("y",), "Look", "copy what is chosen"),
    Action("uncover", "as written", ("u",), "Look", "hidden characters; the file as it is written"),
    Action("pager", "read in $PAGER", ("|",), "Look", "read the file in your $PAGER"),
    Action("undo", "undo", ("z",), "Do", "undo the last act"),
    Action("redo", "redo", ("Z",), "Do", "redo what was undone"),
    Action("problems", "problems", ("!",), "Go", "what went wrong since the start"),
    Action("look_again", "look again", ("ctrl+r",), "Look", "read everything again"),
    Action("theme", "switch theme", ("f9",), "Lobes", "the next theme; the choice is kept"),
)


def marking(page: Page) -> tuple[Action, ...]:
    """The keys that mark, the same on every screen that decides over several rows at once."""
    return (
        Action("mark", "mark", ("x", "space"), "Look", "mark the row, or unmark it", page, "row"),
        Action("mark_range", "range", ("v",), "Look", "mark what the cursor passes", page, "row"),
        Action("mark_all", "mark all", ("*",), "Look", "mark all that is shown", page, "row"),
    )


SPACES: tuple[Action, ...] = (
    Action("edit_pack", "edit pack", ("e",), "Do", "edit the pack file", "spaces", "row"),
    Action("edit_manifest", "edit space.yaml", ("Y",), "Do", "edit space.yaml", "spaces", "row"),
    Action("new_space", "new", ("n",), "Do", "start a new Space", "spaces"),
    Action("add_folder", "add folder", ("+",), "Do", "add a folder of yours", "spaces"),
    Action("archive", "archive", ("A",), "Do", "archive, or restore", "spaces", "row"),
    Action("delete", "delete", ("D",), "Do", "move to the trash…", "spaces", "row"),
    Action("index_now", "index now", ("I",), "Do", "look through its files now", "spaces", "row"),
    Action("trust", "trust", ("t",), "Do", "trust the changed space.yaml…", "spaces", "changed"),
    Action("view", "view", ("f",), "Look", "view: active, archived, trash", "spaces"),
    *marking("spaces"),
)

SEARCH: tuple[Action, ...] = (
    Action("question", "question", ("i",), "Move", "to the question", "search"),
    Action("edit_source", "edit source", ("e",), "Do", "edit the source file", "search", "row"),
)

LOBE: tuple[Action, ...] = (
    Action("choice", "change", ("space",), "Do", "next choice", "lobe", "row"),
    Action("add_source", "add", ("+",), "Do", "add a source…", "lobe"),
    Action("remove_source", "remove", ("-",), "Do", "remove the source", "lobe", "source"),
    Action("mute", "mute", ("m",), "Do", "mute, unmute", "lobe", "row"),
    Action("never_with", "never with", ("X",), "Do", "never with…", "lobe"),
    Action("tags", "tags", ("t",), "Do", "edit the tags…", "lobe"),
    Action("save", "save", ("ctrl+s",), "Do", "save the changes", "lobe", "draft"),
)

ACTIVITY: tuple[Action, ...] = (
    Action("view_record", "view", ("f",), "Look", "view: all, refused, reads, changes", "activity"),
    Action("check_chain", "check chain", ("V",), "Do", "check that it is whole", "activity"),
)

ACTIONS: tuple[Action, ...] = (*EVERYWHERE, *SPACES, *SEARCH, *LOBE, *ACTIVITY)

KEY_LINE: Mapping[Page, Sequence[tuple[str, str, str]]] = {
    "spaces": (
        ("open", "enter", "open"),
        ("edit_pack", "e", "edit pack"),
        ("new_space", "n", "new"),
        ("add_folder", "+", "add folder"),
        ("archive", "A", "archive"),
        ("delete", "D", "delete"),
        ("filter", "/", "filter"),
    ),
    "search": (
        ("next", "down", "answers"),
        ("why", "w", "why"),
        ("edit_source", "e", "edit"),
        ("question", "i", "question"),
    ),
    "lobe": (
        ("choice", "left+right", "change"),
        ("add_source", "+", "add"),
        ("mute", "m", "mute"),
        ("never_with", "X", "never with"),
        ("why", "w", "why"),
        ("save", "ctrl+s", "save"),
    ),
    "review": (),
    "lessons": (),
    "shares": (),
    "activity": (
        ("filter", "/", "filter"),
        ("view_record", "f", "view"),
        ("check_chain", "V", "check chain"),
        ("copy", "y", "copy"),
    ),
}
"""What the key line offers, most wanted first: action, key, word. `? keys` ends every line."""

READING_LINE: Sequence[tuple[str, str, str]] = (
    ("leave", "escape", "back"),
    ("uncover", "u", "as written"),
    ("pager", "|", "in $PAGER"),
    ("why", "w", "why"),
    ("copy", "y", "copy"),
)
"""The same, while a whole file is read."""


def of_screen(page: Page | Literal[""]) -> list[Action]:
    return [action for action in ACTIONS if action.screen == page]


def here(page: Page) -> list[Action]:
    """What can be done on a screen: its own acts first."""
    return [*of_screen(page), *of_screen("")]


def call(action: Action) -> str:
    """The handler: one for all the digits, else one an action."""
    page = action.id.removeprefix("go_")
    return f"go('{page}')" if page != action.id else action.id


def faults(actions: Iterable[Action] = ACTIONS) -> list[str]:
    """What is wrong with the list: a doubled id, a doubled key, a screen key over a global one."""
    found: list[str] = []
    ids: set[tuple[str, str]] = set()
    taken: dict[tuple[str, str], str] = {}
    for action in sorted(actions, key=lambda a: a.screen):
        if {("", action.id), (action.screen, action.id)} & ids:
            found.append(f"{action.id} is there twice")
        ids.add((action.screen, action.id))
        if not action.keys or not action.help:
            found.append(f"{action.id} has no key or no help")
        for key in action.keys:
            other = taken.get((action.screen, key)) or taken.get(("", key))
            if other:
                found.append(f"{key} of {action.id} hides {other}")
            taken[action.screen, key] = action.id
    return found


_SHOWN = {"escape": "esc", "pagedown": "pgdn", "pageup": "pgup", "left+right": "←→"}
_ARROWS = {"down": "↓", "up": "↑", "left": "←", "right": "→"}


def key_text(key: str, *, ascii: bool = False) -> str:
    """A key as the key line and help write it."""
    if ascii:
        return {"left+right": "left/right"}.get(key) or _SHOWN.get(key, key)
    return _ARROWS.get(key) or _SHOWN.get(key, key)
