"""What waits in the wireframes of Review, and a place to count what was decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from lobes.domain.ids import LobeAddress
from lobes.domain.line_diff import line_diff
from lobes.domain.memories import Memory, Provenance, Version, shown_hash, statement_hash
from lobes.domain.reviewing import Decides, brakes
from lobes.domain.sensitivity import Kept, Level
from lobes.services.memory_readers import Readers, SpaceReads
from lobes.services.promoting import Promotion
from lobes.services.review_evidence import Beside, Evidence, Seen
from lobes.services.review_queue import Counters, Item, View
from lobes.store.read_queue import QueueRow
from lobes.tui.outcomes import Outcome
from lobes.tui.reviewing import Opened, Order, Queue, Waiting, Wider
from lobes.tui.triage import Asked, Refused, Settlement

NOW = datetime(2026, 11, 29, 14, 6, tzinfo=UTC)
NAMES = {"prj_notidian": "Notidian", "prj_initech": "Initech", "area_health": "Health"}
NAMES |= {"area_internal": "Internal"}
SESSION = "01M8KSSNY00000000000000001"
"""Of 29 November 2026, 14:02."""
AT_ONCE = Counters(19, 4, 3, 2, 0, 1, 1, 0, 12)


def memory(id: str, text: str, space: str = "prj_notidian", **more: Any) -> Memory:
    ago = more.pop("ago", timedelta(hours=1))
    values: dict[str, Any] = {
        "kind": "observation",
        "memory_class": "project",
        "epistemic": "agent_inference",
        "status": "proposed",
        "author": "agent",
        "waits_for": ("inferred",),
        "provenance": Provenance("mcp", f"other-{id}", "claude-code", "propose_memory"),
    } | more
    if values["author"] == "import":
        values["waits_for"] = ("imported", *values["waits_for"][1:])
    return Memory(
        id=f"01K000000000000000000{id:0>5}",
        lobe=LobeAddress("space", space),
        statement=text,
        person="ada",
        content_hash=statement_hash(text),
        created=NOW - ago,
        updated=NOW - ago,
        **values,
    )


def _minutes(number: int) -> timedelta:
    return timedelta(minutes=number)


def _hours(number: int) -> timedelta:
    return timedelta(hours=number)


RETRIES = memory(
    "1",
    "Sync retries back off to at most 5 minutes.",
    ago=_minutes(4),
    kind="decision",
    subject="sync retry",
    confidence=0.71,
    waits_for=("conflict",),
    provenance=Provenance(
        "mcp", SESSION, "claude-code", "turn 9", evidence=("sync.py", "test_retry.py")
    ),
)
HEALTHY: dict[str, Any] = {"category": "health", "level": "confidential"}
HIDDEN = "Call the ledger API \u200bwith\u202e tenant \u20660 first"
WAITS = (
    RETRIES,
    memory("2", "Folder locks before file locks", ago=_minutes(4)),
    memory(
        "3",
        "Vault import keeps block ids",
        ago=_hours(1),
        author="import",
        waits_for=("imported", "outside"),
        provenance=Provenance("import", is_external=True),
    ),
    memory(
        "4",
        "Day rate for retail clients is reviewed in January",
        "area_internal",
        ago=_hours(1),
        level="restricted",
    ),
    memory(
        "5", "Magnesium in the evening eased the cramps", "area_health", ago=_hours(2), **HEALTHY
    ),
    memory("6", HIDDEN, "prj_initech", ago=_hours(2)),
    memory("7", "Releases freeze from 12 December", "prj_initech", ago=_hours(5)),
    memory("8", "Both bodies survive a conflict", ago=_hours(6), waits_for=("near_copy",)),
    memory(
        "9",
        "Resting pulse fell to 58 in October",
        "area_health",
        ago=timedelta(days=1),
        author="import",
        **HEALTHY,
    ),
    memory(
        "10",
        "Dr Keller moved to Thursdays",
        "area_health",
        ago=timedelta(days=1, hours=2),
        **HEALTHY,
    ),
    memory("11", "Invoices go out on the 3rd", "area_internal", ago=timedelta(days=2)),
    memory("12", "Use ULIDs for vault blocks", ago=timedelta(days=3)),
)
USED: dict[str, Any] = {"status": "active", "author": "user", "waits_for": ()}
REPLACED = memory("20", "Sync retries back off up to 60 seconds.", ago=timedelta(days=78), **USED)
NEAR = (
    Beside(memory("21", "Retry jitter is 20 percent of the wait", **USED), "candidate", 0.52),
    Beside(memory("22", "Failed syncs stay visible until read", **USED), "candidate", 0.47),
    Beside(
        memory("23", "Sync runs at start and on focus", **(USED | {"status": "superseded"})),
        "candidate",
        0.31,
    ),
)
READERS = Readers(
    True,
    "reader",
    tuple(
        SpaceReads(name.lower(), name, "sibling", f"{name} and Notidian are both open.")
        for name in ("Initech", "Globex", "Internal", "Writing")
    ),
    (SpaceReads("area_health", "Health", "closed", "Health is closed."),),
    (),
    is_whole=True,
)
HISTORY = (
    Version(
        REPLACED.id, 1, REPLACED.statement, "", "active", "add", "user:ada", "", REPLACED.created
    ),
    Version(
        REPLACED.id,
        2,
        REPLACED.statement,
        "",
        "active",
        "recheck",
        "user:ada",
        "",
        NOW - _hours(48),
    ),
)
SAW = (
    Seen("1", "current.md", "own", 212),
    Seen("2", "docs/architecture.md", "own", 192),
    Seen("3", "Write short, no filler", "personal", 52),
)


def row_of(one: Memory, act: str = "", by: str = "user:ada") -> QueueRow:
    known = one.provenance
    return QueueRow(
        one.id,
        one.version,
        one.lobe,
        one.statement,
        one.kind,
        one.memory_class,
        one.level,
        one.replaces,
        one.valid_from,
        one.valid_to,
        one.category,
        one.subject,
        one.status,
        one.author,
        one.person,
        known.source,
        known.session,
        known.client,
        one.is_external,
        one.findings,
        one.waits_for,
        None,
        one.content_hash,
        one.created,
        one.updated,
        act,
        "",
        by,
    )


def waiting(one: Memory, *, in_session: int = 1, act: str = "", by: str = "user:ada") -> Waiting:
    item = Item(row_of(one, act, by), one.statement, shown_hash(one), brakes(one), in_session)
    return Waiting(item, NAMES.get(one.lobe.id, str(one.lobe)))


def opened(one: Memory, **changes: Any) -> Opened:
    """All about one of them: of the first what it contradicts, of the others that nothing is."""
    replaced = REPLACED if one.id == RETRIES.id else None
    found = Evidence(
        memory=one,
        shown=shown_hash(one),
        flags=(),
        brakes=brakes(one),
        replaced=replaced,
        diff=line_diff(replaced.statement, one.statement).lines if replaced else (),
        also_retire=(),
        relation="conflict" if replaced else None,
        neighbours=NEAR if replaced else (),
        variants=(),
        tied=(),
        readers=READERS,
        saw=(),
        history=HISTORY if replaced else (),
        stale=None,
        stale_by=None,
    )
    return Opened(replace(found, **changes))


@dataclass
class FixedReview:
    """Answers at once. `decided` is every act with the ids, the note and the other memory."""

    asked: Callable[..., None] = lambda *_: None
    memories: dict[str, Memory] = field(default_factory=lambda: {one.id: one for one in WAITS})
    changes: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """What the evidence of one says besides."""
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    used: dict[str, Memory] = field(default_factory=dict[str, Memory])
    refuses: dict[str, str] = field(default_factory=dict[str, str])
    decided: list[tuple[str, tuple[str, ...], Order]] = field(
        default_factory=list[tuple[str, tuple[str, ...], Order]]
    )

    def queue(self, view: View) -> Queue:
        self.asked("queue", view)
        waits = [one for one in self.memories.values() if one.status == "proposed"]
        states = {"active": ("active", "disputed"), "archived": ("archived", "superseded")}
        wanted = states.get(view, (view,))
        known = [*self.memories.values(), *self.used.values()]
        found = waits if view == "waiting" else [one for one in known if one.status in wanted]
        sessions = [one.provenance.session for one in waits]
        rows = tuple(
            waiting(
                one,
                in_session=sessions.count(one.provenance.session),
                act="" if one.status == "proposed" else "accept",
                by="policy" if one.id in self.used else "user:ada",
            )
            for one in found
        )
        oldest = min((one.created for one in waits), default=None)
        return Queue(rows, replace(AT_ONCE, waiting=len(waits)), oldest)

    def alike(self, items: Sequence[Waiting]) -> Mapping[str, tuple[str, ...]]:
        self.asked("alike")
        return self.others

    def open(self, item: Waiting) -> Opened:
        self.asked("inspect", item.id)
        one = self.memories.get(item.id) or self.used[item.id]
        return opened(one, **self.changes.get(item.id, {}))

    def decide(self, act: Decides, asked: Sequence[Asked], order: Order) -> Settlement:
        self.asked("decide", act)
        taken = [one for one in asked if one.id not in self.refuses]
        refused = tuple(
            Refused(one.id, self.refuses[one.id]) for one in asked if one.id in self.refuses
        )
        if not taken:
            return Settlement((), refused)
        ids = tuple(one.id for one in taken)
        self.decided.append((act, ids, order))
        before = dict(self.memories)
        status = {"reject": "rejected", "archive": "archived", "reopen": "proposed"}
        status |= {"merge": "superseded", "delete": "deleted", "dispute": "disputed"}
        for id in ids:
            now = replace(self.memories[id], status=status.get(act, "active"), version=2)
            self.memories[id] = replace(now, statement=order.text or now.statement)
        return Settlement(ids, refused, partial(self._undo, before))

    def _undo(self, before: dict[str, Memory]) -> Outcome:
        number = sum(one.status != before[id].status for id, one in self.memories.items())
        self.memories = before
        word = "memory waits" if number == 1 else "memories wait"
        return Outcome(f"Undone: {number} {word} again")

    def reword(self, asked: Asked, order: Order) -> Settlement:
        return self.decide("edit", [asked], order)

    def set_level(self, asked: Sequence[Asked], level: Level, reason: str) -> Settlement:
        self.asked("set_level", level, reason)
        before = dict(self.memories)
        for one in asked:
            self.memories[one.id] = replace(self.memories[one.id], level=level, version=2)
        ids = tuple(one.id for one in asked)
        return Settlement(ids, undo=partial(self._undo, before), text=f"It is {level} now")

    def places(self) -> tuple[Wider, ...]:
        own = Wider(LobeAddress("personal", "ada"), "your own lobe", "personal")
        return (own, Wider(LobeAddress("team", "core"), "Core", "team"))

    def destinations(self) -> tuple[Wider, ...]:
        return (Wider(LobeAddress("space", "prj_other"), "Other", "project"), *self.places())

    def move(self, asked: Sequence[Asked], lobe: LobeAddress) -> Settlement:
        self.decided.append(("move", tuple(one.id for one in asked), Order(reason=str(lobe))))
        return Settlement(tuple(one.id for one in asked), (), lambda: Outcome("Undone"))

    def promotion(self, id: str, lobe: LobeAddress) -> Promotion:
        one = self.memories.get(id) or self.used[id]
        return Promotion(one, shown_hash(one), lobe, READERS, (), ("mei", "sam"))

    def promote(self, asked: Sequence[Asked], lobe: LobeAddress) -> Settlement:
        self.decided.append(("promote", tuple(one.id for one in asked), Order(reason=str(lobe))))
        return Settlement(tuple(one.id for one in asked), (), lambda: Outcome("Undone"))


SECRET = memory(
    "30",
    "The key is ▒▒▒▒",
    findings=(Kept("aws_key", True, 1, 1, "▒▒▒▒"),),
    waits_for=("inferred", "secret"),
)
