"""What a screen shows, as frozen values. Every text in them is data and passes the display gate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from lobes.domain.lobes import LobeConfig
from lobes.tui.access import Access

Setting = Literal["open", "ask", "closed"]
Kind = Literal["project", "area", "guest"]
ActivityView = Literal["all", "refused", "reads", "changes", "notices"]


@dataclass(frozen=True, slots=True)
class SpaceRow:
    """One Space in the list. `waiting` counts proposals; `note` is the last, first-dropped word."""

    id: str
    kind: Kind
    name: str
    setting: Setting | None
    is_private: bool = False
    documents: int = 0
    waiting: int = 0
    changed: datetime | None = None
    stale: bool = False
    note: str = ""
    manifest_changed: bool = False
    root: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()

    @property
    def stamp(self) -> str:
        """What a person goes by when putting it away or bringing it back."""
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Hit:
    """A Space, or a file of its pack where `path` says which, that was looked for by name."""

    space: str
    name: str
    kind: Kind
    path: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """A lobe that a Space draws on, by its reason code."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class PackRow:
    """A file of the pack and the role it plays."""

    path: str
    role: str
    tokens: int
    changed: datetime | None = None


@dataclass(frozen=True, slots=True)
class SpaceEvidence:
    """All that the pane beside the list shows of one Space."""

    id: str
    name: str
    root: str
    description: str = ""
    now: str = ""
    next: str = ""
    draws_on: tuple[Tie, ...] = ()
    answers_to: tuple[str, ...] = ()
    not_answering: tuple[str, ...] = ()
    roles: int = 0
    roles_known: int = 0
    missing: tuple[str, ...] = ()
    pack: tuple[PackRow, ...] = ()
    preview_path: str = ""
    preview: str = ""
    preview_changed: datetime | None = None
    problem: str = ""
    manifest_changed: bool = False
    is_read: bool = True
    """Whether pack and text have been read; without it, only what the list knows."""
    is_tied: bool = True
    """Whether both directions of the lobe have been worked out."""


@dataclass(frozen=True, slots=True)
class Ties:
    """Both directions of a Space's lobe, as its evidence shows them."""

    draws_on: tuple[Tie, ...] = ()
    answers_to: tuple[str, ...] = ()
    not_answering: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """One result. `meaning` and `words` are 1-based ranks in the two legs, None where absent;
    `path` is empty for a memory."""

    id: str
    score: float
    title: str
    reason: str
    sentence: str
    weight: float
    lobe: str
    path: str
    text: str
    changed: datetime | None = None
    meaning: int | None = None
    words: int | None = None
    sensitivity: str = ""
    detectors: tuple[str, ...] = ()
    """What was found in its document; secrets among it are masked in `text`."""
    is_masked: bool = False
    stale: bool = False
    outside: bool = False
    contested: bool = False
    space: str = ""
    document: str = ""
    first_line: int = 0
    last_line: int = 0
    memory: tuple[tuple[str, str], ...] | None = None
    """Label → value of what only a memory has; None for a passage."""

    @property
    def where(self) -> str:
        """The file that it is in, or that it is a memory."""
        return self.path if self.memory is None else "memory"


@dataclass(frozen=True, slots=True)
class Place:
    """A passage among its neighbours: `lines` begin at line `first` of the file.

    `inside` are the first and the last line of the passage. `note` says why the file's own lines
    are not shown; the passage's are then.
    """

    path: str
    lines: tuple[str, ...]
    first: int
    inside: tuple[int, int]
    note: str = ""


@dataclass(frozen=True, slots=True)
class FileText:
    """A file of a pack, whole, as it was read from the disk."""

    space: str
    path: str
    text: str
    changed: datetime | None = None


@dataclass(frozen=True, slots=True)
class Withheld:
    """A lobe that did not answer, its one code, and the sentence of it."""

    name: str
    reason: str
    sentence: str
    change: str = ""
    lobe: str = ""
    """Its address."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Why one Space may draw on another or not."""

    reason: str
    sentence: str
    weight: float = 0.0
    change: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """Spaces against Spaces: `rows` ask, `columns` are asked, each with id and name. `told` puts
    one cell into words."""

    rows: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, str], ...]
    codes: tuple[tuple[str, ...], ...]
    told: Callable[[int, int], Cell]
    all_rows: int
    all_columns: int


