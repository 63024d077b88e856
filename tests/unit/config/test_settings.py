"""Settings: wrong ones warn and defaults hold; editing keeps every comment."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from lobes.config.folders import Folders, folders_under
from lobes.config.settings import Settings, describe, json_schema, load_settings
from lobes.config.settings_edit import set_value
from lobes.domain.errors import Invalid, Unavailable


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    made = folders_under(tmp_path)
    made.config.mkdir()
    return made


def written(folders: Folders, text: str) -> Folders:
    folders.settings_file.write_text(text, "utf-8")
    return folders


def test_without_a_file_the_defaults_hold(folders: Folders) -> None:
    loaded = load_settings(folders, {})
    assert loaded.settings == Settings()
    assert loaded.warnings == ()
    assert list(folders.config.iterdir()) == []


def test_the_environment_goes_before_the_file(folders: Folders) -> None:
    written(folders, 'theme = "ansi"\nanimation = true\nsearch_results = 5\n')
    loaded = load_settings(folders, {"LOBES_ANIMATION": "off", "LOBES_SEARCH_RESULTS": "7"})
    assert loaded.warnings == ()
    settings = loaded.settings
    assert (settings.theme, settings.animation, settings.search_results) == ("ansi", False, 7)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("them = 1", "them is no setting. Did you mean theme?"),
        ("zzz = 1", "zzz is no setting."),
        ("theme = 1", "theme must be text; lobes-night holds."),
        ("search_results = true", "search_results must be a whole number; 10 holds."),
        ("search_results = 0", "search_results must be at least 1; 10 holds."),
        ("search_results = 1.5", "search_results must be a whole number; 10 holds."),
        ("animation = 1", "animation must be true or false; true holds."),
        ('glyphs = "bold"', "glyphs must be one of auto, unicode, ascii; auto holds."),
    ],
)
def test_a_wrong_setting_warns_and_the_default_holds(
    folders: Folders, text: str, warning: str
) -> None:
    loaded = load_settings(written(folders, text), {})
    assert loaded.settings == Settings()
    assert loaded.warnings == (warning,)


def test_a_wrong_variable_leaves_what_the_file_says(folders: Folders) -> None:
    loaded = load_settings(written(folders, "search_results = 5"), {"LOBES_SEARCH_RESULTS": "many"})
    assert loaded.settings.search_results == 5
    assert loaded.warnings == ("LOBES_SEARCH_RESULTS must be a whole number; 5 holds.",)


@pytest.mark.parametrize("content", [b"theme = ", b"\xff\xfe", b"theme = 1\ntheme = 2\n"])
def test_a_file_that_is_no_toml_warns_and_starts(folders: Folders, content: bytes) -> None:
    folders.settings_file.write_bytes(content)
    loaded = load_settings(folders, {})
    assert loaded.settings == Settings()
    assert len(loaded.warnings) == 1
    assert loaded.warnings[0].startswith("The settings file can't be read")


def test_a_key_with_an_escape_sequence_is_shown_harmless(folders: Folders) -> None:
    (warning,) = load_settings(written(folders, '"\\u001b[2J" = 1'), {}).warnings
    assert "\x1b" not in warning


def test_every_setting_is_described_with_its_default() -> None:
    fields = describe()
    assert [field.name for field in fields] == list(Settings.__dataclass_fields__)
    for field in fields:
        assert field.doc.endswith(".")
        assert field.default == getattr(Settings(), field.name)
        assert type(field.default).__name__ == field.type


def test_the_schema_names_every_setting() -> None:
    schema = json_schema()
    assert list(schema["properties"]) == [field.name for field in describe()]
    assert schema["properties"]["glyphs"]["enum"] == ["auto", "unicode", "ascii"]
    assert schema["properties"]["animation"] == {
        "type": "boolean",
        "default": True,
        "description": "Whether the screen may move; off also for slow links.",
    }
    assert schema["properties"]["rescan_seconds"]["minimum"] == 10
    assert schema["additionalProperties"] is False


def test_editing_changes_one_value_and_no_other_byte(folders: Folders) -> None:
    before = '# mine\r\ntheme = "ansi"  # at night\r\n\r\n# left alone\r\nunknown = [1,\r\n 2]\r\n'
    folders.settings_file.write_bytes(before.encode())
    set_value(folders.settings_file, "theme", "lobes-paper")
    after = folders.settings_file.read_bytes().decode()
    assert after == before.replace('"ansi"', '"lobes-paper"')


def test_editing_makes_a_private_file(folders: Folders) -> None:
    """DU-17"""
    before = os.umask(0)
    try:
        set_value(folders.settings_file, "animation", "off")
    finally:
        os.umask(before)
    assert tomllib.loads(folders.settings_file.read_text("utf-8")) == {"animation": False}
    assert stat.S_IMODE(folders.settings_file.stat().st_mode) == 0o600
    assert os.listdir(folders.config) == ["lobes.toml"]


def test_a_linked_settings_file_stays_a_link(folders: Folders, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("# mine\n", "utf-8")
    folders.settings_file.symlink_to(kept)
    set_value(folders.settings_file, "search_results", "3")
    assert folders.settings_file.is_symlink()
    assert kept.read_text("utf-8") == "# mine\nsearch_results = 3\n"


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("them", "x", "unknown_setting"),
        ("search_results", "many", "bad_value"),
        ("search_results", "-1", "bad_value"),
        ("glyphs", "bold", "bad_value"),
        ("animation", "perhaps", "bad_value"),
    ],
)
def test_a_wrong_edit_is_refused_and_writes_nothing(
    folders: Folders, key: str, value: str, reason: str
) -> None:
    with pytest.raises(Invalid) as caught:
        set_value(folders.settings_file, key, value)
    assert caught.value.reason == reason
    assert list(folders.config.iterdir()) == []


def test_a_file_that_is_no_toml_is_left_as_it_is(folders: Folders) -> None:
    written(folders, "theme = ")
    with pytest.raises(Invalid) as caught:
        set_value(folders.settings_file, "theme", "ansi")
    assert caught.value.reason == "bad_settings"
    assert folders.settings_file.read_text("utf-8") == "theme = "


def test_an_edit_that_cant_be_written_leaves_the_old_file(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-05"""
    written(folders, 'theme = "ansi"\n')

    def refuse(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(Unavailable):
        set_value(folders.settings_file, "theme", "lobes-paper")
    assert folders.settings_file.read_text("utf-8") == 'theme = "ansi"\n'
    assert os.listdir(folders.config) == ["lobes.toml"]


def test_loading_imports_nothing_heavy() -> None:
    heavy = "{'pydantic', 'tomlkit', 'sqlmodel', 'difflib', 'platformdirs'}"
    code = f"import sys, lobes.config.settings; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_changed_setting_outlasts_a_power_loss(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-01: the text is synced before it takes the name, and the name after."""
    synced: list[tuple[bool, bool]] = []
    sync = os.fsync

    def watched(handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        synced.append((is_folder, folders.settings_file.exists()))
        sync(handle)

    monkeypatch.setattr(os, "fsync", watched)
    set_value(folders.settings_file, "theme", "lobes-paper")
    assert synced == [(False, False), (True, True)]
