"""A home is made: folders, store, its owner, and the sample Spaces if they are wanted."""

from __future__ import annotations

import getpass
import os
import re
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, cast

from lobes.config.folders import Folders, make
from lobes.config.shipped import shipped
from lobes.domain.errors import Conflict, Unavailable
from lobes.domain.ids import parse_slug
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import CrossSpace, parse_subscription
from lobes.services.installation import Caller, Installation
from lobes.services.lobe_changes import save
from lobes.services.space_adding import AddOptions, add_space
from lobes.store.files import write_atomic
from lobes.store.roots import synced_or_network

SAMPLE_LOBES = "lobes.toml"
DEMO_MARK = "demo"
"""The file in the data folder that says whose home it is: the demo's, and how far it is made."""
_BEING_MADE, _MADE = b"being made\n", b"made\n"


@dataclass(frozen=True, slots=True)
class NewHome:
    """What `lobes init` was asked for."""

    user: str
    default_cross_space: CrossSpace = "open"
    presence: Literal["on", "off"] = "on"
    accept_synced: bool = False
    is_demo: bool = False


def account_slug() -> str:
    """An id from the account's name: what is no slug becomes `-`; `me` where nothing is left."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):
        name = ""
    return slug_of(name) or "me"


def slug_of(name: str) -> str:
    """The id that a person's name gives: what can't stand in an id becomes `-`; "" for no name."""
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-_")[:63]


def make_home(folders: Folders, wanted: NewHome, *, clock: Callable[[], datetime]) -> None:
    """Folders, store and owner. `Conflict` where there is a home, `Unavailable` (`synced_folder`)
    where its files would lie in a synced or network folder, which damages databases."""
    from lobes.store.database import create

    if folders.store.exists():
        raise Conflict("There is a home here already.", hint="Run lobes.", reason="exists")
    owner = parse_slug(wanted.user, what="person")
    if not wanted.accept_synced:
        refuse_synced(folders)
    make(folders)
    if wanted.is_demo:
        write_atomic(folders.data / DEMO_MARK, _BEING_MADE)
    create(
        folders.store,
        owner=owner,
        presence=wanted.presence,
        default_cross_space=wanted.default_cross_space,
        clock=clock,
    )


def refuse_synced(folders: Folders) -> None:
    """`Unavailable` (`synced_folder`) where a database would get damaged."""
    danger = synced_or_network(_existing(folders.data))
    if danger:
        raise Unavailable(
            f"{danger} A database there gets damaged.",
            hint="Choose another folder with --home; packs may stay where they are.",
            reason="synced_folder",
        )


def demo_home(folders: Folders, *, clock: Callable[[], datetime]) -> bool:
    """Find the home that the demo made, or make it; whether the samples still have to be added.

    Raises `Conflict` (`not_a_demo`) where another home is: the demo acts as its person while it
    fills a home, and nobody said so for that one.
    """
    if not folders.store.exists():
        make_home(folders, NewHome(account_slug(), is_demo=True), clock=clock)
    try:
        mark = (folders.data / DEMO_MARK).read_bytes()
    except OSError:
        mark = b""
    if mark not in (_BEING_MADE, _MADE):
        raise Conflict(
            "There is a home here that the demo didn't make; nothing was changed.",
            hint="lobes demo without --home has a home of its own.",
            reason="not_a_demo",
        )
    return mark == _BEING_MADE


def demo_is_made(folders: Folders) -> None:
    """From here on the demo's home is a home like any other: nobody counts as present."""
    write_atomic(folders.data / DEMO_MARK, _MADE)


def _existing(path: Path) -> Path:
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def add_samples(lobes: Installation, caller: Caller) -> tuple[str, ...]:
    """Copy the sample Spaces into the home and add them with their lobes; answers with their ids.

    A sample that is there already is left as it is.
    """
    source = shipped("sample_spaces")
    settings = tomllib.loads((source / SAMPLE_LOBES).read_text(encoding="utf-8"))
    added: list[str] = []
    for pack in sorted(one for one in source.iterdir() if one.is_dir()):
        target = lobes.folders.spaces / pack.name
        if target.exists():
            continue
        _copy_pack(pack, target)
        added.append(add_space(lobes, caller, target, AddOptions()).id)
    for space in added:
        fields = cast("dict[str, Any]", settings["spaces"].get(space, {}))
        change = _sample_change(fields)
        if not change.is_empty:
            save(lobes, caller, space, change)
    return tuple(added)


def _copy_pack(pack: Path, target: Path) -> None:
    """A copy that is its owner's alone, whatever the modes of the installation are."""
    shutil.copytree(pack, target, copy_function=shutil.copyfile)
    for folder, _, files in os.walk(target):
        os.chmod(folder, 0o700)
        for name in files:
            os.chmod(os.path.join(folder, name), 0o600)


def _sample_change(fields: dict[str, Any]) -> LobeChange:
    return LobeChange(
        is_private=fields.get("is_private"),
        cross_space=fields.get("cross_space"),
        tag=tuple(fields.get("tags", ())),
        subscribe=tuple(
            parse_subscription(f"{one['type']}:{one['id']}")
            for one in fields.get("subscriptions", ())
        ),
    )
