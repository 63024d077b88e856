"""The questions that Spaces asks. Each shows what would happen before anything is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rich.cells import cell_len

from lobes.tui.jobs import Jobs
from lobes.tui.outcomes import Outcome
from lobes.tui.paint import BLANK, Line, Look, Span, fitted, muted, whole
from lobes.tui.values import Difference, Impact, Kind, Proposed, SpaceRow
from lobes.tui.views.marks import KIND_WORDS
from lobes.tui.views.taken import COLOURS
from lobes.tui.widgets.dialog import Button, Dialog, ask, words
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
            title = f"The name of the new {KIND_WORDS[kind]}"
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
        ask(here, dialog, partial(confirmed, proposed))

    def confirmed(proposed: Proposed, answer: str | None) -> None:
        if answer:
            jobs.start("add", partial(app.source.add, proposed), done)

    def typed(folder: str | None) -> None:
        if folder:
            jobs.start("look", partial(app.source.look_at, folder), looked)

    here = app.screen
    about = "Lobes looks at it first and shows what it would read. No file of yours is changed."
    buttons = [Button("", "Not now"), Button("look", "Look at it")]
    app.push_screen(
        Prompt("A folder of mine", words(about), buttons, look=app.look, value="~/"), typed
    )


def _proposal(proposed: Proposed, look: Look, width: int, focused: bool) -> Sequence[Line]:
    """Everything that adding it means, nothing cut: paths that don't fit beside a role wrap."""
    tick = look.glyphs.of("memory", "active")
    lines: list[Line] = [
        *whole(f"Folder  {proposed.folder}", width, indent=8),
        (fitted(muted("Kind"), 8, look), Span(KIND_WORDS[proposed.kind])),
        BLANK,
    ]
    for path, role in proposed.roles:
        lines += _file(Span(f"{tick} ", "success"), path, role, width, look)
    for path, why in proposed.ignored:
        lines += _file(muted("– " if not look.glyphs.ascii else "- "), path, why, width, look)
    for warning in proposed.warnings:
        lines += whole(warning, width, colour="warning")
    about = "Adding it means: agents bound to this Space may read this folder."
    return [*lines, BLANK, *whole(about, width), *whole("Nothing in it is changed.", width)]


def _file(mark: Span, path: str, word: str, width: int, look: Look) -> list[Line]:
    """A path and what it is; on two lines where one can't hold both."""
    name = min(28, width // 2)
    shown = [(mark, *line) for line in whole(path, width - 2)]
    if len(shown) == 1 and cell_len(shown[0][1].text.rstrip()) <= name:
        return [(mark, fitted(shown[0][1], name, look), Span(" "), muted(word))]
    return [*shown, (Span("    "), *whole(word, width - 4, colour="muted")[0])]


def ask_trash(
    app: LobesApp,
    jobs: Jobs,
    spaces: Sequence[str],
    proceed: Callable[[], None],
    erase: Callable[[], None],
) -> None:
    """The trash: what goes, how much, and who loses it; of one alone whether to `erase` it."""

    def looked(impact: Impact) -> None:
        word = KIND_WORDS[impact.kind]
        single = len(spaces) == 1
        back = "It can be brought back." if single else "They can be brought back."
        about = words(*impact.sentences, back)
        buttons = [Button("", "Keep it"), Button("trash", "Move to the trash")]
        buttons += [Button("erase", "Erase…")] if single else []
        what = f"the {word} {impact.name}" if single else impact.name
        title = f"Move {what} to the trash?"
        dialog = Dialog(title, about, buttons, look=app.look, danger=True, heavy=True)
        ask(here, dialog, confirmed)

    def confirmed(answer: str | None) -> None:
        if answer == "erase":
            # What it finds opens a dialog, which must not find this one still open.
            here.call_later(erase)
        elif answer:
            proceed()

    here = app.screen
    jobs.start("look", partial(app.source.trash_impact, spaces), looked)


def ask_trust(app: LobesApp, jobs: Jobs, space: SpaceRow, done: Done) -> None:
    """A changed `space.yaml`: the difference, then whether this version is trusted."""

    def read(difference: Difference) -> None:
        buttons = [Button("", "Not yet"), Button("trust", "Trust")]
        dialog = Dialog(
            f"Trust this version of {space.name}'s space.yaml?",
            partial(_difference, difference),
            buttons,
            look=app.look,
            heavy=True,
        )
        ask(here, dialog, partial(confirmed, difference.content_hash))

    def confirmed(content_hash: str, answer: str | None) -> None:
        if answer:
            jobs.start("act", partial(app.source.trust, space.id, content_hash), done)

    here = app.screen
    jobs.start("look", partial(app.source.manifest_difference, space.id), read)


def _difference(found: Difference, width: int, focused: bool) -> Sequence[Line]:
    """Every line whole: trust must not be given to a text that was cut."""
    lines: list[Line] = []
    for one in found.widens:
        lines += whole(f"It widens: {one}", width, colour="warning", indent=2)
    if found.widens and found.lines:
        lines.append(BLANK)
    for one in found.lines:
        colour, ground = COLOURS.get(one[:1], ("foreground", ""))
        lines += whole(one, width, colour=colour, ground=ground, indent=4)
    if found.fault:
        lines += whole(f"It can't be read: {found.fault}", width, colour="error", indent=2)
    return lines
