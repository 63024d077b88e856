"""Secrets that are masked everywhere, shown to the owner of what they stand in alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobes.tui.homes.part import HomePart

if TYPE_CHECKING:
    from collections.abc import Mapping


class SecretHome(HomePart):
    """The part for the evidence of Search and of Review."""

    def clear_lines(self, document: str, *, is_memory: bool = False) -> Mapping[int, str]:
        """Line → its text, for the lines that hold secrets; kept in the record."""
        from lobes.access.facts import Resource
        from lobes.services import memory_sensitivity, sensitivity

        if is_memory:
            found = memory_sensitivity.clear_lines(*self._home, Resource("memory", document))
        else:
            found = sensitivity.clear_lines(*self._home, Resource("document", document))
        return {one.line: one.text for one in found}
