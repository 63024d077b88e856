"""Typed fields of a manifest's sections: the right type or `Invalid` with the line, no coercion."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

from lobes.domain.display import one_line
from lobes.domain.errors import Invalid
from lobes.store.yaml_strict import ListNode, MapNode, Node, Scalar, refused

_W = TypeVar("_W", bound=str)
MAX_TEXT = 4_000
MAX_ITEMS = 500


@dataclass(frozen=True, slots=True)
class Section:
    """One mapping of the file; `where` is its dotted place, "" for the top."""

    node: MapNode
    where: str = ""

    def named(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def has(self, key: str) -> bool:
        return key in self.node.entries

    def line(self, key: str) -> int:
        found = self.node.keys.get(key)
        return found.line if found else self.node.line

    def fault(self, key: str, wanted: str) -> Invalid:
        """The complaint that `key` isn't `wanted`."""
        return fault(f"{self.named(key)} must be {wanted}", self.line(key))

    def section(self, key: str) -> Section:
        """The mapping below `key`; an empty one when there is none."""
        node = self.node.entries.get(key, MapNode(0, self.node.line, flow=False))
        if not isinstance(node, MapNode):
            raise self.fault(key, "a section of keys and values")
        return Section(node, self.named(key))

    def text(self, key: str) -> str:
        """The text below `key`; "" when it isn't there (never when it is)."""
        node = self.node.entries.get(key)
        return "" if node is None else self._text(key, node, "text; quote it")

    def texts(self, key: str) -> tuple[str, ...]:
        node = self.node.entries.get(key)
        if node is None:
            return ()
        return tuple(self._text(key, item, "a list of texts") for item in self._items(key, node))

    def sections(self, key: str) -> tuple[Section, ...]:
        """The mappings in the list below `key`."""
        node = self.node.entries.get(key)
        found: list[Section] = []
        for item in () if node is None else self._items(key, node):
            if not isinstance(item, MapNode):
                raise self.fault(key, "a list of sections")
            found.append(Section(item, self.named(key)))
        return tuple(found)

    def word(self, key: str, allowed: Collection[_W], default: _W) -> _W:
        """One of `allowed`, as it is spelled there; `default` when it isn't written."""
        node = self.node.entries.get(key)
        if node is None:
            return default
        for word in allowed:
            if isinstance(node, Scalar) and node.value == word:
                return word
        raise self.fault(key, " or ".join(allowed))

    def unknown(self, known: Collection[str]) -> list[str]:
        """A warning for each key that isn't known, with the one that was probably meant."""
        warnings: list[str] = []
        for key in self.node.entries:
            if key not in known:
                close = get_close_matches(key[:64], known, n=1)
                meant = f" (did you mean {close[0]}?)" if close else ""
                name = one_line(self.named(key), limit=80)
                warnings.append(f"line {self.line(key)}: unknown key {name}{meant}")
        return warnings

    def _items(self, key: str, node: Node) -> list[Node]:
        if not isinstance(node, ListNode) or len(node.items) > MAX_ITEMS:
            raise self.fault(key, f"a list of at most {MAX_ITEMS}")
        return node.items

    def _text(self, key: str, node: Node, wanted: str) -> str:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            raise self.fault(key, wanted)
        if not node.value.strip() or len(node.value) > MAX_TEXT:
            raise self.fault(key, f"a text of 1 to {MAX_TEXT} characters")
        return node.value


def fault(why: str, line: int) -> Invalid:
    """A complaint about what the file says, where its form is right."""
    return refused(why, line, reason="bad_space_yaml")
