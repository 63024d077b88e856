"""From what the services say of permissions to what Lobe shows. Words and shapes only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lobes.domain.actors import PRESETS, person_of
from lobes.domain.permissions import OWNER_ONLY, Permission
from lobes.domain.verbs import VERBS
from lobes.tui.access import EVERYBODY, Access, Named, Placing, rights
from lobes.tui.values import Change, Effect, LobeView

if TYPE_CHECKING:
    from lobes.domain.lobes import LobeConfig
    from lobes.services.installation import Caller, Installation
    from lobes.services.offers import Somebody
    from lobes.services.permissions import PermissionEffect, PermissionView
    from lobes.services.space_groups import Placed


def access(view: PermissionView, offered: Sequence[Somebody], caller: Caller) -> Access:
    """Who may be named, who is, and which entries are void."""
    names = {one.subject: Named(one.subject, one.name, one.kind) for one in offered}
    named = [
        names.get(one.subject)
        or (
            EVERYBODY
            if one.subject == "all"
            else Named(one.subject, one.subject.partition(":")[2], "", one.trouble)
        )
        for one in view.people
    ]
    owner = f"user:{view.owner}"
    known = {one.subject: one for one in (*named, *names.values(), EVERYBODY)}
    group = f"group:{view.group}" if view.group else ""
    return Access(
        permission=view.permission or OWNER_ONLY,
        version=view.version,
        owner=owner,
        is_own=view.owner == person_of(caller.actor),
        group=view.group or "",
        group_name=names[group].name if group in names else view.group or "",
        known=tuple(known.values()),
        groups=tuple(one for one in names.values() if one.subject.startswith("group:")),
    )


def with_people(
    effect: Effect,
    view: LobeView,
    config: LobeConfig,
    permission: Permission | None,
    found: PermissionEffect | None,
) -> Effect:
    """The effect with the persons and the agents who gain or lose by it."""
    more = [
        *_agents(view.config, config),
        *_categories(view, config),
        *_remembering(view.config, config),
    ]
    notes: list[str] = []
    if found is not None and permission is not None and view.access is not None:
        for turn in found.turns:
            name = view.access.named(f"user:{turn.person}").name
            more += _turn(name, turn.gained, turn.lost)
        notes = [*_notes(view.access, permission, found)]
    is_whole = effect.is_whole and (found is None or found.is_whole)
    changes = (*effect.changes, *more)
    return replace(effect, changes=changes, notes=tuple(notes), is_whole=is_whole)


def _turn(name: str, gained: Sequence[str], lost: Sequence[str]) -> Iterator[Change]:
    """All of it: nobody agrees to a right that is left out."""
    if gained:
        yield Change("gain", name, f"now {rights(gained, shown=len(VERBS))}", "person")
    if lost:
        yield Change("loss", name, f"no longer {rights(lost, shown=len(VERBS))}", "person")


def _agents(old: LobeConfig, new: LobeConfig) -> Iterator[Change]:
    was, now = PRESETS.index(old.agent_preset), PRESETS.index(new.agent_preset)
    if was != now:
        kind = "gain" if now > was else "loss"
        yield Change(kind, "Agents", f"now work as {new.agent_preset} at most", "agents")
    if new.agents_see_confidential and not old.agents_see_confidential:
        yield Change("gain", "Agents", "now see what is confidential", "agents")
    elif old.agents_see_confidential and not new.agents_see_confidential:
        yield Change("loss", "Agents", "no longer see what is confidential", "agents")


def _categories(view: LobeView, new: LobeConfig) -> Iterator[Change]:
    """What of the personal lobe comes into the Space, and to its agents, or stays out of it."""
    old, most = view.config, "all but the sensitive ones"
    gained = [one for one in new.inherit_categories or () if not old.inherits(one)]
    lost = [one for one in old.inherit_categories or () if not new.inherits(one)]
    if new.inherit_categories is None and old.inherit_categories is not None:
        gained = [most]
    if old.inherit_categories is None and new.inherit_categories is not None:
        lost = [most]
    if gained:
        yield Change("gain", view.name, f"now inherits {', '.join(gained)}", "agents")
    if lost:
        yield Change("loss", view.name, f"no longer inherits {', '.join(lost)}", "agents")


def _remembering(old: LobeConfig, new: LobeConfig) -> Iterator[Change]:
    """What waits for a person from now on, and what doesn't any more."""
    was, now = old.write_policy, new.write_policy
    if now == "none" and was != "none":
        yield Change("gain", "Agents", "now have plain proposals accepted by the policy", "agents")
    elif was == "none" and now != "none":
        text = "no longer have any proposal accepted by the policy"
        yield Change("loss", "Agents", text, "agents")
    if (was == "all") != (now == "all"):
        text = "now waits in Review too" if now == "all" else "no longer waits: it is used at once"
        yield Change("other", "What you type", text, "agents")
    if new.hold_external_changes and not old.hold_external_changes:
        yield Change("other", "What changes outside", "now waits in Review", "agents")
    elif old.hold_external_changes and not new.hold_external_changes:
        text = "no longer waits: all of it is read as it is"
        yield Change("other", "What changes outside", text, "agents")


def _notes(access: Access, permission: Permission, found: PermissionEffect) -> Iterator[str]:
    """What a person who names somebody, or takes them out, would want to be told."""
    old = access.permission
    before, after = ({one.subject for one in v.people} for v in (found.before, found.after))
    concerned = {turn.person for turn in found.turns}
    if not old.sound:
        yield "What couldn't be read is replaced whole, with no one named."
    if permission.visibility == "private" and after:
        yield "Whoever is named stays outside while only its owner sees it."
    for subject in sorted(after - before):
        one = access.named(subject)
        if one.kind == "person" and subject.partition(":")[2] not in concerned:
            yield f"{one.name} gains nothing by it: {already(access, permission)}"
    if permission.visibility == "private":
        return
    for subject in sorted(before - after):
        one = access.named(subject)
        is_told = one.trouble or one.kind != "person" or subject.partition(":")[2] in concerned
        if not is_told:
            yield f"{one.name} loses nothing by it: another entry or the group gives the same."


def already(access: Access, permission: Permission) -> str:
    """What who is named has without it."""
    if permission.visibility == "public" and access.group_name:
        return f"everyone in {access.group_name} may read and change it already."
    if permission.visibility == "private":
        return "only its owner sees it."
    return "another entry gives the same."


def placing(lobes: Installation, caller: Caller, placed: Placed) -> Placing:
    """With names in the place of ids."""
    from lobes.services.offers import offered_subjects

    names = {one.subject: one.name for one in offered_subjects(lobes, caller)}

    def called(people: Sequence[str]) -> tuple[str, ...]:
        return tuple(names.get(f"user:{one}", one) for one in people)

    group, before = (names.get(f"group:{one}", one) for one in (placed.group, placed.before))
    return Placing(placed.group, group, before, called(placed.gains), called(placed.loses))
