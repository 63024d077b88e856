"""What was made of texts, kept while the same ones come again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Calls `make` for a text that isn't kept; several threads may ask. Of texts with more than
    `most` characters together those asked for longest ago go."""

    def __init__(self, make: Callable[[str], T], *, most: int) -> None:
        self._make = make
        self._most = most
        self._made: OrderedDict[str, T] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def __call__(self, text: str) -> T:
        with self._lock:
            if text in self._made:
                self._made.move_to_end(text)
                return self._made[text]
        made = self._make(text)
        with self._lock:
            if text not in self._made:
                self._made[text] = made
                self._characters += len(text)
            while self._characters > self._most:
                gone, _ = self._made.popitem(last=False)
                self._characters -= len(gone)
        return made
