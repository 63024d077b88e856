"""Where the data that comes with the package lies: in the wheel, or beside `src` in a checkout."""

from __future__ import annotations

from pathlib import Path

from lobes.domain.errors import Corrupt

_PACKAGE = Path(__file__).resolve().parents[1]


def shipped(name: str) -> Path:
    """The folder `themes`, `sample_spaces` or `authz`; `Corrupt` when the installation lacks it."""
    checkout = _PACKAGE.parents[1]
    for folder in (_PACKAGE / name, checkout / name, checkout / "tests" / name):
        if folder.is_dir():
            return folder
    raise Corrupt(
        f"This installation lacks its {name} folder.", hint="Install Lobes again.", reason="damaged"
    )
