"""The strict input layer: what a tool takes, as a JSON Schema and as the check itself.

An unknown field is an error, nothing is turned into another type, every length has an end, ids must
parse. What is said about a wrong input names a field of ours, never what was sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from lobes.domain.errors import Invalid
from lobes.domain.ids import is_ulid
from lobes.domain.texts import is_utf8

Value = str | int | float | bool | tuple[str, ...]
Arguments = Mapping[str, Value]

_ULID = "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"


@dataclass(frozen=True, slots=True)
class Text:
    """A string of `least` to `most` characters; `choices` are the only ones where there are any."""

    most: int
    least: int = 1
    choices: tuple[str, ...] = ()
    form: Literal["free", "id"] = "free"

    def schema(self) -> dict[str, Any]:
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        if self.form == "id":
            return {"type": "string", "pattern": _ULID}
        return {"type": "string", "minLength": self.least, "maxLength": self.most}

    def taken(self, value: object) -> str | None:
        if not isinstance(value, str) or not self.least <= len(value) <= self.most:
            return None
        if not is_utf8(value):
            return None
        if (self.choices and value not in self.choices) or (
            self.form == "id" and not is_ulid(value)
        ):
            return None
        return value if self.least == 0 or value.strip() else None


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number; `true` is none."""

    least: int
    most: int

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}

    def taken(self, value: object) -> int | None:
        if type(value) is not int or not self.least <= value <= self.most:
            return None
        return value


@dataclass(frozen=True, slots=True)
class Share:
    """A number from 0 to 1."""

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": 0, "maximum": 1}

    def taken(self, value: object) -> float | None:
        if type(value) not in (int, float):
            return None
        number = cast("float", value)
        # Compared before it is one of ours: a whole number may be longer than any float.
        return float(number) if 0 <= number <= 1 else None


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false; 1 is neither."""

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def taken(self, value: object) -> bool | None:
        return value if isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class Texts:
    """A list of strings, none twice."""

    item: Text
    most: int

    def schema(self) -> dict[str, Any]:
        items = self.item.schema()
        return {"type": "array", "items": items, "maxItems": self.most, "uniqueItems": True}

    def taken(self, value: object) -> tuple[str, ...] | None:
        if not isinstance(value, list):
            return None
        items = cast("list[object]", value)
        if len(items) > self.most:
            return None
        found = [self.item.taken(one) for one in items]
        kept = tuple(one for one in found if one is not None)
        return kept if len(kept) == len(found) == len(set(kept)) else None


Kind = Text | Number | Share | Flag | Texts


@dataclass(frozen=True, slots=True)
class Field:
    """One argument of a tool; `about` is what the agent reads of it."""

    name: str
    kind: Kind
    about: str
    is_required: bool = False


def schema_of(fields: Sequence[Field]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {one.name: {**one.kind.schema(), "description": one.about} for one in fields},
        "required": [one.name for one in fields if one.is_required],
        "additionalProperties": False,
    }


def taken(fields: Sequence[Field], given: Mapping[str, object]) -> Arguments:
    """The arguments as they may be used, or `Invalid` (`unknown_field`, `missing_field`,
    `bad_field`)."""
    known = {one.name: one for one in fields}
    if given.keys() - known.keys():
        raise Invalid("It was called with a field that it doesn't have.", reason="unknown_field")
    found: dict[str, Value] = {}
    for one in fields:
        if one.name not in given:
            if one.is_required:
                raise Invalid(f"The field {one.name} is missing.", reason="missing_field")
            continue
        value = one.kind.taken(given[one.name])
        if value is None:
            hint = "Its form and its limits are in the tool's schema."
            raise Invalid(f"The field {one.name} can't be taken.", hint=hint, reason="bad_field")
        found[one.name] = value
    return found
