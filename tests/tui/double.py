"""A use of the triage screen that stands for any: thirty proposals, brakes, failures, one log.

`Pool` is what the services would be: each item has its own outcome, a batch has one record and one
undo, and what changed since it was shown is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event

from tests.tui.sample import NOW, FixedSource
from textual.screen import Screen

from lobes.keys import actions
from lobes.keys.actions import Action, marking
from lobes.keys.keymap import Keymap
from lobes.tui.app import LobesApp
from lobes.tui.glyphs import Glyphs
from lobes.tui.outcomes import Outcome
from lobes.tui.paint import Look, Span, heading, ink, muted, paragraph, title
from lobes.tui.screens.deciding import decides
from lobes.tui.screens.triage import Evidence, Found, TriageScreen, Use, View
from lobes.tui.triage import (
    Asked,
    Brake,
    Choose,
    Confirm,
    Decision,
    Option,
    Refused,
    Settlement,
)
from lobes.tui.triage import Look as LookFirst
from lobes.tui.views.triage import Counter, Row


@dataclass(frozen=True)
class Proposal:
    id: str
    text: str
    kind: str = ""
    stamp: str = "1"


REASONS = (
    Option("1", "wrong"),
    Option("2", "not worth keeping"),
    Option("3", "too vague"),
    Option("4", "belongs elsewhere"),
    Option("5", "secret or personal"),
    Option("6", "other…", typed=True),
)

ACTIONS = (
    Action("accept", "accept", ("a",), "Do", "accept", "review", "row"),
    Action("reject", "reject", ("r",), "Do", "reject…", "review", "row"),
    Action("dispute", "dispute", ("d",), "Do", "keep both", "review", "row"),
    Action("confirm", "confirm", ("c",), "Do", "confirm, one at a time", "review", "row"),
    Action("view", "view", ("f",), "Look", "view: waiting, decided", "review"),
    *marking("review"),
)


def thirty() -> dict[str, Proposal]:
    plain = [Proposal(f"p{n:02}", f"Proposal number {n} says something.") for n in range(30)]
    special = {
        "p03": replace(plain[3], kind="conflict"),
        "p05": replace(plain[5], kind="restricted"),
        "p07": replace(plain[7], text="A long one. " * 400, kind="long"),
    }
    return {one.id: special.get(one.id, one) for one in plain}


@dataclass
class Pool:
    """`records` is the audit: (what was done, ids, note). `stale` ids changed behind our back."""

    waiting: dict[str, Proposal] = field(default_factory=thirty)
    decided: dict[str, str] = field(default_factory=dict[str, str])
    records: list[tuple[str, tuple[str, ...], str]] = field(
        default_factory=list[tuple[str, tuple[str, ...], str]]
    )
    stale: set[str] = field(default_factory=set[str])
    fault: Exception | None = None
    hold: Event | None = None
    reads: int = 0

    def read(self, view: str) -> Found[Proposal]:
        self.reads += 1
        if view == "decided":
            return Found(tuple(Proposal(one, one) for one in self.decided))
        counters = (Counter("Proposed by agents and imports", 30), Counter("accepted", 30, True))
        number = len(self.waiting)
        fact = f"{number} waiting" if number else "nothing waiting"
        return Found(tuple(self.waiting.values()), fact, counters)

    def perform(self, word: str, asked: tuple[Asked, ...], note: str) -> Settlement:
        if self.hold is not None:
            assert self.hold.wait(20)
        if self.fault is not None:
            raise self.fault
        right = [one for one in asked if self._as_shown(one)]
        before = {one.id: self.waiting.pop(one.id) for one in right}
        self.decided.update(dict.fromkeys(before, word))
        if before:
            self.records.append((word, tuple(before), note))
        refused = tuple(Refused(one.id, "it changed") for one in asked if one.id not in before)
        undo = partial(self._undo, word, before, note) if before else None
        return Settlement(tuple(before), refused, undo)

    def _as_shown(self, one: Asked) -> bool:
        item = self.waiting.get(one.id)
        return item is not None and item.stamp == one.stamp and one.id not in self.stale

    def _undo(self, word: str, before: dict[str, Proposal], note: str) -> Outcome:
        self.waiting = dict(sorted({**self.waiting, **before}.items()))
        self.records.append((f"undo {word}", tuple(before), note))
        many = f"{len(before)} memories wait" if len(before) > 1 else "it waits"
        return Outcome(f"Undone: {many} again", partial(self._redo, word, before, note))

    def _redo(self, word: str, before: dict[str, Proposal], note: str) -> Outcome:
        found = self.perform(word, tuple(Asked(i, p.stamp) for i, p in before.items()), note)
        return Outcome("Redone", found.undo)


def brake(item: Proposal, read: bool) -> Brake | None:
    if item.kind == "conflict":
        return Choose("It contradicts a memory.", (Option("d", "dispute", "dispute"),))
    if item.kind == "long" and not read:
        return LookFirst("Read it to the end first.")
    return Confirm("restricted. Accept?") if item.kind == "restricted" else None


def row(item: Proposal, look: Look) -> Row:
    flag = (Span("! "), Span(item.kind, "warning")) if item.kind else ()
    return Row(Span("+", "success"), item.text, flag, "Notidian", "by agent", NOW)


def evidence(item: Proposal, found: str | None, width: int, focused: bool, look: Look) -> Evidence:
    head = heading([title("Proposal")], [muted(item.kind)], width, look, focused=focused)
    text = [head, *paragraph(item.text, width)]
    return Evidence([*text, (ink(found or "", "muted"),)], text=len(text))


class DoubleScreen(TriageScreen[Proposal, str]):
    page = "review"
    pool: Pool

    def make_use(self) -> Use[Proposal, str]:
        pool = self.pool
        return Use(
            name="Review",
            about="what agents want to remember",
            nouns=("memory", "memories"),
            views=(View("waiting", "Waiting"), View("decided", "Decided", "decided")),
            decisions=(
                Decision("accept", "Accepted", partial(pool.perform, "accept"), brake),
                Decision(
                    "reject",
                    "Rejected",
                    partial(pool.perform, "reject"),
                    reasons=REASONS,
                    usual="2",
                ),
                Decision("dispute", "Disputed", partial(pool.perform, "dispute")),
                Decision("confirm", "Confirmed", partial(pool.perform, "confirm"), batch=False),
            ),
            read=pool.read,
            inspect=lambda item: f"what was read of {item.id}",
            row=row,
            evidence=evidence,
            third=evidence,
            empty=("Nothing waits for you.", "Agents propose, you decide."),
        )

    action_accept = decides("accept")
    action_reject = decides("reject")
    action_dispute = decides("dispute")
    action_confirm = decides("confirm")


class Ticks:
    """A clock that stands until a test moves it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def triage_app(pool: Pool, ticks: Ticks) -> LobesApp:
    """The app with the double in the place of Review."""

    class Double(DoubleScreen):
        pass

    Double.pool = pool

    def make() -> Screen[None]:
        return Double()

    app = LobesApp(FixedSource(), clock=lambda: NOW, glyphs=Glyphs(), live=False)
    app._modes["review"] = make
    app.keymap = Keymap({one.id: one.keys for one in actions.ACTIONS})
    app.ticks = ticks
    return app


def ids(items: Sequence[Proposal]) -> list[str]:
    return [one.id for one in items]
