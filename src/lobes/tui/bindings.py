"""Textual's form of the keys: made from the registry for each screen, never written by hand."""

from __future__ import annotations

from textual.binding import Binding, BindingsMap

from lobes.keys.actions import Page, call, here


def page_bindings(page: Page) -> BindingsMap:
    """The keys of a screen and the global ones."""
    return BindingsMap(
        Binding(",".join(a.keys), call(a), a.title, show=False, id=a.id) for a in here(page)
    )
