"""What an examination finds, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Area = Literal["store", "authz", "files", "index", "memory", "audit", "secrets"]
AREAS: tuple[Area, ...] = ("store", "authz", "files", "index", "memory", "audit")
ONLY_NAMED: tuple[Area, ...] = ("secrets",)
"""Looked at where it is asked for by name: asking a secret store may open a window."""
Level = Literal["note", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`note` explains, `problem` needs somebody. `hint` says what to do."""

    area: Area
    level: Level
    text: str
    hint: str = ""
