"""A file's way through the person's editor and back, for a screen with an evidence pane.

What was taken over is shown there until the cursor moves. Whatever goes wrong keeps the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lobes.tui.editor import Ended, edit
from lobes.tui.paint import BLANK, Line, paragraph
from lobes.tui.views import taken as view
from lobes.tui.widgets.dialog import Button, Dialog, ask, words

if TYPE_CHECKING:
    from lobes.services.pack_drafts import PackDraft
    from lobes.tui.outcomes import Taken
    from lobes.tui.screens.page import PageScreen
    from lobes.tui.widgets.canvas import Paint

KEPT = "Your text is kept in Drafts; to edit it again goes on with it."


class Editing:
    """`done` is called once a file is another one; `difference` is what to show until `forget`."""

    def __init__(self, screen: PageScreen, done: Callable[[], None]) -> None:
        self._screen = screen
        self._done = done
        self.difference: Paint | None = None

    def begin(self, space: str, path: str = "", *, afresh: bool = False) -> None:
        """Open a file of a pack, or the one that says where the Space stands; what an earlier
        editing left is gone on with, unless `afresh`."""
        work = partial(self._screen.source.open_draft, space, path, afresh=afresh)
        self._screen.jobs.start("edit", work, self._opened)

    def forget(self) -> bool:
        """The cursor is elsewhere; whether a difference was shown."""
        shown, self.difference = self.difference is not None, None
        return shown

    # -- there

    def _opened(self, draft: PackDraft) -> None:
        if not draft.is_kept:
            self._edit(draft)
            return
        name = Path(draft.path).name
        then = datetime.fromtimestamp(draft.kept_at, UTC) if draft.kept_at else None
        age = f" from {self._screen.look.age(then)}" if then else ""
        buttons = [
            Button("", "Not now"),
            Button("go on", "Go on with it"),
            Button("afresh", "Start from the file"),
        ]
        about = words(f"A text of yours for {name}{age} was not taken over. It is in Drafts.")
        self._ask(Dialog(f"A draft of {name}", about, buttons, look=self._screen.look), draft)

    def _ask(self, dialog: Dialog, draft: PackDraft) -> None:
        def answered(answer: str | None) -> None:
            if answer == "go on":
                self._edit(draft)
            elif answer == "afresh":
                self.begin(draft.space, draft.path, afresh=True)
            elif answer == "mine":
                self._take(draft, Ended())

        ask(self._screen, dialog, answered)

    def _edit(self, draft: PackDraft) -> None:
        self._take(draft, edit(self._screen.app, draft.file, folder=draft.folder))

    # -- back

    def _take(self, draft: PackDraft, ended: Ended) -> None:
        failed = bool(ended.fault or ended.code)
        work = partial(self._screen.source.take_over, draft, failed=failed)
        self._screen.jobs.start("edited", work, partial(self._taken, ended))

    def _taken(self, ended: Ended, taken: Taken) -> None:
        if ended.fault:
            self._screen.say(f"Nothing was changed: {ended.fault}", "error")
            return
        match taken.state:
            case "same" if ended.code:
                said = f"{ended.name} ended with {ended.code}. Nothing was changed."
                self._screen.say(said, "error")
            case "same":
                self._screen.say("Nothing was changed.", "warning")
            case "kept":
                said = f"{ended.name} ended with {ended.code}; your text is kept in Drafts."
                self._screen.say(said, "error")
            case "refused":
                self._refused(taken)
            case "clash":
                self._clash(taken)
            case "taken":
                self._show(taken)

    def _show(self, taken: Taken) -> None:
        diff, look = taken.diff, self._screen.look
        if diff is not None:
            self.difference = lambda width, focused: view.pane(
                diff, taken.path, width, focused, look
            )
        if taken.outcome is not None:
            self._screen.lobes.acted(taken.outcome)
        self._done()

    def _refused(self, taken: Taken) -> None:
        """The first fault, with its line, and the way back into the editor."""
        name, draft = Path(taken.path).name, taken.draft
        if draft is None:
            return
        buttons = [Button("", "Not now"), Button("go on", "Edit it again")]
        about = words(taken.fault, "", f"Nothing was changed. {KEPT}")
        self._ask(
            Dialog(f"{name} can't be taken over", about, buttons, look=self._screen.look), draft
        )

    def _clash(self, taken: Taken) -> None:
        """Somebody wrote the file meanwhile: what yours would change in it, then whose counts."""
        name, draft = Path(taken.path).name, taken.draft
        if draft is None:
            return
        buttons = [
            Button("", "Not now"),
            Button("go on", "Edit mine again"),
            Button("mine", "Take mine"),
        ]
        self._ask(
            Dialog(
                f"{name} changed while you wrote",
                partial(self._both, taken),
                buttons,
                look=self._screen.look,
                heavy=True,
            ),
            draft,
        )

    def _both(self, taken: Taken, width: int, focused: bool) -> Sequence[Line]:
        look = self._screen.look
        about = paragraph(f"Neither text is lost. {KEPT} Yours would change the file so:", width)
        diff = taken.diff
        return [*about, BLANK, *(view.lines(diff, width, look) if diff else ())]
