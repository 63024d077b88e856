"""JSON from strangers: a key that stands twice, NaN, endless numbers and bottomless nesting fail,
each with the code that an import shows."""

from __future__ import annotations

import json
import math
from typing import NoReturn

_NUMBER = 40
"""Characters of a number; the longest double is 24."""


class BadJson(ValueError):
    """`reason` is a code of `LEFT_ASIDE`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def loads(text: str) -> object:
    """What the text says, or `BadJson`."""
    try:
        return _DECODER.decode(text)
    except BadJson:
        raise
    except RecursionError as error:
        raise BadJson("nested") from error
    except ValueError as error:
        raise BadJson("bad_json") from error


def as_map(value: object) -> dict[str, object]:
    """The object, or an empty one where something else stands."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise BadJson("duplicate_key")
    return fields


def _integer(text: str) -> int:
    if len(text) > _NUMBER:
        raise BadJson("bad_number")
    return int(text)


def _real(text: str) -> float:
    number = float(text) if len(text) <= _NUMBER else math.inf
    if not math.isfinite(number):
        raise BadJson("bad_number")
    return number


def _constant(name: str) -> NoReturn:
    raise BadJson("bad_number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_int=_integer, parse_float=_real, parse_constant=_constant
)
