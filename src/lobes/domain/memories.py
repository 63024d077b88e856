"""Memories: one statement in one lobe, proposed by whoever, active once a person lets it be.

Only what is active is ever retrieved; what is disputed is too, marked and never alone. Every
change of status is one of the arrows below, or `Conflict`.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, Protocol, get_args

from lobes.domain.display import is_hidden
from lobes.domain.errors import Conflict
from lobes.domain.ids import LobeAddress
from lobes.domain.permissions import Permission
from lobes.domain.sensitivity import MISSING, Kept, Level, Setting

Kind = Literal[
    "decision",
    "pattern",
    "preference",
    "error_fix",
    "code_pattern",
    "context",
    "command",
    "summary",
    "question",
    "observation",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

MemoryClass = Literal["user", "feedback", "project", "reference"]
CLASSES: tuple[MemoryClass, ...] = get_args(MemoryClass)

Epistemic = Literal[
    "personal_observation",
    "agent_inference",
    "external_evidence",
    "professional_advice",
    "decision",
    "unresolved_uncertainty",
]
EPISTEMICS: tuple[Epistemic, ...] = get_args(Epistemic)

_WEAKEST_FIRST: tuple[Epistemic, ...] = (
    "unresolved_uncertainty",
    "agent_inference",
    "external_evidence",
    "professional_advice",
    "personal_observation",
    "decision",
)

Author = Literal["user", "agent", "import", "share"]

Status = Literal["proposed", "active", "disputed", "superseded", "archived", "rejected", "deleted"]
STATUSES: tuple[Status, ...] = get_args(Status)
RETRIEVABLE: frozenset[Status] = frozenset({"active", "disputed"})

Act = Literal[
    "accept",
    "reject",
    "reopen",
    "supersede",
    "reinstate",
    "archive",
    "restore",
    "dispute",
    "settle",
    "delete",
]
"""What changes a status. `reinstate`: the successor went; `settle`: the dispute is over."""

ARROWS: Mapping[Act, Mapping[Status, Status]] = {
    "accept": {"proposed": "active"},
    "reject": {"proposed": "rejected"},
    "reopen": {"rejected": "proposed"},
    "supersede": {"active": "superseded", "disputed": "superseded"},
    "reinstate": {"superseded": "active"},
    "archive": {"active": "archived"},
    "restore": {"archived": "active"},
    "dispute": {"active": "disputed", "disputed": "disputed"},
    "settle": {"disputed": "active"},
    "delete": {one: "deleted" for one in STATUSES if one != "deleted"},
}

WritePolicy = Literal["all", "risky", "none"]
WRITE_POLICIES: tuple[WritePolicy, ...] = get_args(WritePolicy)
"""Which proposals wait for a person: all, those with a risk, or only what must; from the strictest
to the loosest."""

Wait = Literal[
    "asked",
    "inferred",
    "imported",
    "shared",
    "wider_scope",
    "sensitive",
    "high_category",
    "outside",
    "secret",
    "conflict",
    "near_copy",
    "replaces",
    "policy",
    "unsealed",
]
"""Why a proposal waits for a person; `asked`: a person proposed it, and didn't add it;
`outside`: it derives from a text from elsewhere; `unsealed`: it was put in use without the seal
that this home asks for."""

HIGH_CATEGORIES = frozenset({"health", "finance", "identity", "credentials", "people"})
"""What always needs explicit confirmation."""

SUPPRESSED_DAYS = 180
"""How long what was rejected isn't proposed again by itself."""

LONGEST = 4_000
"""Characters of a statement."""

Stage = Literal[
    "came",
    "refused",
    "repeat",
    "suppressed",
    "added",
    "by_policy",
    "waiting",
    "accepted",
    "rejected",
    "merged",
]
"""What the review queue counts a day: each that `came` is of one stage from `refused` to
`waiting`; the last three are what a person did with what waited."""

LinkKind = Literal["supersedes", "disputes", "merged"]
"""From the new one to the one it replaced; between two that contradict each other; from the one
that was kept to the one that went into it."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a memory comes from; set by the face that took it, never by who proposes.

    `ref` names it in its source, the same at every import of it. `evidence` holds ids or paths.
    """

    source: str = ""
    session: str = ""
    client: str = ""
    tool: str = ""
    ref: str = ""
    evidence: tuple[str, ...] = ()
    is_external: bool = False
    """It derives from a text that neither the person nor this installation wrote."""


