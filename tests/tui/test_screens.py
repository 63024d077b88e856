"""What the screens do: which call a key makes, what stays on its row, what an error leaves."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from threading import Event

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import EFFECT, LOBE, NOW, SPACES, FixedSource
from textual.message import Message

from lobes.domain.errors import LobesError, Unavailable
from lobes.domain.lobes import LobeConfig
from lobes.tui.drafts import KEPT, Drafts
from lobes.tui.jobs import Settled
from lobes.tui.screens.lobe import LobeScreen
from lobes.tui.screens.search import SearchScreen
from lobes.tui.screens.spaces import SpacesScreen
from lobes.tui.values import Effect
from lobes.tui.widgets.dialog import Dialog
from lobes.tui.widgets.toast import Toast


def text(app: object) -> str:
    return "\n".join(frame(app))  # type: ignore[arg-type]


# -- Spaces


async def test_enter_makes_a_space_current_and_goes_to_search() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("j", "j", "enter")
        await settled(pilot)
        assert app.space_id == "prj_globex"
        assert app.current_mode == "search"
        assert ("remember", "prj_globex") in source.calls


async def test_the_cursor_stays_on_its_space_when_the_list_changes_under_it() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("j", "j")
        source.rows = (replace(SPACES[0], id="prj_new", name="A new one"), *SPACES)
        await pilot.press("ctrl+r")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SpacesScreen)
        assert screen.listing.cursor == "prj_globex"
        source.rows = tuple(one for one in source.rows if one.id != "prj_globex")
        await pilot.press("ctrl+r")
        await settled(pilot)
        assert screen.listing.cursor == "area_health"


async def test_the_list_opens_on_the_space_that_was_open_last() -> None:
    app = make(FixedSource(current="area_health"))
    async with running(app, (80, 24)):
        screen = app.screen
        assert isinstance(screen, SpacesScreen)
        assert screen.listing.cursor == "area_health"


async def test_headings_never_hold_the_cursor() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        screen = app.screen
        assert isinstance(screen, SpacesScreen)
        seen = [screen.listing.cursor]
        for _ in range(8):
            await pilot.press("down")
            seen.append(screen.listing.cursor)
        assert list(dict.fromkeys(seen)) == [space.id for space in SPACES]


async def test_moving_reads_the_evidence_once_it_rests() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        before = source.count("evidence")
        await pilot.press("j", "k", "j")
        await until(pilot, lambda: " Initech ──" in text(app))
        assert source.count("evidence") <= before + 3


async def test_archive_is_undone_with_one_key() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("A")
        await settled(pilot)
        assert "Archived Notidian   z undoes" in text(app)
        await pilot.press("z")
        await settled(pilot)
        assert source.count("restore") == 1
        await pilot.press("z")
        await settled(pilot)
        assert source.count("restore") == 1


async def test_trash_shows_its_impact_and_does_nothing_without_a_choice() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("D")
        await settled(pilot)
        assert isinstance(app.screen, Dialog)
        assert "1,284 documents leave every search." in text(app)
        await pilot.press("enter", "enter")
        assert source.count("trash") == 0


async def test_a_folder_is_shown_before_it_is_added() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("+")
        await settled(pilot)
        await pilot.press(*"x", "enter")
        await settled(pilot)
        assert ("look_at", "~/x") in source.calls
        assert "never read: secrets" in text(app)
        assert "agent_instructions" in text(app)
        assert source.count("add") == 0
        dialog = app.screen
        assert isinstance(dialog, Dialog)
        dialog.guard.release()
        await pilot.press("tab", "enter")
        await settled(pilot)
        assert source.count("add") == 1


async def test_the_filter_narrows_the_list_and_esc_clears_it() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press("/", *"glob")
        await settled(pilot)
        assert "Globex" in text(app)
        assert "Health" not in text(app).split("Globex ──")[0]
        await pilot.press("escape")
        await settled(pilot)
        assert "Health" in text(app)


async def test_a_filter_that_leaves_no_space_says_what_it_hides_not_that_there_are_none() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press("/", *"zzz")
        await settled(pilot)
        assert "No row matches zzz. 7 are hidden by the filter. esc clears it." in text(app)
        assert "No Spaces yet." not in text(app)


async def test_no_space_says_what_a_space_is_and_the_next_key() -> None:
    app = make(FixedSource(rows=()))
    async with running(app, (80, 24)):
        assert "No Spaces yet." in text(app)
        assert "+ adds a folder, n starts one." in text(app)


# -- Search


async def search(source: FixedSource, pilot: object, question: str) -> None:
    before = source.count("search")
    await pilot.press("2", *question)  # type: ignore[attr-defined]
    await until(pilot, lambda: source.count("search") > before)  # type: ignore[arg-type]


async def test_typing_asks_once_it_rests() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await search(source, pilot, "sync")
        assert ("search", "prj_notidian", "sync") in source.calls


async def test_an_old_answer_never_replaces_a_newer_one() -> None:
    """The older answer comes last, and its job hands it in all the same."""
    held, hold, arrived = Event(), Event(), Event()
    source = FixedSource()

    def gate(name: str) -> None:
        if name == "search" and not held.is_set():
            held.set()
            assert hold.wait(60)

    source.gate = gate
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("2", *"slow")
        screen = app.screen
        assert isinstance(screen, SearchScreen)
        while not held.is_set():  # `until` would wait for the held job as well
            await pilot.pause()
        await pilot.press(*["backspace"] * 4, *"fast")
        await until(pilot, lambda: screen.found is not None)
        post = screen.post_message

        def noting(message: Message) -> bool:
            taken = post(message)
            if isinstance(message, Settled):
                arrived.set()
            return taken

        screen.post_message = noting  # type: ignore[method-assign]
        hold.set()
        await until(pilot, arrived.is_set)
        assert screen.found is not None
        assert screen.found.question == "fast"


async def test_old_answers_stay_and_say_so_when_search_is_off() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await search(source, pilot, "sync")
        source.fail["search"] = Unavailable("The index engine broke off twice.")
        await pilot.press("x")
        await until(pilot, lambda: "old: search is off" in text(app))
        assert "Conflict copies keep both bodies" in text(app)
        assert app.is_running


async def test_why_says_it_in_sentences_for_the_answer_and_each_lobe_not_asked() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await search(source, pilot, "sync")
        await pilot.press("down", "w")
        await settled(pilot)
        shown = " ".join(text(app).split())
        assert "By meaning it came 1st of 40 and by words it came 3rd of 22." in shown
        assert "Initech is private, so Notidian may not draw on it." in shown


async def test_a_lobe_that_asks_answers_once_by_two_keys() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync", "down")
        await settled(pilot)
        assert "allow once" in text(app)
        question = ("search", "prj_notidian", "sync")
        asked = source.calls.count(question)
        await pilot.press("o")
        await settled(pilot)
        assert "Internal" in text(app)
        once = replace(source.found.answers[0], id="once", reason="once")
        source.found = replace(source.found, answers=(once, *source.found.answers))
        await pilot.press("enter")
        await settled(pilot)
        assert ("allow_once", "prj_notidian", "space/area_internal", "sync") in source.calls
        assert app.screen.query_one(Toast).text == "Internal may answer this once, until 14:16"
        assert source.calls.count(question) == asked + 1
        # Looking again would ask without it: what it brought stays until another question.
        await pilot.press("ctrl+r")
        await settled(pilot)
        assert source.calls.count(question) == asked + 1
        await pilot.press("i", "s")
        await settled(pilot)
        assert ("search", "prj_notidian", "syncs") in source.calls


async def test_where_no_lobe_asks_the_key_says_so() -> None:
    source = FixedSource()
    source.found = replace(source.found, withheld=())
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync", "down", "o")
        await settled(pilot)
        assert not any(call[0] == "allow_once" for call in source.calls)


async def test_the_third_pane_shows_the_answer_in_its_place_and_who_was_asked() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (160, 50)) as pilot:
        await search(source, pilot, "sync")
        await until(pilot, lambda: "decisions.md, line 44" in text(app))
        lines = [line[109:] for line in frame(app)]
        assert lines[5].startswith(" In its place ──")
        assert any(line.startswith(" › - Conflict copies keep both bodies.") for line in lines)
        assert any(line.startswith("   - Folder per device") for line in lines)
        assert any(line.startswith(" Who was asked ──") for line in lines)
        assert [frame(app)[6][at] for at in (56, 108)] == ["│", "│"]
        await pilot.resize_terminal(120, 40)
        await settled(pilot)
        assert "In its place" not in text(app)


async def test_no_file_is_read_where_there_is_no_third_pane() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await search(source, pilot, "sync")
        await pilot.press("down", "down")
        await settled(pilot)
        assert source.count("place") == 0


async def test_without_a_question_search_says_what_it_draws_on() -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2")
        await settled(pilot)
        assert "Ask Notidian. It draws on 5 lobes" in text(app)


async def test_a_digit_in_the_question_is_text() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press("2", "7")
        await settled(pilot)
        assert app.current_mode == "search"
        await pilot.press("escape", "7")
        await settled(pilot)
        assert app.current_mode == "activity"


# -- Lobe


async def changed(pilot: object, app: object, *keys: str) -> LobeScreen:
    await pilot.press("6")  # type: ignore[attr-defined]
    await settled(pilot)  # type: ignore[arg-type]
    await pilot.press(*keys)  # type: ignore[attr-defined]
    await until(pilot, lambda: "instead of" in text(app))  # type: ignore[arg-type]
    screen = app.screen  # type: ignore[attr-defined]
    assert isinstance(screen, LobeScreen)
    return screen


async def test_nothing_is_stored_before_ctrl_s() -> None:
    source = FixedSource(current="prj_initech")
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await changed(pilot, app, "space")
        assert source.count("save") == 0
        await pilot.press("ctrl+s")
        await settled(pilot)
        assert source.count("save") == 1
        assert "not saved" not in text(app)


async def test_a_save_that_widens_needs_one_more_answer() -> None:
    effect = replace(EFFECT, gaining=("Internal", "Writing"))
    source = FixedSource(current="prj_initech", effect=effect)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await changed(pilot, app, "space")
        await pilot.press("ctrl+s")
        await settled(pilot)
        assert source.count("save") == 0
        dialog = app.screen
        assert isinstance(dialog, Dialog)
        words = " ".join(text(app).split())
        assert "2 Spaces gain access to Initech: Internal, Writing." in words
        dialog.guard.release()
        await pilot.press("enter")
        await settled(pilot)
        assert source.count("save") == 1


async def test_dropped_changes_are_gone_after_ten_minutes() -> None:
    now = NOW
    app = make(FixedSource(current="prj_initech"))
    app.drafts = Drafts(lambda: now)
    async with running(app, (120, 40)) as pilot:
        await changed(pilot, app, "space")
        await pilot.press("escape")
        await settled(pilot)
        now += KEPT + timedelta(seconds=1)
        await pilot.press("6", "z")
        await until(pilot, lambda: "1 change went after 10 minutes." in text(app))
        assert "not saved" not in text(app)


async def test_a_space_is_made_private_with_three_keys() -> None:
    """The effect is worked out meanwhile: ctrl+s waits for it, nobody has to press it again."""
    hold = Event()
    view = replace(LOBE, config=LobeConfig())
    source = FixedSource(current="prj_initech", view=view, effect=Effect(before=7, after=7))
    source.gate = lambda name: None if name != "preview" else (hold.wait(20) and None)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("space", "ctrl+s")
        assert source.count("save") == 0
        hold.set()
        await until(pilot, lambda: source.count("save") == 1)
        assert source.view.config.is_private


async def test_esc_drops_the_changes_and_z_brings_them_back() -> None:
    source = FixedSource(current="prj_initech")
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await changed(pilot, app, "space")
        await pilot.press("escape")
        await settled(pilot)
        assert app.current_mode == "spaces"
        assert "1 change dropped   z brings it back" in text(app)
        await pilot.press("6")
        await settled(pilot)
        assert "not saved" not in text(app)
        await pilot.press("z")
        await until(pilot, lambda: "1 change not saved" in text(app))
        await pilot.press("g", "space")
        await settled(pilot)
        assert "not saved" not in text(app)


@pytest.mark.parametrize(("key", "wanted"), [("right", "ask"), ("left", "deny")])
async def test_arrows_change_the_choice_under_the_cursor(key: str, wanted: str) -> None:
    source = FixedSource(current="prj_initech")
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        screen = await changed(pilot, app, "j", "j", key)
        assert screen.draft is not None
        assert screen.draft.config.cross_space == wanted


async def test_an_error_is_said_and_the_session_goes_on() -> None:
    source = FixedSource(fail={"spaces": Unavailable("The store is locked.", hint="Wait.")})
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        assert "The store is locked. Wait." in text(app)
        del source.fail["spaces"]
        source.fail["archive"] = LobesError("It broke.", hint="Try again.")
        await pilot.press("escape", "ctrl+r")
        await settled(pilot)
        assert "Notidian" in text(app)
        await pilot.press("A")
        await settled(pilot)
        assert app.screen.query_one(Toast).text == "It broke. Try again."
        await pilot.press("!")
        await settled(pilot)
        assert "The store is locked." in text(app)


async def test_the_theme_changes_and_is_remembered() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("f9")
        await settled(pilot)
        assert app.theme == "lobes-paper"
        assert ("set_preference", "theme", "lobes-paper") in source.calls


async def test_a_click_moves_the_cursor_once_and_a_double_click_opens() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.click("#list", offset=(5, 2))
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SpacesScreen)
        assert screen.listing.cursor == "prj_initech"
        await pilot.double_click("#list", offset=(5, 3))
        await settled(pilot)
        assert app.space_id == "prj_globex"
        assert source.count("remember") == 1


async def test_a_click_on_a_tab_and_on_a_key_does_what_it_says_once() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.click("#keys", offset=(frame(app)[23].index("A archive") + 2, 0))
        await settled(pilot)
        assert source.count("archive") == 1
        await pilot.click("#tabs", offset=(frame(app)[0].index("6 Lobe") + 2, 0))
        await settled(pilot)
        assert app.current_mode == "lobe"


async def test_each_show_of_a_screen_reads_it_once() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        before = source.count("lobe")
        await pilot.press("6")
        await settled(pilot)
        assert source.count("lobe") == before + 1


async def test_why_on_a_setting_of_the_lobe_explains_no_other_row() -> None:
    """Beside it the pane shows the first lobe that is not drawn on: nobody chose that one."""
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("w")
        await settled(pilot)
        assert not isinstance(app.screen, Dialog)
        assert "Choose a lobe to see why." in text(app)
