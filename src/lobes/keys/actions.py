"""The one list of what a key can do. Bindings, key line, commands, help and the documents are
made from it; it is data, so that the shell reads it without the terminal app.

A screen's key never hides a global one: `keys.faults` checks that, and a test runs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from lobes.config.settings import describe

Page = Literal["spaces", "search", "review", "lessons", "shares", "lobe", "activity"]
Overlay = Literal["dialog", "picker", "help", "matrix", "welcome", "begin"]
Scope = Page | Overlay | Literal[""]
When = Literal["always", "row", "changed", "draft", "source", "asks", "buttons", "scrolls"]
Group = Literal["Do", "Look", "Move", "Mark", "Go", "Lobes"]

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

OVERLAYS: tuple[tuple[Overlay, str], ...] = (
    ("dialog", "a dialog"),
    ("picker", "a list to choose from"),
    ("help", "the keys"),
    ("matrix", "the matrix"),
    ("welcome", "the first run"),
    ("begin", "the first run's form"),
)
"""What lies over a screen and takes every key while it does."""

NOT_NOW: Mapping[When, str] = {
    "always": "",
    "row": "nothing is chosen",
    "changed": "its space.yaml has not changed",
    "draft": "nothing has changed",
    "source": "no source of your own and nobody named is chosen",
    "asks": "no lobe asks first",
    "buttons": "it has one button",
    "scrolls": "all of its text is shown",
}
"""Why an action can't run, in the words that the list of commands shows."""


@dataclass(frozen=True, slots=True)
class Action:
    """`screen` empty means everywhere; one id on several screens is one act, with the same keys.
    The handler is the screen's or the app's `action_<id>`.

    `title` is the word or two of the key line and of help, `help` the line of the commands: what
    ends in `…` asks something first. A `fixed` one can't be given other keys.
    """

    id: str
    title: str
    keys: tuple[str, ...]
    group: Group
    help: str
    screen: Scope = ""
    when: When = "always"
    fixed: bool = False


def _words(setting: str) -> str:
    return setting.replace("_", " ")


def _go() -> list[Action]:
    return [
        Action(f"go_{page}", name, (str(digit),), "Go", f"go to {name}")
        for digit, (page, name) in enumerate(PAGES, 1)
    ]


EVERYWHERE: tuple[Action, ...] = (
    *_go(),
    Action("open_space", "open a Space", ("ctrl+o",), "Go", "open a Space by name"),
    Action("find", "find", ("ctrl+f",), "Go", "find a Space or a file of a pack…"),
    Action("commands", "commands", (":", "ctrl+p"), "Go", "everything that can be done here"),
    Action("filter", "filter", ("/",), "Go", "filter the list; in Search, to the question"),
    Action("keys", "keys", ("?", "f1"), "Go", "the keys that work here"),
    Action("leave", "close, clear", ("escape",), "Go", "close, clear, back"),
    Action("back", "back, quit", ("q",), "Go", "back; at the root, quit"),
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
    Action(
        "uncover",
        "as written",
        ("u",),
        "Look",
        "hidden characters; the file as it is written",
    ),
    Action("pager", "read in $PAGER", ("|",), "Look", "read the file in your $PAGER"),
    Action("undo", "undo", ("z",), "Do", "undo the last act"),
    Action("redo", "redo", ("Z",), "Do", "redo what was undone"),
    Action("problems", "problems", ("!",), "Go", "what went wrong since the start"),
    Action("look_again", "look again", ("ctrl+r",), "Look", "read everything again"),
    Action("theme", "next theme", ("f9",), "Lobes", "switch to the next theme"),
    Action(
        "private_names",
        "private names",
        (),
        "Lobes",
        "hide the names of private Spaces, or show them",
    ),
    Action("people", "people & groups", (), "Lobes", "people & groups: who is in which…"),
    Action("presence_code", "presence code", (), "Lobes", "show the presence code for a terminal"),
    *(
        Action(f"set_{field.name}", _words(field.name), (), "Lobes", f"set {_words(field.name)}…")
        for field in describe()
    ),
)


def marking(page: Page) -> tuple[Action, ...]:
    """The keys that mark, the same on every screen that decides over several rows at once."""
    return (
        Action("mark", "mark", ("x", "space"), "Mark", "mark the row, or unmark it", page, "row"),
        Action("mark_range", "range", ("v",), "Mark", "mark what the cursor passes", page, "row"),
        Action("mark_all", "all shown", ("*",), "Mark", "mark all that is shown", page, "row"),
    )


