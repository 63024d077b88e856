"""A source with fixed values: the data of the wireframes, and a place to count calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.tui.sample_access import ACCESS, AGENTS_EFFECT, NAMED_EFFECT, OFFERED
from tests.tui.sample_people import PEOPLE, FixedPeople
from tests.tui.sample_review import FixedReview

from lobes.domain.erasing import UNREACHED
from lobes.domain.errors import LobesError
from lobes.domain.line_diff import line_diff
from lobes.domain.lobes import LobeConfig, Subscription
from lobes.domain.permissions import Permission
from lobes.domain.resources import Resource
from lobes.services.offers import Offered
from lobes.services.pack_drafts import PackDraft
from lobes.tui.access import Placing
from lobes.tui.erasing import Erasable, EraseImpact
from lobes.tui.memory import Left
from lobes.tui.outcomes import Beginning, Opening, Outcome, PuttingAway, SpacesView, Taken
from lobes.tui.people import Everybody
from lobes.tui.ports import Stop
from lobes.tui.presence import PresenceShown, PresenceState
from lobes.tui.triage import Refused, Settlement
from lobes.tui.values import (
    Activity,
    ActivityRow,
    After,
    Answer,
    AskedRows,
    Cell,
    Chain,
    Change,
    Decided,
    Difference,
    Effect,
    FileText,
    Found,
    Grid,
    Hit,
    Impact,
    Kind,
    LobeView,
    Looked,
    PackRow,
    Place,
    Proposed,
    ReaderRow,
    Readers,
    Refusal,
    SourceRow,
    SpaceEvidence,
    SpaceRow,
    Tie,
    Ties,
    Withheld,
)
from lobes.tui.views.chrome import IndexState

NOW = datetime(2026, 11, 29, 14, 6, tzinfo=UTC)


GOING = ("1,284 documents leave every search.", "No other Space draws on it.")


def ago(**spans: float) -> datetime:
    return NOW - timedelta(**spans)


SPACES = (
    SpaceRow("prj_notidian", "project", "Notidian", "ask", False, 1284, 5, ago(minutes=3)),
    SpaceRow("prj_initech", "project", "Initech", "open", True, 212, 2, ago(hours=2)),
    SpaceRow("prj_globex", "project", "Globex", "open", True, 340, 0, ago(days=1)),
    SpaceRow("area_health", "area", "Health", "closed", True, 96, 3, ago(days=4)),
    SpaceRow("area_internal", "area", "Internal", "open", False, 118, 2, ago(hours=1)),
    SpaceRow("area_writing", "area", "Writing", "open", False, 71, 0, ago(days=41), True),
    SpaceRow("guest", "guest", "Postgres notes", None, False, 19, 0, ago(days=6), note="from bob"),
)

PACK = (
    PackRow("README.md", "identity", 84, ago(days=12)),
    PackRow("goals.md", "goals", 131, ago(days=12)),
    PackRow("current.md", "current_state", 212, ago(minutes=3)),
    PackRow("docs/architecture.md", "architecture", 388, ago(days=2)),
    PackRow("CONVENTIONS.md", "conventions", 96, ago(days=20)),
    PackRow("decisions.md", "decisions", 141, ago(hours=1)),
    PackRow("active.md", "active_work", 58, ago(minutes=3)),
    PackRow("AGENTS.md", "agent_instructions", 30, ago(days=9)),
)

EVIDENCE = SpaceEvidence(
    id="prj_notidian",
    name="Notidian",
    root="~/Sites/notidian",
    description="Local-first personal knowledge workspace.",
    now="Conflict copies landed; retry rule in review",
    next="Import of Obsidian vaults, then 0.9",
    draws_on=(
        Tie("Notidian", "own"),
        Tie("me", "personal"),
        Tie("Core", "member"),
        Tie("Writing", "subscribed"),
        Tie("Postgres notes", "shared"),
    ),
    answers_to=("Initech", "Globex", "Internal", "Writing"),
    not_answering=("Health",),
    roles=8,
    roles_known=9,
    missing=("sources",),
    pack=PACK,
    preview_path="current.md",
    preview=(
        "Folder sync keeps both bodies of a conflict. The older one becomes a sibling file named "
        "after its device and time.\n\nOpen: how long a failed sync may wait before it tells the "
        "person. Two memories disagree (60 s and 5 min); see Review."
    ),
    preview_changed=ago(minutes=3),
)

_ROWS: tuple[tuple[float, str, str, float, str, str], ...] = (
    (0.91, "Conflict copies keep both bodies", "own", 1.0, "Notidian", "decisions.md"),
    (0.84, "A sync never deletes a body it can't read", "own", 1.0, "Notidian", "memory"),
    (0.77, "Retry and back-off", "own", 1.0, "Notidian", "docs/architecture.md"),
    (0.58, "Merges are shown, never automatic", "personal", 0.9, "me", "memory"),
    (0.52, "Error copy: say what was kept", "subscribed", 0.4, "Writing", "style.md"),
    (0.44, "The last writer is not a winner", "member", 0.5, "Core", "protocol.md"),
    (0.39, "Advisory locks and lost updates", "shared", 0.4, "Postgres notes", "locks.md"),
    (0.33, "Sync over Dropbox: known traps", "own", 1.0, "Notidian", "sources.md"),
    (0.29, "Sync retries back off up to 60 s", "own", 1.0, "Notidian", "memory"),
)

ANSWERS = tuple(
    Answer(
        id=f"a{place}",
        score=score,
        title=title,
        reason=reason,
        sentence="this Space's own lobe" if reason == "own" else "another lobe",
        weight=weight,
        lobe=lobe,
        path=path,
        text=(
            "A conflict never overwrites. The older body becomes a sibling file named after its "
            "device and time, and both stay searchable until a person merges them."
        ),
        changed=ago(hours=1),
        meaning=1 + place,
        words=3 + place if place < 5 else None,
        sensitivity="internal" if not place else "",
        stale=place == 4,
        outside=place == 6,
        space="prj_notidian",
    )
    for place, (score, title, reason, weight, lobe, path) in enumerate(_ROWS)
)

WITHHELD = (
    Withheld(
        "Internal",
        "ask",
        "Notidian asks before your other Spaces draw on each other.",
        lobe="space/area_internal",
    ),
    Withheld(
        "Initech",
        "private",
        "Initech is private, so Notidian may not draw on it.",
        lobe="space/prj_initech",
    ),
    Withheld(
        "Globex",
        "private",
        "Globex is private, so Notidian may not draw on it.",
        lobe="space/prj_globex",
    ),
    Withheld(
        "Health",
        "private",
        "Health is private, so Notidian may not draw on it.",
        lobe="space/area_health",
    ),
)

LOBE = LobeView(
    space="prj_initech",
    name="Initech",
    kind="project",
    config=LobeConfig(
        is_private=True,
        excluded_from=("area_health",),
        excluded_since=(("area_health", datetime(2026, 10, 3, 9, tzinfo=UTC)),),
        tags=("client", "retail"),
        subscriptions=(Subscription("tag", "consulting"), Subscription("user", "bob", "Bob")),
    ),
    sources=(
        SourceRow("space/prj_initech", "Initech", "own", 1.0, "This is Initech's own lobe."),
        SourceRow("personal/me", "Me", "personal", 0.9),
        SourceRow("team/core", "Core", "member", 0.5),
        SourceRow("space/area_internal", "Internal", "sibling", 0.6),
        SourceRow("space/prj_notidian", "Notidian", "sibling", 0.6),
        SourceRow("space/area_writing", "Writing", "sibling", 0.6),
        SourceRow("guest/01J9ZK4A0000000000000000AA", "Postgres notes", "shared", 0.4),
    ),
    refusals=(
        Refusal(
            "space/prj_globex",
            "Globex",
            "private",
            "Globex is private, so Initech may not draw on it.",
            "turn Private off in Globex",
        ),
        Refusal("space/area_health", "Health", "excluded", "Kept apart by you, both ways."),
    ),
    names={space.id: space.name for space in SPACES if space.kind != "guest"},
    access=ACCESS,
)

NOTIDIAN = LobeView(
    space="prj_notidian",
    name="Notidian",
    kind="project",
    config=LobeConfig(cross_space="ask"),
    sources=(
        SourceRow("space/prj_notidian", "Notidian", "own", 1.0),
        SourceRow("personal/me", "Me", "personal", 0.9),
        SourceRow("team/core", "Core", "member", 0.5),
        SourceRow("space/area_writing", "Writing", "subscribed", 0.4),
        SourceRow("guest", "Postgres notes", "shared", 0.4),
    ),
    refusals=tuple(Refusal("", one.name, one.reason, one.sentence) for one in WITHHELD),
    names=LOBE.names,
)

EFFECT = Effect(
    before=7,
    after=5,
    changes=(
        Change("loss", "Notidian", "asks first, 10 minutes a time"),
        Change("loss", "Writing", "asks first, 10 minutes a time"),
        Change("weaker", "Internal", "0.60 → 0.40, now through #consulting"),
    ),
    sources={
        "space/area_internal": After(0.4, "subscribed", "#consulting"),
        "space/prj_notidian": After(None, "ask"),
        "space/area_writing": After(None, "ask"),
    },
)


_AGENT = "ai:ada/reader@prj_notidian"
_ACTS: tuple[tuple[float, str, str, str, str, str, str, int], ...] = (
    (0, _AGENT, "read_content", "Globex", "private", "mcp", "access.denied", 3),
    (0, _AGENT, "read_content", "Notidian", "own", "mcp", "space.searched", 9),
    (1, "user:ada", "change_permission", "Initech", "owner", "tui", "lobe.changed", 1),
    (4, _AGENT, "change_permission", "Notidian", "ai_bar", "mcp", "access.denied", 1),
    (26, "user:bob", "read_content", "Writing", "shared", "share", "space.read", 4),
    (128, "job:ada/editor@prj_initech", "read_content", "Initech", "own", "engine", "x", 212),
    (303, "user:ada", "erase", "Health", "no_presence", "cli", "access.denied", 1),
    (1500, "user:ada", "write_meta", "Writing", "owner", "tui", "space.added", 1),
)

RECORD = Activity(
    tuple(
        ActivityRow(
            id=str(18_402 - place),
            at=ago(minutes=minutes),
            who={"user:ada": "me", "user:bob": "bob"}.get(
                actor, "job editor" if actor[0] == "j" else "reader"
            ),
            actor=actor,
            verb=verb,
            what=what,
            answer=answer,
            refused=event == "access.denied",
            by=by,
            times=times,
            event=event,
            sentence="Globex is private, so Notidian may not draw on it." if not place else "",
            request="01J9ZK4",
            space="prj_globex" if what == "Globex" else "",
            decisions=(Decided("Notidian", "own", True), Decided("Globex", "private", False)),
        )
        for place, (minutes, actor, verb, what, answer, by, event, times) in enumerate(_ACTS)
    ),
    18_402,
)
CHAIN = Chain(
    "ok",
    18_402,
    since=ago(minutes=90 * 24 * 60),
    seal="whole",
    sealed=NOW,
    sealed_to=18_402,
    checked=NOW,
)
PLACE = Place(
    "decisions.md",
    (
        "## Sync",
        "",
        "- Folder per device, one log each.",
        "- Conflict copies keep both bodies.",
        "- Merge is a person's act, with both sides in view.",
        "",
        "## Import",
    ),
    41,
    (44, 44),
)
DIFFERENCE = Difference(("network",), ("-network: never", "+network: always"), content_hash="shown")


_IN_GRID = (
    ("prj_globex", "Globex"),
    ("prj_initech", "Initech"),
    ("prj_notidian", "Notidian"),
    ("area_health", "Health"),
    ("area_internal", "Internal"),
    ("area_writing", "Writing"),
)
_CODES = (
    ("own", "private", "closed", "private", "closed", "closed"),
    ("private", "own", "closed", "private", "closed", "closed"),
    ("private", "private", "own", "private", "ask", "subscribed"),
    ("private", "private", "closed", "own", "closed", "closed"),
    ("private", "private", "ask", "private", "own", "sibling"),
    ("private", "private", "ask", "private", "sibling", "own"),
)


def _told(row: int, column: int) -> Cell:
    a, b, code = _IN_GRID[row][1], _IN_GRID[column][1], _CODES[row][column]
    sentences = {
        "own": Cell("own", f"This is {a}'s own lobe.", 1.0),
        "private": Cell(
            "private", f"{b} is private, so {a} may not draw on it.", 0, f"turn Private off in {b}"
        ),
    }
    return sentences.get(code, Cell(code, f"{a} and {b}: {code}."))


GRID = Grid(_IN_GRID, _IN_GRID, _CODES, _told, len(_IN_GRID), len(_IN_GRID))


READERS = Readers(
    7,
    (
        ReaderRow("job editor", 2_140, 0, tuple("ABCDEFG")),
        ReaderRow("me", 412, 1, tuple("ABCDEFG")),
        ReaderRow("reader", 268, 31, ("Notidian", "Initech")),
        ReaderRow("bob", 17, 0, ("Writing",)),
    ),
    of_space=(ReaderRow("me", 31, 0, ("Globex",)), ReaderRow("reader", 0, 5, ())),
)


def _is_wanted(row: ActivityRow, asked: AskedRows) -> bool:
    """What the home finds by SQL, for rows that are in memory."""
    reads = row.verb.startswith("read")
    in_view = {
        "all": True,
        "refused": row.refused,
        "reads": reads and not row.refused,
        "changes": not reads and not row.refused,
        "notices": row.notice,
    }
    everything = f"{row.who} {row.verb} {row.what} {row.answer} {row.by}".casefold()
    words = [word.rpartition(":")[2] for word in asked.words.casefold().split()]
    return in_view[asked.view] and all(word in everything for word in words)


@dataclass
class FixedSource:
    """Answers at once. `calls` is what was asked; `fail` raises for the named calls."""

    rows: tuple[SpaceRow, ...] = SPACES
    everybody: Everybody = field(default_factory=lambda: PEOPLE)
    evidences: dict[str, SpaceEvidence] = field(default_factory=dict[str, SpaceEvidence])
    found: Found = field(
        default_factory=lambda: Found(
            "", ANSWERS, WITHHELD, lobes=5, took_ms=38, words_found=22, meaning_found=40
        )
    )
    view: LobeView = LOBE
    effect: Effect = EFFECT
    named_effect: Effect = NAMED_EFFECT
    offered: tuple[Offered, ...] = OFFERED
    difference: Difference = DIFFERENCE
    record: Activity = RECORD
    chain: Chain = CHAIN
    read_by: Readers = READERS
    fresh: bool = False
    current: str = "prj_notidian"
    file: str = "# Conflict copies\n\nBoth bodies **stay**.\n"
    drafts: Path | None = None
    fail: dict[str, Exception] = field(default_factory=dict[str, Exception])
    looked: Looked = field(default_factory=Looked)
    grid: Grid = GRID
    left: Left = field(default_factory=Left)
    begun: Beginning | None = None
    refuses: dict[str, str] = field(default_factory=dict[str, str])
    """Spaces that can't be put away, and why."""
    reviewed: FixedReview | None = None
    codes: int = 0
    code_state: PresenceState = "holds"
    gate: Callable[[str], None] = lambda name: None
    calls: list[tuple[object, ...]] = field(default_factory=list[tuple[object, ...]])

    def _asked(self, *what: object) -> None:
        self.calls.append(what)
        self.gate(str(what[0]))
        if (error := self.fail.get(str(what[0]))) is not None:
            raise error

    kept_out: bool = False

    def is_kept_out(self) -> bool:
        return self.kept_out

    def can_write(self) -> None:
        self._asked("can_write")

    def open(self) -> Opening:
        self._asked("open")
        return Opening(self.fresh, replace(self.left, space=self.current))

    def close(self) -> None:
        self._asked("close")

    def account_name(self) -> str:
        self._asked("account_name")
        return "ada"

    def begin(self, beginning: Beginning) -> Outcome:
        self._asked("begin", beginning.choice)
        self.begun = beginning
        return Outcome("Made the home", space=self.current)

    def spaces(self, view: SpacesView) -> tuple[SpaceRow, ...]:
        self._asked("spaces", view)
        return self.rows if view == "active" else ()

    def evidence(self, space: str) -> SpaceEvidence:
        self._asked("evidence", space)
        name = next((one.name for one in self.rows if one.id == space), space)
        return self.evidences.get(space) or replace(EVIDENCE, id=space, name=name)

    def ties(self, space: str) -> Ties:
        self._asked("ties", space)
        one = self.evidence(space)
        return Ties(one.draws_on, one.answers_to, one.not_answering)

    def read_file(self, space: str, path: str) -> FileText:
        self._asked("read_file", space, path)
        return FileText(space, path, self.file)

    def open_draft(self, space: str, path: str = "", *, afresh: bool = False) -> PackDraft:
        self._asked("open_draft", space, path)
        if self.drafts is None:
            raise REFUSED
        file = self.drafts / Path(path or "current.md").name
        if afresh or not file.exists():
            file.write_text(self.file)
        return PackDraft(space, path or "current.md", file, self.drafts, self.file, "0")

    def take_over(self, draft: PackDraft, *, failed: bool = False) -> Taken:
        self._asked("take_over", draft.path, failed)
        now = draft.file.read_text()
        if now == draft.base:
            return Taken("same", draft.path)
        if failed:
            return Taken("kept", draft.path)
        self.file, diff = now, line_diff(draft.base, now)
        return Taken("taken", draft.path, diff=diff, outcome=Outcome("Taken over: current.md"))

    def clear_lines(self, resource: Resource) -> Mapping[int, str]:
        self._asked("clear_lines", str(resource))
        return {}

    def erase_impact(self, what: Erasable, id: str) -> EraseImpact:
        self._asked("erase_impact", what, id)
        typed = ("prj_initech", "Initech") if what == "space" else (id,)
        title = "Erase the Project Initech?" if what == "space" else "Erase this memory?"
        said = (
            "212 documents, 64 memories and 2 pack edits leave every file Lobes owns.",
            "No other Space draws on it.",
            "The folder ~/clients/initech is not touched.",
        )
        return EraseImpact(title, said, typed, UNREACHED)

    def erase(self, what: Erasable, id: str) -> Outcome:
        self._asked("erase", what, id)
        return Outcome("Erased Initech")

    def new_space(self, name: str, kind: Kind) -> Outcome:
        self._asked("new_space", name, kind)
        return Outcome(f"Started {name}")

    def look_at(self, folder: str) -> Proposed:
        self._asked("look_at", folder)
        roles = (("AGENTS.md", "agent_instructions"), ("README.md", "identity"))
        return Proposed(
            folder, "initech", "prj_initech", "project", roles, ((".env", "never read: secrets"),)
        )

    def add(self, proposed: Proposed) -> Outcome:
        self._asked("add", proposed.id)
        return Outcome(f"Added {proposed.name}", space=proposed.id)

    def put_away(
        self, act: PuttingAway, spaces: Sequence[str], *, back: PuttingAway = "archive"
    ) -> Settlement:
        self._asked(act, *spaces)
        refused = tuple(Refused(one, why) for one, why in self.refuses.items() if one in spaces)
        done = tuple(one for one in spaces if one not in self.refuses)
        opposite: PuttingAway = back if act == "restore" else "restore"

        def undo() -> Outcome:
            found = self.put_away(opposite, done, back=act)
            return Outcome(found.text, found.undo)

        word = {"archive": "Archived", "restore": "Restored", "trash": "Trashed"}[act]
        names = {row.id: row.name for row in self.rows}
        text = ", ".join(names.get(one, one) for one in done)
        return Settlement(done, refused, undo if done else None, f"{word} {text}")

    def trash_impact(self, spaces: Sequence[str]) -> Impact:
        self._asked("trash_impact", *spaces)
        return Impact(
            "Notidian",
            "project",
            GOING,
        )

    def index(self, space: str) -> Outcome:
        self._asked("index", space)
        return Outcome("Nothing new in 1,284 files")

    def manifest_difference(self, space: str) -> Difference:
        self._asked("manifest_difference", space)
        return self.difference

    def trust(self, space: str, content_hash: str) -> Outcome:
        self._asked("trust", space, content_hash)
        return Outcome("Trusted")

    def search(self, space: str, question: str) -> Found:
        self._asked("search", space, question)
        return replace(self.found, question=question)

    def note_read(self, memory: str) -> None:
        self._asked("note_read", memory)

    def matrix(self) -> Grid:
        self._asked("matrix")
        return self.grid

    def allow_once(self, space: str, lobe: str, question: str) -> Outcome:
        self._asked("allow_once", space, lobe, question)
        return Outcome("Internal may answer this once, until 14:16")

    def place(self, answer: Answer) -> Place:
        self._asked("place", answer.id)
        return PLACE

    def lobe(self, space: str) -> LobeView:
        self._asked("lobe", space)
        return NOTIDIAN if self.view is LOBE and space == NOTIDIAN.space else self.view

    def sources(self, space: str) -> tuple[Offered, ...]:
        self._asked("sources", space)
        return self.offered

    def preview(
        self, view: LobeView, config: LobeConfig, permission: Permission | None = None
    ) -> Effect:
        self._asked("preview", config, permission)
        if config.agent_preset != view.config.agent_preset:
            return AGENTS_EFFECT
        is_same = view.access is None or permission in (None, view.access.permission)
        return self.effect if is_same else self.named_effect

    def save(
        self, view: LobeView, config: LobeConfig, permission: Permission | None = None
    ) -> Outcome:
        self._asked("save", config, permission)
        access = self.view.access
        if access and permission:
            access = replace(access, permission=permission)
        self.view = replace(self.view, config=config, access=access)
        return Outcome(f"Saved: {view.name} draws on 5 lobes")

    def placing(self, space: str, group: str) -> Placing:
        self._asked("placing", space, group)
        return Placing(group, group.capitalize(), "", ("Mei Tanaka", "Sam Okafor"), ())

    def put_in(self, space: str, group: str) -> Outcome:
        self._asked("put_in", space, group)
        return Outcome(f"Initech is in {group} now", undo=lambda: Outcome("Undone"))

    def presence_code(self, *, asked: bool) -> PresenceShown:
        self._asked("presence_code", asked)
        self.codes += 1
        return PresenceShown(f"{self.codes:06}", NOW)

    def people(self) -> FixedPeople:
        return FixedPeople(self._asked, self.everybody)

    def review(self) -> FixedReview:
        self.reviewed = self.reviewed or FixedReview()
        self.reviewed.asked = self._asked
        return self.reviewed

    def presence_state(self) -> PresenceState:
        self._asked("presence_state")
        return self.code_state

    def activity(self, asked: AskedRows) -> Activity:
        self._asked("activity", asked)
        rows = tuple(one for one in self.record.rows if _is_wanted(one, asked))
        matched = len(rows) if asked.is_narrowed else self.record.total
        if asked.before:
            rows = tuple(one for one in rows if int(one.id) < int(asked.before))
        return Activity(rows[: asked.limit], self.record.total, matched)

    def readers(self, space: str) -> Readers:
        self._asked("readers", space)
        return replace(self.read_by, space="Globex" if space else "")

    def check_chain(self, *, asked: bool) -> Chain:
        self._asked("check_chain", asked)
        return self.chain

    def find(self, part: str) -> tuple[Hit, ...]:
        self._asked("find", part)
        found = [Hit(one.id, one.name, one.kind) for one in self.rows]
        found += [Hit("prj_notidian", "Notidian", "project", one.path, one.role) for one in PACK]
        return tuple(one for one in found if part in f"{one.path or one.name}".casefold())

    def preferences(self) -> dict[str, str | int | bool]:
        self._asked("preferences")
        return {"theme": "lobes-night", "glyphs": "auto", "animation": True, "search_results": 10}

    def set_preference(self, name: str, value: str) -> None:
        self._asked("set_preference", name, value)

    def remember(self, left: Left) -> None:
        self._asked("remember", left.space)

    def prewarm(self) -> None:
        self._asked("prewarm")

    def index_state(self) -> IndexState:
        self._asked("index_state")
        return IndexState("ready", 10, 10)

    def stop_indexing(self) -> Outcome:
        self._asked("stop_indexing")
        return Outcome("Indexing stops")

    def look_through(self) -> Looked:
        self._asked("look_through")
        return self.looked

    def version(self) -> int:
        self._asked("version")
        return 1

    def follow(
        self, stop: Stop, tell: Callable[[], None], fail: Callable[[Exception], None]
    ) -> None:
        self._asked("follow")
        stop.wait()
        del tell, fail

    def count(self, name: str) -> int:
        return sum(1 for call in self.calls if call[0] == name)


TAG = Subscription("tag", "consulting")
REFUSED = LobesError("It can't be done.", hint="Look again.")
