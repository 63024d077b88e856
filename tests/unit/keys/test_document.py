"""docs/keys.md says what the registry says: every act, its keys, and the key file's rules."""

from __future__ import annotations

import tomllib
from pathlib import Path

from lobes.keys.actions import ACTIONS
from lobes.keys.document import page
from lobes.keys.keymap import load_keys

FILE = Path(__file__).parents[3] / "docs" / "keys.md"


def test_the_document_is_the_one_that_the_registry_makes() -> None:
    assert FILE.read_text("utf-8") == page(), "python -m lobes.keys.document > docs/keys.md"


def test_every_act_is_documented() -> None:
    text = page()
    assert [one.id for one in ACTIONS if f"| `{one.id}` |" not in text] == []


def test_the_example_is_one_that_is_taken(tmp_path: Path) -> None:
    example = page().split("```toml\n")[1].split("```")[0]
    assert tomllib.loads(example)
    file = tmp_path / "keys.toml"
    file.write_text(example, encoding="utf-8")
    assert load_keys(file).faults == ()