SPACES: tuple[Action, ...] = (
    Action("edit_pack", "edit pack", ("e",), "Do", "edit the pack file", "spaces", "row"),
    Action("edit_manifest", "edit space.yaml", ("Y",), "Do", "edit space.yaml", "spaces", "row"),
    Action("new_space", "new", ("n",), "Do", "start a new Space", "spaces"),
    Action("add_folder", "add folder", ("+",), "Do", "add a folder of yours", "spaces"),
    Action("archive", "archive", ("A",), "Do", "archive, or restore", "spaces", "row"),
    Action("delete", "delete", ("D",), "Do", "to the trash, or erase…", "spaces", "row"),
    Action("index_now", "index now", ("I",), "Do", "look through its files now", "spaces", "row"),
    Action("trust", "trust", ("t",), "Do", "trust the changed space.yaml…", "spaces", "changed"),
    Action("view", "view", ("f",), "Look", "view: active, archived, trash", "spaces"),
    *marking("spaces"),
)

SEARCH: tuple[Action, ...] = (
    Action("question", "question", ("i",), "Move", "to the question", "search"),
    Action("allow_once", "allow once", ("o",), "Do", "let a lobe answer once…", "search", "asks"),
    Action("edit_source", "edit source", ("e",), "Do", "edit the source file", "search", "row"),
)

LOBE: tuple[Action, ...] = (
    Action("choice", "change", ("space",), "Do", "next choice", "lobe", "row"),
    Action("add_source", "add", ("+",), "Do", "add a source…", "lobe"),
    Action(
        "remove_source",
        "remove",
        ("-",),
        "Do",
        "remove the source, or who is named",
        "lobe",
        "source",
    ),
    Action("mute", "mute", ("m",), "Do", "mute, unmute", "lobe", "row"),
    Action("never_with", "never with", ("X",), "Do", "never with…", "lobe"),
    Action("tags", "tags", ("t",), "Do", "edit the tags…", "lobe"),
    Action("matrix", "matrix", ("M",), "Look", "all Spaces against all Spaces…", "lobe"),
    Action("people_here", "people", ("p",), "Do", "name who sees it…", "lobe"),
    Action("raw_rights", "rights", ("V",), "Do", "single rights of who is named…", "lobe", "row"),
    Action("save", "save", ("ctrl+s",), "Do", "save the changes", "lobe", "draft"),
)

REVIEW: tuple[Action, ...] = (
    Action("accept", "accept", ("a",), "Do", "accept it", "review", "row"),
    Action("edit_memory", "edit", ("e",), "Do", "edit and accept…", "review", "row"),
    Action("reject", "reject", ("r",), "Do", "reject…", "review", "row"),
    Action("supersede", "supersede", ("s",), "Do", "supersede another one…", "review", "row"),
    Action("merge", "merge", ("m",), "Do", "merge into another one…", "review", "row"),
    Action("dispute", "dispute", ("d",), "Do", "dispute, keep both", "review", "row"),
    Action(
        "propose_wider",
        "propose",
        ("p",),
        "Do",
        "propose it more widely, or move it…",
        "review",
        "row",
    ),
    Action("sensitivity", "sensitivity", ("S",), "Do", "how sensitive it is…", "review", "row"),
    Action("archive", "archive", ("A",), "Do", "archive, restore or reopen", "review", "row"),
    Action("delete", "delete", ("D",), "Do", "delete, or erase…", "review", "row"),
    Action("history", "history", ("H",), "Look", "its history", "review", "row"),
    Action("view", "view", ("f",), "Look", "view: waiting, …, rejected", "review"),
    *marking("review"),
    Action("mark_alike", "alike", ("=",), "Mark", "mark what says the same", "review", "row"),
    Action("mark_session", "session", ("t",), "Mark", "mark all of its session", "review", "row"),
)

ACTIVITY: tuple[Action, ...] = (
    Action("view_record", "view", ("f",), "Look", "view: all, refused, …, notices", "activity"),
    Action("who_read", "who read what", ("p",), "Look", "who read what", "activity"),
    Action("check_chain", "check chain", ("V",), "Do", "check that it is whole", "activity"),
)


def _over(
    scope: Overlay,
    *rows: tuple[str, str, tuple[str, ...], Group, str],
    whens: Mapping[str, When] = MappingProxyType({}),
) -> list[Action]:
    """Fixed: what answers a question has the same keys for everybody, and always a way out."""
    return [
        Action(
            f"{scope}_{id}", title, keys, group, help, scope, whens.get(id, "always"), fixed=True
        )
        for id, title, keys, group, help in rows
    ]


