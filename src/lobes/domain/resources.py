"""What a verb is asked on, and its address: parsed to the letter, here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from lobes.domain.errors import Invalid
from lobes.domain.ids import is_slug, is_ulid

ResourceKind = Literal[
    "space", "document", "memory", "session", "run", "lesson", "share", "group", "person", "home"
]


@dataclass(frozen=True, slots=True)
class Resource:
    """What a verb is asked on: `space/ID`, `document/ULID`, `home`, …"""

    kind: ResourceKind
    id: str = ""

    def __str__(self) -> str:
        return f"{self.kind}/{self.id}" if self.id else self.kind


def resources(kind: ResourceKind, ids: Iterable[str]) -> list[Resource]:
    """Those of one kind, by their ids."""
    return [Resource(kind, id) for id in ids]


_SLUGS: dict[str, ResourceKind] = {"space": "space", "group": "group", "person": "person"}
_ULIDS: dict[str, ResourceKind] = {
    "doc": "document",
    "memory": "memory",
    "session": "session",
    "run": "run",
    "lesson": "lesson",
    "share": "share",
}


def parse_resource(text: str) -> Resource:
    """The resource that a person names: `space/ID`, `doc/ULID`, …, `home`; or `Invalid`."""
    word, slash, name = text.partition("/")
    if word in _SLUGS and is_slug(name):
        return Resource(_SLUGS[word], name)
    if word in _ULIDS and is_ulid(name):
        return Resource(_ULIDS[word], name)
    if text == "home" and not slash:
        return Resource("home")
    raise Invalid(
        "This is no address of a thing.",
        hint="Write space/ID, doc/ULID, memory/ULID, session/ULID, group/ID, person/ID or home.",
        reason="bad_resource",
    )


def resource_address(resource: Resource) -> str:
    """As a person writes it: what `parse_resource` reads back."""
    return str(resource).replace("document/", "doc/", 1)
