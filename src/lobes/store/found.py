"""What the file gate hands out, and the one table of why a file is not taken."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import Literal

from lobes.store.names import MAX_LEVELS

MAX_FILE_BYTES = 1024 * 1024

SkipReason = Literal[
    "link",
    "not_regular",
    "unreadable",
    "too_large",
    "binary",
    "not_utf8",
    "bad_name",
    "secret_in_name",
    "name_collision",
    "other_mount",
    "hard_link",
    "too_deep",
    "too_many",
    "changed_while_reading",
    "gone",
    "bad_pattern",
]

SKIP_REASONS: dict[SkipReason, str] = {
    "link": "It is a link; links are never followed.",
    "not_regular": "It is no regular file.",
    "unreadable": "It can't be read; check its permissions.",
    "too_large": "It is larger than 1 MiB.",
    "binary": "It is no text: it holds NUL bytes.",
    "not_utf8": "It is not UTF-8; save it as UTF-8 to include it.",
    "bad_name": "Its name is not portable or holds characters that can't be shown.",
    "secret_in_name": "There is a secret in its name; rename it.",
    "name_collision": "Another name here differs only by case or accents; rename one of them.",
    "other_mount": "It lies on another disk that is mounted inside the folder.",
    "hard_link": "The same file has a second name elsewhere.",
    "too_deep": f"It lies deeper than {MAX_LEVELS} folders.",
    "too_many": "There is more here than one Space takes; the rest was left out.",
    "changed_while_reading": "It changed while it was read; it is tried again.",
    "gone": "It is no longer there.",
    "bad_pattern": "A line of .lobesignore can't be understood and was left out.",
}


@dataclass(frozen=True, slots=True)
class RootId:
    """Which folder a root is, whatever its name: moving it keeps this, replacing it doesn't."""

    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one listing, so that no folder can hold the indexer or the memory."""

    files: int = 20_000
    entries: int = 200_000
    levels: int = MAX_LEVELS
    skipped: int = 1_000


@dataclass(frozen=True, slots=True, order=True)
class FoundFile:
    """A Markdown file; `path` is its NFC name below the root, `size` in bytes."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, order=True)
class Skipped:
    """A file or folder that was not taken.

    In a listing `path` can be drawn as it is and opens nothing; from a read it is the name.
    `detail` is a place or a form (`byte 1234`, `UTF-16`), never text of the file.
    """

    path: str
    reason: SkipReason
    detail: str = ""

    @property
    def sentence(self) -> str:
        return SKIP_REASONS[self.reason]


@dataclass(frozen=True, slots=True)
class Listing:
    """One walk over a root.

    `unreadable` names the folders ("" is the root) that could not be listed to their end:
    nothing indexed below them may be removed. `stopped` says that the caller ended the walk.
    """

    files: tuple[FoundFile, ...]
    skipped: tuple[Skipped, ...]
    unreadable: tuple[str, ...]
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file's text, without a byte order mark; `content_hash` is the SHA-256 of its bytes."""

    path: str
    text: str
    content_hash: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Written:
    """`content_hash` is the SHA-256 of the bytes that are on the disk now."""

    path: str
    content_hash: str


_BY_ERRNO: dict[int, SkipReason] = {
    errno.ELOOP: "link",
    errno.ENXIO: "not_regular",
    errno.ENOTDIR: "gone",
    errno.ENOENT: "gone",
    errno.ENAMETOOLONG: "bad_name",
}


def reason_of(error: OSError) -> SkipReason:
    """Why the system refused a file, in our words."""
    return _BY_ERRNO.get(error.errno or 0, "unreadable")
