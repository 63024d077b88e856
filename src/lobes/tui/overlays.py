"""What lies over a screen: keys, commands, the choice of a Space, problems, the first run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from textual.app import App

from lobes.keys import actions
from lobes.keys.actions import NOT_NOW, Page, here, key_text

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp
    from lobes.tui.ports import FirstChoice, Outcome
    from lobes.tui.screens.page import PageScreen


class Overlays(App[Any] if TYPE_CHECKING else object):
    """Mixed into the app. Widgets of dialogs are imported when the first one opens."""

    def _app(self) -> LobesApp:
        return self  # pyright: ignore[reportReturnType]

    def show_keys(self, page: Page) -> None:
        from lobes.tui.views.help import keys as key_lines
        from lobes.tui.widgets.dialog import Button, Dialog

        look = self._app().look
        name = dict(actions.PAGES)[page]
        self.push_screen(
            Dialog(
                f"Keys in {name}",
                lambda width, _: key_lines(page, width, look),
                [Button("", "Close")],
                look=look,
            )
        )

    def show_commands(self, screen: PageScreen) -> None:
        from lobes.tui.widgets.picker import Choice, Picker

        look, holds = self._app().look, set(screen.able())
        names = {page: name for page, name in actions.PAGES}
        choices = [
            Choice(
                action.id,
                action.help,
                names.get(action.screen, "") if action.screen else "",
                key_text(action.keys[0], ascii=look.glyphs.ascii),
                "" if action.when in holds else NOT_NOW[action.when],
            )
            for action in here(screen.page)
            if action.group != "Move"
        ]

        def chosen(answer: str | None) -> None:
            if answer:
                action = next(one for one in here(screen.page) if one.id == answer)
                screen.call_later(screen.run_action, actions.call(action))

        self.push_screen(Picker("Commands", choices, look=look), chosen)

    def pick_space(self) -> None:
        from lobes.tui.widgets.picker import Choice, Picker

        app = self._app()
        choices = [
            Choice(space.id, space.name, "Project" if space.kind == "project" else "Area")
            for space in app.known_spaces()
        ]

        def chosen(answer: str | None) -> None:
            if answer:
                app.open_space(answer)
                app.reload()

        self.push_screen(Picker("Open a Space", choices, look=app.look), chosen)

    def show_problems(self) -> None:
        from lobes.tui.screens.problems import Problems

        self.push_screen(Problems(self._app()))

    def copy(self, text: str) -> None:
        """To the clipboard, in a thread: a program that takes it may be slow."""
        from lobes.tui.clipboard import Copied, copy

        app = self._app()

        def copied(done: Copied) -> None:
            if done.to_send:
                self.copy_to_clipboard(done.to_send)
            app.say(done.said, "warning" if done.is_warning else "success")

        app.jobs.start("copy", lambda: copy(text, os.environ), copied)

    def welcome(self) -> None:
        """The first run, over the empty app."""
        from lobes.tui.screens.welcome import WelcomeScreen

        self.push_screen(WelcomeScreen(), self._welcomed)

    def began(self, outcome: Outcome) -> None:
        """A home was made."""
        app = self._app()
        app.space_id = outcome.space or app.space_id
        app.is_open = True

    def _welcomed(self, choice: FirstChoice | None) -> None:
        app = self._app()
        app.ready(ask=choice == "sample")

    async def first_question(self) -> None:
        """The samples open on a question, so that the first screen shows reasons."""
        from lobes.tui.screens.search import SearchScreen

        await self.switch_mode("search")
        screen = self.screen
        if isinstance(screen, SearchScreen):
            screen.ask("how do we resolve sync conflicts")