OVER: tuple[Action, ...] = (
    *_over(
        "dialog",
        ("choose", "choose", ("enter",), "Do", "answer with the button in brackets"),
        ("left", "button to the left", ("left", "h", "shift+tab"), "Move", "button to the left"),
        ("right", "button to the right", ("right", "l", "tab"), "Move", "button to the right"),
        ("down", "scroll down", ("down", "j"), "Move", "scroll the text down"),
        ("up", "scroll up", ("up", "k"), "Move", "scroll the text up"),
        ("page_down", "page down", ("pagedown",), "Move", "scroll the text a page down"),
        ("page_up", "page up", ("pageup",), "Move", "scroll the text a page up"),
        ("close", "close", ("escape", "q"), "Go", "close it; nothing is decided"),
        ("keys", "keys", ("?", "f1"), "Go", "the keys that work in it"),
        whens={
            **dict.fromkeys(("left", "right"), "buttons"),
            **dict.fromkeys(("down", "up", "page_down", "page_up"), "scrolls"),
        },
    ),
    *_over(
        "picker",
        ("choose", "choose", ("enter",), "Do", "take the row under the cursor"),
        ("down", "next", ("down", "ctrl+n"), "Move", "next row"),
        ("up", "previous", ("up", "ctrl+p"), "Move", "previous row"),
        ("page_down", "page down", ("pagedown",), "Move", "a page down"),
        ("page_up", "page up", ("pageup",), "Move", "a page up"),
        ("close", "close", ("escape",), "Go", "close it; nothing is chosen"),
        ("keys", "keys", ("f1",), "Go", "the keys that work in it"),
    ),
    *_over(
        "help",
        ("search", "search keys", ("/",), "Look", "search the keys by what they do"),
        ("down", "scroll down", ("down", "j"), "Move", "scroll down"),
        ("up", "scroll up", ("up", "k"), "Move", "scroll up"),
        ("page_down", "page down", ("pagedown",), "Move", "a page down"),
        ("page_up", "page up", ("pageup",), "Move", "a page up"),
        ("close", "close", ("escape", "q", "?", "f1"), "Go", "clear the search, then close"),
    ),
    *_over(
        "matrix",
        ("left", "left", ("left", "h"), "Move", "a column to the left"),
        ("right", "right", ("right", "l"), "Move", "a column to the right"),
        ("down", "down", ("down", "j"), "Move", "a row down"),
        ("up", "up", ("up", "k"), "Move", "a row up"),
        ("page_down", "page down", ("pagedown",), "Move", "a page of rows down"),
        ("page_up", "page up", ("pageup",), "Move", "a page of rows up"),
        ("page_right", "page right", ("tab",), "Move", "a page of columns to the right"),
        ("page_left", "page left", ("shift+tab",), "Move", "a page of columns to the left"),
        ("first", "first", ("home", "g"), "Move", "first row"),
        ("last", "last", ("end", "G"), "Move", "last row"),
        ("close", "close", ("escape", "q"), "Go", "close it"),
        ("keys", "keys", ("?", "f1"), "Go", "the keys that work in it"),
    ),
    *_over(
        "welcome",
        ("first", "sample Spaces", ("1",), "Do", "begin with the sample Spaces"),
        ("second", "a folder of mine", ("2",), "Do", "begin with a folder of yours…"),
        ("third", "start empty", ("3",), "Do", "begin with one empty Area"),
        ("choose", "choose", ("enter",), "Do", "begin with what is under the cursor"),
        ("down", "next", ("j", "down", "tab"), "Move", "next choice"),
        ("up", "previous", ("k", "up", "shift+tab"), "Move", "previous choice"),
        ("leave", "quit", ("q", "ctrl+q"), "Go", "quit; nothing was stored"),
        ("keys", "keys", ("?", "f1"), "Go", "the keys that work here"),
    ),
    *_over(
        "begin",
        ("choose", "begin", ("enter",), "Do", "begin with what stands here"),
        ("down", "next", ("down", "tab"), "Move", "next field or choice"),
        ("up", "previous", ("up", "shift+tab"), "Move", "previous field or choice"),
        ("left", "change", ("left", "h"), "Move", "the option before, of a choice"),
        ("right", "change", ("right", "l", "space"), "Move", "the next option of a choice"),
        ("close", "back", ("escape",), "Go", "back; nothing was stored"),
        ("keys", "keys", ("f1",), "Go", "the keys that work here"),
    ),
)

ACTIONS: tuple[Action, ...] = (
    *EVERYWHERE,
    *SPACES,
    *SEARCH,
    *REVIEW,
    *LOBE,
    *ACTIVITY,
    *OVER,
)

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
    "review": (
        ("accept", "a", "accept"),
        ("edit_memory", "e", "edit"),
        ("reject", "r", "reject"),
        ("supersede", "s", "supersede"),
        ("merge", "m", "merge"),
        ("undo", "z", "undo"),
        ("mark", "x", "mark"),
    ),
    "lessons": (),
    "shares": (),
    "activity": (
        ("filter", "/", "filter"),
        ("view_record", "f", "view"),
        ("who_read", "p", "who read what"),
        ("check_chain", "V", "check chain"),
        ("copy", "y", "copy"),
    ),
}
"""What the key line offers, most wanted first: an action, the one of its keys that is shown where
it has not been given others, and the word. `? keys` ends every line."""