@dataclass(frozen=True, slots=True)
class Given:
    """A document or a memory that an agent had before it proposed: its address, the reason by which
    it got it ("" where it read it by its id), and about how long it was, in tokens."""

    thing: str
    reason: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Memory:
    """One statement as the store has it.

    `person` is who it is from or on whose behalf; `waits_for` says why a proposal waits;
    `replaces` is what it would supersede if it were accepted. `confidence` is 0 to 1.
    """

    id: str
    lobe: LobeAddress
    statement: str
    kind: Kind
    memory_class: MemoryClass
    epistemic: Epistemic
    status: Status
    author: Author
    person: str
    content_hash: str
    created: datetime
    updated: datetime
    subject: str = ""
    category: str = ""
    provenance: Provenance = field(default_factory=Provenance)
    confidence: float | None = None
    verified: datetime | None = None
    level: Level = MISSING
    given: Level | None = None
    findings: tuple[Kept, ...] = ()
    classifier: int = 0
    setting: Setting | None = None
    permission: Permission | None = None
    keep_until: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    waits_for: tuple[Wait, ...] = ()
    replaces: str = ""
    last_retrieved: datetime | None = None
    use_count: int = 0
    version: int = 1

    @property
    def is_external(self) -> bool:
        return self.provenance.is_external

    @property
    def is_from_outside(self) -> bool:
        """Whether what is made of it is to be told from what the people here wrote."""
        return self.is_external or self.lobe.is_from_outside

    @property
    def is_retrievable(self) -> bool:
        return self.status in RETRIEVABLE

    def holds_at(self, now: datetime) -> bool:
        """Whether its validity covers this moment; an end is the first moment it no longer does."""
        begun = self.valid_from is None or self.valid_from <= now
        return begun and (self.valid_to is None or now < self.valid_to)


def made_of(memory: Memory, sources: Iterable[Memory]) -> Memory:
    """The memory where its words are made of these as well: from outside if one of them is, and
    known no better than the one that is known least."""
    told = [memory, *sources]
    epistemic = min((one.epistemic for one in told), key=_WEAKEST_FIRST.index)
    if memory.is_external or not any(one.is_from_outside for one in told):
        return replace(memory, epistemic=epistemic)
    came = replace(memory.provenance, is_external=True)
    waits: tuple[Wait, ...] = tuple(dict.fromkeys((*memory.waits_for, "outside")))
    return replace(memory, epistemic=epistemic, provenance=came, waits_for=waits)


@dataclass(frozen=True, slots=True)
class Link:
    """One memory tied to another one."""

    kind: LinkKind
    memory: str
    other: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a memory: what it said from `at` on, and the act that made it so. `act` is the
    name of an arrow, or of what changed no status: `propose`, `add`, `edit`, `move`, `raise`,
    `lower`."""

    memory: str
    version: int
    statement: str
    content_hash: str
    status: Status
    act: str
    actor: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What is kept of what was rejected or deleted: that it was, never what it said."""

    id: str
    lobe: LobeAddress
    content_hash: str
    cause: Literal["rejected", "deleted", "erased"]
    actor: str
    at: datetime


def statement_hash(statement: str) -> str:
    """SHA-256 of what a person reads: composed (NFC), without hidden characters, each run of white
    space as one blank. Case counts: `-v` and `-V` are two commands."""
    text = statement
    if not text.isascii():
        text = "".join(one for one in text if one.isspace() or not is_hidden(one))
        text = unicodedata.normalize("NFC", text)
    return _digest(" ".join(text.split()))


class Shown(Protocol):
    """What of a memory a person approves."""

    @property
    def id(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def lobe(self) -> LobeAddress: ...
    @property
    def statement(self) -> str: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def memory_class(self) -> MemoryClass: ...
    @property
    def level(self) -> Level: ...
    @property
    def replaces(self) -> str: ...
    @property
    def valid_from(self) -> datetime | None: ...
    @property
    def valid_to(self) -> datetime | None: ...


def shown_hash(memory: Shown) -> str:
    """SHA-256 of all that a person approves: an approval that names it holds for this alone."""
    # The text of `json.dumps` of a list, in a quarter of its time: a queue has 10,000.
    shown = (
        _quoted(memory.id),
        str(memory.version),
        _quoted(str(memory.lobe)),
        _quoted(memory.statement),
        _quoted(memory.kind),
        _quoted(memory.memory_class),
        _quoted(memory.level),
        _quoted(memory.replaces),
        "null" if memory.valid_from is None else _quoted(memory.valid_from.isoformat()),
        "null" if memory.valid_to is None else _quoted(memory.valid_to.isoformat()),
    )
    return _digest(f"[{', '.join(shown)}]")


_quoted: Callable[[str], str] = json.encoder.encode_basestring_ascii


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


LOOK_AGAIN = "Look at it again: lobes memory show ID."


def wrong_status(status: Status, why: str, *, hint: str = LOOK_AGAIN) -> Conflict:
    """The refusal of what isn't done to a memory that is in this status; `why` ends the sentence
    that begins with it."""
    return Conflict(f"It is {status}{why}.", hint=hint, reason="wrong_status")


def after(act: Act, status: Status) -> Status:
    """The status after this act, or `Conflict` (`wrong_status`) where there is no such arrow."""
    to = ARROWS[act].get(status)
    if to is None:
        raise wrong_status(status, f", so there is nothing to {act}")
    return to
