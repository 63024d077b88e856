"""The first run, on the services' side: nothing is written before the person has confirmed it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lobes.domain.errors import Invalid
from lobes.domain.space_yaml import kind_of

if TYPE_CHECKING:
    from lobes.config.folders import Folders
    from lobes.services.installation import Caller, Installation
    from lobes.services.space_adding import FolderProposal
    from lobes.tui.outcomes import Beginning
    from lobes.tui.values import Proposed


def make(folders: Folders, beginning: Beginning) -> None:
    """The home with its owner, unless there is one: a second try goes on where the first ended."""
    from lobes.clock import utc_now
    from lobes.services.homes import NewHome, account_slug, make_home, slug_of

    if folders.store.exists():
        return
    name = slug_of(beginning.name) if beginning.name.strip() else account_slug()
    if not name:
        raise Invalid("A name needs a letter or a digit.", reason="bad_name")
    make_home(folders, NewHome(name, default_cross_space=beginning.default), clock=utc_now)


def take_folder(lobes: Installation, caller: Caller, beginning: Beginning) -> tuple[str, str, int]:
    """Add the folder that was shown; its Space's id and name, and how many files were read."""
    from lobes.services.indexing import index_space
    from lobes.services.space_adding import AddOptions, add_space

    shown = beginning.folder
    if shown is None:
        raise Invalid("No folder was chosen.", reason="no_folder")
    options = AddOptions(
        kind=kind_of(beginning.kind),
        is_private=beginning.private,
        confirmed_overlaps=shown.overlaps,
        manifest_hash=shown.manifest_hash,
    )
    made = add_space(lobes, caller, Path(shown.folder), options)
    return made.id, made.name, index_space(lobes, caller, made.id).indexed


def first_look(path: Path, then: Callable[[FolderProposal], Proposed]) -> Proposed:
    """A folder before there is a home, through one that is thrown away: to leave leaves nothing."""
    from tempfile import TemporaryDirectory

    from lobes.bootstrap import open_installation
    from lobes.clock import utc_now
    from lobes.config.folders import folders_under
    from lobes.services.homes import NewHome, account_slug, make_home
    from lobes.services.space_adding import propose_folder

    with TemporaryDirectory(prefix="lobes-") as folder:
        folders = folders_under(Path(folder))
        make_home(folders, NewHome(account_slug()), clock=utc_now)
        with open_installation(folders) as lobes:
            caller = lobes.owner_at("tui", is_present=True)
            return then(propose_folder(lobes, caller, path))
