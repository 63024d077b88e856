"""Settings from the list of commands: chosen or typed, kept in the file, in force at once where
that is possible. The file keeps its comments."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from lobes.config.settings import Field, Value, describe
from lobes.tui import themes
from lobes.tui.glyphs import as_choice, choose
from lobes.tui.widgets.picker import Choice, Picker

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp

SWITCH = {"true": "on", "false": "off"}
AT_ONCE = frozenset({"theme", "glyphs", "animation", "private_names"})
"""Settings whose effect is seen at once; the others hold from the next start."""


def choose_preference(app: LobesApp, name: str) -> None:
    """Ask for the value of this setting, with the present one marked."""
    field = next(one for one in describe() if one.name == name)
    app.jobs.start("preferences", partial(_read, app, field), partial(_ask, app, field))


def _read(app: LobesApp, field: Field) -> tuple[Mapping[str, Value], Sequence[str]]:
    """The values that hold, and those to choose from; in a thread."""
    return app.source.preferences(), _values(app, field)


def _ask(app: LobesApp, field: Field, found: tuple[Mapping[str, Value], Sequence[str]]) -> None:
    held, values = found
    now = app.theme if field.name == "theme" else _written(held.get(field.name, field.default))
    title = f"Set {field.name.replace('_', ' ')}"
    answered = partial(_chosen, app, field)
    if values:
        choices = [Choice(one, SWITCH.get(one, one), "now" if one == now else "") for one in values]
        app.push_screen(Picker(title, choices, look=app.look), answered)
        return
    from lobes.tui.widgets.dialog import Button, words
    from lobes.tui.widgets.prompt import Prompt

    buttons = [Button("", "Keep it"), Button("set", "Set it")]
    about = f"{field.doc} At least {field.least}; {field.default} where nothing is set."
    prompt = Prompt(title, words(about), buttons, look=app.look, value=now)
    app.push_screen(prompt, answered)


def _values(app: LobesApp, field: Field) -> Sequence[str]:
    if field.name == "theme":
        return themes.names(app.themes_folder)
    return field.values or (("true", "false") if field.type == "bool" else ())


def _written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _chosen(app: LobesApp, field: Field, value: str | None) -> None:
    if not value:
        return
    if field.name == "theme":
        app.use_theme(value)
        return
    work = partial(app.source.set_preference, field.name, value)
    app.jobs.start("preferences", work, lambda _: _kept(app, field, value))


def _kept(app: LobesApp, field: Field, value: str) -> None:
    """In force, and said. What the environment says goes before the file at the next start."""
    if field.name == "glyphs":
        app.use_glyphs(choose(as_choice(value), os.environ))
    elif field.name == "animation":
        app.animation_level = "full" if value == "true" else "none"
    elif field.name == "private_names":
        app.hide_names() if value == "hidden" else app.show_names()
    later = "" if field.name in AT_ONCE else ", from the next start"
    variable = f"LOBES_{field.name.upper()}"
    over = f"; here {variable} goes before it" if variable in os.environ else ""
    app.say(f"{field.name.replace('_', ' ').capitalize()}: {SWITCH.get(value, value)}{later}{over}")
