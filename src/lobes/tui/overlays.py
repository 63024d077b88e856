"""What lies over a screen: keys, commands, the choice of a Space, problems, the first run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lobes.keys import actions
from lobes.keys.actions import Action, Overlay, Scope, When
from lobes.tui.part import AppPart
from lobes.tui.screens.page import PageScreen
from lobes.tui.views.marks import KIND_WORDS

if TYPE_CHECKING:
    from lobes.tui.outcomes import FirstChoice, Outcome


class Overlays(AppPart):
    """Mixed into the app. Widgets of dialogs are imported when the first one opens."""

    def show_keys(self, screen: PageScreen) -> None:
        """The keys of a screen, as its conditions are now."""
        name = dict(actions.PAGES)[screen.page]
        self._show_keys(name, actions.here(screen.page), screen.page, screen.able())

    def show_keys_of(self, overlay: Overlay, holds: Iterable[When] = ("always",)) -> None:
        """The keys of what lies over a screen."""
        name = dict(actions.OVERLAYS)[overlay]
        self._show_keys(name, actions.of_screen(overlay), overlay, holds)

    def _show_keys(
        self, name: str, found: Sequence[Action], scope: Scope, holds: Iterable[str]
    ) -> None:
        from lobes.tui.screens.keys import KeysScreen

        self.push_screen(KeysScreen(name, found, scope, holds, look=self._shell.look))

    def show_commands(self, screen: PageScreen) -> None:
        """Everything that can be done; `@` finds Spaces instead, `#` tags."""
        from lobes.tui import commands
        from lobes.tui.widgets.picker import Picker

        app = self._shell
        known = app.known_spaces()
        others = {"@": commands.spaces(known), "#": commands.tags(known)}

        def chosen(answer: str | None) -> None:
            if answer and answer[0] in others:
                self.enter_space(answer.rpartition("@")[2])
            elif answer:
                commands.run(app, screen, answer)

        found = commands.commands(app, screen)
        self.push_screen(Picker("Commands", found, look=app.look, others=others, act="run"), chosen)

    def pick_space(self) -> None:
        from lobes.tui.widgets.picker import Choice, Picker

        app = self._shell
        choices = [
            Choice(space.id, space.name, KIND_WORDS[space.kind]) for space in app.known_spaces()
        ]

        def chosen(answer: str | None) -> None:
            if answer:
                self.enter_space(answer)

        self.push_screen(Picker("Open a Space", choices, look=app.look, act="open"), chosen)

    def enter_space(self, space: str) -> None:
        """Make it the current one; what is shown reads again."""
        app = self._shell
        app.open_space(space)
        app.reload()

    def find(self) -> None:
        """A Space or a file of a pack, by its name."""
        from lobes.tui.finding import find

        find(self._shell)

    def set_preference(self, name: str) -> None:
        from lobes.tui.preferences import choose_preference

        choose_preference(self._shell, name)

    def looks_again(self) -> None:
        """Other signs, on every screen that has been shown."""
        app = self._shell
        for stack in self._screen_stacks.values():
            for screen in stack:
                if isinstance(screen, PageScreen):
                    screen.use_look(app.look)
        app.reload()

    def show_problems(self) -> None:
        from lobes.tui.screens.problems import Problems

        self.push_screen(Problems(self._shell))

    def show_people(self) -> None:
        from lobes.tui.screens.people import show_people

        show_people(self._shell)

    def show_presence_code(self) -> None:
        """The digits that a terminal asks for."""
        from lobes.tui.screens.presence import PresenceCode

        self.push_screen(PresenceCode(self._shell))

    def copy(self, text: str) -> None:
        """To the clipboard, in a thread: a program that takes it may be slow."""
        from lobes.tui.clipboard import Copied, copy

        app = self._shell

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
        app = self._shell
        app.space_id = outcome.space or app.space_id
        app.is_open = True

    def _welcomed(self, choice: FirstChoice | None) -> None:
        app = self._shell
        app.ready(ask=choice == "sample")

    async def first_question(self) -> None:
        """The samples open on a question, so that the first screen shows reasons."""
        from lobes.tui.screens.search import SearchScreen

        await self.switch_mode("search")
        screen = self.screen
        if isinstance(screen, SearchScreen):
            screen.ask("how do we resolve sync conflicts")
