"""Actors: who acts. A closed set; fixed when the process starts, never taken from a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from lobes.domain.errors import Invalid
from lobes.domain.ids import Slug, parse_slug

Preset = Literal["reader", "proposer", "editor"]
PRESETS: tuple[Preset, ...] = get_args(Preset)
"""From the smallest to the largest."""

_READER = frozenset({"read_meta", "read_content", "propose"})
_PROPOSER = _READER | {"read_chat", "converse"}
_EDITOR = _PROPOSER | {"add_content", "edit_content"}
_CEILINGS: dict[Preset, frozenset[str]] = {
    "reader": _READER,
    "proposer": _PROPOSER,
    "editor": _EDITOR,
}


def ceiling(preset: Preset) -> frozenset[str]:
    """The verbs that an agent or a job with this preset may hold at most."""
    return _CEILINGS[preset]


def smaller(one: Preset, other: Preset) -> Preset:
    return one if PRESETS.index(one) <= PRESETS.index(other) else other


@dataclass(frozen=True, slots=True)
class Human:
    """A person at the keyboard."""

    person: Slug


@dataclass(frozen=True, slots=True)
class Ai:
    """An agent that works for `speaker`, bound to one Space."""

    speaker: Slug
    preset: Preset
    space: Slug


@dataclass(frozen=True, slots=True)
class Job:
    """Background work that `initiator` set off in one Space."""

    initiator: Slug
    preset: Preset
    space: Slug


Actor = Human | Ai | Job


def person_of(actor: Actor) -> Slug:
    """The person behind the actor."""
    match actor:
        case Human(person):
            return person
        case Ai(speaker, _, _):
            return speaker
        case Job(initiator, _, _):
            return initiator


def is_human(actor: Actor) -> bool:
    return isinstance(actor, Human)


def name_of(actor: Actor) -> str:
    """The actor as the audit writes it: `user:me`, `ai:me/reader@prj_x`, `job:me/editor@prj_x`."""
    match actor:
        case Human(person):
            return f"user:{person}"
        case Ai(speaker, preset, space):
            return f"ai:{speaker}/{preset}@{space}"
        case Job(initiator, preset, space):
            return f"job:{initiator}/{preset}@{space}"


_AI = re.compile(r"ai:([^/@]+)/([a-z]+)@([^/@]+)")


def parse_actor(text: str) -> Human | Ai:
    """`user:ID` or `ai:PERSON/PRESET@SPACE`, or `Invalid`."""
    if text.startswith("user:"):
        return Human(parse_slug(text.removeprefix("user:"), what="person"))
    found = _AI.fullmatch(text)
    if found:
        speaker, preset, space = found.groups()
        for known in PRESETS:
            if preset == known:
                return Ai(parse_slug(speaker, what="person"), known, parse_slug(space))
    raise Invalid(
        "This is no actor.", hint="Write user:ID or ai:PERSON/PRESET@SPACE.", reason="bad_actor"
    )
