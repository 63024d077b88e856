"""The trusted manifest as JSON text in the Space's row."""

from __future__ import annotations

from lobes.domain.packs import SpaceYaml


def dump_space_yaml(manifest: SpaceYaml) -> str:
    """The manifest as one line of canonical JSON."""
    raise NotImplementedError


def parse_space_yaml_json(stored: str) -> SpaceYaml | None:
    """What is stored, as a value; None where there is none or it is broken."""
    raise NotImplementedError
