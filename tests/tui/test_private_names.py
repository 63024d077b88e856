"""Names of private Spaces on a screen that others see: in no frame until a person shows them."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import product
from threading import Event

import pytest
from tests.tui.frames import frame, make, running, settled, until
from textual.pilot import Pilot

from homes import AHome, opened_home
from lobes.domain.errors import Conflict, Unavailable
from lobes.domain.lobe_change import LobeChange
from lobes.domain.reviewing import NeedsChoice
from lobes.keys.actions import PAGES
from lobes.services.lobe_changes import save
from lobes.services.review_evidence import Seen
from lobes.tui.app import LobesApp
from lobes.tui.hiding import BLANK, UNREAD
from lobes.tui.home import Home
from lobes.tui.outcomes import SPACES_VIEWS, Outcome, SpacesView
from lobes.tui.reviewing import Order
from lobes.tui.triage import Asked
from lobes.tui.values import SpaceRow
from lobes.tui.veil import Veil
from lobes.tui.widgets.dialog import HOLD, Dialog
from proposed import said

NAME, FILE, TEXT = "quokkaberry", "numbatplum", "dunnartfig"
WORDS = (NAME, FILE, TEXT)
SECRET = NAME
"""Its id; it is called by the same word with a great letter."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AHome]:
    with opened_home(tmp_path_factory.mktemp("names") / "home") as home:
        home.a_space("prj_plain", {"state.md": f"# State\n\nWe said {NAME} once.\n"})
        home.a_space(SECRET, {f"{FILE}.md": f"# {FILE}\n\nOf {TEXT}.\n"}, private())
        home.write(SECRET, "broken.md", b"\xff\xfe\x00")
        home.a_space("prj_other", {"now.md": "# Now\n\nNothing.\n"})
        save(home.lobes, home.me, "prj_plain", LobeChange(exclude=(SECRET,)))
        said(home, f"Of {TEXT} there are three.", space=SECRET)
        said(home, f"{NAME.title()} is told of twice.", space="prj_other")
        home.index()
        yield home


def private() -> LobeChange:
    return LobeChange(is_private=True)


def source_of(home: AHome) -> Home:
    source = Home(home.folders, first="prj_plain")
    source._opened = home.lobes, home.me
    return source


def words_in(app: LobesApp) -> set[str]:
    painted = "\n".join(frame(app)).casefold()
    return {one for one in WORDS if one in painted}


async def walked(app: LobesApp, pilot: Pilot[None]) -> dict[str, set[str]]:
    """Every mode with what the cursor passes, and what lies over it: the words that were seen."""
    seen: dict[str, set[str]] = {}
    place = ""

    async def press(*keys: str) -> None:
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
            seen.setdefault(place, set()).update(words_in(app))

    for page, _ in PAGES:
        place = page
        app.go(page)
        await press("escape")
        if page == "search":
            await press("i", *"we", "enter", "escape", "w", "escape")
        await press("j", "j", "tab", "escape", "f")
        if page == "lobe":
            await press("G", "w", "escape", "M", "j", "escape", "X", "escape", "+", "escape")
    app.go("spaces")
    over = {
        "commands": [":", "@", *NAME[:2], "escape", "escape"],
        "tags": [":", "#", "escape", "escape"],
        "open": ["ctrl+o", "down", "down", "escape"],
        "problems": ["!", "r", "escape"],
    }
    for each, keys in over.items():
        place = each
        await press(*keys)
    place = "people"
    app.show_people()
    await settled(pilot)
    await press("j", "enter", "escape", "escape")
    place = "find"
    await press("ctrl+f", *FILE[:3])
    await pilot.pause(0.2)
    await press("escape", "escape")
    return seen


@asynccontextmanager
async def open_app(home: AHome, *, hides: bool) -> AsyncIterator[tuple[LobesApp, Pilot[None]]]:
    app = make(source_of(home), hides=hides)
    async with running(app, (160, 50)) as pilot:
        yield app, pilot


def told(seen: dict[str, set[str]]) -> dict[str, set[str]]:
    return {place: words for place, words in seen.items() if words}


