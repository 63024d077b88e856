"""What the parts of the port share: the open home, and the names of its Spaces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lobes.services.installation import Caller, Installation


class HomePart(ABC):
    """A part; the whole supplies these."""

    @property
    @abstractmethod
    def _home(self) -> tuple[Installation, Caller]: ...

    @abstractmethod
    def _names(self) -> dict[str, str]: ...

    @abstractmethod
    def _all(self) -> tuple[dict[str, str], dict[str, str]]: ...

    @abstractmethod
    def _or_in_trash(self, space: str) -> AbstractContextManager[None]: ...
