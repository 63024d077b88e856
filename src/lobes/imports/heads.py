"""The head of a note as data: a few short texts, whatever YAML it is.

A head that isn't strict YAML (the `globs: *.ts` of a rules file is an alias there) gives the lines
that read `key: value`; a key that stands twice gives none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from lobes.domain.errors import Invalid
from lobes.domain.front_matter import front_matter
from lobes.store.yaml_strict import Value, parse_yaml, plain_value

_FIELD = re.compile(r"([A-Za-z][\w-]{0,40}):[ \t]*(.*)")
_FIELDS = 20
_CHARACTERS = 200
_YEARS = (datetime(1990, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Head:
    """`lines` is how many lines it takes; `fields` keep their order, `metadata.type` for nested."""

    lines: int
    fields: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> str:
        return next((value for key, value in self.fields if key == name), "")


def head_of(text: str) -> Head:
    lines = text.split("\n", 500)[:500]
    count = front_matter(lines)
    if not count:
        return Head(0)
    inner = "\n".join(lines[1 : count - 1])
    try:
        fields = _flat(plain_value(parse_yaml(inner)))
    except Invalid:
        fields = _plain_lines(lines[1 : count - 1])
    return Head(count, tuple(fields[:_FIELDS]))


def _flat(value: Value, name: str = "") -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [
            one
            for key, inner in value.items()
            for one in _flat(inner, f"{name}.{key}" if name else key)
        ]
    if isinstance(value, list):
        value = ", ".join(str(one) for one in value if isinstance(one, str | int))
    if value is None or value == "":
        return []
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return [(name[:_CHARACTERS], " ".join(shown.split())[:_CHARACTERS])]


def _plain_lines(lines: list[str]) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    twice: set[str] = set()
    for line in lines:
        if field := _FIELD.fullmatch(line.rstrip()):
            name, value = field[1], field[2].strip().strip("\"'")
            twice |= {name} & found.keys()
            found[name] = " ".join(value.split())[:_CHARACTERS]
    return [(name, value) for name, value in found.items() if value and name not in twice]


def time_of(value: object) -> datetime | None:
    """A time as tools write it, seconds since 1970 or ISO 8601, in UTC; `None` for anything else.
    Without an offset it is taken as UTC."""
    try:
        if isinstance(value, bool):
            return None
        if isinstance(value, int | float):
            moment = datetime.fromtimestamp(value, UTC)
        elif isinstance(value, str) and 8 <= len(value) <= 40:
            moment = datetime.fromisoformat(value)
            moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return moment if _YEARS[0] <= moment < _YEARS[1] else None