@pytest.mark.slow
async def test_private_lobe_in_a_shared_screen(home: AHome) -> None:
    """Privacy, "private lobe in shared screen"."""
    async with open_app(home, hides=True) as (app, pilot):
        assert told(await walked(app, pilot)) == {}
        app.go("spaces")
        await settled(pilot)
        assert "■ Private 1" in "\n".join(frame(app))


@pytest.mark.slow
async def test_what_is_shown_is_all_there(home: AHome) -> None:
    async with open_app(home, hides=False) as (app, pilot):
        seen = await walked(app, pilot)
        assert NAME in seen["spaces"] & seen["lobe"] & seen["commands"] & seen["open"]
        assert FILE in seen["find"]


async def test_it_is_opened_by_a_person_who_says_yes(home: AHome) -> None:
    async with open_app(home, hides=True) as (app, pilot):
        await pilot.press("G", "enter")
        await settled(pilot)
        assert "Show the names of private Spaces?" in "\n".join(frame(app))
        await pilot.pause(HOLD)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, Dialog))
        await pilot.press("1")
        await settled(pilot)
        assert app.current_mode == "spaces"
        assert words_in(app) == set()
        await pilot.press("G", "enter")
        await settled(pilot)
        await until(pilot, lambda: app.screen.id is None and isinstance(app.screen, Dialog))
        await pilot.pause(HOLD)
        await pilot.press("enter")
        await until(pilot, lambda: app.veil is None)
        await settled(pilot)
        assert (app.current_mode, app.space_id) == ("search", SECRET)
        assert NAME in words_in(app)


@pytest.mark.slow
async def test_hiding_leaves_nothing_of_what_was_shown(home: AHome) -> None:
    """Every screen has shown a private Space before, and a problem and an undo name it."""
    async with open_app(home, hides=False) as (app, pilot):
        await walked(app, pilot)
        app.go("spaces")
        await pilot.press("G")
        await settled(pilot)
        app.open_space(SECRET)
        app.say(f"{NAME} went wrong", "error")
        app.acted(Outcome("done", lambda: Outcome(f"{NAME} is back")))
        app.turn_names()
        await until(pilot, lambda: app.veil is not None)
        await settled(pilot)
        await until(pilot, lambda: "are hidden" in "\n".join(frame(app)))
        assert words_in(app) == set()
        assert app.hides(app.space_id)
        await pilot.press("z")
        await until(pilot, lambda: " is back" in "\n".join(frame(app)))
        assert words_in(app) == set()
        assert told(await walked(app, pilot)) == {}
        app.source.remember(app.leaving())
    assert Home(home.folders).open().left.space == SECRET


@pytest.mark.parametrize("act", ["lobe", "difference", "index", "read_file", "search", "put_away"])
def test_nothing_of_a_hidden_space_is_read_or_done(home: AHome, act: str) -> None:
    veil = Veil(source_of(home))
    veil.look()
    (row,) = [one for one in veil.spaces("active") if one.is_private]
    asked = {
        "lobe": lambda: veil.lobe(row.id),
        "difference": lambda: veil.manifest_difference(row.id),
        "index": lambda: veil.index(row.id),
        "read_file": lambda: veil.read_file(row.id, f"{FILE}.md"),
        "search": lambda: veil.search(row.id, TEXT),
        "put_away": lambda: veil.put_away("trash", [row.id]),
    }[act]
    with pytest.raises(Conflict) as refused:
        asked()
    assert refused.value.reason == "hidden"


def test_what_a_screen_hands_back_is_what_was_there(home: AHome) -> None:
    """A lobe that names a private Space is saved as it was, whatever its spelling."""
    source = source_of(home)
    veil = Veil(source)
    veil.look()
    shown = veil.lobe("prj_plain")
    text = repr(shown).casefold()
    assert SECRET not in text
    assert NAME not in text
    assert veil.back(shown) == source.lobe("prj_plain")
    for words in (f"{NAME} {NAME.upper()}", f"{NAME.title()}'s or {NAME.upper()}", f"/{NAME}/a.md"):
        assert NAME not in veil.over(words).casefold()
        assert veil.back(veil.over(words)) == words


