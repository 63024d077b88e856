"""The trusted manifest as JSON text in the Space's row, read back to the letter.

Read by the annotations of `SpaceYaml`, without pydantic: it is on the way to a first list.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from lobes.domain.packs import SpaceYaml
from lobes.domain.strict_json import loads_strict

NOTHING = "{}"
"""What is stored while no manifest is trusted."""

_PLAIN = (str, int, bool, NoneType)


def dump_space_yaml(manifest: SpaceYaml) -> str:
    """The manifest as one line of JSON, the same for equal manifests."""
    return json.dumps(asdict(manifest), ensure_ascii=False, sort_keys=True)


def parse_space_yaml_json(stored: str) -> SpaceYaml | None:
    """What is stored, as a value; None where there is none, or where it can't be taken to the
    letter (`is_broken` tells them apart)."""
    try:
        return _typed(SpaceYaml, loads_strict(stored))
    except (ValueError, TypeError):
        return None


def is_broken(stored: str) -> bool:
    """Whether there is something, and nobody can read it."""
    return stored != NOTHING and parse_space_yaml_json(stored) is None


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _typed(kind: Any, data: object) -> Any:
    """`data` as this type, or `ValueError`; `TypeError` where a field is missing."""
    origin, choices = get_origin(kind), get_args(kind)
    if kind in _PLAIN and type(data) is kind:
        return data
    if origin is Literal and isinstance(data, str) and data in choices:
        return data
    if origin is tuple and isinstance(data, list):
        return tuple(_typed(choices[0], item) for item in cast("list[object]", data))
    if origin in (Union, UnionType):
        return _first_that_fits(choices, data)
    if isinstance(data, dict):
        fields = cast("dict[str, object]", data)
        if origin is Mapping:
            return {key: _typed(choices[1], value) for key, value in fields.items()}
        if is_dataclass(kind):
            hints = _hints(cast("type", kind))
            if not set(fields) - set(hints):
                return cast("Any", kind)(
                    **{name: _typed(hints[name], fields[name]) for name in fields}
                )
    raise ValueError("not of this type")


def _first_that_fits(choices: tuple[Any, ...], data: object) -> Any:
    for choice in choices:
        try:
            return _typed(choice, data)
        except ValueError:
            continue
    raise ValueError("none of these types")
