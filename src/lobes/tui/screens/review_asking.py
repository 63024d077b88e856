"""What a decision on a memory asks before it is taken: new words, the other memory, a yes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lobes.domain.display import is_hidden, one_line
from lobes.domain.reviewing import REJECTIONS
from lobes.domain.sensitivity import LEVELS, is_stricter
from lobes.tui.cells import plural
from lobes.tui.outcomes import Outcome
from lobes.tui.reviewing import Opened, Order, Read, Row, Waiting
from lobes.tui.reviewing_edits import OpenedEdit, WaitingEdit
from lobes.tui.screens.deciding import YES
from lobes.tui.screens.triage import TriageScreen
from lobes.tui.triage import Asked, Decision, Option, Proceed, Settlement
from lobes.tui.widgets.dialog import Button, Dialog, ask, words
from lobes.tui.widgets.picker import Choice, Picker
from lobes.tui.widgets.wording import Wording

if TYPE_CHECKING:
    from lobes.domain.reviewing import Decides
    from lobes.domain.sensitivity import Level
    from lobes.services.promoting import Promotion
    from lobes.tui.reviewing import ReviewSource, Wider

Items = tuple[Waiting, ...]
REASONS = (
    *(Option(str(number), text) for number, text in enumerate(REJECTIONS.values(), 1)),
    Option(str(len(REJECTIONS) + 1), "other…", typed=True),
)
_CODES: Mapping[str, str] = {text: code for code, text in REJECTIONS.items()}
SHORT = 60
"""Characters of a statement that a question names."""
FOR_MEMORIES = "That is for memories."


class ReviewAsking(TriageScreen[Row, Read]):
    """Mixed into Review. An order is what was answered about one item for one act: the next
    decision may be under way while an earlier one is being written."""

    def __init__(self) -> None:
        self._orders: dict[tuple[str, str], Order] = {}
        super().__init__()

    @property
    def review(self) -> ReviewSource:
        """Asked in threads alone: it reads the store."""
        return self.source.review()

    def variants(self, id: str) -> Sequence[str]:
        """What waits and says nearly the same, itself too; nothing where it is alone."""
        raise NotImplementedError

    def opened(self, item: Waiting) -> Opened | None:
        """What was read of it, as it is shown."""
        found = self._read_of(item)
        return found if isinstance(found, Opened) else None

    def opened_edit(self, item: WaitingEdit) -> OpenedEdit | None:
        found = self._read_of(item)
        return found if isinstance(found, OpenedEdit) else None

    def _read_of(self, item: Row) -> Read | None:
        known = self._inspected
        fits = known is not None and known[:2] == (item.id, item.stamp)
        return known[2] if known and fits else None

    @property
    def memory(self) -> Waiting | None:
        """The one under the cursor, where it is a memory."""
        item = self.chosen
        return item if isinstance(item, Waiting) else None

    def make_decisions(self) -> tuple[Decision[Row], ...]:
        return (*self._of_proposals(), *self._of_any())

    def _of_proposals(self) -> tuple[Decision[Row], ...]:
        """What becomes of what waits. What is in use is checked again as well."""
        carry, alike = self._perform, self._perform_alike
        new_words, retired = _of_memories(self._new_words), _of_memories(self._retired)
        kept, opposed = _of_memories(self._kept), _of_memories(self._opposed)
        reword = Decision(
            "edit_memory", "Accepted, reworded", self._reword, before=new_words, batch=False
        )
        return (
            Decision("accept_only", "Accepted", carry("accept")),
            reword,
            Decision("reject", "Rejected", carry("reject"), reasons=REASONS, usual="2"),
            Decision("reject_alike", "Rejected", alike("reject"), reasons=REASONS, usual="2"),
            Decision("supersede", "Superseded", carry("supersede"), before=retired, batch=False),
            Decision("merge", "Merged", carry("merge"), before=kept),
            Decision("fold_alike", "Merged", alike("merge"), batch=False),
            Decision("dispute", "Disputed", carry("dispute"), before=opposed, batch=False),
            Decision("recheck", "Checked again", carry("recheck"), batch=False, leaves=False),
        )

    def _of_any(self) -> tuple[Decision[Row], ...]:
        """What is done to memories in use, archived or rejected, or to any of them."""
        carry, gone = self._perform, _of_memories(self._gone_for_good)
        new_words, level = _of_memories(self._new_words), _of_memories(self._which_level)
        edit = Decision(
            "edit_used", "Edited", self._reword, before=new_words, batch=False, leaves=False
        )
        return (
            edit,
            Decision("archive", "Archived", carry("archive")),
            Decision("restore", "Restored", carry("restore")),
            Decision("reopen", "Reopened", carry("reopen")),
            Decision("delete", "Deleted", carry("delete"), before=gone),
            Decision("sensitivity", "Set", self._set_level, before=level, leaves=False),
        )

    # -- taking them

    def order(self, act: str, items: Sequence[Row], order: Order) -> None:
        self._orders |= {(act, one.id): order for one in items}

    def _ordered(self, act: str, asked: Sequence[Asked]) -> Order:
        found = [self._orders.pop((act, one.id), None) for one in asked]
        return next((one for one in found if one is not None), Order())

    def _perform(self, act: Decides) -> Callable[[tuple[Asked, ...], str], Settlement]:
        def perform(asked: tuple[Asked, ...], note: str) -> Settlement:
            order = self._ordered(act, asked)
            rest = [one for one in asked if order.target is None or one.id != order.target.id]
            sure = order.confirmed and len(asked) == 1
            order = replace(order, reason=_CODES.get(note, note), confirmed=sure)
            found = self.review.decide(act, rest, order)
            return found if len(rest) == len(asked) else _with_target(found, order)

        return perform

    def _perform_alike(self, act: Decides) -> Callable[[tuple[Asked, ...], str], Settlement]:
        """All that says nearly the same as this one: rejected, or folded into it."""

        def perform(asked: tuple[Asked, ...], note: str) -> Settlement:
            order = Order(_CODES.get(note, note), asked[0] if act == "merge" else None)
            wanted = [
                Asked(one.id, one.stamp)
                for id in self.variants(asked[0].id)
                if (one := self.item(id)) is not None and (act != "merge" or id != asked[0].id)
            ]
            return _with_target(self.review.decide(act, wanted, order), order)

        return perform

    def _reword(self, asked: tuple[Asked, ...], note: str) -> Settlement:
        return self.review.reword(asked[0], self._ordered("edit", asked))

    def _set_level(self, asked: tuple[Asked, ...], note: str) -> Settlement:
        order = self._ordered("sensitivity", asked)
        if order.level is None:
            return Settlement(())
        return self.review.set_level(asked, order.level, order.reason)

    # -- asking before

    def _new_words(self, items: Items, proceed: Proceed) -> None:
        item = items[0]

        def answered(text: str | None) -> None:
            if text and text != value:
                self.order("edit", items, Order(text=text, confirmed=True))
                proceed()
            elif text is not None:
                self.say("Nothing was changed.", "warning")

        value = "".join(one for one in item.item.statement if one == "\n" or not is_hidden(one))
        said = [] if value == item.item.statement else ["Its hidden characters are left out."]
        if item.waits:
            said.append("It is accepted with these words. What it said stays in its history.")
        else:
            said.append("What it said stays in its history.")
        name, act = ("Edit and accept", "Accept it so") if item.waits else ("Edit", "Keep it so")
        buttons = [Button("", "Not now"), Button("take", act)]
        ask(self, Wording(name, words(*said), buttons, look=self.look, value=value), answered)

    def _which_level(self, items: Items, proceed: Proceed) -> None:
        """A stricter one is a key; a laxer one takes a reason, which is typed."""
        now: list[Level] = [one.item.row.level for one in items]

        def offer(place: int, level: Level) -> Option:
            laxer = any(is_stricter(one, level) for one in now)
            return Option(str(place), f"{level}, why…" if laxer else level, typed=laxer)

        offered = [offer(at, one) for at, one in enumerate(LEVELS, 1) if {*now} != {one}]

        def chosen(option: Option, typed: str) -> None:
            level = LEVELS[int(option.key) - 1]
            self.order("sensitivity", items, Order(reason=typed, level=level))
            proceed()

        what = f"Sensitivity of {len(items)}:"
        if len(items) == 1:
            glyph = self.look.glyphs.of("sensitivity", now[0])
            what = f"Sensitivity, {glyph} {now[0]} now:"
        self.ask(what, offered, chosen)

    def _retired(self, items: Items, proceed: Proceed) -> None:
        """One line asks where it is known what; else it is picked among the neighbours."""
        found = self.opened(items[0])
        old = found.evidence.replaced if found else None
        if found is None or old is None:
            self._pick("supersede", "Which one does it supersede?", items, proceed)
            return
        also = tuple(one.id for one in found.evidence.also_retire)

        def yes(*_: object) -> None:
            self.order(
                "supersede", items, Order(target=Asked(old.id, ""), also=also, confirmed=True)
            )
            proceed()

        more = f" and {plural(len(also), 'near copy', 'near copies')} of it" if also else ""
        text = f"Out of use: “{one_line(old.statement, limit=SHORT)}”{more}. Supersede?"
        self.ask(text, (YES,), yes, usual="enter")

    def _opposed(self, items: Items, proceed: Proceed) -> None:
        found = self.opened(items[0])
        old = found.evidence.replaced if found else None
        if old is None:
            self._pick("dispute", "Which one does it contradict?", items, proceed)
            return
        self.order("dispute", items, Order(target=Asked(old.id, ""), confirmed=True))
        proceed()

    def _kept(self, items: Items, proceed: Proceed) -> None:
        """Of several, all go into the one under the cursor."""
        if len(items) == 1:
            self._pick("merge", "Which one does it go into?", items, proceed)
            return
        kept = next((one for one in items if one.id == self.listing.cursor), items[0])
        self.order("merge", items, Order(target=Asked(kept.id, kept.stamp)))
        proceed()

    def _pick(self, act: Decides, title: str, items: Items, proceed: Proceed) -> None:
        found = self.opened(items[0])
        beside = found.evidence.neighbours if found else ()
        if not beside:
            self.say("Nothing like it is known here.", "warning")
            return
        stamps = {one.id: one.stamp for one in self.merged.items}

        def chosen(id: str | None) -> None:
            if id:
                self.order(act, items, Order(target=Asked(id, stamps.get(id, "")), confirmed=True))
                proceed()

        choices = [Choice(one.memory.id, one.memory.statement, one.memory.status) for one in beside]
        self.app.push_screen(Picker(title, choices, look=self.look), chosen)

    def _gone_for_good(self, items: Items, proceed: Proceed) -> None:
        number, id = plural(len(items), "memory", "memories"), items[0].id
        first = f"“{one_line(items[0].item.statement, limit=SHORT)}”"
        more = f" and {len(items) - 1} more" if len(items) > 1 else ""
        dialog = Dialog(
            f"Delete {number}?",
            words(
                f"{first}{more}.", "Nobody finds it any more. What it had superseded comes back."
            ),
            [
                Button("", "Keep it"),
                Button("delete", "Delete"),
                *([Button("erase", "Erase…")] if len(items) == 1 else []),
            ],
            look=self.look,
            danger=True,
        )

        def answered(answer: str | None) -> None:
            if answer == "erase":
                # What it finds opens a dialog, which must not find this one still open.
                self.call_later(self._ask_erase, id)
            elif answer:
                proceed()

        ask(self, dialog, answered)

    def _ask_erase(self, id: str) -> None:
        from lobes.tui.screens.erasing import ask_erase

        ask_erase(self, "memory", id, partial(self.decided, [id]))

    # -- proposing more widely

    def action_propose_wider(self) -> None:
        item = self.memory
        if item is None:
            if self.chosen is not None:
                self.say(FOR_MEMORIES, "warning", listed=True)
            return
        if item.item.row.status in ("active", "disputed"):
            pick = partial(self._pick_place, item, "Where to propose it?", "propose", self._look)
            self.jobs.start("places", lambda: self.review.places(), pick)
        elif item.item.row.status == "proposed":
            pick = partial(self._pick_place, item, "Where should it wait?", "move", self._move)
            self.jobs.start("places", lambda: self.review.destinations(), pick)
        else:
            text = "Only what is in use is proposed more widely, and only what waits is moved."
            self.say(text, "warning")

    def _pick_place(
        self,
        item: Waiting,
        question: str,
        act: str,
        then: Callable[[Waiting, Wider], None],
        places: Sequence[Wider],
    ) -> None:
        here = item.item.row.lobe
        others = {str(one.lobe): one for one in places if one.lobe != here}
        choices = [Choice(id, one.name, one.note) for id, one in others.items()]

        def chosen(id: str | None) -> None:
            if id:
                # What comes of it may open a dialog, which must not find the list still open.
                self.call_later(then, item, others[id])

        if self.app.screen is self:
            picker = Picker(question, choices, look=self.look, act=act)
            self.app.push_screen(picker, chosen)

    def _move(self, item: Waiting, place: Wider) -> None:
        asked = [Asked(item.id, item.stamp)]
        went = partial(self._went, f"Moved to {place.name}", "Not moved")
        self.jobs.start("decide", lambda: self.review.move(asked, place.lobe), went)

    def _look(self, item: Waiting, place: Wider) -> None:
        found = partial(self._ask_wider, item, place)
        self.jobs.start("promotion", lambda: self.review.promotion(item.id, place.lobe), found)

    def _ask_wider(self, item: Waiting, place: Wider, found: Promotion) -> None:
        new = [*found.new_people, *found.new_spaces]
        who = f"New readers: {', '.join(new)}." if new else "Nobody else could read it there yet."
        dialog = Dialog(
            f"Propose it in {place.name}?",
            words(who, "It becomes a proposal there and waits again. This one stays."),
            [Button("", "Not now"), Button("propose", "Propose")],
            look=self.look,
        )
        ask(self, dialog, lambda answer: self._propose(item, place) if answer else None)

    def _propose(self, item: Waiting, place: Wider) -> None:
        asked = [Asked(item.id, item.stamp)]
        went = partial(self._went, f"Proposed in {place.name}", "Not proposed")
        self.jobs.start("decide", lambda: self.review.promote(asked, place.lobe), went)

    def _went(self, done: str, refused: str, found: Settlement) -> None:
        if found.done:
            self.lobes.acted(Outcome(done, found.undo))
        else:
            self.say(f"{refused}: {found.refused[0].why}.", "warning")
        self.others_wrote()


def _of_memories(
    ask_about: Callable[[Items, Proceed], None],
) -> Callable[[tuple[Row, ...], Proceed], None]:
    def before(items: tuple[Row, ...], proceed: Proceed) -> None:
        ask_about(tuple(one for one in items if isinstance(one, Waiting)), proceed)

    return before


def _with_target(found: Settlement, order: Order) -> Settlement:
    """What the others went into is decided too: it was accepted by it."""
    if order.target is None or not found.done:
        return found
    return replace(found, done=(*found.done, order.target.id))
