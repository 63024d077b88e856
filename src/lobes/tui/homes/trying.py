"""Whether a home takes anything, found by trying: said before something is decided and lost."""

from __future__ import annotations

from lobes.config.folders import Folders


class Trying:
    """Mixed into the home."""

    _folders: Folders

    def can_write(self) -> None:
        """Raises why nothing can be written into the data folder."""
        from lobes.store.room import write_fault

        if fault := write_fault(self._folders.store.parent):
            raise fault
