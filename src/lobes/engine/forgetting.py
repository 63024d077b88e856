"""A lobe's index folder is removed whole, with the versions that Lance keeps in it.

Deleting rows leaves their bytes in old versions and in free pages, so nothing is deleted in place.
The cursor goes too: the next engine compares every lobe with the store and makes this one anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from lobes.domain.errors import Unavailable
from lobes.engine.endpoint import EnginePlace
from lobes.engine.folder import lobe_folder, remove_tree, sync_folder
from lobes.engine.locking import FileLock


def forget_lobes(place: EnginePlace, lobes: Iterable[str]) -> bool:
    """Remove the folders of these lobe addresses; False where an engine has the index just now.

    Raises `Unavailable` (`index_read_only`) where they can't be removed.
    """
    if not place.folder.is_dir():
        return True
    try:
        lock = FileLock(place.lock)
        try:
            if not lock.take():
                return False
            (place.folder / "cursor").unlink(missing_ok=True)
            for address in lobes:
                path = lobe_folder(place.folder, address)
                if path is not None:
                    remove_tree(path)
            if (place.folder / "lobes").is_dir():
                sync_folder(place.folder / "lobes")
        finally:
            lock.close()
    except OSError as error:
        raise Unavailable(
            "The index of what was erased can't be removed.",
            hint="Free the folder state/index, then lobes doctor --fix.",
            reason="index_read_only",
        ) from error
    return True
