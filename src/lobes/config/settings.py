"""Settings: TOML in the configuration folder, each with a default, a type and one sentence.

A wrong setting never stops a start: it becomes a warning and the default stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lobes.config.folders import Folders


@dataclass(frozen=True, slots=True)
class Settings:
    theme: str = "lobes-night"
    glyphs: str = "auto"
    animation: bool = True
    search_results: int = 10
    engine_idle_minutes: int = 10
    rescan_seconds: int = 120


@dataclass(frozen=True, slots=True)
class Field:
    """One setting as `config show` and the documentation tell it."""

    name: str
    type: str
    default: str | int | bool
    doc: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings that hold, and what was wrong in the file or the environment."""

    settings: Settings
    warnings: tuple[str, ...]


def load_settings(folders: Folders, environ: Mapping[str, str]) -> Loaded:
    raise NotImplementedError


def describe() -> list[Field]:
    raise NotImplementedError


def json_schema() -> dict[str, Any]:
    raise NotImplementedError