def test_what_waits_in_a_private_space_is_counted_and_not_read(home: AHome) -> None:
    veil = Veil(source_of(home))
    veil.look()
    review = veil.review()
    found = review.queue("waiting")
    assert TEXT not in repr(found)
    assert NAME not in repr(found).casefold()
    (row,) = [one for one in found.items if one.where.startswith("■ Private")]
    (other,) = [one for one in found.items if one is not row]
    assert row.item.statement == "■ Private 1"
    for ask in (
        lambda: review.open(row),
        lambda: review.decide("reject", [Asked(row.id, row.stamp)], Order()),
    ):
        with pytest.raises(Conflict) as refused:
            ask()
        assert refused.value.reason == "hidden"
    assert review.alike(found.items) == {}
    assert NAME not in repr(review.open(other)).casefold()


def test_an_error_tells_no_hidden_name(home: AHome) -> None:
    veil = Veil(source_of(home))
    veil.look()
    folder = home.root(SECRET)
    found = veil.error(Conflict(f"{folder}/{FILE}.md changed", hint=f"See {NAME.title()}."))
    assert f"{found}".startswith("■ Private 1")
    assert FILE not in f"{found}"


def test_an_error_that_is_made_of_other_things_stays_what_it_is(home: AHome) -> None:
    veil = Veil(source_of(home))
    veil.look()
    error = NeedsChoice(("supersede", "reject"))
    found = veil.error(error)
    assert isinstance(found, NeedsChoice)
    assert (found.options, found.hint, str(found)) == (error.options, error.hint, str(error))


def test_names_asked_for_by_several_threads_at_once(home: AHome) -> None:
    """Each spelling gets one place of its own, and no thread fails over another one's."""
    veil = Veil(source_of(home))
    veil.look()
    spellings = ["".join(one) for one in product(*zip(NAME[:8], NAME[:8].upper(), strict=True))]
    words = [f"{one}{NAME[8:]}" for one in spellings]
    every = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            told = list(pool.map(lambda _: [veil.over(one) for one in words], range(4)))
    finally:
        sys.setswitchinterval(every)
    assert all(one == told[0] for one in told)
    assert len(set(told[0])) == len(words)
    assert veil.back(told[0]) == words


def with_spaces(home: AHome, *changed: SpaceRow) -> Home:
    """The home with other private Spaces than it has."""
    source = source_of(home)
    rows = source.spaces

    def spaces(view: SpacesView) -> tuple[SpaceRow, ...]:
        kept = [one for one in rows(view) if one.id != SECRET]
        return (*kept, *(changed if view == "active" else ()))

    source.spaces = spaces  # pyright: ignore[reportAttributeAccessIssue]
    return source


def the_row(home: AHome) -> SpaceRow:
    return next(one for one in source_of(home).spaces("active") if one.id == SECRET)


def test_two_hidden_spaces_of_one_name_are_both_put_back(home: AHome) -> None:
    row = the_row(home)
    veil = Veil(with_spaces(home, row, replace(row, id="quoll", root="/srv/quoll")))
    veil.look()
    shown = [one.name for one in veil.spaces("active") if one.is_private]
    assert shown == ["■ Private 1", "■ Private 2"]
    assert veil.back(shown) == [row.name, row.name]


def test_what_is_private_no_more_is_told_by_its_name_again(home: AHome) -> None:
    row = the_row(home)
    veil = Veil(with_spaces(home, row))
    veil.look()
    (shown,) = [one for one in veil.spaces("active") if one.is_private]
    veil._names.learn([replace(row, is_private=False)])
    assert not veil.hides(shown.id)
    assert veil.over(row.name) == row.name
    assert veil.back(shown.id) == row.id


def test_what_an_agent_saw_in_a_private_space_is_not_told(home: AHome) -> None:
    veil = Veil(source_of(home))
    veil.look()
    seen = veil.over(Seen("document/x", f"plans/{FILE}.md", "answers", 12, SECRET))
    assert FILE not in repr(seen)
    other = Seen("document/y", "plans/now.md", "answers", 12, "prj_other")
    assert veil.over(other) == other


