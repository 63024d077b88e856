"""A list on which keys decide: marks, brakes, one line that asks, outcomes, one undo a batch.

What a key means is the screen's `Decision` values; here is only when it may, on what, and what is
said afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lobes.tui.outcomes import Outcome
from lobes.tui.paint import Span
from lobes.tui.screens.asking import Asking
from lobes.tui.triage import (
    Asked,
    Choose,
    Confirm,
    Decision,
    Guard,
    Item,
    Look,
    Option,
    Refused,
    Settlement,
    outcome_words,
)
from lobes.tui.widgets.canvas import Painted

if TYPE_CHECKING:
    from lobes.tui.widgets.virtual_list import Marked, VirtualList

CHANGED = "it changed"
YES = Option("enter", "yes")


@dataclass(frozen=True, slots=True)
class _Act:
    """A decision under way: what is asked for, and what of the batch isn't."""

    decision: Decision[Any]
    items: tuple[Asked, ...]
    refused: tuple[Refused, ...] = ()
    left: int = 0
    note: str = ""


def decides(action: str) -> Callable[[Deciding], None]:
    """A screen's handler of the key of a decision: `action_accept = decides("accept")`."""

    def act(self: Deciding) -> None:
        self.decide(action)

    return act


class Deciding(Asking):
    """Screens give `listing`, `decisions`, `item` and `decided`, and call `shows` for new rows."""

    def __init__(self) -> None:
        super().__init__()
        self.guard = Guard()
        self.pending: set[str] = set()
        """What is being decided: it waits for no second decision."""
        self._marked: dict[str, str] = {}
        self._undo_next = False

    # -- what a screen gives

    @property
    def listing(self) -> VirtualList[Any]:
        raise NotImplementedError

    @property
    def nouns(self) -> tuple[str, str]:
        """One and many of what is decided here."""
        return "item", "items"

    def decisions(self) -> Sequence[Decision[Any]]:
        return ()

    def item(self, id: str) -> Item | None:
        """What is there under this id, shown or hidden by the filter."""
        return None

    def is_read(self, id: str) -> bool:
        """Whether its text was shown to its end."""
        return True

    def decided(self, done: Sequence[str]) -> None:
        """These have left the view by the person's own act."""

    def stayed(self, done: Sequence[str]) -> None:
        """These were decided by the person's own act, and are still in the view."""

    # -- rows

    def shows(self, items: Iterable[Item], *, own: bool) -> None:
        """These rows stand there from the next frame on. `own`: by an act of the person's."""
        stamps = {one.id: one.stamp for one in items}
        self.guard.show(stamps, own=own)
        self.listing.retain_marks(stamps)
        self._marked = {id: stamp for id, stamp in self._marked.items() if id in stamps}
        self.call_after_refresh(self._are_painted)

    def _are_painted(self) -> None:
        self.guard.painted(self.lobes.ticks())

    # -- marks

    def action_mark(self) -> None:
        self.listing.toggle_mark()

    def action_mark_range(self) -> None:
        self.listing.mark_range()

    def action_mark_all(self) -> None:
        self.listing.mark_all()

    def on_marked(self, event: Marked) -> None:
        """A mark holds what was seen of the row: what changes afterwards is not decided with it."""
        event.stop()
        ids = self.listing.marks.ids
        self._marked = {
            id: self._marked.get(id) or (one.stamp if (one := self.item(id)) else "") for id in ids
        }
        self.query_one("#context", Painted).refresh()

    def marks_span(self) -> list[Span]:
        """`3 marked`, and how many of them a filter hides."""
        marks = self.listing.marks
        if not len(marks):
            return []
        hidden = sum(not self.listing.has(id) for id in marks.ids) if self.part else 0
        more = f", {hidden} hidden" if hidden else ""
        return [Span(f"{len(marks):,} marked{more}", bold=True), Span("  ")]

    # -- deciding

    def decide(self, action: str) -> None:
        """The key of a decision was pressed."""
        decision = next((one for one in self.decisions() if one.action == action), None)
        if decision is None or self.is_asking:
            return
        if self.listing.marks.ids:
            self._decide_marked(decision)
        else:
            self._decide_one(decision)

    def _decide_one(self, decision: Decision[Any]) -> None:
        id = self.listing.cursor
        item = self.item(id)
        if item is None or id in self.pending or not self.listing.is_painted(id):
            return
        if not self.guard.may(id, item.stamp, self.lobes.ticks()):
            return
        brake = decision.brake(item, self.is_read(id)) if decision.brake else None
        act = _Act(decision, (Asked(id, item.stamp, item.kind),))
        match brake:
            case None:
                self._before(act)
            case Look():
                self.say(brake.text, "warning")
                self.look_at_it()
            case Confirm():
                self.ask(brake.text, (YES,), partial(self._yes, act), usual="enter")
            case Choose():
                self.ask(brake.text, brake.options, partial(self._instead, act))

    def _yes(self, act: _Act, *_: object) -> None:
        self._before(act)

    def look_at_it(self) -> None:
        """Open the evidence, where it isn't open."""
        if not self.has_class("-zoom"):
            super().action_open()

    def _instead(self, act: _Act, chosen: Option, _: str) -> None:
        decision = next(one for one in self.decisions() if one.action == chosen.decision)
        self._before(_Act(decision, act.items))

    def _decide_marked(self, decision: Decision[Any]) -> None:
        if not decision.batch:
            self.one_at_a_time()
            return
        if not self.guard.is_calm(self.lobes.ticks()):
            return
        asked: list[Asked] = []
        refused: list[Refused] = []
        left = 0
        for id, stamp in self._marked.items():
            item = self.item(id)
            if item is None or id in self.pending:
                continue
            if item.stamp != stamp:
                refused.append(Refused(id, CHANGED))
            elif decision.brake and decision.brake(item, False) is not None:
                left += 1
            else:
                asked.append(Asked(id, stamp, item.kind))
        if asked:
            self._before(_Act(decision, tuple(asked), tuple(refused), left))
        else:
            self._settled(_Act(decision, (), tuple(refused), left), Settlement(()))

    def one_at_a_time(self) -> None:
        """Say that it is never done to all that is marked."""
        clears = f"{self.look.key('leave')} clears the marks."
        self.say(f"This is decided one at a time. {clears}", "warning")

    def _before(self, act: _Act) -> None:
        ask = act.decision.before
        items = tuple(one for asked in act.items if (one := self.item(asked.id)) is not None)
        if ask is None:
            self._reason(act)
        else:
            ask(items, partial(self._reason, act))

    def _reason(self, act: _Act) -> None:
        decision = act.decision
        if not decision.reasons:
            self._begin(act)
            return

        def given(chosen: Option, typed: str) -> None:
            note = typed if chosen.typed else chosen.label
            self._begin(_Act(decision, act.items, act.refused, act.left, note))

        self.ask(f"{decision.done}:", decision.reasons, given, usual=decision.usual)

    def _begin(self, act: _Act) -> None:
        """Whatever changed while a question was open is not decided any more."""
        current = {one.id: item.stamp for one in act.items if (item := self.item(one.id))}
        still = tuple(one for one in act.items if current.get(one.id) == one.stamp)
        changed = tuple(Refused(one.id, CHANGED) for one in act.items if one not in still)
        act = _Act(act.decision, still, (*act.refused, *changed), act.left, act.note)
        self.listing.clear_marks()
        if not still:
            self._settled(act, Settlement(()))
            return
        self.pending.update(one.id for one in still)
        # Jobs that write run one after the other, so undo takes them back in their order.
        work = partial(act.decision.perform, act.items, act.note)
        failed = partial(self._failed, act)
        self.jobs.start("decide", work, partial(self._ended, act), failed=failed)
        if act.decision.leaves:
            self._advance()

    def _advance(self) -> None:
        """To the next row that isn't being decided; at the end, to the one before."""
        for step in (1, -1):
            while self.listing.cursor in self.pending:
                at = self.listing.position
                self.listing.move(step)
                if self.listing.position == at:
                    break

    def _ended(self, act: _Act, found: Settlement) -> None:
        # What comes next is painted first: to take a row out of ten thousand would keep it waiting.
        self.call_after_refresh(self._end, act, found)

    def _end(self, act: _Act, found: Settlement) -> None:
        self.pending.difference_update(one.id for one in act.items)
        self._settled(act, found)
        (self.decided if act.decision.leaves else self.stayed)(found.done)
        self._undo_pending(was_done=bool(found.done))

    def _failed(self, act: _Act, error: Exception) -> None:
        self.pending.difference_update(one.id for one in act.items)
        self.report(error)
        self.listing.refresh_changed()
        self._undo_pending(was_done=False)

    def action_undo(self) -> None:
        """What is still being decided is undone once it is."""
        if self.pending:
            self._undo_next = True
        else:
            super().action_undo()

    def _undo_pending(self, *, was_done: bool) -> None:
        """The undo that waited for the last act. Where that came to nothing, so does the undo: it
        was not asked for any older act."""
        if self._undo_next and not self.pending:
            self._undo_next = False
            if was_done:
                super().action_undo()

    def _settled(self, act: _Act, found: Settlement) -> None:
        whole = replace(found, refused=(*act.refused, *found.refused))
        text = outcome_words(act.decision, whole, self.nouns, left=act.left, note=act.note)
        if not whole.done:
            self.say(text, "warning")
            return
        kind = "warning" if whole.refused else "success"
        self.lobes.acted(Outcome(text, found.undo), kind=kind)

    async def action_leave(self) -> None:
        """Closes what is open, then clears the marks, then the filter, then goes back."""
        closes = self.is_asking or self.has_class("-zoom")
        if closes or not self.listing.clear_marks():
            await super().action_leave()
