"""The trusted manifest as JSON text in the Space's row."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache

from pydantic import TypeAdapter, ValidationError

from lobes.domain.packs import SpaceYaml

NOTHING = "{}"
"""What is stored while no manifest is trusted."""


def dump_space_yaml(manifest: SpaceYaml) -> str:
    """The manifest as one line of JSON, the same for equal manifests."""
    return json.dumps(asdict(manifest), ensure_ascii=False, sort_keys=True)


def parse_space_yaml_json(stored: str) -> SpaceYaml | None:
    """What is stored, as a value; None where there is none, or where it can't be taken to the
    letter (`is_broken` tells them apart)."""
    try:
        return _reader().validate_json(stored, strict=True)
    except ValidationError:
        return None


def is_broken(stored: str) -> bool:
    """Whether there is something, and nobody can read it."""
    return stored != NOTHING and parse_space_yaml_json(stored) is None


@cache
def _reader() -> TypeAdapter[SpaceYaml]:
    return TypeAdapter(SpaceYaml)
