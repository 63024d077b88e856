"""People & groups as its screen asks for them: one look at all, one group, and acts with undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol

from lobes.tui.outcomes import Outcome

if TYPE_CHECKING:
    from lobes.domain.groups import GroupKind, Role
    from lobes.services.groups import GroupDetail, GroupImpact, GroupView
    from lobes.services.installation import Caller, Installation
    from lobes.services.people import PersonView

Kind = Literal["add_person", "add_group", "join", "leave", "remove", "restore"]


@dataclass(frozen=True, slots=True)
class Act:
    """What is to be done. `name` is what was typed: of a new person or group, from which the id
    comes; `parent` the wider group of a new one."""

    kind: Kind
    group: str = ""
    person: str = ""
    role: Role = "member"
    name: str = ""
    group_kind: GroupKind = "team"
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Everybody:
    """All persons and groups that the person may know of."""

    people: tuple[PersonView, ...]
    groups: tuple[GroupView, ...]


class PeopleSource(Protocol):
    def everybody(self) -> Everybody: ...
    def group(self, id: str) -> GroupDetail: ...
    def impact(self, id: str) -> GroupImpact: ...
    def do(self, act: Act) -> Outcome: ...


class People:
    """`PeopleSource` over an open home."""

    def __init__(self, lobes: Installation, caller: Caller) -> None:
        self._home = lobes, caller

    def everybody(self) -> Everybody:
        from lobes.services.groups import list_groups
        from lobes.services.people import list_people

        return Everybody(list_people(*self._home), list_groups(*self._home))

    def group(self, id: str) -> GroupDetail:
        from lobes.services.groups import show_group

        return show_group(*self._home, id)

    def impact(self, id: str) -> GroupImpact:
        from lobes.services.groups import group_impact

        return group_impact(*self._home, id)

    def do(self, act: Act) -> Outcome:
        """Each undoes with the opposite act; a person who is known stays so."""
        acts: dict[Kind, Callable[[Act], Outcome]] = {
            "add_person": self._add_person,
            "add_group": self._add_group,
            "join": self._join,
            "leave": self._leave,
            "remove": self._remove,
            "restore": self._restore,
        }
        return acts[act.kind](act)

    def _undo(self, act: Act) -> Callable[[], Outcome]:
        return partial(self.do, act)

    def _add_person(self, act: Act) -> Outcome:
        from lobes.services.homes import slug_of
        from lobes.services.people import add_person

        added = add_person(*self._home, slug_of(act.name), name=act.name)
        return Outcome(f"{added.name} is known here, as {added.id}.")

    def _add_group(self, act: Act) -> Outcome:
        from lobes.services.group_changes import NewGroup, add_group
        from lobes.services.homes import slug_of

        wanted = NewGroup(slug_of(act.name), act.group_kind, act.name, act.parent)
        made = add_group(*self._home, wanted)
        return Outcome(
            f"Made {made.kind} {made.name}.", self._undo(Act("remove", made.id, name=made.name))
        )

    def _join(self, act: Act) -> Outcome:
        from lobes.services.group_changes import join_group

        before = self._role(act)
        joined = join_group(*self._home, act.group, act.person, role=act.role)
        words = "an owner" if act.role == "owner" else "a member"
        undo = Act("leave", act.group, act.person) if before is None else replace(act, role=before)
        return Outcome(f"{joined.name} is {words} of {joined.group} now.", self._undo(undo))

    def _leave(self, act: Act) -> Outcome:
        from lobes.services.group_changes import leave_group

        before = self._role(act)
        gone = leave_group(*self._home, act.group, act.person)
        back = Act("join", act.group, act.person, before or "member")
        # Whoever leaves by themself can't take themself in again.
        undo = None if self._is_gone(act.group) else self._undo(back)
        return Outcome(f"{gone.name} is out of {gone.group}.", undo)

    def _role(self, act: Act) -> Role | None:
        members = self.group(act.group).people
        return next((one.role for one in members if one.since and one.person == act.person), None)

    def _is_gone(self, group: str) -> bool:
        roles = {one.id: one.role for one in self.everybody().groups}
        return roles.get(group) != "owner"

    def _remove(self, act: Act) -> Outcome:
        from lobes.services.group_changes import remove_group

        removed = remove_group(*self._home, act.group)
        back = self._undo(Act("restore", act.group))
        return Outcome(f"Removed {removed.name}.", back, hint="brings it back")

    def _restore(self, act: Act) -> Outcome:
        from lobes.services.group_changes import restore_group

        back = restore_group(*self._home, act.group)
        return Outcome(f"{back.name} is back.", self._undo(Act("remove", act.group)))
