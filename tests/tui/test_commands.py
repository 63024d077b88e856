"""Commands: the design's box, what works here first, reasons, other screens, Spaces and tags."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import SPACES, FixedSource
from tests.tui.test_keys_sheet import box

from lobes.tui import commands
from lobes.tui.matching import best
from lobes.tui.screens.page import PageScreen
from lobes.tui.screens.spaces import SpacesScreen
from lobes.tui.widgets.picker import Choice, Picker

WIREFRAME = (Path(__file__).parent / "wireframes/commands-80.txt").read_text("utf-8").splitlines()
_ROWS = [
    ("Supersede the memory", "Review", "s"),
    ("Supersede several…", "Review", ""),
    ("Spaces: show archived", "Spaces", ""),
    ("Set the token budget…", "Ask", ""),
    ("Share this lobe…", "Shares", "n"),
    ("Show who read what", "Activity", "p"),
    ("Switch theme…", "Lobes", ""),
]


@pytest.mark.parametrize(("size", "left"), [((80, 24), 7), ((120, 40), 27)])
async def test_the_box_of_the_design(size: tuple[int, int], left: int) -> None:
    rows = [Choice(str(n), name, note, key) for n, (name, note, key) in enumerate(_ROWS)]
    rows += [Choice(f"x{n}", f"Accept {n}") for n in range(87)]
    app = make()
    async with running(app, size) as pilot:
        app.push_screen(Picker("Commands", rows, look=app.look, act="run"))
        await settled(pilot)
        await pilot.press("s")
        await settled(pilot)
        assert frame(app)[3].index("╭") == left
        assert box(app) == WIREFRAME


def page(app: object) -> PageScreen:
    screen = app.screen  # type: ignore[attr-defined]
    assert isinstance(screen, PageScreen)
    return screen


async def test_what_works_here_is_first_then_what_was_done_lately_then_the_rest() -> None:
    app = make()
    async with running(app, (120, 40)):
        app.recent = ["problems", "check_chain"]
        found = commands.commands(app, page(app))
        own = [one for one in found if one.note == "Spaces" and not one.why_not]
        assert found[: len(own)] == own
        assert [one.id for one in found[len(own) : len(own) + 2]] == app.recent
        trust = next(one for one in found if one.id == "trust")
        assert trust.why_not == "its space.yaml has not changed"
        assert found.index(trust) > found.index(next(o for o in found if o.id == "check_chain"))
        assert len({one.id for one in found}) == len(found)


async def test_an_act_that_can_not_be_done_is_named_with_its_reason_and_not_done() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("colon", *"trust")
        await settled(pilot)
        assert any("has not changed" in line for line in box(app))
        shown = [app.screen.listing.entry(n) for n in range(app.screen.listing.count())]  # type: ignore[attr-defined]
        reasons = [bool(one.why_not) for one in shown]
        assert reasons == sorted(reasons), "what can be done stands first"
        await pilot.press("pagedown", "pagedown", "enter")
        await settled(pilot)
        assert isinstance(app.screen, Picker)


async def test_an_act_of_another_screen_goes_there_and_is_done() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("colon", *"never with", "enter")
        await until(pilot, lambda: isinstance(app.screen, Picker))
        assert app.current_mode == "lobe"
        assert "Never with" in "\n".join(box(app))
        assert app.recent[0] == "never_with"


async def test_an_act_of_another_screen_that_can_not_be_done_there_says_why() -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("colon", *"save the", "enter")
        await until(pilot, lambda: "Not done: nothing has changed." in "\n".join(frame(app)))
        assert app.current_mode == "lobe"


async def test_spaces_and_tags_are_found_behind_their_signs() -> None:
    rows = (*SPACES[:1], replace(SPACES[1], tags=("client", "retail")), *SPACES[2:])
    app = make(FixedSource(rows=rows))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("colon", "at", *"heal")
        await settled(pilot)
        assert "Health" in box(app)[4]
        await pilot.press("enter")
        await settled(pilot)
        assert app.space_id == "area_health"
        await pilot.press("colon", "number_sign", *"ret")
        await settled(pilot)
        assert "retail  Initech" in box(app)[4]
        await pilot.press("enter")
        await settled(pilot)
        assert app.space_id == "prj_initech"


def test_the_beginning_goes_before_a_word_a_part_and_loose_letters() -> None:
    names = ["undo the last act", "the undone", "a wonder", "find", "sundown", "u n d o"]
    assert best(names, [""] * 6, "und") == [0, 1, 4, 5]
    assert best(names, [""] * 6, "d") == [5]
    assert best(names, ["", "", "", "und"] + [""] * 2, "und") == [0, 1, 4, 3, 5]
    assert best(names, [""] * 6, "") == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("part", ["space 99", "sp9", "zzz", "s", "pcae"])
def test_ten_thousand_names_are_looked_through_between_two_letters(part: str) -> None:
    names = [f"space {number} of a person" for number in range(10_000)]

    def spent() -> float:
        started = time.process_time()
        best(names, [""] * len(names), part)
        return time.process_time() - started

    # The quickest of a few: a core that is shared takes twice as long for the same.
    assert min(spent() for _ in range(3)) < 0.25


async def test_a_name_is_found_and_its_file_opens_to_be_read() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("ctrl+f", *"goals")
        await until(pilot, lambda: "1 found" in "\n".join(frame(app)))
        assert "goals.md" in box(app)[4]
        await pilot.press("enter")
        await until(pilot, lambda: any(call[0] == "read_file" for call in source.calls))
        assert app.current_mode == "spaces"
        assert ("read_file", "prj_notidian", "goals.md") in source.calls
        assert isinstance(app.screen, SpacesScreen)
        assert app.screen.has_class("-zoom")


async def test_nothing_found_and_a_fault_are_said() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("ctrl+f", *"qqq")
        await until(pilot, lambda: "nothing has that name" in "\n".join(frame(app)))
        source.fail["find"] = OSError("x")
        await pilot.press("q")
        await until(pilot, lambda: source.count("find") > 1)
        assert "found" not in box(app)[-2]


async def test_a_setting_is_chosen_kept_and_in_force_at_once() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("colon", *"set glyphs", "enter")
        await until(pilot, lambda: "Set glyphs" in "\n".join(frame(app)))
        assert any("auto" in line and "now" in line for line in box(app))
        await pilot.press(*"ascii", "enter")
        await until(pilot, lambda: source.count("set_preference") > 0)
        assert ("set_preference", "glyphs", "ascii") in source.calls
        assert [line for line in frame(app) if not line.isascii()] == []


async def test_a_number_is_typed_and_holds_from_the_next_start() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("colon", *"set search", "enter")
        await until(pilot, lambda: "Set search results" in "\n".join(frame(app)))
        await pilot.press("backspace", "backspace", *"25", "enter")
        await until(pilot, lambda: source.count("set_preference") > 0)
        assert ("set_preference", "search_results", "25") in source.calls
        assert "Search results: 25, from the next start" in "\n".join(frame(app))


async def test_switching_the_theme_from_the_commands() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("colon", *"set theme", "enter")
        await until(pilot, lambda: "Set theme" in "\n".join(frame(app)))
        await pilot.press(*"paper", "enter")
        await until(pilot, lambda: app.theme == "lobes-paper")
        kept = [call for call in source.calls if call[0] == "set_preference"]
        assert kept == [("set_preference", "theme", "lobes-paper")]
