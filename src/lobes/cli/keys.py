"""`keys list|check`."""

from __future__ import annotations

from pathlib import Path

import click

from lobes.cli.app import LazyGroup
from lobes.cli.errors import FAILED
from lobes.cli.output import items, show, shown, table
from lobes.cli.session import Session, global_options
from lobes.cli.words import PLACE
from lobes.domain.errors import nothing_there
from lobes.keys.actions import ACTIONS, OVERLAYS, PAGES, Action
from lobes.keys.keymap import Keymap, load_keys
from lobes.keys.spelling import key_text

SCREENS = ("everywhere", *(name for name, _ in (*PAGES, *OVERLAYS)))


@click.group(
    cls=LazyGroup,
    lazy={
        "list": ("lobes.cli.keys:list_", "Every act of the app with its keys."),
        "check": ("lobes.cli.keys:check", "What is wrong with the file of your keys."),
    },
    help="The keys of the app, and your own for them.",
)
def keys() -> None:
    pass


@click.command("list")
@click.option("--screen", type=click.Choice(SCREENS), help="Only the acts of this screen.")
@global_options
def list_(session: Session, screen: str | None) -> None:
    """Every act of the app with the keys that hold, yours among them."""
    keymap = load_keys(session.folders.keys_file).keymap
    found = [one for one in ACTIONS if screen is None or _screen(one) == screen]
    rows = [_row(one, keymap) for one in found]

    def lines() -> list[str]:
        return table([(_screen(one), one.id, _shown(keymap.of(one.id)), one.help) for one in found])

    show(session, items(rows), lines)


def _screen(action: Action) -> str:
    return action.screen or "everywhere"


def _shown(keys: tuple[str, ...]) -> str:
    return " ".join(key_text(key, ascii=True) for key in keys) or "–"


def _row(action: Action, keymap: Keymap) -> dict[str, object]:
    return {
        "id": action.id,
        "screen": _screen(action),
        "title": action.title,
        "help": action.help,
        "group": action.group,
        "when": action.when,
        "keys": list(keymap.of(action.id)),
        "default": list(action.keys),
        "remapped": action.id in keymap.remapped,
        "fixed": action.fixed,
    }


@click.command()
@click.argument("file", required=False, type=PLACE)
@global_options
def check(session: Session, file: Path | None) -> None:
    """What is wrong with FILE, or with the file of your keys. Exit 1 when anything is."""
    path = file or session.folders.keys_file
    if file is not None and not file.exists():
        raise nothing_there()
    found = load_keys(path)
    faults = [
        {"action": one.action, "code": one.code, "message": one.message, "hint": one.hint}
        for one in found.faults
    ]
    document = {**items(faults), "file": str(path), "remapped": sorted(found.keymap.remapped)}

    def lines() -> list[str]:
        if not path.exists():
            return [f"There is no {shown(path)}: the keys of Lobes hold."]
        good = f"{len(found.keymap.remapped)} with your keys, {len(faults)} not taken."
        return [*(shown(one.sentence) for one in found.faults), good]

    show(session, document, lines)
    session.exit_code = FAILED if faults else 0
