"""`docs/keys.md`, made from the registry: `python -m lobes.keys.document > docs/keys.md`.

A test fails while the file says anything else.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from lobes.keys.actions import ACTIONS, NOT_NOW, OVERLAYS, PAGES, Scope
from lobes.keys.keymap import LARGEST
from lobes.keys.spelling import key_text

_HEAD = f"""# Keys

Lower case is the common act that `z` undoes; a capital is rarer or heavier; what ends in `…` asks
first. `?` shows in the app what works here and now, `:` finds everything by its name. In a field
letters are text: `esc`, `tab` or `↓` leaves it.

## Your own keys

`keys.toml` in the configuration folder (`lobes config path` says where) gives acts other keys. It
is only ever read, so your comments stay. One key, or a list of which the first is shown; an empty
list takes all.

```toml
[keys]
archive = "b"
commands = ["ctrl+k", ":"]
mark_all = []                # only by its name, with :
```

A key is a sign (`a`, `A`, `+`, `?`) or one of `enter`, `escape`, `tab`, `space`, `backspace`,
`delete`, `insert`, `home`, `end`, `pageup`, `pagedown`, `up`, `down`, `left`, `right`, `f1` to
`f24`, with `ctrl+`, `alt+`, `shift+` or `super+` before it. What a terminal can't tell apart is
not taken: `ctrl+i` is `tab`, `ctrl+m` is `enter`, `ctrl+[` is `escape`, `ctrl+h` is `backspace`.

What is wrong is named when the app starts, stands in Problems (`!`) and in `lobes keys check`;
that entry is ignored and all others count. An act on several screens has one entry. Wrong are: an
act that does not exist, something that is no key, a key that another act of the same place has (a
global act is everywhere), and whatever would lock you in: `quit`, `leave`, `keys` and `commands`
keep a key, `quit` one that no field takes, `leave`, `next_pane` and `previous_pane` one that is
no text. `ctrl+c` is no act's. A file that is no TOML or larger than {LARGEST // 1024} KiB counts
for nothing.
"""

_OVER = """
## Over a screen

What lies over a screen takes every key while it does. These can't be given others: what answers a
question has the same keys for everybody.
"""


def page() -> str:
    """The whole document."""
    lines = [_HEAD, "## Everywhere", "", *_table("")]
    for name, title in PAGES:
        if rows := _table(name):
            lines += ["", f"## {title}", "", *rows]
    lines.append(_OVER)
    for overlay, title in OVERLAYS:
        lines += [f"### {title[:1].upper()}{title[1:]}", "", *_table(overlay), ""]
    return "\n".join(lines).rstrip() + "\n"


def _table(scope: Scope) -> list[str]:
    rows = list(_rows(scope))
    return ["| act | keys | what it does |", "| --- | --- | --- |", *rows] if rows else []


def _rows(scope: Scope) -> Iterator[str]:
    for one in ACTIONS:
        if one.screen == scope:
            keys = " ".join(_code(key_text(key)) for key in one.keys) or "–"
            why = NOT_NOW[one.when]
            yield f"| `{one.id}` | {keys} | {one.help}{f' (not while {why})' if why else ''} |"


def _code(key: str) -> str:
    return f"`{key}`".replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(page())
