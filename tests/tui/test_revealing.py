"""A masked secret in the evidence of Search: who sees it, for how long, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.tui.frames import make, running, settled, until
from tests.tui.test_home import source_of, text
from tests.unit.classify.labelled import GITHUB

from decided import remember
from lobes.domain.errors import Forbidden
from lobes.domain.resources import Resource
from lobes.services.ingress import assess
from lobes.tui.app import LobesApp
from lobes.tui.screens import revealing
from lobes.tui.screens.search import SearchScreen
from lobes.tui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from homes import AHome

SIZE = (120, 40)
KEY = f"The walrus key \u202e is\n{GITHUB}\nfor now."
HINT = "u shows the secret for 10 s"
SHOWN = "The secret is shown for 10 s"


@pytest.fixture
def secrets(a_home: Callable[..., AHome]) -> AHome:
    home = a_home()
    other = "# Other\n\nThe walrus sleeps beside it.\n"
    key = f"# Key\n\nThe walrus key\nis {GITHUB}\nfor now.\n"
    home.a_space("prj_a", {"key.md": key, "other.md": other})
    home.index()
    return home


async def asked(pilot: Pilot[None], app: LobesApp) -> SearchScreen:
    """The cursor on the answer with the secret."""
    await pilot.press("2", *"walrus key", "enter")
    screen = app.screen
    assert isinstance(screen, SearchScreen)
    await until(pilot, lambda: screen.found is not None and screen.listing.current() is not None)
    await settled(pilot)
    while (answer := screen.listing.current()) is None or not answer.is_masked:
        await pilot.press("j")
        await settled(pilot)
    return screen


async def test_its_owner_sees_a_secret_for_a_while_and_the_record_says_so(secrets: AHome) -> None:
    app = make(source_of(secrets, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await asked(pilot, app)
        assert HINT in text(app)
        assert "[github-token hidden]" in text(app)
        assert GITHUB not in text(app)
        await pilot.press("u")
        await until(pilot, lambda: GITHUB in text(app))
        assert SHOWN in text(app)
        assert "The walrus key" in text(app)
        (row,) = secrets.audited("space.secret_shown")
        assert GITHUB not in repr(row)
        assert GITHUB not in screen.copied(), "what is copied is masked"
        place = screen.listing.position
        await pilot.press("j")
        await pilot.press(*(["k"] if screen.listing.position == place else []))
        await settled(pilot)
        assert GITHUB not in text(app), "it goes with the cursor"


@pytest.mark.parametrize(
    "gone",
    ["time", "zoom", "another page", pytest.param("another question", marks=pytest.mark.slow)],
)
async def test_a_secret_is_masked_again(
    secrets: AHome, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    monkeypatch.setattr(revealing, "SECONDS", 0.3 if gone == "time" else 60)
    app = make(source_of(secrets, "prj_a"))
    async with running(app, SIZE) as pilot:
        await asked(pilot, app)
        await pilot.press("u")
        await until(pilot, lambda: GITHUB in text(app))
        keys = {"zoom": ["enter"], "another page": ["1", "2"], "another question": ["/", "x"]}
        await pilot.press(*keys.get(gone, []))
        await until(pilot, lambda: GITHUB not in text(app))
        await settled(pilot)
        assert GITHUB not in text(app)
    assert len(secrets.audited("space.secret_shown")) == 1


async def test_who_does_not_own_it_is_told_whose_it_is_to_see(
    secrets: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = source_of(secrets, "prj_a")

    def refuse(resource: Resource) -> dict[int, str]:
        raise Forbidden("Only its owner may do this.", reason="owner_only")

    monkeypatch.setattr(source, "clear_lines", refuse)
    app = make(source)
    async with running(app, SIZE) as pilot:
        await asked(pilot, app)
        await pilot.press("u")
        await until(pilot, lambda: "Only its owner may do this." in text(app))
        assert GITHUB not in text(app)
        assert not isinstance(app.screen, Dialog)


@pytest.fixture
def waits(secrets: AHome) -> tuple[AHome, str]:
    """A proposal with a secret and hidden characters."""
    found = tuple(one.kept for one in assess(KEY).findings)
    id = remember(
        secrets, KEY, level="confidential", findings=found, waits_for=("inferred", "secret")
    )
    return secrets, id


async def test_review_shows_hidden_characters_then_the_secret_then_neither(
    waits: tuple[AHome, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`u` does both; only the second is in the record, and it ends by itself."""
    monkeypatch.setattr(revealing, "SECONDS", 60)
    home, id = waits
    app = make(source_of(home, "prj_a"))
    async with running(app, SIZE) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: "u shows hidden characters, and then the secret." in text(app))
        assert "[github-token hidden]" in text(app)
        await pilot.press("u")
        await until(pilot, lambda: "\\u{202e}" in text(app))
        assert "u shows the secret for 60 s" in text(app)
        assert GITHUB not in text(app)
        assert home.audited("memory.secret_shown") == []
        await pilot.press("u")
        await until(pilot, lambda: GITHUB in text(app))
        assert "The secret is shown for 60 s" in text(app)
        (row,) = home.audited("memory.secret_shown")
        assert row["resources"] == [f"memory/{id}"]
        assert GITHUB not in app.screen.copied()  # type: ignore[attr-defined]
        await pilot.press("u")
        await until(pilot, lambda: GITHUB not in text(app))
        assert "\\u{202e}" not in text(app)
        monkeypatch.setattr(revealing, "SECONDS", 0.3)
        await pilot.press("u", "u")
        await until(pilot, lambda: GITHUB in text(app))
        await until(pilot, lambda: GITHUB not in text(app))
        monkeypatch.setattr(revealing, "SECONDS", 60)
        await pilot.press("u")
        await until(pilot, lambda: GITHUB in text(app))
        await pilot.press("1", "3")
        await settled(pilot)
        assert GITHUB not in text(app), "it goes with the page"


async def test_search_shows_the_secret_of_a_memory_too(secrets: AHome) -> None:
    found = tuple(one.kept for one in assess(KEY).findings)
    remember(secrets, KEY, level="confidential", findings=found, status="active", waits_for=())
    (secrets.root("prj_a") / "key.md").unlink()
    secrets.index()
    app = make(source_of(secrets, "prj_a"))
    async with running(app, SIZE) as pilot:
        await asked(pilot, app)
        await pilot.press("u")
        await until(pilot, lambda: GITHUB in text(app))
        assert len(secrets.audited("memory.secret_shown")) == 1
