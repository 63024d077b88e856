"""Secrets that are masked everywhere, shown to the owner of what they stand in alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobes.tui.homes.part import HomePart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lobes.domain.resources import Resource


class SecretHome(HomePart):
    """The part for the evidence of Search and of Review."""

    def clear_lines(self, resource: Resource) -> Mapping[int, str]:
        """Line → its text, for the lines of a document or a memory that hold secrets; kept in the
        record."""
        from lobes.services import memory_sensitivity, sensitivity

        kept = memory_sensitivity if resource.kind == "memory" else sensitivity
        return {one.line: one.text for one in kept.clear_lines(*self._home, resource)}
