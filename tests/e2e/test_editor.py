"""The person's own editor, pager and clipboard on a real terminal: nothing a person wrote is lost.

Each editor is a real program; the fixtures give every test a home of its own to write in.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.homes import sample_home
from tests.e2e.pty import Terminal

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with sample_home(tmp_path_factory.mktemp("edited")) as home:
        yield home


def program(folder: Path, body: str, name: str = "my editor") -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o700)
    return str(path)


def at_writing(home: Path, environ: dict[str, str]) -> Terminal:
    """The app on a pty with the cursor on the Space Writing."""
    shown = Terminal(["-m", "lobes", "--home", str(home)], environ=environ)
    shown.until("Writing")
    shown.press("G")
    # The heading is the row's; what a key acts on has come once nothing more is drawn.
    shown.until(" Writing ──")
    shown.settle(0.5)
    return shown


def pack_file(home: Path) -> Path:
    return home / "spaces" / "area_writing" / "current.md"


def left(shown: Terminal) -> None:
    shown.press("\x11")
    assert shown.ended() == 0
    shown.close()


def test_an_editor_that_fails_keeps_the_text_and_e_goes_on_with_it(
    home: Path, tmp_path: Path
) -> None:
    before = pack_file(home).read_text()
    body = (
        f'[ -e "{tmp_path}/once" ] && exit 0; touch "{tmp_path}/once"; echo "# Kept" > "$2"; exit 1'
    )
    shown = at_writing(home, {"EDITOR": f"'{program(tmp_path, body)}' --wait"})
    shown.press("e")
    shown.until("my editor ended with 1; your text is kept in Drafts.")
    assert pack_file(home).read_text() == before
    shown.press("esc")
    shown.until(lambda: "kept in Drafts" not in shown.text())
    shown.press("e")
    shown.until("A draft of")
    shown.hold_over(1.0)
    shown.press("tab", "enter")
    shown.until("taken over  +1")
    assert pack_file(home).read_text() == "# Kept\n"
    shown.press("z")
    shown.until("is as it was")
    assert pack_file(home).read_text() == before
    left(shown)


def test_a_space_yaml_with_a_fault_is_named_with_its_line_and_not_taken(
    home: Path, tmp_path: Path
) -> None:
    file = pack_file(home).parent / "space.yaml"
    before = file.read_text()
    broken = program(tmp_path, 'sed -i "s/^type: .*/type: nothing/" "$1"')
    shown = at_writing(home, {"EDITOR": f"'{broken}'"})
    shown.press("Y")
    shown.until("space.yaml can't be taken over")
    shown.until("Line ")
    assert file.read_text() == before
    shown.hold_over(1.0)
    shown.press("enter")
    shown.until(lambda: "can't be taken over" not in shown.text())
    left(shown)


def test_a_file_that_changed_meanwhile_is_shown_with_both_texts(home: Path, tmp_path: Path) -> None:
    file = pack_file(home)
    before = file.read_text()
    both = program(tmp_path, f'echo "# Mine" > "$1"; echo "# Theirs" > "{file}"')
    shown = at_writing(home, {"EDITOR": f"'{both}'"})
    shown.press("e")
    shown.until("changed while you wrote")
    shown.until("− # Theirs")
    shown.until("+ # Mine")
    assert file.read_text() == "# Theirs\n"
    shown.hold_over(1.2)
    shown.press("tab", "tab", "enter")
    shown.until("taken over  +1")
    assert file.read_text() == "# Mine\n"
    file.write_text(before)
    left(shown)


def test_the_terminal_is_lent_to_the_pager_and_comes_back(home: Path, tmp_path: Path) -> None:
    pager = program(tmp_path, 'echo "PAGED $1"; cat; read -r key < /dev/tty', "pager")
    shown = at_writing(home, {"PAGER": f"'{pager}' -R"})
    shown.press("|")
    shown.until("PAGED -R")
    shown.press("enter")
    shown.until(lambda: "PAGED" not in shown.text())
    shown.until(" Writing ──")
    assert "Nothing was opened" not in shown.text()
    left(shown)


def test_copying_hands_the_text_to_the_program_of_the_machine(home: Path, tmp_path: Path) -> None:
    got = tmp_path / "got"
    program(tmp_path, f'cat > "{got}.new"; mv "{got}.new" "{got}"', "xclip")
    shown = at_writing(home, {"DISPLAY": ":7", "PATH": f"{tmp_path}:/usr/bin:/bin"})
    shown.press("y")
    shown.until("Copied to the clipboard")
    assert got.read_text().endswith("area_writing")
    assert b"\x1b]52;" not in shown.raw
    left(shown)


def test_over_ssh_the_terminal_is_asked_and_nothing_is_promised(home: Path) -> None:
    shown = at_writing(home, {"SSH_TTY": "/dev/pts/1", "DISPLAY": ":7"})
    shown.press("y")
    shown.until("Sent to the terminal; some terminals ignore it")
    assert b"\x1b]52;c;" in shown.raw
    left(shown)