NARROW_LINE: Mapping[Page, Sequence[tuple[str, str, str]]] = {
    "spaces": (
        ("open", "enter", "open"),
        ("next_pane", "tab", "evidence"),
        *KEY_LINE["spaces"][1:],
    ),
    "search": (
        ("next", "down", "answers"),
        ("open", "enter", "read"),
        *KEY_LINE["search"][1:],
    ),
    "lobe": (
        ("save", "ctrl+s", "save"),
        ("next_pane", "tab", "effect"),
        *KEY_LINE["lobe"][:-1],
    ),
    "review": (
        ("open", "enter", "evidence"),
        *KEY_LINE["review"],
    ),
    "activity": (
        ("open", "enter", "evidence"),
        *KEY_LINE["activity"],
    ),
}
"""The same below 80 cells, where one pane is shown: the key to the other pane, and of the keys
only those that work now."""

EMPTY_LINE: Mapping[Page, Sequence[tuple[str, str, str]]] = {
    "review": (("view", "f", "view"), ("undo", "z", "undo"), ("filter", "/", "filter")),
}
"""The same where the list holds nothing to decide on."""

BACK_LINE: Sequence[tuple[str, str, str]] = (("leave", "escape", "back"),)
"""What leads the line while the evidence fills the body."""

READING_LINE: Sequence[tuple[str, str, str]] = (
    ("leave", "escape", "back"),
    ("uncover", "u", "as written"),
    ("pager", "|", "in $PAGER"),
    ("why", "w", "why"),
    ("copy", "y", "copy"),
)
"""The same, while a whole file is read."""


GROUPS: tuple[tuple[Group, str, bool], ...] = (
    ("Do", "Do", True),
    ("Look", "Look", True),
    ("Lobes", "Lobes", True),
    ("Move", "Move", False),
    ("Mark", "Mark", False),
    ("Go", "Go", False),
)
"""The order of help: group, heading, and whether it stands in the left column."""

TOGETHER: tuple[tuple[tuple[str, ...], str], ...] = (
    (("next", "previous"), "next, previous"),
    (("first", "last"), "first, last"),
    (("half_down", "half_up"), "half a page"),
    (("page_down", "page_up"), "a page"),
    (("pane_left", "pane_right", "next_pane"), "panes"),
    (("undo", "redo"), "undo, redo"),
    (tuple(f"go_{page}" for page, _ in PAGES), "screens"),
    (("dialog_left", "dialog_right"), "buttons"),
    *(
        ((f"{over}_down", f"{over}_up"), "next, previous")
        for over in ("picker", "welcome", "begin")
    ),
    (("begin_left", "begin_right"), "change a choice"),
    *(((f"{over}_down", f"{over}_up"), "scroll") for over in ("dialog", "help")),
    *(((f"{over}_page_down", f"{over}_page_up"), "a page") for over, _ in OVERLAYS),
    (("welcome_first", "welcome_second", "welcome_third"), "begin"),
)
"""Actions that help names in one row, and the words for them."""

ALSO = frozenset(
    {
        *("page_down", "page_up", "previous_pane", "find", "keys", "leave", "quit", "problems"),
        *("look_again", "theme", "pager"),
    }
)
"""Actions that help names last: rarely looked for."""

TITLES: Mapping[tuple[Scope, str], str] = {
    ("spaces", "open"): "open it",
    ("search", "open"): "zoom the evidence",
    ("search", "uncover"): "a masked secret; the file as it is",
    ("activity", "open"): "zoom the evidence",
    ("review", "open"): "zoom the evidence",
    ("review", "why"): "why it waits",
    ("review", "uncover"): "hidden characters",
    ("lobe", "pane_left"): "change, panes",
}
"""What a global action is called on one screen."""


def of_screen(page: Scope) -> list[Action]:
    return [action for action in ACTIONS if action.screen == page]


def here(page: Page) -> list[Action]:
    """What can be done on a screen: its own acts first. One without any has no rows yet, so that
    nothing moves there."""
    own = of_screen(page)
    return [*own, *(one for one in of_screen("") if own or one.group != "Move")]


def call(action: Action) -> str:
    """The handler: one for all the digits, one for all the settings, else one an action."""
    for prefix, handler in (("go_", "go"), ("set_", "set_preference")):
        if action.id.startswith(prefix):
            return f"{handler}('{action.id.removeprefix(prefix)}')"
    return action.id
