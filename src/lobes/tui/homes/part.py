"""What the parts of the port share: the open home, and the names of its Spaces."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lobes.services.installation import Caller, Installation


class HomePart:
    """A part; the whole supplies these."""

    @property
    def _home(self) -> tuple[Installation, Caller]:
        raise NotImplementedError

    def _names(self) -> dict[str, str]:
        raise NotImplementedError

    def _all(self) -> tuple[dict[str, str], dict[str, str]]:
        raise NotImplementedError

    def _or_in_trash(self, space: str) -> AbstractContextManager[None]:
        raise NotImplementedError