def test_undoing_what_was_taken_over_before_names_no_file_of_a_private_space(home: AHome) -> None:
    source = source_of(home)
    path = f"{FILE}.md"
    before = source.read_file(SECRET, path).text
    draft = source.open_draft(SECRET, path)
    draft.file.write_text(f"{before}\nMore.\n")
    taken = source.take_over(draft).outcome
    assert taken is not None
    assert taken.undo is not None
    veil = Veil(source)
    veil.look()
    undone = veil.over(taken.undo)()
    assert undone.text == "Done in ■ Private 1"
    assert source.read_file(SECRET, path).text == before


def test_a_name_stays_hidden_when_one_of_two_spaces_of_it_is_opened(home: AHome) -> None:
    row = the_row(home)
    other = replace(row, id="quoll", root="/srv/quoll")
    veil = Veil(with_spaces(home, row, other))
    veil.look()
    veil._names.learn([other, replace(row, is_private=False)])
    assert not veil.hides(row.id)
    assert row.name not in veil.over(f"{row.name} it is")


async def test_nothing_is_shown_while_the_names_to_hide_are_read(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor where they can't be read: then it is tried again until they can."""
    async with open_app(home, hides=False) as (app, pilot):
        plain, held, faults = app.source.spaces, Event(), [Unavailable("The store is locked.")]

        def spaces(view: SpacesView) -> tuple[SpaceRow, ...]:
            held.wait(20)
            if faults:
                raise faults.pop()
            return plain(view)

        monkeypatch.setattr("lobes.tui.hiding.AGAIN", 0.01)
        monkeypatch.setattr(app.source, "spaces", spaces)
        assert NAME in words_in(app)
        app.go("review")
        await settled(pilot)
        app.turn_names()
        while app.current_mode != BLANK or "".join(frame(app)).strip():
            await pilot.pause(0.01)
        seen: list[str] = []
        blank = app.screen
        monkeypatch.setattr(blank, "say", seen.append)
        await pilot.press("2", "q", ":", "z")  # no screen is there for what a key would do
        app.say(f"{NAME.title()} was saved meanwhile")
        held.set()
        await until(pilot, lambda: app.veil is not None and app.current_mode == "review")
        assert seen == [UNREAD]
        assert "■ Private 1 was saved meanwhile" in "\n".join(frame(app))
        assert words_in(app) == set()


async def test_all_spaces_are_read_once_while_nothing_is_shown(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(home, hides=False) as (app, pilot):
        plain, read = app.source.spaces, list[SpacesView]()

        def spaces(view: SpacesView) -> tuple[SpaceRow, ...]:
            if app.is_blank:
                read.append(view)
            return plain(view)

        monkeypatch.setattr(app.source, "spaces", spaces)
        app.turn_names()
        await until(pilot, lambda: app.veil is not None and not app.is_blank)
        assert sorted(read) == sorted(SPACES_VIEWS)
        assert words_in(app) == set()


async def test_what_was_under_way_when_names_were_hidden_is_told_without_them(home: AHome) -> None:
    async with open_app(home, hides=False) as (app, pilot):
        held = Event()

        def undo() -> Outcome:
            held.wait(20)
            return Outcome(f"{NAME.title()} is back", lambda: Outcome(f"{NAME.title()} is gone"))

        app.acted(Outcome("done", undo))
        app.undo()
        app.turn_names()
        while app.veil is None:
            await pilot.pause(0.01)
        held.set()
        await until(pilot, lambda: "■ Private 1 is back" in "\n".join(frame(app)))
        app.redo()
        await until(pilot, lambda: "■ Private 1 is gone" in "\n".join(frame(app)))
        assert words_in(app) == set()


async def test_a_space_keeps_its_number_when_names_are_shown_and_hidden_again(home: AHome) -> None:
    async with open_app(home, hides=True) as (app, pilot):
        first = app.veil
        app.show_names()
        await until(pilot, lambda: app.veil is None)
        app.hide_names()
        await until(pilot, lambda: app.veil is not None)
        assert app.veil is first
        assert app.current_mode == "spaces"
        assert words_in(app) == set()
