"""The tables of the newest schema for SQLModel. The migrations make them; a test compares both."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from sqlalchemy.orm import declared_attr
from sqlmodel import Field, SQLModel


def stamp(moment: datetime) -> str:
    """A moment as it is stored: ISO 8601 in UTC, so that the order of the texts is that of time."""
    return moment.astimezone(UTC).isoformat()


class StoreTable(SQLModel):
    """Names each table after its class: `LobeTagTable` is `lobe_tag`."""

    # SQLModel types the name for checkers alone; at run time it is a directive there too.
    @declared_attr.directive
    def __tablename__(cls) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        words = re.findall("[A-Z][a-z]+", cls.__name__)
        return "_".join(words[:-1]).lower()


class HomeTable(StoreTable, table=True):
    id: int = Field(default=1, primary_key=True)
    owner: str
    presence: str
    default_cross_space: str
    created: str
    epoch: int = 1
    sealed_with: str = ""
    sealed_since: str | None = None
    sequence: int = 0


class PersonTable(StoreTable, table=True):
    id: str = Field(primary_key=True)
    name: str
    is_superuser: bool = False
    created: str


class PersonGroupTable(StoreTable, table=True):
    id: str = Field(primary_key=True)
    kind: str
    name: str
    parent: str | None
    created: str
    removed: str | None


class MembershipTable(StoreTable, table=True):
    group_id: str = Field(primary_key=True)
    person: str = Field(primary_key=True)
    role: str
    since: str


class SpaceTable(StoreTable, table=True):
    """A Space; `is_private`, `cross_space` and `config_ok` repeat `lobe_config` for resolve."""

    id: str = Field(primary_key=True)
    kind: str
    name: str
    description: str
    status: str
    status_before: str | None
    trashed_from: str | None
    owner: str
    group_id: str | None
    permission: str | None
    root: str
    root_device: str
    root_inode: str
    root_state: str
    review_every_days: int | None
    manifest: str
    manifest_binding: str
    manifest_hash: str
    manifest_seen_hash: str
    lobe_config: str
    is_private: bool
    cross_space: str
    config_ok: bool
    version: int
    created: str
    updated: str
    trashed: str | None


class LobeExclusionTable(StoreTable, table=True):
    space: str = Field(primary_key=True)
    other: str = Field(primary_key=True)


class LobeTagTable(StoreTable, table=True):
    space: str = Field(primary_key=True)
    tag: str = Field(primary_key=True)


class DocumentTable(StoreTable, table=True):
    id: str = Field(primary_key=True)
    space: str
    path: str
    role: str
    title: str
    content_hash: str
    size: int
    mtime_ns: int
    tokens: int
    permission: str | None
    indexed: str


class PassageTable(StoreTable, table=True):
    id: str = Field(primary_key=True)
    document: str
    ordinal: int
    heading: str
    text: str
    first_line: int
    last_line: int
    tokens: int
    content_hash: str


class SkippedFileTable(StoreTable, table=True):
    space: str = Field(primary_key=True)
    path: str = Field(primary_key=True)
    reason: str
    seen: str


class OutboxTable(StoreTable, table=True):
    seq: int | None = Field(default=None, primary_key=True)
    op: str
    kind: str
    id: str
    lobe: str
    content_hash: str = ""


class NoticeTable(StoreTable, table=True):
    id: str = Field(primary_key=True)
    person: str
    at: str
    event: str
    actor: str
    resource: str
    detail: str = ""
    seen: str | None = None


class ApprovalTable(StoreTable, table=True):
    id: str = Field(primary_key=True)
    person: str
    asking: str
    target: str
    query_hash: str
    expires: str


class DocumentSensitivityTable(StoreTable, table=True):
    document: str = Field(primary_key=True)
    level: str
    given: str | None = None
    findings: str = "[]"
    classifier: int
    setting: str | None = None


class KeptPermissionTable(StoreTable, table=True):
    document: str = Field(primary_key=True)
    space: str
    content_hash: str
    permission: str


class MemoryTable(StoreTable, table=True):
    """A memory; `class` and `permission` are named as in the store, lists are JSON. Its `status`
    follows from `written_status` and `seal`."""

    id: str = Field(primary_key=True)
    lobe: str
    space: str | None = None
    statement: str
    kind: str
    memory_class: str = Field(sa_column_kwargs={"name": "class"})
    epistemic: str
    written_status: str
    seal: str = ""
    author: str
    person: str
    content_hash: str
    subject: str = ""
    category: str = ""
    source: str = ""
    session: str = ""
    client: str = ""
    tool: str = ""
    ref: str = ""
    evidence: str = "[]"
    is_external: bool = False
    confidence: float | None = None
    verified: str | None = None
    level: str = "internal"
    given: str | None = None
    findings: str = "[]"
    classifier: int = 0
    setting: str | None = None
    permission: str | None = None
    keep_until: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    waits_for: str = "[]"
    replaces: str = ""
    last_retrieved: str | None = None
    use_count: int = 0
    version: int = 1
    created: str
    updated: str


class MemoryLinkTable(StoreTable, table=True):
    kind: str = Field(primary_key=True)
    memory: str = Field(primary_key=True)
    other: str = Field(primary_key=True)
    since: str


class MemoryVersionTable(StoreTable, table=True):
    memory: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    statement: str
    content_hash: str
    status: str
    act: str
    actor: str
    reason: str = ""
    at: str


class MemoryChangeTable(StoreTable, table=True):
    """Written by triggers alone."""

    seq: int | None = Field(default=None, primary_key=True)
    memory: str


class MemoryGivenTable(StoreTable, table=True):
    memory: str = Field(primary_key=True)
    place: int = Field(primary_key=True)
    thing: str
    reason: str
    tokens: int


class MemoryTombstoneTable(StoreTable, table=True):
    id: str = Field(primary_key=True)
    lobe: str
    content_hash: str
    cause: str
    actor: str
    at: str


class ProposalCountTable(StoreTable, table=True):
    day: str = Field(primary_key=True)
    lobe: str = Field(primary_key=True)
    stage: str = Field(primary_key=True)
    count: int


class PackEditTable(StoreTable, table=True):
    id: str = Field(primary_key=True)
    space: str
    path: str
    base_hash: str
    text: str
    content_hash: str
    status: str
    cause: str
    person: str
    session: str = ""
    client: str = ""
    level: str = "internal"
    findings: str = "[]"
    created: str
    decided: str | None = None
    tool: str = ""
    is_external: bool = False
    why: str = ""
    reason: str = ""
    decided_by: str = ""


class PackTextTable(StoreTable, table=True):
    """What was let into a Space that holds external changes; without a path: that it was."""

    space: str = Field(primary_key=True)
    path: str = Field(primary_key=True)
    content_hash: str
    text: str


class SessionTable(StoreTable, table=True):
    id: str = Field(primary_key=True)
    space: str
    person: str
    actor: str
    client: str = ""
    permission: str
    started: str


class SessionTurnTable(StoreTable, table=True):
    """One turn; decisions and evidence are JSON lists."""

    session: str = Field(primary_key=True)
    place: int = Field(primary_key=True)
    at: str
    actor: str
    summary: str
    decisions: str = "[]"
    evidence: str = "[]"
    is_external: bool = False
    level: str = "internal"
    findings: str = "[]"
    classifier: int = 0
