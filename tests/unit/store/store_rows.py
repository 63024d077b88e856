"""Values that the store's tests write: one Space, one document, a clock that can jump."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from lobes.domain.documents import PassageRow, StoredDocument
from lobes.domain.ids import Slug
from lobes.domain.lobes import LobeConfig
from lobes.domain.spaces import Space
from lobes.store.database import Database, create, open_database

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def jump(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def new_store(folder: Path) -> Path:
    path = folder / "lobes.db"
    create(path, owner="me", presence="on", default_cross_space="ask", clock=Clock(), name="Robin")
    return path


def opened(path: Path) -> Database:
    return open_database(path, backups=path.parent / "backups", clock=Clock())


def space(id: str = "prj_a", *, lobe: LobeConfig | None = None) -> Space:
    return Space(
        id=Slug(id),
        kind="project",
        name="A",
        description="",
        status="active",
        status_before=None,
        trashed_from=None,
        owner=Slug("me"),
        group=None,
        permission=None,
        root="/packs/a",
        root_device="",
        root_inode="",
        root_state="new",
        review_every_days=None,
        trusted=None,
        binding=None,
        trusted_hash="",
        seen_hash="",
        lobe=lobe or LobeConfig(),
        version=1,
        created=START,
        updated=START,
        trashed=None,
    )


def document(number: int = 1, *, space: str = "prj_a", content: str = "c1") -> StoredDocument:
    id = f"{number:026}"
    return StoredDocument(id, space, f"notes/{number}.md", "", "Title", content, 10, 20, 30)


def passage(id: str, *, ordinal: int = 0, text: str = "text") -> PassageRow:
    return PassageRow(id, ordinal, "Title", text, 1, 2, 3, f"hash of {text}")
