"""Who sees the Space of Lobe: persons and groups named, their rights, the group it is in, agents.

All of it is a draft until it is saved, but for the group: that act says whom it opens the Space to
in a dialog of its own, and `z` undoes it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from lobes.domain.actors import PRESETS
from lobes.domain.display import one_line
from lobes.domain.permissions import VISIBILITIES, Permission
from lobes.domain.roles import ROLES
from lobes.tui.access import Access, Named, Placing, held, holding, in_role, seen_by, subjects
from lobes.tui.outcomes import Outcome
from lobes.tui.screens.lobe_form import LobeForm
from lobes.tui.views import lobe_people as view
from lobes.tui.widgets.dialog import Button, Dialog, words
from lobes.tui.widgets.picker import Choice, Picker

_NO_GROUP = "-"
_TAKEN = "take"


class LobePeople(LobeForm):
    """The keys of the lowest part of the form."""

    def _asked(self) -> tuple[Access, Permission] | None:
        """What is stored and what is wanted, or a word on whose it is to decide."""
        if self.draft is None:
            return None
        access, permission = self.draft.view.access, self.draft.permission
        if access is None or permission is None:
            self.say("Who sees it is for its owner to say.", "warning")
            return None
        return access, permission

    def _editable(self) -> tuple[Access, Permission] | None:
        asked = self._asked()
        if asked and not asked[1].sound:
            self.say("Its permission can't be read. Choose Seen by: it is replaced whole.", "error")
            return None
        return asked

    # -- choices of a row

    def step_people(self, cursor: str, by: int) -> bool:
        """The next choice of a row of this part; whether it is one that has choices."""
        if self.draft is None:
            return False
        config = self.draft.config
        if cursor == "agents_may":
            place = (PRESETS.index(config.agent_preset) + by) % len(PRESETS)
            self.change(replace(config, agent_preset=PRESETS[place]))
        elif cursor == "agents_see":
            shown = not config.agents_see_confidential
            self.change(replace(config, agents_see_confidential=shown))
        elif cursor == "seen":
            self._step_seen(by)
        elif cursor == "group":
            self._choose_group()
        elif cursor.startswith("named:"):
            self._step_role(cursor.removeprefix("named:"), by)
        else:
            return False
        return True

    def _step_seen(self, by: int) -> None:
        if asked := self._asked():
            permission = asked[1]
            # What can't be read counts as the closest: the first step gives it a meaning again.
            at = VISIBILITIES.index(permission.visibility)
            to = VISIBILITIES[(at + by) % len(VISIBILITIES)] if permission.sound else "private"
            self.change(permission=seen_by(permission, to))

    def _step_role(self, subject: str, by: int) -> None:
        if not (asked := self._editable()):
            return
        access, permission = asked
        if access.named(subject).trouble:
            self.say("There is nobody of this name: the entry can only be taken out.", "warning")
            return
        role = view.role_of(permission, subject).partition(" ")[0]
        at = [*ROLES].index(role) if role in ROLES else -1 if by > 0 else 0
        self.change(permission=in_role(permission, subject, ROLES[(at + by) % len(ROLES)]))

    def remove_named(self) -> bool:
        """Take the chosen person or group out, or in again; whether one is chosen."""
        row = self.listing.current()
        if row is None or not row.subject:
            return False
        if asked := self._editable():
            access, permission = asked
            back = held(access.permission, row.subject)
            gone = not held(permission, row.subject)
            self.change(permission=holding(permission, row.subject, back if gone else ()))
        return True

    # -- naming somebody

    def action_people_here(self) -> None:
        if not (asked := self._editable()):
            return
        access, permission = asked
        named = subjects(permission)
        choices = [
            Choice(
                one.subject,
                one.name,
                view.role_of(permission, one.subject) or one.trouble or one.kind,
                why_not="owns it" if one.subject == access.owner else "",
                also=f"{one.kind} {one.subject}",
            )
            for one in sorted(access.known, key=lambda one: one.subject not in named)
        ]
        name = self.draft.view.name if self.draft else ""
        picker = Picker(f"Who sees {one_line(name)}", choices, look=self.look)
        self.app.push_screen(picker, self._person_chosen)

    def _person_chosen(self, subject: str | None) -> None:
        asked = self._editable() if subject else None
        if asked is None or subject is None or self.draft is None:
            return
        access, permission = asked
        one = access.named(subject)
        lines = view.about(one, access, permission, self.draft.view.name)
        named = bool(held(permission, subject))
        buttons = [Button("", "Not now")]
        if not one.trouble:
            buttons += [Button(role, role.capitalize()) for role in ROLES]
        buttons += [Button(_TAKEN, "Take out")] if named else []
        dialog = Dialog(
            f"{one_line(one.name)} in {one_line(self.draft.view.name)}",
            words(*_apart(lines)),
            buttons,
            look=self.look,
        )
        self.app.push_screen(dialog, partial(self._granted, one))

    def _granted(self, one: Named, answer: str | None) -> None:
        asked = self._editable() if answer else None
        if asked is None:
            return
        permission = asked[1]
        if answer == _TAKEN:
            permission = holding(permission, one.subject, ())
        for role in ROLES:
            if role == answer:
                permission = in_role(permission, one.subject, role)
        self.change(permission=permission)
        self.listing.select(f"named:{one.subject}")

    # -- raw rights

    def action_raw_rights(self) -> None:
        row = self.listing.current()
        if row is None or not row.subject:
            self.say("Choose somebody who is named.", "warning")
        elif asked := self._editable():
            access, permission = asked
            choices = [
                Choice(name, description, "given" if given else "", also=name)
                for name, description, given in view.rights_of(permission, row.subject)
            ]
            title = f"Rights of {one_line(access.named(row.subject).name)}"
            picker = Picker(title, choices, look=self.look, act="give, take")
            self.app.push_screen(picker, partial(self._right_chosen, row.subject))

    def _right_chosen(self, subject: str, verb: str | None) -> None:
        asked = self._editable() if verb else None
        if asked is not None and verb is not None:
            permission = asked[1]
            turned = held(permission, subject).symmetric_difference({verb})
            self.change(permission=holding(permission, subject, turned))

    # -- the group of the Space

    def _choose_group(self) -> None:
        if not (asked := self._asked()):
            return
        access = asked[0]
        choices = [
            Choice(
                one.subject.partition(":")[2],
                one.name,
                one.kind,
                why_not="it is there" if one.subject == f"group:{access.group}" else "",
            )
            for one in access.groups
        ]
        none = "it is in none" if not access.group else ""
        choices.append(Choice(_NO_GROUP, "In no group", "", why_not=none))
        self.app.push_screen(
            Picker("The group of the Space", choices, look=self.look), self._group_chosen
        )

    def _group_chosen(self, chosen: str | None) -> None:
        if self.draft is not None and chosen:
            group = "" if chosen == _NO_GROUP else chosen
            work = partial(self.source.placing, self.draft.view.space, group)
            self.jobs.start("placing", work, self._ask_to_place)

    def _ask_to_place(self, placing: Placing) -> None:
        if self.draft is None:
            return
        space, name = self.draft.view.space, self.draft.view.name
        dialog = Dialog(
            f"The group of {one_line(name)}",
            words(*_apart(view.moving(placing, name))),
            [Button("", "Not now"), Button("put", "Put it there" if placing.group else "Take out")],
            look=self.look,
        )

        def answered(answer: str | None) -> None:
            if answer:
                work = partial(self.source.put_in, space, placing.group)
                self.jobs.start("act", work, self._placed)

        self.chosen(dialog, answered)

    def _placed(self, outcome: Outcome) -> None:
        self.lobes.acted(outcome)
        self.reload()


def _apart(lines: list[str]) -> list[str]:
    """Paragraphs with a blank line between them."""
    return [part for line in lines for part in (line, "")][:-1]
