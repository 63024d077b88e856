"""People & groups, over any screen: choose one, see who is in it, take in, take out, remove.

Every act is undone by `z`; what opens something to somebody says so before it is done.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from lobes.domain.display import one_line
from lobes.domain.groups import GROUP_KINDS, GroupKind, fits_in
from lobes.tui.outcomes import Outcome
from lobes.tui.people import Act, Everybody
from lobes.tui.screens.page import PageScreen
from lobes.tui.views import people as view
from lobes.tui.widgets.dialog import Button, Dialog, ask, words
from lobes.tui.widgets.picker import Choice, Picker
from lobes.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from lobes.services.groups import GroupDetail, GroupImpact
    from lobes.tui.app import LobesApp

_CLOSE, _NOT_NOW = Button("", "Close"), Button("", "Not now")


def show_people(app: LobesApp) -> None:
    """The list; it opens when it has been read."""
    over = _page(app)

    def read(found: Everybody) -> None:
        if app.screen is over:
            choices = view.choices(found)
            picker = Picker("People & groups", choices, look=app.look, act="open")
            app.push_screen(picker, partial(_chosen, app, found))

    app.jobs.start("people", lambda: app.source.people().everybody(), read)


def _page(app: LobesApp) -> PageScreen:
    """The screen below: a choice that was just made may not be gone yet."""
    return next(one for one in reversed(app.screen_stack) if isinstance(one, PageScreen))


def _chosen(app: LobesApp, found: Everybody, answer: str | None) -> None:
    kind, _, id = (answer or "").partition("/")
    if kind == "group":
        _open_group(app, found, id)
    elif kind == "person":
        one = next(one for one in found.people if one.id == id)
        body = partial(view.person_page, one)
        app.push_screen(Dialog(one_line(one.name), body, [_CLOSE], look=app.look))
    elif answer == view.NEW_PERSON:
        about = (
            "They are in no group at first, and nothing is theirs yet. The id comes of the name."
        )
        _typed(app, "The name of the person", about, lambda name: Act("add_person", name=name))
    elif answer == view.NEW_GROUP:
        _new_group(app, found)


def _do(app: LobesApp, act: Act) -> None:
    def done(outcome: Outcome) -> None:
        app.acted(outcome)
        app.reload()

    app.jobs.start("act", lambda: app.source.people().do(act), done)


def _typed(app: LobesApp, title: str, about: str, act: Callable[[str], Act]) -> None:
    def typed(name: str | None) -> None:
        if name:
            _do(app, act(name))

    buttons = [_NOT_NOW, Button("make", "Make it")]
    app.push_screen(Prompt(title, words(about), buttons, look=app.look), typed)


def _new_group(app: LobesApp, found: Everybody) -> None:
    """Its kind, the wider group it lies in where one of the person's own is there, its name."""

    def named(kind: GroupKind, parent: str | None) -> None:
        if parent is not None:
            about = "You are its owner. Nobody else is in it until you take them in."
            wider = "" if parent == "-" else parent
            make = partial(Act, "add_group", group_kind=kind, parent=wider)
            _typed(app, f"The name of the {kind}", about, lambda name: make(name=name))

    def chosen(answer: str | None) -> None:
        for kind in GROUP_KINDS:
            if answer == kind:
                wider = [g for g in found.groups if g.role == "owner" and fits_in(kind, g.kind)]
                choices = [Choice(g.id, one_line(g.name), g.kind) for g in wider]
                if not choices:
                    named(kind, "-")
                    return
                first = Choice("-", "In no other group")
                picker = Picker("It lies in", [first, *choices], look=app.look)
                app.push_screen(picker, partial(named, kind))

    about = "A team lies in a department or an organization, a department in an organization."
    buttons = [_NOT_NOW, *(Button(kind, kind.capitalize()) for kind in GROUP_KINDS)]
    app.push_screen(Dialog("New group", words(about), buttons, look=app.look), chosen)


def _open_group(app: LobesApp, found: Everybody, id: str) -> None:
    over = _page(app)

    def read(group: GroupDetail) -> None:
        body = partial(view.group_page, group, app.look)
        dialog = Dialog(one_line(group.name), body, _buttons(group), look=app.look)
        ask(over, dialog, partial(_answered, app, found, group))

    app.jobs.start("people", lambda: app.source.people().group(id), read)


def _buttons(group: GroupDetail) -> list[Button]:
    """What this person may do with it. Only owners decide; whoever joined may leave."""
    if group.role == "owner":
        may = [("join", "Take in"), ("leave", "Take out"), ("remove", "Remove")]
    else:
        may = [("go", "Leave")] if group.role == "member" else []
    return [_CLOSE, *(Button(answer, label) for answer, label in may)]


def _answered(app: LobesApp, found: Everybody, group: GroupDetail, answer: str | None) -> None:
    joined = {one.person for one in group.people if one.since}
    if answer == "join":
        others = [one for one in found.people if one.id not in joined]
        choices = [Choice(one.id, one_line(one.name), one.id) for one in others]
        _pick(app, "Take in", choices, partial(_ask_join, app, group))
    elif answer == "leave":
        choices = [
            Choice(one.person, one_line(one.name), one.role) for one in group.people if one.since
        ]
        _pick(app, "Take out", choices, lambda who: _do(app, Act("leave", group.id, who)))
    elif answer == "go":
        own = next(one.id for one in found.people if one.is_me)
        _do(app, Act("leave", group.id, own))
    elif answer == "remove":
        _ask_remove(app, group.id)


def _pick(app: LobesApp, title: str, choices: list[Choice], then: Callable[[str], None]) -> None:
    def chosen(answer: str | None) -> None:
        if answer:
            then(answer)

    if choices:
        app.push_screen(Picker(title, choices, look=app.look), chosen)
    else:
        app.say("Everybody whom you know is in it.", "warning")


def _ask_join(app: LobesApp, group: GroupDetail, person: str) -> None:
    def chosen(answer: str | None) -> None:
        if answer:
            role = "owner" if answer == "owner" else "member"
            _do(app, Act("join", group.id, person, role))

    buttons = [_NOT_NOW, Button("member", "As member"), Button("owner", "As owner")]
    title = f"Take {one_line(person)} into {one_line(group.name)}?"
    body = words(*view.joining(person, group))
    app.push_screen(Dialog(title, body, buttons, look=app.look), chosen)


def _ask_remove(app: LobesApp, id: str) -> None:
    over = _page(app)

    def confirmed(answer: str | None) -> None:
        if answer:
            _do(app, Act("remove", id))

    def read(impact: GroupImpact) -> None:
        buttons = [Button("", "Keep it"), Button("remove", "Remove it")]
        title = f"Remove {one_line(impact.name)}?"
        body = words(*view.removing(impact))
        dialog = Dialog(title, body, buttons, look=app.look, danger=True, heavy=True)
        ask(over, dialog, confirmed)

    app.jobs.start("people", lambda: app.source.people().impact(id), read)
