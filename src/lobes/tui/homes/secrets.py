"""Secrets that are masked everywhere, shown to the owner of their document alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobes.tui.homes.part import HomePart

if TYPE_CHECKING:
    from collections.abc import Mapping


class SecretHome(HomePart):
    """The part for the evidence of Search."""

    def clear_lines(self, document: str) -> Mapping[int, str]:
        """Line → its text, for the lines of the file that hold secrets; kept in the record."""
        from lobes.access.facts import Resource
        from lobes.services.sensitivity import clear_lines

        found = clear_lines(*self._home, Resource("document", document))
        return {one.line: one.text for one in found}
