"""Human-only acts need a person; asked only after the right itself, and audited."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from homes import AHome
from lobes.domain.errors import NoPresence, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.services.approvals import allow_once
from lobes.services.audit_log import list_audit, verify_audit
from lobes.services.installation import Caller, Installation
from lobes.services.lobe_changes import preview, put_back, save
from lobes.services.lobes import lobe_view
from lobes.services.manifests import trust
from lobes.services.pack_drafts import open_draft
from lobes.services.space_changes import trash_impact, trash_space

Act = Callable[[Installation, Caller, str], object]

ON_A_SPACE: dict[str, Act] = {
    "lobe set": lambda lobes, who, space: save(lobes, who, space, LobeChange(is_private=True)),
    "undo of lobe set": lambda lobes, who, space: put_back(
        lobes, who, space, lobe_view(lobes, lobes.owner_at("cli", is_present=True), "prj_a").config
    ),
    "trust": lambda lobes, who, space: trust(lobes, who, space, content_hash="0"),
    "allow once": lambda lobes, who, space: allow_once(lobes, who, space, "prj_a", "word"),
    "trash": trash_space,
    "editor": lambda lobes, who, space: open_draft(lobes, who, space, "a.md"),
}


@pytest.fixture
def guarded(a_home: Callable[..., AHome]) -> AHome:
    home = a_home(presence="on")
    home.a_space("prj_a", {"a.md": "# A\n\nword\n"})
    return home


@pytest.mark.parametrize("name", ON_A_SPACE)
def test_without_a_person_nothing_happens_and_it_is_audited(guarded: AHome, name: str) -> None:
    before = guarded.rows("SELECT * FROM space")
    with pytest.raises(NoPresence) as refused:
        ON_A_SPACE[name](guarded.lobes, guarded.absent, "prj_a")
    assert (refused.value.reason, refused.value.hint) != ("", "")
    assert guarded.rows("SELECT * FROM space") == before
    (row,) = guarded.audited("access.denied")
    assert (row["answer"], row["channel"]) == ("no_presence", "cli")
    assert row["resources"] == ["space/prj_a"]


@pytest.mark.parametrize("name", ON_A_SPACE)
def test_presence_tells_nothing_about_what_exists(guarded: AHome, name: str) -> None:
    """It is asked only after authorize has allowed."""
    with pytest.raises(NotFound):
        ON_A_SPACE[name](guarded.lobes, guarded.absent, "prj_unknown")


def test_the_audit_is_for_a_person(guarded: AHome) -> None:
    for act in (list_audit, verify_audit):
        with pytest.raises(NoPresence):
            act(guarded.lobes, guarded.absent)
    rows, total = list_audit(guarded.lobes, guarded.me)
    assert total == len(rows) >= 3
    assert verify_audit(guarded.lobes, guarded.me).state in ("ok", "unsealed")


def test_looking_at_an_effect_needs_nobody(guarded: AHome) -> None:
    preview(guarded.lobes, guarded.absent, "prj_a", LobeChange(is_private=True))
    assert guarded.audited("access.denied") == []


def test_the_trash_is_refused_before_anybody_is_asked(guarded: AHome) -> None:
    with pytest.raises(NoPresence):
        trash_impact(guarded.lobes, guarded.absent, "prj_a")


def test_every_decision_is_audited_with_who_and_what(guarded: AHome) -> None:
    save(guarded.lobes, guarded.me, "prj_a", LobeChange(is_private=True))
    trash_space(guarded.lobes, guarded.me, "prj_a")
    for event, verb in (("lobe.changed", "change_permission"), ("space.trashed", "erase")):
        (row,) = guarded.audited(event)
        assert (row["actor"], row["verb"], row["resources"]) == (
            "user:ada",
            verb,
            ["space/prj_a"],
        )
