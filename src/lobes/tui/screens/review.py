"""Review: what agents and imports want to be remembered, decided by a person, one key each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lobes.domain.memories import HIGH_CATEGORIES, Memory
from lobes.domain.reasons import remedy, sentence
from lobes.domain.reviewing import CHOOSE, CONFIRM, hidden_in
from lobes.domain.sensitivity import STAYS
from lobes.tui.cells import age, plural
from lobes.tui.paint import Line, Look
from lobes.tui.reviewing import Opened, Order, Read, Row, Waiting
from lobes.tui.reviewing_edits import OpenedEdit, WaitingEdit
from lobes.tui.screens.deciding import decides
from lobes.tui.screens.laying import Laying
from lobes.tui.screens.revealing import Revealing, clear_memory
from lobes.tui.screens.review_asking import FOR_MEMORIES, ReviewAsking
from lobes.tui.screens.triage import Evidence, Found, Use, View
from lobes.tui.triage import Brake, Choose, Confirm, Decision, Option
from lobes.tui.triage import Look as LookFirst
from lobes.tui.views import review, review_beside, review_edit, review_row, review_words
from lobes.tui.views.triage import Counter
from lobes.tui.views.triage import Row as Painted
from lobes.tui.widgets.canvas import Paint
from lobes.tui.widgets.dialog import Button, Dialog, words
from lobes.tui.widgets.virtual_list import Moved

if TYPE_CHECKING:
    from datetime import datetime

    from lobes.services.review_queue import Counters
    from lobes.services.review_queue import View as Wanted

LONG = 280
"""Characters of a statement that is to be read to its end before it is decided upon."""
LOOK_AT = frozenset({"hidden", "near_copy", "outside", "replaces", "confirm", "secret"})
"""Brakes that ask for a look at the evidence before anything else."""
INSTEAD = (
    Option("s", "supersede", "supersede"),
    Option("d", "dispute", "dispute"),
    Option("r", "reject", "reject"),
)
ALIKE = (
    Option("m", "keep this, fold the others in", "fold_alike"),
    Option("r", "reject all", "reject_alike"),
    Option("o", "only this one", "accept_only"),
)
STALE = (
    Option("c", "hold it against the file as it is", "recheck"),
    Option("r", "reject", "reject"),
)
OF_EDITS = frozenset({"accept", "reject", "reopen", "recheck"})
"""What is decided on edits of files; all else is for memories."""
EMPTY = {
    "active": "Nothing is in use yet.",
    "archived": "Nothing was archived or superseded.",
    "rejected": "Nothing was rejected.",
}
VIEWS: Mapping[str, Wanted] = {
    "waiting": "waiting",
    "active": "active",
    "archived": "archived",
    "rejected": "rejected",
}


class ReviewScreen(ReviewAsking):
    page = "review"

    def __init__(self) -> None:
        self._counters: Counters | None = None
        self._alike: Mapping[str, tuple[str, ...]] = {}
        self._is_escaped = False
        super().__init__()
        self._laying = Laying(self, self.more_is_shown)
        self.revealing = Revealing[Memory](self, partial(self._show_evidence, keep=True))

    def make_use(self) -> Use[Row, Read]:
        accept = Decision("accept", "Accepted", self._perform("accept"), self._brake)
        return Use(
            name="Review",
            about="what agents want to remember",
            nouns=("memory", "memories"),
            views=tuple(View(id, id.capitalize(), id) for id in VIEWS),
            decisions=(accept, *self.make_decisions()),
            read=self._read_view,
            inspect=lambda item: self.review.open(item),
            row=self._row_of,
            evidence=self._evidence,
            third=self._beside,
            empty=(),
            empty_acts=(
                ("view", "show decided ones"),
                ("undo", "undo the last"),
                ("go_search", "ask something"),
            ),
        )

    # -- reading

    def _read_view(self, view: str) -> Found[Row]:
        found = self.review.queue(VIEWS[view])
        self._counters = known = found.counters
        became = _became(known) if view == "waiting" else ()
        return Found(found.items, self._fact(found.oldest, known), became)

    def _fact(self, oldest: datetime | None, counters: Counters) -> str:
        if not counters.waiting or oldest is None:
            return "nothing waiting"
        return f"{counters.waiting:,} waiting, oldest {age(oldest, self.look.now)}"

    def _found(self, found: Found[Row]) -> None:
        known = self._counters
        if known is not None:
            self.lobes.counts["review"] = known.waiting
            self.use = replace(self.use, empty=_nothing(self.view.id, known))
        super()._found(found)
        if any("near_copy" in one.item.brakes and one.waits for one in found.items):
            self.jobs.start("alike", lambda: self.review.alike(found.items), self._found_alike)

    def _found_alike(self, found: Mapping[str, tuple[str, ...]]) -> None:
        if found != self._alike:
            self._alike = found
            self.listing.refresh_changed()
            self._show_evidence(keep=True)

    def variants(self, id: str) -> Sequence[str]:
        item = self._by_id.get(id)
        if not isinstance(item, Waiting) or not item.waits:
            return ()
        known: Sequence[str] = self._alike.get(id, ())
        if not known and (opened := self.opened(item)) and opened.evidence.variants:
            known = (id, *(one.id for one in opened.evidence.variants))
        return [one for one in known if self.item(one) is not None]

    # -- painting

    def _row_of(self, item: Row, look: Look) -> Painted:
        if isinstance(item, WaitingEdit):
            return review_edit.row(item, look)
        return review_row.row(item, look, variants=len(self._alike.get(item.id, ())))

    def _evidence(
        self, item: Row, opened: Read | None, width: int, focused: bool, look: Look
    ) -> Evidence:
        if isinstance(item, WaitingEdit):
            read = opened if isinstance(opened, OpenedEdit) else None
            size, third = self.app.size.width, self.has_class("-ultra")
            edit = review_edit.Shown(item, read, size, third, self._is_escaped)
            return review_edit.evidence(edit, width, focused, look, self._laying.lines)
        opened, note = self._with_secrets(None if isinstance(opened, OpenedEdit) else opened)
        shown = review.Shown(
            item,
            opened,
            note=note,
            screen=self.app.size.width,
            third=self.has_class("-ultra"),
            escaped=self._is_escaped,
            variants=len(self.variants(item.id)),
        )
        return review.evidence(shown, width, focused, look)

    def _with_secrets(self, opened: Opened | None) -> tuple[Opened | None, str]:
        """What was read, for a while with its secrets, and what the key for that does."""
        if opened is None or not _is_masked(memory := opened.evidence.memory):
            return opened, ""
        clear, note = self.revealing.shown(memory), self.revealing.note(memory)
        if clear is memory and hidden_in(memory.statement) and not self._is_escaped:
            note = f"{self.look.key('uncover')} shows hidden characters, and then the secret."
        return Opened(replace(opened.evidence, memory=clear)), note

    def _beside(
        self, item: Row, opened: Read | None, width: int, focused: bool, look: Look
    ) -> Evidence:
        counters = self._counters
        if isinstance(item, WaitingEdit):
            read = opened if isinstance(opened, OpenedEdit) else None
            return review_beside.third_of_edit(item, read, width, focused, look, counters=counters)
        opened = None if isinstance(opened, OpenedEdit) else opened
        return review_beside.third(item, opened, width, focused, look, counters=counters)

    # -- deciding

    def decide(self, action: str) -> None:
        """What is for memories alone is never done to an edit of a file."""
        marked = [self.item(id) for id in self.listing.marks.ids]
        about = marked or [self.chosen]
        if action not in OF_EDITS and any(isinstance(one, WaitingEdit) for one in about):
            self.say(FOR_MEMORIES, "warning", listed=True)
            return
        super().decide(action)

    def _brake(self, item: Row, read: bool) -> Brake | None:
        if isinstance(item, WaitingEdit):
            return self._brake_of_edit(item, read)
        return self._brake_of_memory(item, read)

    def _brake_of_edit(self, item: WaitingEdit, read: bool) -> Brake | None:
        """Its row is no more than a path: what it changes must have been shown to its end, here or
        before it was marked. In a batch a brake holds it back besides."""
        found = self.opened_edit(item)
        held = frozenset(item.item.brakes if found is None else found.evidence.brakes)
        if not self.is_read(item.id) or (held and not read):
            return LookFirst("Read what it changes to the end first.")
        self.order("accept", [item], Order(confirmed=read))
        stale = found.evidence.stale if found else None
        if stale is not None:
            return Choose(sentence(stale), STALE)
        if CONFIRM & held:
            return Confirm(self._confirming_edit(item, held))
        return None

    def _confirming_edit(self, item: WaitingEdit, held: frozenset[str]) -> str:
        found, level = self.opened_edit(item), item.item.edit.level
        what = f"{self.look.glyphs.of('sensitivity', level)} {level}"
        if "secret" in held:
            what = "It holds a secret"
        elif "confirm" not in held and found is not None:
            what = plural(found.evidence.hidden, "hidden character")
        return f"{what}, into a file of {item.where}. Accept?"

    def _brake_of_memory(self, item: Waiting, read: bool) -> Brake | None:
        """What holds accepting it back; in a batch nothing counts as read."""
        found = self.opened(item)
        held = frozenset(item.item.brakes if found is None else found.evidence.brakes)
        statement = item.item.statement
        stale = found.evidence.stale if found else None
        self.order("accept", [item], Order(confirmed=read))
        if CHOOSE & held or stale == "conflict_since":
            yours = not stale and "conflict" not in held
            return Choose(
                "It would replace what you wrote." if yours else "It contradicts a memory.", INSTEAD
            )
        is_long = len(statement) > LONG or "\n" in statement
        if not read and (is_long or LOOK_AT & held):
            return LookFirst("Read it to the end first.")
        if CONFIRM & held:
            return Confirm(self._confirming(item, held))
        if stale is not None:
            return Confirm(f"{sentence(stale)} Accept?")
        if (number := len(self.variants(item.id))) > 1:
            return Choose(f"{number} say nearly the same.", ALIKE)
        return None

    def _confirming(self, item: Waiting, held: frozenset[str]) -> str:
        """`▇ confidential, into Health. Accept?` Its row knows no more than when it came in."""
        row, what = item.item.row, "It holds something sensitive"
        if "secret" in held:
            what = "It holds a secret"
        elif "confirm" not in held:
            what = plural(hidden_in(row.subject + row.statement), "hidden character")
        elif row.level in STAYS or row.category in HIGH_CATEGORIES:
            glyph = self.look.glyphs.of("sensitivity", row.level)
            what = f"{glyph} {row.level if row.level in STAYS else row.category}"
        return f"{what}, into {item.where}. Accept?"

    action_accept = decides("accept")
    action_reject = decides("reject")
    action_supersede = decides("supersede")
    action_merge = decides("merge")
    action_dispute = decides("dispute")
    action_delete = decides("delete")
    action_sensitivity = decides("sensitivity")

    def action_edit_memory(self) -> None:
        item = self.memory
        self.decide("edit_used" if item is not None and not item.waits else "edit_memory")

    def action_archive(self) -> None:
        """What was put away comes back: from the archive into use, from rejection into waiting."""
        back = {"rejected": "reopen", "archived": "restore", "superseded": "restore"}
        item, status = self.chosen, ""
        if isinstance(item, WaitingEdit):
            status = item.item.edit.status
        elif item is not None:
            status = item.item.row.status
        self.decide(back.get(status, "archive"))

    def action_mark_alike(self) -> None:
        """What says nearly the same is marked, to be decided as one."""
        if isinstance(self.chosen, WaitingEdit):
            self.say(FOR_MEMORIES, "warning", listed=True)
            return
        alike = self.variants(self.chosen.id) if self.chosen is not None else ()
        self._mark(alike, "Nothing else that waits says nearly the same.")

    def action_mark_session(self) -> None:
        """Everything that came from the same session is marked."""
        row = self.memory.item.row if self.memory is not None else None
        same = [
            one.id
            for one in self.merged.items
            if row is not None
            and row.session
            and isinstance(one, Waiting)
            and (one.item.row.person, one.item.row.session) == (row.person, row.session)
        ]
        self._mark(same, "Nothing else that waits came from the same session.")

    def _mark(self, ids: Iterable[str], nothing: str) -> None:
        wanted = [id for id in ids if self.item(id) is not None]
        if len(wanted) < 2:
            self.say(nothing, "warning")
        else:
            self.listing.mark_these(wanted)

    # -- looking

    def action_uncover(self) -> None:
        """Hidden characters first, which nobody hears of; then the secret, which is recorded; then
        both as they were."""
        item = self.chosen
        if isinstance(item, WaitingEdit):
            found = self.opened_edit(item)
            hides = bool(hidden_in(item.item.edit.path) or (found and found.evidence.hidden))
            masked = None
        else:
            hides = item is not None and "hidden" in item.item.brakes
            opened = self.opened(item) if item is not None else None
            masked = opened.evidence.memory if opened else None
            masked = masked if masked and _is_masked(masked) else None
        if hides and not self._is_escaped:
            self._is_escaped = True
        elif masked is not None and not self.revealing.is_shown(masked):
            self.revealing.begin(masked, partial(clear_memory, self.source, masked))
            return
        elif hides or masked is not None:
            self._is_escaped = False
            self.revealing.end()
        else:
            self.say("It has no hidden characters and no masked secret.", "warning", listed=True)
            return
        self._show_evidence(keep=True)

    def on_moved(self, event: Moved) -> None:
        """Beside what the list does of it: a secret goes with the cursor."""
        self.revealing.end()

    def left(self) -> None:
        super().left()
        self.revealing.end()

    def action_why(self) -> None:
        item = self.memory
        found = self.opened(item) if item is not None else None
        if isinstance(self.chosen, WaitingEdit):
            self._why_edit(self.chosen)
            return
        if found is None:
            super().action_why()
            return
        one = found.evidence
        said = list(review_words.because(one.memory)) if one.memory.status == "proposed" else []
        if one.stale is not None:
            said += [sentence(one.stale), remedy(one.stale)]
        said = said or [
            f"It is {one.memory.status}: {review_words.standing(one.memory, self.look.now)}."
        ]
        self._tell("Why it waits" if item is not None and item.waits else "Why", words(*said))

    def _why_edit(self, item: WaitingEdit) -> None:
        edit, found = item.item.edit, self.opened_edit(item)
        said = [edit.why or f"{review_edit.because(edit).capitalize()}."]
        if found is not None and (stale := found.evidence.stale) is not None:
            said += [sentence(stale), remedy(stale)]
        self._tell("Why it waits" if item.waits else "Why", words(*said))

    def action_history(self) -> None:
        item = self.memory
        found = self.opened(item) if item is not None else None
        if found is None:
            self.say("There is no history here.", "warning", listed=True)
            return
        about = "History of what it would replace" if found.evidence.replaced else "History"

        def paint(width: int, focused: bool) -> Sequence[Line]:
            return review.history(found, width, self.look)

        self._tell(about, paint)

    def _tell(self, title: str, body: Paint) -> None:
        self.app.push_screen(Dialog(title, body, [Button("", "Close")], look=self.look))


def _is_masked(memory: Memory) -> bool:
    return any(one.is_secret for one in memory.findings)


def _nothing(view: str, known: Counters) -> tuple[str, ...]:
    """Why the list is empty."""
    if view != "waiting":
        return (EMPTY[view],)
    came = plural(known.proposed, "proposal")
    told = f"Since yesterday {came} came in; this is what became of them."
    return ("Nothing waits for you.", f"Agents propose, you decide. {told}")


def _became(known: Counters) -> tuple[Counter, ...]:
    return (
        Counter("Proposed by agents and imports", known.proposed),
        Counter("repeats, folded into what you have", known.repeats, inner=True),
        Counter("suppressed, you rejected them before", known.suppressed, inner=True),
        Counter("accepted", known.accepted, inner=True),
        Counter("rejected", known.rejected, inner=True),
        Counter("Active at once, you typed them", known.at_once),
    )
