"""Masked everywhere, withheld where it must be, lowered by a person with a reason."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest
from tests.unit.classify.labelled import AWS, GITHUB, PASSWORD

from homes import AHome
from lobes.access.facts import Resource
from lobes.domain.errors import Forbidden, Invalid, LobesError, NoPresence, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.services import sensitivity
from lobes.services.doctor import examine
from lobes.services.finding import find_named
from lobes.services.lobe_changes import save
from lobes.services.spaces import pack_text, show_pack, state_text


def document(home: AHome, path: str) -> Resource:
    return Resource("document", home.rows("SELECT id FROM document WHERE path = ?", path)[0][0])


@pytest.fixture
def keys(home: AHome) -> AHome:
    files = {
        "key.md": f"# The deploy key {GITHUB}\n\nThe walrus key is {AWS} for now.\n",
        "plain.md": "# Plain\n\nThe walrus sleeps.\n",
        "current.md": f"# Now\n\npassword: {PASSWORD}\n",
        "rates.md": "---\nsensitivity: restricted\n---\n# Rates\n\nThe walrus costs 80.\n",
    }
    home.a_space("prj_a", files)
    home.index()
    return home


def test_a_secret_is_masked_in_every_text_that_a_service_hands_out(keys: AHome) -> None:
    """AG-08."""
    answer = keys.ask("walrus key", "prj_a")
    hit = next(one for one in answer.items if one.path == "key.md")
    assert (hit.sensitivity, hit.detectors) == ("confidential", ("github-token", "aws-access-key"))
    assert "[aws-access-key hidden]" in hit.snippet
    shown = [repr(answer), repr(show_pack(keys.lobes, keys.me, "prj_a")),
             repr(pack_text(keys.lobes, keys.me, "prj_a", "key.md")),
             repr(state_text(keys.lobes, keys.me, "prj_a")),
             repr(find_named(keys.lobes, keys.me, "key")),
             repr(examine(keys.lobes, keys.me)),
             repr(sensitivity.list_sensitive(keys.lobes, keys.me))]  # fmt: skip
    for text in shown:
        assert not any(one in text for one in (AWS, GITHUB, PASSWORD, AWS[4:], GITHUB[4:]))
    assert any("key.md holds a secret (github-token, aws-access-key)" in one for one in shown)


def test_a_secret_that_came_into_a_file_since_it_was_looked_at_is_masked(home: AHome) -> None:
    root = home.a_space("prj_a", {"plain.md": "# Plain\n\nNothing of note.\n"})
    home.index()
    assert "Nothing of note." in pack_text(home.lobes, home.me, "prj_a", "plain.md").text
    (root / "plain.md").write_text(f"# Plain\n\nThe key is {GITHUB} now.\n")
    text = pack_text(home.lobes, home.me, "prj_a", "plain.md").text
    assert GITHUB not in text
    assert "The key is [" in text


def test_the_text_of_a_secret_is_in_no_record_log_or_error(keys: AHome) -> None:
    """KR-08, TE-16."""
    keys.ask(f"walrus {AWS}", "prj_a")
    keys.ask("walrus key", "prj_a", by=keys.agent("prj_a"))
    doc = document(keys, "key.md")
    said = io.StringIO()
    with contextlib.suppress(LobesError):
        sensitivity.lower(keys.lobes, keys.me, doc, "public", reason=f"it is {AWS}, made up")
    for act in (
        lambda: sensitivity.lower(keys.lobes, keys.me, doc, "internal", reason=""),
        lambda: sensitivity.raise_to(keys.lobes, keys.me, doc, "public"),
        lambda: sensitivity.clear_lines(keys.lobes, keys.absent, doc),
    ):
        try:
            act()
        except LobesError as error:
            said.write(f"{error!r} {error.hint}")
    keys.lobes.audit.flush()
    home = Path(keys.folders.store).parent
    texts = keys.folders.store.name, "prj_a"
    for path in home.rglob("*"):
        kept = path.name.startswith(texts[0]) or "prj_a" in str(path) or not path.is_file()
        assert kept or AWS.encode() not in path.read_bytes(), path
    assert AWS not in said.getvalue()
    stored = keys.rows("SELECT findings, setting FROM document_sensitivity")
    assert not any(AWS in str(row) or GITHUB in str(row) for row in stored)


def test_an_agent_gets_what_is_confidential_only_where_the_space_says_so(keys: AHome) -> None:
    agent = keys.agent("prj_a")
    assert {path for _, path in keys.found("walrus", "prj_a", by=agent)} == {
        "plain.md",
        "rates.md",
    }
    doc = document(keys, "key.md")
    with pytest.raises(NotFound):
        sensitivity.show_sensitivity(keys.lobes, agent, doc)
    with pytest.raises(NotFound):
        pack_text(keys.lobes, agent, "prj_a", "key.md")
    names = {one.path for one in show_pack(keys.lobes, agent, "prj_a").pack}
    assert names == {"plain.md", "rates.md"}
    save(keys.lobes, keys.me, "prj_a", LobeChange(agents_see_confidential=True))
    assert ("prj_a", "key.md") in keys.found("walrus", "prj_a", by=agent)
    assert AWS not in repr(keys.ask("walrus key", "prj_a", by=agent))


def test_what_is_withheld_moves_no_score_and_takes_no_place(keys: AHome) -> None:
    """No interference: an agent's answers are those of a pack without the withheld file."""
    agent = keys.agent("prj_a")

    def answers() -> list[tuple[str, float]]:
        return [(one.id, one.score) for one in keys.ask("walrus", "prj_a", by=agent, limit=2).items]

    before = answers()
    assert len(before) == 2
    keys.write("prj_a", "key.md", f"# Walrus\n\nwalrus walrus walrus {AWS}\n")
    keys.index()
    assert answers() == before
    (keys.root("prj_a") / "key.md").unlink()
    keys.index()
    assert answers() == before


