"""Search: a question to one Space, answers with their reasons, and who was not asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from textual.app import ComposeResult
from textual.containers import Container
from textual.timer import Timer
from textual.widgets import Input

from lobes.domain.errors import NotFound, Unavailable
from lobes.keys import actions
from lobes.tui.cells import plural
from lobes.tui.jobs import Jobs
from lobes.tui.paint import Line, Span, muted
from lobes.tui.screens.allowing import Allowing
from lobes.tui.screens.editing import Editing
from lobes.tui.screens.page import TWO_LINE_ROWS, ULTRA, WIDE, PageScreen
from lobes.tui.screens.revealing import Revealing, clear_answer
from lobes.tui.screens.zoom import Zoom, page_file
from lobes.tui.values import Answer, FileText, Found, LobeView, Place
from lobes.tui.views import place as in_place
from lobes.tui.views import put_away
from lobes.tui.views import search as view
from lobes.tui.views.chrome import index_state
from lobes.tui.views.unread import unread
from lobes.tui.widgets.canvas import Canvas, Paint, Painted
from lobes.tui.widgets.dialog import Button, Dialog
from lobes.tui.widgets.reader import Reader
from lobes.tui.widgets.virtual_list import Listed, Moved, Opened, VirtualList

DEBOUNCE = 0.12
"""Seconds without a key before a question is asked."""

REST = 0.1
"""Seconds that the cursor rests before an answer's file is read."""


