"""Persons and groups with fixed values, for the pictures and the dialogs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lobes.services.groups import GroupDetail, GroupImpact, GroupView, Member
from lobes.services.people import PersonView
from lobes.tui.outcomes import Outcome
from lobes.tui.people import Act, Everybody

PEOPLE = Everybody(
    (
        PersonView("me", "Robin", True, True, False, ("acme", "core")),
        PersonView("mei", "Mei Tanaka", False, False, False, ("core",)),
        PersonView("sam", "Sam Okafor", False, False, True, ()),
    ),
    (
        GroupView("acme", "organization", "Acme", "", "owner", 2, 0),
        GroupView("core", "team", "Core", "acme", "owner", 2, 1),
    ),
)
ALONE = Everybody(PEOPLE.people[:1], ())
CORE = GroupDetail(
    "core",
    "team",
    "Core",
    "acme",
    "owner",
    2,
    1,
    people=(
        Member("me", "Robin", "owner", "", "2026-01-02T03:04:05+00:00"),
        Member("mei", "Mei Tanaka", "member", "", "2026-01-02T03:04:05+00:00"),
    ),
    in_it=(("prj_notidian", "Notidian"),),
    below=(),
)


@dataclass
class FixedPeople:
    asked: Callable[..., None]
    found: Everybody

    def everybody(self) -> Everybody:
        self.asked("people")
        return self.found

    def group(self, id: str) -> GroupDetail:
        self.asked("group", id)
        return CORE

    def impact(self, id: str) -> GroupImpact:
        self.asked("impact", id)
        return GroupImpact(id, "Core", ("me", "mei"), ("prj_notidian",), ())

    def do(self, act: Act) -> Outcome:
        self.asked("people_act", act.kind, act.group, act.person)
        return Outcome(f"Done: {act.kind}.", lambda: Outcome("Undone."))