@dataclass(frozen=True, slots=True)
class Found:
    """The answers to one question, and who could not be asked."""

    question: str
    answers: tuple[Answer, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    degraded: tuple[str, ...] = ()
    lobes: int = 0
    took_ms: int = 0
    words_found: int = 0
    meaning_found: int = 0


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A lobe that a Space draws on. `key` is its address; `own` marks a source of one's own list.

    `after` is what becomes of it when the draft is saved: its weight and reason, or None when it
    goes; `after_note` is the word for what stays the same.
    """

    key: str
    name: str
    reason: str
    weight: float
    sentence: str = ""
    subscription: str = ""
    by: str = ""
    """What brings it, where that is no Space: `#tag`, `team/core`."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A lobe that a Space does not draw on: one code, one sentence, what would change it."""

    key: str
    name: str
    reason: str
    sentence: str
    change: str = ""


@dataclass(frozen=True, slots=True)
class LobeView:
    """The lobe of one Space as it is stored, with the answer of the resolver."""

    space: str
    name: str
    kind: Kind
    config: LobeConfig
    version: int = 0
    sources: tuple[SourceRow, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    readers: tuple[str, ...] = ()
    """Names of the Spaces that draw on this one by themselves."""
    manifest_says: Setting | None = None
    """What the trusted `space.yaml` says about My Spaces; the stricter of both holds."""
    names: dict[str, str] = field(default_factory=dict[str, str])
    """Names of the Spaces and lobes that the person may know, by id and by address."""
    is_archived: bool = False
    put_away: Mapping[str, str] = field(default_factory=dict[str, str])
    """Of the Spaces in `names` those that stand in no list, by id: `archived` or `in the trash`."""
    access: Access | None = None
    """Who sees the Space; None where that is for others to decide."""


@dataclass(frozen=True, slots=True)
class Change:
    """One line of *If you save*: `kind` is gain, loss, weaker, stronger or other. `who` it is that
    gains or loses: a Space, a person or the agents of this Space."""

    kind: Literal["gain", "loss", "weaker", "stronger", "other"]
    name: str
    text: str
    who: Literal["space", "person", "agents"] = "space"


@dataclass(frozen=True, slots=True)
class After:
    """A source after saving: None as weight means that it is drawn on no longer."""

    weight: float | None
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """What saving the draft would do, by the resolver over both states."""

    before: int = 0
    after: int = 0
    changes: tuple[Change, ...] = ()
    gaining: tuple[str, ...] = ()
    """Names of the other Spaces that gain access to this one."""
    gained: tuple[str, ...] = ()
    """Names of the lobes that this Space newly draws on."""
    readers: tuple[str, ...] = ()
    """Names of the Spaces that may draw on this one after saving."""
    sources: dict[str, After] = field(default_factory=dict[str, After])
    """Address → what the source becomes."""
    notes: tuple[str, ...] = ()
    """What whoever names somebody would want to be told."""
    is_whole: bool = True
    """Whether nobody else can gain or lose by it."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A folder looked at before anything is stored."""

    folder: str
    name: str
    id: str
    kind: Kind
    roles: tuple[tuple[str, str], ...] = ()
    """(path, role)."""
    ignored: tuple[tuple[str, str], ...] = ()
    """(path, why it is not read)."""
    warnings: tuple[str, ...] = ()
    overlaps: tuple[str, ...] = ()
    """Ids of the Spaces whose folders nest with this one."""
    manifest_hash: str = ""
    """The `space.yaml` that is shown here, so that another one is not taken for it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A changed `space.yaml` against the trusted one: what it widens, its lines, or its fault."""

    widens: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    fault: str = ""
    content_hash: str = ""
    """Of the file that is shown, so that no other is trusted in its place."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What an act on a Space would touch, in sentences."""

    name: str
    kind: Kind
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """What the resolver said about one lobe while a question was asked."""

    name: str
    reason: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class ActivityRow:
    """One row of the record. `who` is short, `actor` as it was written; `times` counts repeats;
    `space` is the id of the Space it names first; `notice`: it tells what somebody else did."""

    id: str
    at: datetime
    who: str
    actor: str
    verb: str
    what: str
    answer: str
    refused: bool
    by: str
    times: int = 1
    event: str = ""
    sentence: str = ""
    request: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    decisions: tuple[Decided, ...] = ()
    space: str = ""
    notice: bool = False


@dataclass(frozen=True, slots=True)
class AskedRows:
    """A page of the record: of a view, what the filter leaves, older than the row `before`."""

    view: ActivityView = "all"
    words: str = ""
    before: str = ""
    limit: int = 500

    @property
    def is_narrowed(self) -> bool:
        return self.view != "all" or bool(self.words.strip())


@dataclass(frozen=True, slots=True)
class Activity:
    """A page of rows, the newest first; how many there are in all, and how many were asked for."""

    rows: tuple[ActivityRow, ...] = ()
    total: int = 0
    matched: int = 0


@dataclass(frozen=True, slots=True)
class Chain:
    """Whether the record is as it was written; `at` is the first row concerned.

    `seal` says in a word how far a key speaks for it, `told` in sentences what is wrong and what
    to do about it.
    """

    state: str
    rows: int
    at: int = 0
    is_whole: bool = True
    since: datetime | None = None
    seal: str = "none"
    sealed: datetime | None = None
    sealed_to: int = 0
    told: tuple[str, ...] = ()
    checked: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReaderRow:
    """Who read, how often, and of which Spaces."""

    who: str
    reads: int
    refused: int
    spaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Readers:
    """Who read anything in the last `days`; and who read `space` as far back as the record goes,
    where one is asked for."""

    days: int
    rows: tuple[ReaderRow, ...] = ()
    space: str = ""
    of_space: tuple[ReaderRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong (or `note`: worth knowing), and what to do about it."""

    text: str
    hint: str = ""
    note: bool = False


@dataclass(frozen=True, slots=True)
class NotRead:
    """Files that are not read for one reason; `examples` are a few of them."""

    why: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look through the whole home found."""

    findings: tuple[Finding, ...] = ()
    not_read: tuple[NotRead, ...] = ()
