"""Leak canaries in the app: what its screens are given and what they paint, for each person."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import pytest
from tests.e2e.canaries import Canaries
from tests.e2e.canary_world import COMMON, PEOPLE, SPACES, canary_world
from tests.tui.frames import frame, make, running, settled

from lobes.domain.actors import Human
from lobes.domain.errors import LobesError
from lobes.domain.ids import Slug
from lobes.keys.actions import PAGES
from lobes.services.installation import Caller
from lobes.services.review_queue import View
from lobes.tui.home import Home
from lobes.tui.ports import Source
from lobes.tui.values import AskedRows
from world_home import home_of

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from homes import AHome
    from lobes.tui.app import LobesApp
    from lobes.tui.reviewing import ReviewSource

Ask = Callable[[Home, str], Any]


def _or_refused(ask: Callable[[], object]) -> object:
    """The answer, or what is said instead of one."""
    try:
        return ask()
    except LobesError as error:
        return error.message, error.hint


def _reviewed(review: ReviewSource) -> list[object]:
    """Every view of the queue, and all about each thing in it."""
    found: list[object] = [review.places(), review.destinations()]
    for view in get_args(View):
        items = review.queue(view).items
        found += [items, review.alike(items)]
        found += [_or_refused(partial(review.open, one)) for one in items]
    return found


ASKED: Mapping[str, Ask] = {
    "spaces": lambda home, space: [home.spaces(one) for one in ("active", "archived", "trash")],
    "evidence": lambda home, space: home.evidence(space),
    "ties": lambda home, space: home.ties(space),
    "read_file": lambda home, space: [
        home.read_file(space, path)
        for path in canary_world().files[space]
        if path.endswith(".md") and path in str(home.evidence(space))
    ],
    "trash_impact": lambda home, space: home.trash_impact([space]),
    "erase_impact": lambda home, space: home.erase_impact("space", space),
    "manifest_difference": lambda home, space: home.manifest_difference(space),
    "search": lambda home, space: home.search(space, COMMON),
    "place": lambda home, space: [home.place(one) for one in home.search(space, COMMON).answers],
    "lobe": lambda home, space: home.lobe(space),
    "matrix": lambda home, space: home.matrix(),
    "preview": lambda home, space: home.preview(view := home.lobe(space), view.config),
    "sources": lambda home, space: home.sources(space),
    "placing": lambda home, space: [home.placing(space, group) for group in ("team_a", "")],
    "people": lambda home, space: [
        home.people().everybody(),
        [home.people().group(one.id) for one in home.people().everybody().groups],
    ],
    "activity": lambda home, space: home.activity(AskedRows()),
    "readers": lambda home, space: home.readers(space),
    "find": lambda home, space: [home.find(part) for part in ("q", "prj", "area", ".md")],
    "look_through": lambda home, space: home.look_through(),
    "index_state": lambda home, space: home.index_state(),
    "review": lambda home, space: _reviewed(home.review()),
}
"""What the screens are given of what the home holds; asked for each Space by each person."""
OTHER = {
    *("open", "close", "account_name", "begin", "preferences", "set_preference", "remember"),
    *("prewarm", "stop_indexing", "is_kept_out", "can_write", "version", "follow"),
    *("presence_code", "presence_state", "check_chain", "look_at", "note_read"),
    # Acts: what they tell is what their command tells, which `test_canaries` runs.
    *("open_draft", "take_over", "new_space", "add", "put_away", "index", "trust"),
    *("allow_once", "save", "put_in", "clear_lines", "erase"),
}
"""What tells of no compartment."""
OWNERS_ALONE = ("activity", "readers")
"""The record, which holds the ids of all there is."""


OF_SESSIONS = {"client_of_session", "decision", "id_of_session", "summary"}
"""Of what no screen shows a word yet."""
NOT_PAINTED = {"id", "id_of_edit", "session_of_edit", "reason_of_edit"}
"""Of what a screen is given a word, and paints none until it is acted on."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AHome]:
    made = canary_world()
    folder = tmp_path_factory.mktemp("screens") / "home"
    with home_of(made.world, folder, made.files, names=True) as home:
        yield home


@pytest.fixture
def canaries(home: AHome) -> Canaries:
    folder = home.folders.data.parent
    return Canaries(canary_world(), folder, folder)


def source_of(home: AHome, person: str) -> Home:
    """The app's own way to the services, as if it were this person's."""
    source = Home(home.folders)
    source._opened = home.lobes, Caller(Human(Slug(person)), "tui", is_present=True)
    return source


def test_every_question_of_the_screens_is_asked() -> None:
    """A new one fails here until it is asked below, or tells of no compartment."""
    there = {name for name in vars(Source) if not name.startswith("_")}
    assert there == {*ASKED, *OTHER}


@pytest.mark.parametrize("person", PEOPLE)
def test_no_screen_is_given_what_its_person_may_not_see(
    home: AHome, canaries: Canaries, person: str
) -> None:
    source = source_of(home, person)
    answered = 0
    for name, ask in ASKED.items():
        for space in SPACES:
            line = f"audit {name}" if name in OWNERS_ALONE else name
            try:
                given = repr(ask(source, space))
                answered += 1
            except LobesError as error:
                given = f"{error.message} {error.hint}"
            canaries.search(given, person, line=line, typed=[space, "team_a"])
    assert [str(one) for one in canaries.leaks] == []
    assert answered > 3 * len(SPACES)
    assert canaries.unheard(person) - OF_SESSIONS == set()


async def screens(app: LobesApp, pilot: Pilot[None]) -> list[tuple[str, str]]:
    """Every screen with what the cursor passes, and the lists over them: page and frame."""
    seen: list[tuple[str, str]] = []
    page = ""

    async def press(*keys: str) -> None:
        await pilot.press(*keys)
        await settled(pilot)
        seen.append((page, "\n".join(frame(app))))

    for page, _ in PAGES:
        app.go(page)
        await press("escape")
        if page == "search":
            await press("i", *COMMON)
            await press("enter")
            await press("escape")
        for key in ("j", "j", "j", "w", "escape", "enter", "escape", "f", "f"):
            await press(key)
        if page == "lobe":
            await press("M")
            await press("j", "l")
            await press("escape")
    page = "spaces"
    app.go(page)
    for open_it in (app.show_people, app.pick_space, app.find):
        open_it()
        await settled(pilot)
        await press("q")
        await press("enter")
        await press("escape")
        await press("escape")
    return seen


@pytest.mark.parametrize(
    "person",
    [one if one == "ann" else pytest.param(one, marks=pytest.mark.slow) for one in PEOPLE],
)
async def test_no_screen_paints_what_its_person_may_not_see(
    home: AHome, canaries: Canaries, person: str
) -> None:
    app = make(source_of(home, person))
    async with running(app, (160, 50)) as pilot:
        for page, painted in await screens(app, pilot):
            # The record is the owner's, and names what it is about by id.
            line = f"audit {page}" if page == "activity" else page
            canaries.search(painted, person, line=line)
    assert [str(one) for one in canaries.leaks] == []
    assert canaries.unheard(person) - OF_SESSIONS - NOT_PAINTED == set()


def test_a_planted_leak_in_a_screen_is_found(
    home: AHome, canaries: Canaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lobes.services import spaces

    monkeypatch.setattr(spaces, "knows", lambda *asked: True)
    given = repr(ASKED["spaces"](source_of(home, "sid"), ""))
    canaries.search(given, "sid", line="spaces")
    assert "name of space/prj_gb" in {one.marker for one in canaries.leaks}