def test_lowering_takes_a_person_a_reason_and_a_laxer_level(keys: AHome) -> None:
    doc = document(keys, "key.md")
    with pytest.raises(NoPresence):
        sensitivity.lower(keys.lobes, keys.absent, doc, "internal", reason="a made-up key")
    with pytest.raises((Forbidden, NotFound)):
        sensitivity.lower(keys.lobes, keys.agent("prj_a"), doc, "internal", reason="made up")
    for level, reason in (("internal", "  "), ("confidential", "no change")):
        with pytest.raises(Invalid):
            sensitivity.lower(keys.lobes, keys.me, doc, level, reason=reason)  # type: ignore[arg-type]
    view = sensitivity.lower(keys.lobes, keys.me, doc, "internal", reason="a made-up key")
    assert view.level == "internal"
    assert view.setting is not None
    assert (view.setting.by, view.setting.reason) == ("user:ada", "a made-up key")
    (act,) = keys.audited("space.sensitivity_lowered")
    assert "made-up" not in repr(act)


def test_a_lowered_level_stays_until_something_new_is_found(keys: AHome) -> None:
    doc = document(keys, "key.md")
    sensitivity.lower(keys.lobes, keys.me, doc, "internal", reason="a made-up key")
    text = (keys.root("prj_a") / "key.md").read_text()
    keys.write("prj_a", "key.md", f"{text}\nMore of the same: {AWS}\n")
    keys.index()
    assert sensitivity.show_sensitivity(keys.lobes, keys.me, doc).level == "internal"
    assert "[aws-access-key hidden]" in pack_text(keys.lobes, keys.me, "prj_a", "key.md").text
    keys.write("prj_a", "key.md", f"{text}\npassword: {PASSWORD}\n")
    keys.index()
    assert sensitivity.show_sensitivity(keys.lobes, keys.me, doc).level == "confidential"


def test_raising_withholds_at_once(keys: AHome) -> None:
    agent = keys.agent("prj_a")
    doc = document(keys, "plain.md")
    sensitivity.raise_to(keys.lobes, keys.me, doc, "confidential")
    assert ("prj_a", "plain.md") not in keys.found("walrus", "prj_a", by=agent)
    assert ("prj_a", "plain.md") in keys.found("walrus", "prj_a")


def test_the_owner_sees_a_secret_by_an_act_that_is_recorded(keys: AHome) -> None:
    doc = document(keys, "key.md")
    with pytest.raises(NoPresence):
        sensitivity.clear_lines(keys.lobes, keys.absent, doc)
    lines = sensitivity.clear_lines(keys.lobes, keys.me, doc)
    assert [(one.detector, one.line) for one in lines] == [
        ("github-token", 1),
        ("aws-access-key", 3),
    ]
    assert AWS in lines[1].text
    (act,) = keys.audited("space.secret_shown")
    assert AWS not in repr(act)
