"""The index folder: where a lobe's files are, which format they have, how far the outbox came.

    FORMAT  cursor  lobes/space-<id>/{lex.db, vec.lance/}

Folders are 0700, files 0600. A missing, older or unknown `FORMAT` means: make the index again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from lobes.domain.errors import Invalid, Unavailable
from lobes.domain.ids import parse_address

FORMAT = "lobes index 2\n"


def prepare(folder: Path) -> bool:
    """Make the folder ready; whether it is fresh, so that everything has to be indexed again.

    `Unavailable` when it can't be; a home that was removed is not made again.
    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)
        if _read(folder / "FORMAT") == FORMAT and (folder / "lobes").is_dir():
            return False
        for name in ("cursor", "FORMAT"):
            (folder / name).unlink(missing_ok=True)
        remove_tree(folder / "lobes")
        (folder / "lobes").mkdir(mode=0o700)
        write_whole(folder / "FORMAT", FORMAT)
    except OSError as error:
        raise Unavailable(
            "The index folder can't be written.",
            hint="Check its rights and the free space.",
            reason="index_folder",
        ) from error
    return True


def lobe_folder(folder: Path, lobe: str) -> Path | None:
    """The folder of this lobe address; None for what is no address (so `../` leads nowhere)."""
    try:
        address = parse_address(lobe)
    except Invalid:
        return None
    return folder / "lobes" / f"{address.kind}-{address.id}"


def lobes_on_disk(folder: Path) -> Iterator[str]:
    """The address of every lobe folder, in order; other names are not ours and are passed over."""
    for path in sorted((folder / "lobes").iterdir()):
        address = path.name.replace("-", "/", 1)
        if lobe_folder(folder, address) == path:
            yield address


def read_cursor(folder: Path) -> int | None:
    """The last outbox row applied; None when it isn't known."""
    text = _read(folder / "cursor").strip()
    return int(text) if text.isascii() and text.isdigit() else None


def write_cursor(folder: Path, seq: int) -> None:
    write_whole(folder / "cursor", f"{seq}\n")


def write_whole(path: Path, text: str) -> None:
    """Temp file, fsync, rename, fsync of the folder: a reader sees the old text or the new one."""
    temporary = path.with_name(path.name + ".new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_tree(path: Path) -> None:
    """Remove a folder or file, whatever is there; nothing there is fine."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def seal(path: Path) -> None:
    """Take group and others out of the rights of this folder: Lance writes with the umask."""
    os.chmod(path, 0o700)
    for root, folders, files in os.walk(path):
        for name in folders:
            os.chmod(os.path.join(root, name), 0o700)
        for name in files:
            os.chmod(os.path.join(root, name), 0o600)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
