"""The questions that Spaces asks. Each shows what would happen before anything is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from lobes.tui.jobs import Jobs
from lobes.tui.paint import BLANK, Line, Look, Span, fitted, ink, muted, paragraph
from lobes.tui.ports import Outcome
from lobes.tui.values import Impact, Kind, Proposed, SpaceRow
from lobes.tui.widgets.dialog import Button, Dialog, words
from lobes.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp

Done = Callable[[Outcome], None]


def ask_name(app: LobesApp, then: Callable[[str, Kind], None]) -> None:
    """A new Space: its kind, then its name."""

    def named(kind: Kind, name: str | None) -> None:
        if name:
            then(name, kind)

    def chosen(kind: str | None) -> None:
        if kind == "project" or kind == "area":
            about = "Its folder is made in the home of Lobes; nothing else is touched."
            buttons = [Button("", "Not now"), Button("name", "Start it")]
            title = f"The name of the new {'Project' if kind == 'project' else 'Area'}"
            dialog = Prompt(title, words(about), buttons, look=app.look)
            app.push_screen(dialog, partial(named, kind))

    about = "A Project can finish. An Area goes on."
    buttons = [Button("", "Not now"), Button("project", "Project"), Button("area", "Area")]
    app.push_screen(Dialog("Start a new Space", words(about), buttons, look=app.look), chosen)


def ask_folder(app: LobesApp, jobs: Jobs, done: Done) -> None:
    """A folder of the person's: what Lobes would read, then whether to add it."""

    def looked(proposed: Proposed) -> None:
        buttons = [Button("", "Not now"), Button("add", "Add it")]
        dialog = Dialog(
            f"Add {proposed.name}?", partial(_proposal, proposed, app.look), buttons, look=app.look
        )
        app.push_screen(dialog, partial(confirmed, proposed))

    def confirmed(proposed: Proposed, answer: str | None) -> None:
        if answer:
            jobs.start("add", partial(app.source.add, proposed), done)

    def typed(folder: str | None) -> None:
        if folder:
            jobs.start("look", partial(app.source.look_at, folder), looked)

    about = "Lobes looks at it first and shows what it would read. No file of yours is changed."
    buttons = [Button("", "Not now"), Button("look", "Look at it")]
    app.push_screen(
        Prompt("A folder of mine", words(about), buttons, look=app.look, value="~/"), typed
    )


def _proposal(proposed: Proposed, look: Look, width: int, focused: bool) -> Sequence[Line]:
    name = min(28, width // 2)
    tick = look.glyphs.of("memory", "active")
    lines: list[Line] = [
        (fitted(muted("Folder"), 8, look), ink(proposed.folder)),
        (
            fitted(muted("Kind"), 8, look),
            Span("Project" if proposed.kind == "project" else "Area"),
        ),
        BLANK,
    ]
    for path, role in proposed.roles:
        lines.append(
            (Span(f"{tick} ", "success"), fitted(ink(path), name, look), Span(" "), muted(role))
        )
    for path, why in proposed.ignored:
        lines.append((muted("– "), fitted(muted(path), name, look), Span(" "), muted(why)))
    for warning in proposed.warnings:
        lines += paragraph(warning, width, colour="warning")
    about = "Adding it means: agents bound to this Space may read this folder."
    return [*lines, BLANK, *paragraph(about, width), *paragraph("Nothing in it is changed.", width)]


def ask_trash(app: LobesApp, jobs: Jobs, space: str, done: Done) -> None:
    """The trash: what goes, how much, who loses it; 30 days to bring it back."""

    def looked(impact: Impact) -> None:
        word = "Project" if impact.kind == "project" else "Area"
        about = words(*impact.sentences, "It can be brought back for 30 days.")
        buttons = [Button("", "Keep it"), Button("trash", "Move to the trash")]
        title = f"Move the {word} {impact.name} to the trash?"
        app.push_screen(
            Dialog(title, about, buttons, look=app.look, danger=True, heavy=True), confirmed
        )

    def confirmed(answer: str | None) -> None:
        if answer:
            jobs.start("act", partial(app.source.trash, space), done)

    jobs.start("look", partial(app.source.trash_impact, space), looked)


def ask_trust(app: LobesApp, jobs: Jobs, space: SpaceRow, done: Done) -> None:
    """A changed `space.yaml`: the difference, then whether this version is trusted."""

    def read(difference: str) -> None:
        buttons = [Button("", "Not yet"), Button("trust", "Trust")]
        dialog = Dialog(
            f"Trust this version of {space.name}'s space.yaml?",
            partial(_difference, difference, app.look),
            buttons,
            look=app.look,
            heavy=True,
        )
        app.push_screen(dialog, confirmed)

    def confirmed(answer: str | None) -> None:
        if answer:
            jobs.start("act", partial(app.source.trust, space.id), done)

    jobs.start("look", partial(app.source.manifest_difference, space.id), read)


def _difference(text: str, look: Look, width: int, focused: bool) -> Sequence[Line]:
    colours = {"+": ("diff-add", "diff-add-bg"), "-": ("diff-del", "diff-del-bg")}
    lines: list[Line] = []
    for line in text.split("\n"):
        colour, ground = colours.get(line[:1], ("muted", ""))
        lines.append((fitted(ink(line, colour, ground=ground), width, look),))
    return lines
