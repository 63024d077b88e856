"""`?`: the design's box, only what works here and now, searched by typing, over everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.frames import frame, make, running, settled
from tests.tui.sample import FixedSource

from lobes.keys.actions import EVERYWHERE, Action, Page, marking
from lobes.keys.keymap import Keymap, LoadedKeys, load_keys
from lobes.tui.app import LobesApp
from lobes.tui.screens.keys import KeysScreen
from lobes.tui.screens.spaces import SpacesScreen
from lobes.tui.views.spaces import of_row
from lobes.tui.widgets.dialog import Dialog

WIREFRAME = (Path(__file__).parent / "wireframes/keys-80.txt").read_text("utf-8").splitlines()


def review() -> list[Action]:
    """The design's Review, whose acts are not all built yet."""
    page: Page = "review"
    acts = [
        ("accept", "accept", "a", "Do"),
        ("edit", "edit and accept", "e", "Do"),
        ("reject", "reject, with a reason", "r", "Do"),
        ("supersede", "supersede", "s", "Do"),
        ("merge", "merge", "m", "Do"),
        ("dispute", "dispute, keep both", "d", "Do"),
        ("promote", "propose wider…", "p", "Do"),
        ("history", "history", "H", "Look"),
    ]
    own = [Action(id, title, (key,), group, title, page) for id, title, key, group in acts]  # type: ignore[arg-type]
    return [*own, *marking(page), *EVERYWHERE]


def box(app: LobesApp) -> list[str]:
    """The lines of the box that lies over the page, its borders included."""
    lines = frame(app)
    first = next(place for place, line in enumerate(lines) if "╭" in line)
    last = next(place for place, line in enumerate(lines) if "╰" in line)
    left, right = lines[first].index("╭"), lines[first].rindex("╮") + 1
    return [line[left:right] for line in lines[first : last + 1]]


def same_rows(found: list[str], wanted: list[str]) -> None:
    """Cell for cell, but that what is rarely wanted begins under the shorter column."""
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert one.replace("│ ALSO ", "│      ") == other


async def shown(app: LobesApp, pilot: object, actions: list[Action]) -> None:
    app.keymap = Keymap({one.id: one.keys for one in actions})
    app.push_screen(KeysScreen("Review", actions, "review", ("always", "row"), look=app.look))
    await settled(pilot)  # type: ignore[arg-type]


async def test_the_box_of_the_design_at_80_by_24() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await shown(app, pilot, review())
        found = box(app)
        assert "╭" in frame(app)[1]
        assert frame(app)[1].index("╭") == 4
        # A bar stands in the last cell where there is more to scroll to.
        body = [f"{line[:-2]} │" for line in found[2:-2]]
        same_rows([*found[:2], *body], WIREFRAME[:-2])
        assert "/ search keys  esc close" in found[-2]
        assert "↓ more" in found[-2]


async def test_the_box_of_the_design_at_120_by_40() -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        await shown(app, pilot, review())
        found = box(app)
        assert frame(app)[1].index("╭") == 24
        same_rows(found[:20], WIREFRAME[:20])
        assert found[-2:] == WIREFRAME[-2:]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50), (40, 10)])
@pytest.mark.parametrize("key", ["1", "2", "6", "7"])
async def test_every_screen_has_its_sheet(size: tuple[int, int], key: str) -> None:
    app = make()
    async with running(app, size) as pilot:
        await pilot.press(key)
        await settled(pilot)
        await pilot.press("f1")
        await settled(pilot)
        assert isinstance(app.screen, KeysScreen)
        text = "\n".join(frame(app))
        assert "Keys in " in text
        assert "esc close" in text
        await pilot.press("escape")
        await settled(pilot)
        assert not isinstance(app.screen, KeysScreen)


async def test_what_can_not_be_done_now_is_left_out_and_found_with_its_reason() -> None:
    app = make(FixedSource(rows=()))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("question_mark")
        await settled(pilot)
        assert "edit pack" not in "\n".join(box(app))
        await pilot.press(*"pack")
        await settled(pilot)
        line = next(one for one in box(app) if "edit the pack file" in one)
        assert "nothing is chosen" in line
        await pilot.press("escape")
        assert "DO" in box(app)[2]
        await pilot.press("slash", "q", "question_mark", "backspace")
        await settled(pilot)
        assert "/ q" in box(app)[-2], "in a search all letters are text"
        assert any("quit" in line for line in box(app))


