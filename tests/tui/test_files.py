"""A folder that is typed behind the `~/` which stands in the field already."""

from __future__ import annotations

import pytest

from lobes.tui.files import typed_path


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("~//srv/notes", "/srv/notes"),
        ("~/~/notes", "~/notes"),
        ("~/~ada/notes", "~ada/notes"),
        ("~/notes", "~/notes"),
        ("  /srv/notes ", "/srv/notes"),
        ("~/", "~/"),
        ("notes", "notes"),
        ("~/a//b", "~/a//b"),
    ],
)
def test_a_whole_path_typed_behind_the_tilde_wins(typed: str, meant: str) -> None:
    assert typed_path(typed) == meant
