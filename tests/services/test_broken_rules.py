"""A fault inside a rule, met through the use cases: denied, in the record once, nothing done."""

from __future__ import annotations

import pytest

import lobes.access.authorize as core
from homes import AHome
from lobes.domain.errors import Forbidden
from lobes.domain.lobe_change import LobeChange
from lobes.services.lobe_changes import save
from lobes.services.search import search
from lobes.services.spaces import list_spaces


class Injected(Exception):
    pass


def failing(_ask: object) -> None:
    raise Injected


@pytest.fixture
def broken(home: AHome, monkeypatch: pytest.MonkeyPatch) -> AHome:
    home.a_space("prj_a", {"a.md": "# A\n\nzephyr\n"})
    home.index()
    monkeypatch.setattr(core, "RULES", (failing, *core.RULES))
    return home


def test_a_fault_inside_a_rule_denies_and_is_in_the_record_once(broken: AHome) -> None:
    """AZ-21."""
    with pytest.raises(Forbidden) as refused:
        search(broken.lobes, broken.me, "zephyr", space="prj_a")
    assert (refused.value.reason, "Injected" in str(refused.value)) == ("internal_error", False)
    (row,) = broken.audited("access.denied")
    assert (row["verb"], row["answer"]) == ("read_content", "internal_error")


def test_a_fault_inside_a_rule_lists_nothing_and_changes_nothing(broken: AHome) -> None:
    """AZ-21."""
    assert list_spaces(broken.lobes, broken.me) == ()
    before = broken.rows("SELECT * FROM space")
    with pytest.raises(Forbidden):
        save(broken.lobes, broken.me, "prj_a", LobeChange(is_private=True))
    assert broken.rows("SELECT * FROM space") == before