async def test_a_dialog_a_list_and_the_first_run_have_theirs() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press("n")
        await settled(pilot)
        assert isinstance(app.screen, Dialog)
        app.screen.guard.release()
        await pilot.press("question_mark")
        await settled(pilot)
        assert "Keys in a dialog" in "\n".join(frame(app))
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, Dialog)
        await pilot.press("escape", "ctrl+o", "question_mark", "f1")
        await settled(pilot)
        assert "Keys in a list to choose from" in "\n".join(frame(app))
    fresh = make(FixedSource(fresh=True))
    async with running(fresh, (80, 24)) as pilot:
        await pilot.press("question_mark")
        await settled(pilot)
        assert "Keys in the first run" in "\n".join(frame(fresh))
        await pilot.press("escape", "3")
        await settled(pilot)
        await pilot.press("tab", "f1")
        await settled(pilot)
        shown = "\n".join(frame(fresh))
        assert "Keys in the first run's form" in shown
        assert "change a choice" in shown
        await pilot.press("escape", "right")
        await settled(pilot)
        assert "[Ask]" in "\n".join(frame(fresh)), "the key of the form, once its keys are closed"


def remapped(tmp_path: Path, text: str) -> LoadedKeys:
    file = tmp_path / "keys.toml"
    file.write_text(f"[keys]\n{text}", encoding="utf-8")
    return load_keys(file)


async def test_a_key_of_ones_own_works_and_shows_everywhere(tmp_path: Path) -> None:
    source = FixedSource()
    keys = remapped(
        tmp_path, 'archive = "ctrl+y"\nundo = "ctrl+z"\nedit_pack = "n"\nnew_space = "e"\n'
    )
    app = make(source, keys=keys)
    async with running(app, (120, 40)) as pilot:
        assert "n edit pack  e new" in frame(app)[-1]
        assert "ctrl+y archive" in frame(app)[-1]
        await pilot.press("A")
        await settled(pilot)
        assert source.count("archive") == 0
        await pilot.press("ctrl+y")
        await settled(pilot)
        assert source.count("archive") == 1
        assert "ctrl+z undoes" in "\n".join(frame(app))
        await pilot.press("question_mark")
        await settled(pilot)
        assert any("ctrl+y " in line and "archive" in line for line in box(app))
        await pilot.press("escape", "colon", *"archive")
        await settled(pilot)
        assert any("ctrl+y" in line for line in box(app))


async def test_what_a_screen_says_of_its_keys_names_those_of_ones_own(tmp_path: Path) -> None:
    app = make(keys=remapped(tmp_path, 'tags = "b"\nnever_with = "N"\narchive = "B"\n'))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        shown = frame(app)
        assert any("Tags" in line and "b edits" in line for line in shown)
        assert any("Never with" in line and "N adds" in line for line in shown)
        trashed = of_row(app.known_spaces()[0], app.look, in_trash=True)
        assert trashed.problem == "It is in the trash. B brings it back."


async def test_what_is_decided_one_at_a_time_names_the_key_of_ones_own(tmp_path: Path) -> None:
    app = make(keys=remapped(tmp_path, 'leave = "ctrl+y"\n'))
    async with running(app, (120, 40)) as pilot:
        assert isinstance(app.screen, SpacesScreen)
        app.screen.view = "trash"
        await pilot.press("*", "D")
        assert "decided one at a time. ctrl+y clears the marks." in "\n".join(frame(app))


async def test_the_way_out_can_be_another_key(tmp_path: Path) -> None:
    app = make(keys=remapped(tmp_path, 'quit = "ctrl+g"\n'))
    async with running(app, (80, 24)) as pilot:
        await pilot.press("ctrl+q")
        await settled(pilot)
        assert app.is_running
        await pilot.press("ctrl+o", "ctrl+g")
        await pilot.pause()
        assert app._exit


async def test_faults_of_the_file_are_said_once_and_all_stand_in_problems(tmp_path: Path) -> None:
    app = make(keys=remapped(tmp_path, 'edit_pak = "e"\ncopy = "ctrl+q"\nundo = 3\n'))
    async with running(app, (120, 40)):
        text = "\n".join(frame(app))
        assert "edit_pak is no action. Did you mean edit_pack? 2 more: ! shows it." in text
        said = " ".join(text for text, _ in app.problems)
        assert all(name in said for name in ("edit_pak", "copy", "undo"))
