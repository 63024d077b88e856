"""JSON to the letter: a key that stands twice, NaN and bottomless nesting are errors."""

from __future__ import annotations

import json
from typing import NoReturn


def loads_strict(text: str) -> object:
    """What the text says, or `ValueError`."""
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a key stands twice")
    return fields


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_twins, parse_constant=_no_constant)
