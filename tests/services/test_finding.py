"""Names are found as lists show them: what one may not know is not there, not even by its name."""

from __future__ import annotations

import pytest

from homes import AHome
from lobes.domain.lobe_change import LobeChange
from lobes.services import lobe_changes
from lobes.services.finding import find_named
from lobes.services.space_changes import archive_space, trash_space


def test_spaces_come_first_then_files_by_path_and_title(home: AHome) -> None:
    home.a_space("prj_retry", {"notes.md": "# Retry rules\n", "docs/retry.md": "# Other\n"})
    home.a_space("prj_b", {"b.md": "# Nothing\n"})
    home.index("prj_retry")
    home.index("prj_b")
    found = find_named(home.lobes, home.me, " RETRY ")
    assert [(one.space, one.path) for one in found] == [
        ("prj_retry", ""),
        ("prj_retry", "notes.md"),
        ("prj_retry", "docs/retry.md"),
    ]
    assert find_named(home.lobes, home.me, "") == ()
    assert len(find_named(home.lobes, home.me, "retry", limit=2)) == 2


@pytest.mark.parametrize("part", ["100%", "a_b", "ÄRGER", "ärger"])
def test_no_sign_is_a_pattern_and_case_is_folded_in_every_script(home: AHome, part: str) -> None:
    home.a_space("prj_a", {"100% a_b Ärger.md": "# x\n", "100x aXb.md": "# y\n"})
    home.index("prj_a")
    assert [one.path for one in find_named(home.lobes, home.me, part)] == ["100% a_b Ärger.md"]


@pytest.mark.parametrize("away", [archive_space, trash_space])
def test_what_was_put_away_is_not_found(home: AHome, away: object) -> None:
    home.a_space("prj_zephyr", {"zephyr.md": "# Zephyr\n"})
    home.index("prj_zephyr")
    away(home.lobes, home.me, "prj_zephyr")  # type: ignore[operator]
    assert find_named(home.lobes, home.me, "zephyr") == ()


def test_an_agent_finds_nothing_of_a_space_that_its_own_may_not_draw_on(home: AHome) -> None:
    home.a_space("prj_own", {"zephyr.md": "# Mine\n"})
    home.a_space("prj_zephyr", {"zephyr.md": "# Theirs\n"})
    for space in ("prj_own", "prj_zephyr"):
        home.index(space)
    lobe_changes.save(home.lobes, home.me, "prj_zephyr", LobeChange(is_private=True))
    agent = home.agent("prj_own")
    found = find_named(home.lobes, agent, "zephyr")
    assert {one.space for one in found} == {"prj_own"}
