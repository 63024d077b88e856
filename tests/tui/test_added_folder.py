"""What was shown of a folder is what is added: another `space.yaml` by then is a conflict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lobes.domain.errors import Conflict
from lobes.tui.home import Home

if TYPE_CHECKING:
    from homes import AHome

MANIFEST = "id: prj_acme\ntype: project\nname: Acme\nresources:\n  primary_root: .\n"


def test_a_space_yaml_that_changed_after_it_was_shown_is_not_added(
    a_home: Callable[..., AHome], tmp_path: Path
) -> None:
    home = a_home()
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "README.md").write_text("# Acme\n")
    source = Home(home.folders)
    source._opened = home.lobes, home.lobes.owner_at("tui", is_present=True)
    shown = source.look_at(str(folder))
    assert shown.manifest_hash == ""
    (folder / "space.yaml").write_text(MANIFEST)
    with pytest.raises(Conflict):
        source.add(shown)
