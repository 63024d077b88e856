"""Where Lobes keeps its files: the platform's folders, or everything under one home."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lobes.domain.errors import Invalid, Unavailable


@dataclass(frozen=True, slots=True)
class Folders:
    """The four roots and what lies in them. Only `make` creates anything."""

    data: Path
    state: Path
    cache: Path
    config: Path
    spaces: Path

    @property
    def home(self) -> Path:
        """What `--home` would name; of the platform's folders, the one with the data."""
        above = self.data.parent
        return above if self == folders_under(above) else self.data

    @property
    def store(self) -> Path:
        return self.data / "lobes.db"

    @property
    def audit(self) -> Path:
        return self.data / "audit.db"

    @property
    def presence(self) -> Path:
        return self.data / "presence.db"

    @property
    def backups(self) -> Path:
        return self.data / "backups"

    @property
    def index(self) -> Path:
        return self.state / "index"

    @property
    def log(self) -> Path:
        return self.state / "log"

    @property
    def settings_file(self) -> Path:
        return self.config / "lobes.toml"

    @property
    def keys_file(self) -> Path:
        return self.config / "keys.toml"

    @property
    def themes(self) -> Path:
        return self.config / "themes"


def platform_folders() -> Folders:
    """The folders that this platform gives to one person's programs."""
    from platformdirs import PlatformDirs

    dirs = PlatformDirs("lobes", appauthor=False)
    data = Path(dirs.user_data_dir)
    return Folders(
        data=data,
        state=Path(dirs.user_state_dir),
        cache=Path(dirs.user_cache_dir),
        config=Path(dirs.user_config_dir),
        spaces=data / "spaces",
    )


def folders_under(home: Path) -> Folders:
    """Everything below `home`, as `--home` asks; the Spaces lie open in it, beside the data."""
    root = Path(os.path.abspath(home))
    return Folders(
        data=root / "data",
        state=root / "state",
        cache=root / "cache",
        config=root / "config",
        spaces=root / "spaces",
    )


def chosen_folders(home: Path | None, environ: Mapping[str, str]) -> Folders:
    """Those of `--home`, else of `LOBES_HOME`, else the platform's. Raises as `checked` does."""
    named = home or environ.get("LOBES_HOME")
    return folders_under(checked(Path(named))) if named else platform_folders()


def checked(place: Path) -> Path:
    """The path, there or not yet, or `Invalid` (`bad_name`) where no file can have it."""
    try:
        place.lstat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise Invalid(
                "That name is longer than a file system takes.",
                hint="Name a shorter one.",
                reason="bad_name",
            ) from error
    return place


def make(folders: Folders) -> None:
    """Create what is missing, for the owner alone (0700 whatever the umask).

    Raises `Invalid` (reason `linked_folder`) when one of the roots is a symbolic link: whoever
    can change the link would choose where the records go. Raises `Unavailable` when a folder
    can't be made.
    """
    for root in (folders.data, folders.state, folders.cache, folders.config):
        _make_private(root)
    for inner in (folders.spaces, folders.backups, folders.index, folders.log):
        _make_private(inner)


def _make_private(folder: Path) -> None:
    if folder.is_symlink():
        raise Invalid(
            "One of the folders of Lobes is a link.",
            hint="Put a real folder in its place, or choose another with --home.",
            reason="linked_folder",
        )
    try:
        # One by one: `parents=True` would make the ones above with the umask alone.
        for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
            missing.mkdir(mode=0o700, exist_ok=True)
        if stat.S_IMODE(folder.stat().st_mode) & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise Unavailable(
            "A folder of Lobes can't be made.",
            hint="Check who owns the place and whether its disk is full or read-only.",
            reason="read_only",
        ) from error