class SearchScreen(PageScreen):
    page = "search"
    list_height = 11
    list_width = 64
    list_width_of_three = 56

    def __init__(self) -> None:
        super().__init__()
        self.jobs = Jobs(self, self.report, said=frozenset({"search"}), waited=self._waited)
        self.found: Found | None = None
        self.lobe: LobeView | None = None
        self.old = False
        self._arriving = True
        self._note = ""
        self._space = ""
        self._gone = ""
        """What is said in place of answers once the Space is not here any more."""
        self._reading = ""
        self._waiting: Timer | None = None
        self._rest: Timer | None = None
        self._place: Place | None = None
        self._placed = ""
        self.editing = Editing(self, self.reload)
        self.zoom = Zoom(self, lambda: self.detail)
        self.allowing = Allowing(self)
        self.revealing = Revealing[Answer](self, self._show_detail)

    def above(self) -> ComposeResult:
        yield Painted(id="gap")
        with Container(id="asking"):
            yield Painted(self._mark, id="asking-mark")
            field = Input(id="question", compact=True, select_on_focus=False, max_length=2_000)
            field.cursor_blink = False
            yield field

    def body(self) -> ComposeResult:
        yield self.shaped(
            VirtualList[Answer](self._row, cursor=self.look.glyphs.ui("cursor"), id="list")
        )
        yield Reader(lambda: self.look, id="detail")
        yield Canvas(id="third")

    def on_mount(self) -> None:
        self.detail.show(self._detail)
        self.third.show(self._third)
        self._show()

    @property
    def listing(self) -> VirtualList[Answer]:
        return self.query_one("#list", VirtualList)

    @property
    def detail(self) -> Reader:
        return self.query_one("#detail", Reader)

    @property
    def third(self) -> Canvas:
        return self.query_one("#third", Canvas)

    @property
    def question(self) -> Input:
        return self.query_one("#question", Input)

    @property
    def two(self) -> bool:
        """Two-line rows."""
        return self.size.width >= WIDE and self.size.height >= TWO_LINE_ROWS

    # -- painting

    def _mark(self, width: int, focused: bool) -> Sequence[Line]:
        colour = "accent" if self.question.has_focus else "muted"
        return [(Span(" "), Span(self.look.glyphs.ui("path"), colour, bold=True))]

    def _head(self, width: int, focused: bool) -> Sequence[Line]:
        place = self.listing.position
        lines = view.head(self.found, place, self._said(), width, focused, self.look, two=self.two)
        if self.lobe is not None and self.lobe.is_archived:
            lines += put_away.notice(put_away.archived(self.lobe.name, self.look), width)
        if self.found is None or not self.found.answers:
            lines += self._nothing(width)
        return lines

    def _nothing(self, width: int) -> list[Line]:
        if self._gone:
            return put_away.notice(self._gone, width)
        if self.unread and self.found is None:
            return unread(self.unread, width, self.look)
        space = self.lobes.space
        name = space.name if space else "a Space"
        asking = "" if space else self.no_space
        if self.found is None and self.question.value.strip() and not self._note:
            if self._said():
                return []
            asking = asking or "looking"
        return view.nothing(self.found, name, self.lobe, asking, width, index=self.lobes.index)

    def _foot(self, width: int, focused: bool) -> Sequence[Line]:
        return view.foot(self.found, width, self.look, two=self.two)

    def _row(self, answer: Answer, width: int, lit: bool) -> Sequence[Line]:
        return view.row(answer, width, lit, self.look, two=self.two, old=self.old)

    def _detail(self, width: int, focused: bool) -> Sequence[Line]:
        if self.editing.difference is not None:
            return self.editing.difference(width, focused)
        answer = self.listing.current()
        if answer is None or self.found is None:
            return []
        zoomed = self.has_class("-zoom")
        full = self.is_wide or zoomed
        shown, note = self.revealing.shown(answer), ""
        if answer.is_masked:
            note = self.revealing.note(answer)
        return view.evidence(
            shown, self.found, width, focused, self.look, full=full, whole=zoomed, note=note
        )

    def _third(self, width: int, focused: bool) -> Sequence[Line]:
        answer = self.listing.current()
        if answer is None or self.found is None:
            return []
        place = self._place if self._placed == answer.id else None
        sources = self.lobe.sources if self.lobe else ()
        return in_place.pane(place, self.found, sources, width, focused, self.look)

    def context(self) -> tuple[Sequence[Span], Sequence[Span]]:
        left = self.space_mark(self.lobes.space)
        if self.lobe:
            if self.lobe.is_archived:
                left += put_away.mark(self.look)
            left += [Span("  "), muted(f"draws on {plural(len(self.lobe.sources), 'lobe')}")]
        # With one line a row there is no heading that could say it.
        said = "" if self.two else self._said()
        return left, [muted(said)] if said else []

    def state(self, width: int) -> Sequence[Span]:
        state = self.lobes.index
        if self.found is None or state.total > state.done:
            return index_state(state, width, self.look)
        return view.state_line(self.found, self.look) or index_state(state, width, self.look)

    def able(self) -> Iterable[actions.When]:
        withheld = self.found.withheld if self.found else ()
        asks = ("asks",) if any(one.reason == "ask" for one in withheld) else ()
        return ("always", *(("row",) if self.listing.cursor else ()), *asks)

    def idle(self) -> Iterable[str]:
        idle = [] if self.listing.cursor else ["next", "open"]
        if self.found is None or not (self.found.answers or self.found.withheld):
            idle.append("why")
        if self.has_class("-single") and self.listing.cursor:
            # Only one of the two leads on from here, and there is room for one.
            idle.append("open" if self.question.has_focus else "next")
        return idle

    # -- asking

    def reload(self) -> None:
        space = self.lobes.space_id
        if space != self._space:
            self._space, self.found, self.lobe, self._gone = space, None, None, ""
            self.remove_class("-zoom")
            self._show()
        if space:
            work = partial(self.source.lobe, space)
            self.jobs.start("lobe", work, self._lobe, failed=self._lost)
            question = self.question.value.strip()
            if question and not self.allowing.keeps(self.found, question):
                self._ask()

    def _lobe(self, lobe: LobeView) -> None:
        before, self.lobe = self.lobe, lobe
        self.lobes.space_named(lobe.space, lobe.name)
        if self._gone:
            # It came back, and with it its answers.
            self._gone = ""
            self._ask()
        if before is not None and lobe.is_archived and not before.is_archived:
            self.say(put_away.archived(lobe.name, self.look), "warning")
        self._show()

    def _lost(self, error: Exception) -> None:
        """A Space that is not here any more answers nothing, and no text of it stays."""
        if not isinstance(error, NotFound):
            self.report(error)
            return
        space, before = self.lobes.space, self._gone
        self._gone = put_away.gone(space.name if space else "", error.reason, self.look)
        self.found, self.lobe, self._note = None, None, ""
        self._let_go()
        self._show()
        if self._gone != before:
            self.say(self._gone, "warning")

    def _let_go(self) -> None:
        """The file that is read in full is read no more."""
        if self.has_class("-zoom"):
            self.remove_class("-zoom")
            self._focus_list()
            self.zoomed()

    def ask(self, question: str) -> None:
        """Put a question into the field and ask it."""
        self.question.value = question
        self.question.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.jobs.forget("search")
        self.allowing.end()
        self.old = self.found is not None
        self.listing.repaint()
        if self._waiting:
            self._waiting.stop()
        self._waiting = self.set_timer(DEBOUNCE, self._ask)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_next()

    def _ask(self) -> None:
        self._waiting = None
        question, space = self.question.value.strip(), self.lobes.space_id
        if not question or not space:
            self.found, self.old, self._note, self.unread = None, False, "", ""
            self._show()
            return
        self._note = ""
        work = partial(self.source.search, space, question)
        self.jobs.start("search", work, self._answered, failed=self._failed)

    def waiting(self) -> str:
        """The heading of the answers says it, or this screen's own line 2."""
        return ""

    def _waited(self) -> None:
        """A slow answer says how long it takes, five times a second; nothing else moves."""
        self.listing.repaint()
        self.query_one("#context", Painted).refresh()

    def _stop_looking(self) -> bool:
        """Whether a question was on its way, whose answer is not wanted any more."""
        if not self.jobs.stop():
            return False
        self.allowing.end()
        self._note = "old: stopped" if self.found else "stopped"
        self._waited()
        return True

    def _said(self) -> str:
        """What the heading says of the answers: on their way, or not those of this question."""
        return self.jobs.waiting(self.look.mark, stop=self.look.key("leave")) or self._note

    def _answered(self, found: Found) -> None:
        self._note = self.unread = ""
        self.allowing.end()
        again = self.found is not None and self.found.question == found.question
        self.found, self.old = found, False
        if all(one.space != self._reading for one in found.answers):
            self._let_go()
        self._show()
        if not again:
            self.listing.edge(last=False)

    def _failed(self, error: Exception) -> None:
        """The last answers stay, marked old; everything else keeps working."""
        self.allowing.end()
        if isinstance(error, Unavailable):
            self._note = "old: search is off" if self.found else "search is off"
        elif isinstance(error, NotFound):
            self._lost(error)
            return
        self.cannot_read(error, in_place=self.found is None)
        self.listing.repaint()

    def _show(self) -> None:
        answers = self.found.answers if self.found else ()
        self.listing.set_rows(
            Listed(answers), height=2 if self.two else 1, head=self._head, foot=self._foot
        )
        self._show_detail()
        self.third.show(self._third)
        self._read_place()
        self.refresh_chrome()

    def _show_detail(self) -> None:
        """The evidence again, unless the pane is with a file that is read."""
        if not self.zoom.is_on:
            self.detail.show(self._detail)

    def on_moved(self, event: Moved) -> None:
        event.stop()
        self.editing.forget()
        self.revealing.end()
        self._show_detail()
        self.third.show(self._third)
        self.refresh_able()
        if self._rest:
            self._rest.stop()
        self._rest = self.set_timer(REST, self._read_place)

    def _read_place(self) -> None:
        """The third pane's lines, where there is a third pane."""
        answer = self.listing.current()
        if answer is not None and self.size.width >= ULTRA:
            self.jobs.start(
                "place", partial(self.source.place, answer), partial(self._placed_at, answer.id)
            )

    def _placed_at(self, answer: str, place: Place) -> None:
        self._placed, self._place = answer, place
        self.third.show(self._third)

    def resized(self) -> None:
        self._show()

    def resumed(self) -> None:
        super().resumed()
        if self._arriving:
            self._arriving = False
            self.question.focus()

    def left(self) -> None:
        self._arriving = True
        self.revealing.end()

    def on_descendant_focus(self) -> None:
        self._refocused()

    def on_descendant_blur(self) -> None:
        self._refocused()

    def _refocused(self) -> None:
        self.query_one("#asking-mark").refresh()
        if self.has_class("-single"):
            self.query_one("#keys").refresh()

    # -- acts

    def panes(self) -> Sequence[Canvas | Input]:
        return [self.question, *(p for p in (self.listing, self.detail, self.third) if p.display)]

    def action_next(self) -> None:
        if self.question.has_focus:
            self.listing.focus()
            if not self.listing.cursor:
                self.listing.edge(last=False)
        else:
            super().action_next()

    def action_question(self) -> None:
        self.question.focus()

    async def action_filter(self) -> None:
        self.question.focus()

    async def action_leave(self) -> None:
        if self._stop_looking():
            return
        if self.editing.forget():
            self._show_detail()
            return
        if self.question.has_focus and not self.has_class("-zoom"):
            self.listing.focus()
        else:
            await super().action_leave()

    def on_opened(self, event: Opened) -> None:
        event.stop()
        self.action_open()

    def action_why(self) -> None:
        space = self.lobes.space
        name = space.name if space else "This Space"
        answer, found = self.listing.current(), self.found
        self.app.push_screen(
            Dialog(
                "Why",
                lambda width, _: view.why(answer, found, name, width),
                [Button("", "Close")],
                look=self.look,
            )
        )

    @property
    def reads_a_file(self) -> bool:
        return self.zoom.is_on

    def zoomed(self) -> None:
        """The whole file that the answer is from, at its passage."""
        answer = self.listing.current()
        self.revealing.end()
        self.detail.show(self._detail)
        if self.has_class("-zoom") and answer is not None:
            self._reading = answer.space
            if answer.memory is not None:
                read = partial(self.source.note_read, answer.id)
                self.jobs.start("use", read)
        if self.has_class("-zoom") and answer is not None and answer.path:
            head = partial(self._above, answer)
            self.zoom.begin(answer.space, answer.path, head=head, line=answer.first_line)
        else:
            self.zoom.end()

    def _above(self, answer: Answer, file: FileText) -> Paint:
        return lambda width, focused: view.above_file(answer, width, focused, self.look)

    def action_uncover(self) -> None:
        answer = self.listing.current()
        if answer is not None and answer.is_masked and not self.zoom.is_on:
            self.revealing.begin(answer, partial(clear_answer, self.source, answer))
        else:
            self.zoom.turn()

    def _in_a_file(self) -> Answer | None:
        """The answer under the cursor; None where it is a memory, which is said."""
        answer = self.listing.current()
        if answer is None or answer.memory is None:
            return answer
        self.say(f"A memory is in no file. {self.look.key('open')} reads all of it.", "warning")
        return None

    def action_pager(self) -> None:
        if self.listing.current() is not None:
            if (answer := self._in_a_file()) is not None:
                page_file(self, answer.space, answer.path)
        else:
            super().action_pager()

    def ask_again(self) -> None:
        self._ask()

    def action_allow_once(self) -> None:
        self.allowing.begin(self.found)

    def action_edit_source(self) -> None:
        if (answer := self._in_a_file()) is not None:
            self.editing.begin(answer.space, answer.path)

    def copied(self) -> str:
        """Of the list the answer's path; of the evidence its text; of a file that is read, that."""
        answer = self.listing.current()
        if answer is None:
            return ""
        if self.zoom.is_on:
            return self.zoom.text
        if self.listing.has_focus:
            return answer.path or answer.text
        return super().copied() if self.third.has_focus else answer.text
