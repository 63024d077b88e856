"""Textual's form of the keys: made from the registry and the keymap, never written by hand.

Textual's own keymap lets an unknown id and a clash pass in silence, so it is not used.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.binding import Binding, BindingsMap

from lobes.keys.actions import Action, Overlay, Page, call, here, of_screen
from lobes.keys.keymap import SHIPPED, Keymap


def page_bindings(page: Page, keymap: Keymap) -> BindingsMap:
    """The keys of a screen and the global ones."""
    return _bindings(here(page), keymap)


def overlay_bindings(overlay: Overlay) -> BindingsMap:
    """The keys of what lies over a screen; they are the same for everybody."""
    return _bindings(of_screen(overlay), SHIPPED)


def app_bindings(keymap: Keymap) -> BindingsMap:
    """The ways out, also while a field has the focus or a dialog is open."""
    quits = [Binding(key, "quit", show=False, priority=True) for key in keymap.of("quit")]
    return BindingsMap([*quits, Binding("ctrl+c", "help_quit", show=False, system=True)])


def _bindings(actions: Iterable[Action], keymap: Keymap) -> BindingsMap:
    found = BindingsMap()
    for action in actions:
        for key in keymap.of(action.id):
            # One by one: a list of keys in one text is parted at commas, and a comma is a key.
            name = "comma" if key == "," else key
            for one in Binding.make_bindings([Binding(name, call(action), id=action.id)]):
                found.key_to_bindings.setdefault(one.key, []).append(one)
    return found


def typed(event: events.Key) -> str:
    """The key as the registry spells it."""
    if event.is_printable and event.character not in (None, " "):
        return str(event.character)
    return event.key


def asked(overlay: Overlay, event: events.Key) -> str:
    """What a key does in what lies over a screen: the action without its prefix, or ""."""
    key = typed(event)
    for action in of_screen(overlay):
        if key in action.keys:
            return action.id.removeprefix(f"{overlay}_")
    return ""
