"""A strict reading of YAML, with the place of every value.

Refused: anchors, aliases, tags, merge keys, duplicate keys, directives, several documents, keys
that aren't text, more than 64 KiB, deep nesting. A scalar is text, a whole number, `true`,
`false` or `null`; nothing else is converted, so `no`, `off`, dates and `1e3` stay text and then
fail where another type is wanted. (Plain PyYAML takes the last of two keys, reads `12:30:45` as
45045 and dies of 3,000 brackets.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from lobes.domain.errors import Invalid

MAX_BYTES = 64 * 1024
MAX_DEPTH = 12
MAX_EVENTS = 10_000

Value = str | int | bool | None | list["Value"] | dict[str, "Value"]

_BOM = "\ufeff"
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})", re.ASCII)
_WORDS: dict[str, bool | None] = {
    "true": True,
    "false": False,
    "null": None,
    "~": None,
    "": None,
}
# The C parser where PyYAML was built with it: ten times as fast, with the same marks.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Scalar:
    """`start` and `end` are character offsets in the text, quotes included; lines count from 1."""

    value: str | int | bool | None
    start: int
    end: int
    line: int
    style: str

    @property
    def last(self) -> int:
        return self.end


@dataclass(slots=True)
class ListNode:
    start: int
    line: int
    flow: bool
    end: int = 0
    items: list[Node] = field(default_factory=list["Node"])

    @property
    def last(self) -> int:
        return self.end if self.flow or not self.items else self.items[-1].last


@dataclass(slots=True)
class MapNode:
    """`keys` has the place of each key; `last` is where the content of the node ends."""

    start: int
    line: int
    flow: bool
    end: int = 0
    entries: dict[str, Node] = field(default_factory=dict[str, "Node"])
    keys: dict[str, Scalar] = field(default_factory=dict[str, Scalar])

    @property
    def last(self) -> int:
        if self.flow or not self.entries:
            return self.end
        return next(reversed(self.entries.values())).last


Node = Scalar | ListNode | MapNode


def parse_yaml(text: str) -> MapNode:
    """The mapping that the document is, or `Invalid` (`bad_yaml`) with the line."""
    _check_size(text)
    shift = 1 if text.startswith(_BOM) else 0
    try:
        node = _built(text[shift:], shift)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise refused("this is not valid YAML", mark.line + 1 if mark else 1) from error
    except yaml.YAMLError as error:
        raise refused("this holds characters that YAML doesn't allow", 1) from error
    if not isinstance(node, MapNode):
        raise refused("the file must hold keys and values", 1)
    return node


def plain_value(node: Node) -> Value:
    """The node without its marks."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, ListNode):
        return [plain_value(item) for item in node.items]
    return {key: plain_value(value) for key, value in node.entries.items()}


def refused(why: str, line: int, *, reason: str = "bad_yaml") -> Invalid:
    """The one form of a complaint about a manifest."""
    return Invalid(
        f"Line {line}: {why}.",
        hint="Correct the file in an editor; nothing was changed.",
        reason=reason,
    )


def _check_size(text: str) -> None:
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise refused("this is not valid Unicode", 1) from error
    if size > MAX_BYTES:
        raise refused(f"the file is larger than {MAX_BYTES // 1024} KiB", 1)


def _built(text: str, shift: int) -> Node | None:
    """Built with a stack of its own, so that no nesting can exhaust Python's."""
    open_nodes: list[ListNode | MapNode] = []
    pending: list[Scalar | None] = []
    top: Node | None = None
    for event in _events(text):
        if isinstance(event, yaml.events.CollectionEndEvent):
            node: Node = open_nodes.pop()
            pending.pop()
            node.end = _index(event.end_mark) + shift
            continue
        node = _started(event, shift)
        if not open_nodes:
            top = node
        elif _is_key(open_nodes[-1], pending):
            pending[-1] = _key(open_nodes[-1], node)
            continue
        else:
            _attach(open_nodes[-1], pending, node)
        if not isinstance(node, Scalar):
            if len(open_nodes) == MAX_DEPTH:
                raise refused("this is nested too deeply", node.line)
            open_nodes.append(node)
            pending.append(None)
    return top


def _events(text: str) -> Iterator[Any]:
    """The events that make nodes; everything that isn't plain data is refused here."""
    documents = 0
    for count, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        line = _line(event.start_mark)
        if count > MAX_EVENTS:
            raise refused("the file has too many values", line)
        if isinstance(event, yaml.events.AliasEvent) or getattr(event, "anchor", None):
            raise refused("anchors and aliases (& and *) are not allowed", line)
        if isinstance(event, yaml.events.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise refused("the file holds more than one document", line)
            if event.version or event.tags:
                raise refused("directives (%) are not allowed", line)
        elif isinstance(event, yaml.events.NodeEvent | yaml.events.CollectionEndEvent):
            if getattr(event, "tag", None) is not None:
                raise refused("tags (!) are not allowed", line)
            yield event


def _started(event: Any, shift: int) -> Node:
    start, line = _index(event.start_mark) + shift, _line(event.start_mark)
    if isinstance(event, yaml.events.ScalarEvent):
        value = _typed(event.value) if event.implicit[0] else event.value
        return Scalar(value, start, _index(event.end_mark) + shift, line, event.style or "")
    flow = bool(event.flow_style)
    if isinstance(event, yaml.events.SequenceStartEvent):
        return ListNode(start, line, flow)
    return MapNode(start, line, flow)


def _index(mark: Any) -> int:
    return int(mark.index)


def _line(mark: Any) -> int:
    return int(mark.line) + 1


def _typed(text: str) -> str | int | bool | None:
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if _INTEGER.fullmatch(text) else text


def _is_key(parent: ListNode | MapNode, pending: list[Scalar | None]) -> bool:
    return isinstance(parent, MapNode) and pending[-1] is None


def _key(parent: ListNode | MapNode, node: Node) -> Scalar:
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        raise refused("a key must be text", node.line)
    if node.value == "<<" and not node.style:
        raise refused("merge keys (<<) are not allowed", node.line)
    if isinstance(parent, MapNode) and node.value in parent.entries:
        raise refused("this key is there twice", node.line)
    return node


def _attach(parent: ListNode | MapNode, pending: list[Scalar | None], node: Node) -> None:
    key = pending[-1]
    if isinstance(parent, ListNode):
        parent.items.append(node)
    elif key is not None and isinstance(key.value, str):
        parent.entries[key.value] = node
        parent.keys[key.value] = key
        pending[-1] = None
