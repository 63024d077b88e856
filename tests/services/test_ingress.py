"""What comes in is classified, and its level never falls by itself."""

from __future__ import annotations

import os

import pytest
from tests.unit.classify.labelled import AWS, GITHUB

from homes import AHome
from lobes.classify import VERSION
from lobes.services import indexing, ingress
from lobes.services.ingress import given_level
from lobes.store.read_sensitivity import StoredSensitivity, sensitivities, unclassified


def of(home: AHome, path: str) -> StoredSensitivity | None:
    with home.lobes.reading() as store:
        sql = "SELECT id FROM document WHERE path = ?"
        found = [row[0] for row in store.execute(sql, (path,)).fetchall()]
        return sensitivities(store, found).get(found[0])


def level(home: AHome, path: str) -> str:
    found = of(home, path)
    return found.level if found else ""


def test_a_pack_is_classified_as_it_is_indexed(home: AHome) -> None:
    home.a_space(
        "prj_a",
        {
            "plain.md": "# Plain\n\nRetries wait.\n",
            "said.md": "---\nsensitivity: restricted\n---\n# Said\n",
            "open.md": "---\ntitle: x\nsensitivity: 'public' # really\n---\n# Open\n",
            "open-key.md": f"---\nsensitivity: public\n---\nkey {AWS}\n",
            "odd.md": "---\nsensitivity: confidental\n---\n# Misspelt\n",
            "key.md": f"# Key\n\nIt is\n{AWS}\n",
        },
    )
    home.index("prj_a")
    found = {one: level(home, f"{one}.md") for one in ("plain", "said", "open", "open-key", "odd")}
    assert found == {
        "plain": "internal",
        "said": "restricted",
        "open": "public",
        "open-key": "confidential",
        "odd": "confidential",
    }
    key = of(home, "key.md")
    assert key is not None
    assert [(one.detector, one.is_secret, one.first_line) for one in key.findings] == [
        ("aws-access-key", True, 4)
    ]


def test_a_later_look_raises_and_never_lowers(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.index("prj_a")
    home.write("prj_a", "a.md", f"# A\n\n{GITHUB}\n")
    home.index("prj_a")
    assert level(home, "a.md") == "confidential"
    home.write("prj_a", "a.md", "---\nsensitivity: public\n---\n# A\n")
    home.index("prj_a")
    assert level(home, "a.md") == "confidential"
    kept = of(home, "a.md")
    assert kept is not None
    assert kept.findings == ()


def test_what_an_older_lobes_stored_is_classified_at_the_next_look(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": f"# A\n\n{AWS}\n", "b.md": "# B\n"})
    home.index("prj_a")
    home.execute("DELETE FROM document_sensitivity")
    assert level(home, "a.md") == ""
    report = home.index("prj_a")
    assert (report.indexed, report.unchanged) == (0, 2)
    assert (level(home, "a.md"), level(home, "b.md")) == ("confidential", "internal")


def test_another_classifier_looks_at_every_text_again(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.index("prj_a")
    monkeypatch.setattr(ingress, "VERSION", VERSION + 1)
    monkeypatch.setattr(indexing, "VERSION", VERSION + 1)
    with home.lobes.reading() as store:
        assert unclassified(store, "prj_a", version=VERSION + 1) == {"a.md"}
    home.index("prj_a")
    with home.lobes.reading() as store:
        assert unclassified(store, "prj_a", version=VERSION + 1) == frozenset()


def test_a_file_that_is_only_touched_is_not_looked_at_again(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = home.a_space("prj_a", {"a.md": "# A\n"})
    home.index("prj_a")

    def refuse(_: str) -> None:
        raise AssertionError("looked at again")

    monkeypatch.setattr("lobes.services.following.assess", refuse)
    os.utime(root / "a.md")
    assert home.index("prj_a").unchanged == 1


@pytest.mark.parametrize("stored", ["[[1]]", "nonsense", "{}"])
def test_findings_that_cannot_be_read_cover_every_line(home: AHome, stored: str) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.index("prj_a")
    home.execute("UPDATE document_sensitivity SET findings = ?", stored)
    found = of(home, "a.md")
    assert found is not None
    assert [(one.is_secret, one.last_line > 1_000_000) for one in found.findings] == [(True, True)]


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("sensitivity: restricted", None),
        ("---\nsensitivity: restricted\n", None),
        ("---\nSensitivity: Restricted\n---\n", "restricted"),
        ("---\r\nsensitivity: internal\r\n---\r\n", "internal"),
        ("---\nsensitivity:\n---\n", None),
        ("---\nother: 1\n---\nsensitivity: public\n", None),
        ("---\nsensitivity: [public]\n---\n", "confidential"),
        ("---\n  sensitivity: public\n---\n", None),
    ],
)
def test_what_a_head_says(text: str, given: str | None) -> None:
    assert given_level(text) == given
