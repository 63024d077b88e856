"""Edits of files that wait beside the memories of the wireframes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from tests.tui.sample_review import NAMES, NOW, READERS, FixedReview

from lobes.domain.line_diff import line_diff
from lobes.domain.pack_edits import PackEdit, edit_hash, text_hash
from lobes.domain.reviewing import Decides
from lobes.services.pack_queue import PackEvidence, PackItem, brakes_of
from lobes.services.review_queue import View
from lobes.tui.outcomes import Outcome
from lobes.tui.reviewing import Order, Queue, Read, Row, Waiting
from lobes.tui.reviewing_edits import OpenedEdit, WaitingEdit, together
from lobes.tui.triage import Asked, Settlement

BEFORE = "# Sync\n\nRetries back off up to 60 seconds.\n"


def edit(id: str, path: str, text: str = "# Sync\n\nAt most 5 minutes.\n", **more: Any) -> PackEdit:
    values: dict[str, Any] = {
        "base_hash": text_hash(BEFORE),
        "content_hash": text_hash(text.encode(errors="replace").decode()),
        "status": "proposed",
        "cause": "proposed",
        "person": "ada",
        "created": NOW - timedelta(minutes=2),
        "session": "s1",
        "client": "claude-code",
        "tool": "propose_edit",
        "why": "The code says five minutes.",
    } | more
    return PackEdit(
        id=f"01K0000000000000000E{id:0>6}", space="prj_notidian", path=path, text=text, **values
    )


NOTE = edit("1", "docs/sync.md")
OUTSIDE = edit("2", "current.md", cause="changed_outside", person="", why="", client="", tool="")


def row_of(one: PackEdit) -> WaitingEdit:
    return WaitingEdit(PackItem(one, edit_hash(one), brakes_of(one)), NAMES[one.space])


def opened(one: PackEdit, **changes: Any) -> OpenedEdit:
    diff = line_diff(BEFORE, one.text)
    found = PackEvidence(
        edit=one,
        shown=edit_hash(one),
        brakes=brakes_of(one),
        diff=diff.lines,
        added=diff.added,
        removed=diff.removed,
        stale=None,
        detectors=(),
        hidden=0,
        readers=READERS,
    )
    return OpenedEdit(replace(found, **changes))


@dataclass
class WithEdits(FixedReview):
    edits: dict[str, PackEdit] = field(default_factory=lambda: {NOTE.id: NOTE, OUTSIDE.id: OUTSIDE})

    def queue(self, view: View) -> Queue:
        found = super().queue(view)
        status = {"waiting": "proposed", "rejected": "rejected"}.get(view, "")
        rows = [row_of(one) for one in self.edits.values() if one.status == status]
        waits = sum(one.status == "proposed" for one in self.edits.values())
        counters = replace(found.counters, waiting=found.counters.waiting + waits)
        return Queue((*rows, *found.items), counters, found.oldest or NOW)

    def alike(self, items: Sequence[Row]) -> dict[str, tuple[str, ...]]:
        return dict(super().alike([one for one in items if isinstance(one, Waiting)]))

    def open(self, item: Row) -> Read:
        if isinstance(item, Waiting):
            return super().open(item)
        self.asked("inspect", item.id)
        return opened(self.edits[item.id], **self.changes.get(item.id, {}))

    def decide(self, act: Decides, asked: Sequence[Asked], order: Order) -> Settlement:
        mine = tuple(one.id for one in asked if one.id in self.edits)
        rest = [one for one in asked if one.id not in self.edits]
        found = super().decide(act, rest, order) if rest else Settlement(())
        if not mine:
            return found
        self.decided.append((act, mine, order))
        before = dict(self.edits)
        status: Any = {"accept": "accepted", "reject": "rejected"}.get(act, "proposed")
        self.edits |= {id: replace(self.edits[id], status=status) for id in mine}
        return together(found, Settlement(mine, undo=partial(self._take_back, before)))

    def _take_back(self, before: dict[str, PackEdit]) -> Outcome:
        number = sum(one.status != before[id].status for id, one in self.edits.items())
        self.edits = before
        return Outcome(f"Undone: {number} edit{'s wait' if number > 1 else ' waits'} again")
