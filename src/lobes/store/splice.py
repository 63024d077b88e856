"""One value of a YAML file is changed by its place; every other byte stays.

Comments, order, line ends and the byte order mark are the person's. The result is parsed again,
and unless it differs from the file in that one value alone, nothing is written.
"""

from __future__ import annotations

import json
import re
from typing import cast

from lobes.domain.display import is_hidden
from lobes.domain.errors import Invalid
from lobes.store.yaml_strict import MapNode, Node, Scalar, Value, parse_yaml, plain_value

ScalarValue = str | int | bool | None

_PLAIN = re.compile(r"[A-Za-z_](?:[\w ./+-]*[\w./+-])?")
# Words that other readers of YAML take for something else than text.
_OTHER_MEANING = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def splice(text: str, path: tuple[str, ...], value: ScalarValue) -> str:
    """`text` with the scalar at `path` set to `value`; missing sections are added.

    `Invalid` (`bad_yaml` for a file that isn't sound, else `not_spliced`) leaves nothing changed.
    """
    before = parse_yaml(text)
    parent, depth = _deepest(before, path)
    rest = path[depth:]
    if not rest:
        raise _not_spliced("no key was named")
    current = parent.entries.get(rest[0])
    if current is None:
        result = _inserted(text, parent, rest, value)
    elif len(rest) == 1 and isinstance(current, Scalar):
        result = _replaced(text, current, value)
    else:
        raise _not_spliced("a whole section can't be replaced by one value")
    _check(before, result, path, value)
    return result


def written(value: ScalarValue, *, style: str = "") -> str:
    """The value as YAML: plain where no reader could take it for anything else, else quoted."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    shown = not any(is_hidden(char) for char in value)
    if style == "'" and shown and "'" not in value:
        return f"'{value}'"
    if style != '"' and shown and _PLAIN.fullmatch(value) and value.lower() not in _OTHER_MEANING:
        return value
    return _quoted(value)


def _quoted(value: str) -> str:
    """JSON's form is YAML's too; what can't be seen is escaped as well."""
    return "".join(_escaped(char) for char in json.dumps(value, ensure_ascii=False))


def _escaped(char: str) -> str:
    if not is_hidden(char):
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def _deepest(top: MapNode, path: tuple[str, ...]) -> tuple[MapNode, int]:
    """The last section on the way that is there, and how many keys lead to it."""
    node, depth = top, 0
    for key in path[:-1]:
        below = node.entries.get(key)
        if not isinstance(below, MapNode):
            break
        node, depth = below, depth + 1
    return node, depth


def _replaced(text: str, old: Scalar, value: ScalarValue) -> str:
    new = written(value, style=old.style)
    # A block of text ends behind its blank lines, which are not part of the value's place.
    end = old.start + len(text[old.start : old.end].rstrip())
    if end == old.start:
        new = f" {new}"
    return text[: old.start] + new + text[end:]


def _inserted(text: str, parent: MapNode, keys: tuple[str, ...], value: ScalarValue) -> str:
    if parent.flow:
        return _into_braces(text, parent, keys, value)
    first = next(iter(parent.keys.values()))
    indent = _indent(text, first.start)
    ending = "\r\n" if "\r\n" in text else "\n"
    at = _after(text, parent)
    lead = "" if at == 0 or text[at - 1] == "\n" else ending
    lines = [f"{indent}{'  ' * depth}{written(key)}:" for depth, key in enumerate(keys)]
    return text[:at] + lead + ending.join(lines) + f" {written(value)}{ending}" + text[at:]


def _after(text: str, parent: MapNode) -> int:
    """The start of the line below the section's last content."""
    content = text[: parent.last].rstrip()
    line_end = text.find("\n", len(content))
    return len(text) if line_end < 0 else line_end + 1


def _indent(text: str, key_start: int) -> str:
    line_start = text.rfind("\n", 0, key_start) + 1
    indent = text[line_start:key_start].removeprefix("\ufeff")
    if indent.strip():
        raise _not_spliced("the section starts in the middle of a line")
    return indent


def _into_braces(text: str, parent: MapNode, keys: tuple[str, ...], value: ScalarValue) -> str:
    inner = written(value)
    for key in reversed(keys[1:]):
        inner = f"{{{written(key)}: {inner}}}"
    entry = f"{written(keys[0])}: {inner}"
    if not parent.entries:
        return text[: parent.start + 1] + entry + text[parent.end - 1 :]
    at = next(reversed(parent.entries.values())).last
    return f"{text[:at]}, {entry}{text[at:]}"


def _check(before: MapNode, result: str, path: tuple[str, ...], value: ScalarValue) -> None:
    try:
        after = plain_value(parse_yaml(result))
    except Invalid as error:
        raise _not_spliced("the file is written in a way that Lobes can't edit") from error
    if _typed(after) != _typed(_with(before, path, value)):
        raise _not_spliced("the change would have touched more than one value")


def _with(before: Node, path: tuple[str, ...], value: ScalarValue) -> Value:
    expected = plain_value(before)
    here = cast("dict[str, Value]", expected)
    for key in path[:-1]:
        here = cast("dict[str, Value]", here.setdefault(key, {}))
    here[path[-1]] = value
    return expected


def _typed(value: Value) -> str:
    # JSON keeps order and tells 1 from true, which comparing the values would not.
    return json.dumps(value)


def _not_spliced(why: str) -> Invalid:
    return Invalid(
        f"The value was not changed: {why}.",
        hint="Change it in an editor; nothing was written.",
        reason="not_spliced",
    )
