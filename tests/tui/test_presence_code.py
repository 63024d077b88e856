"""The presence code over a screen: it renews itself, and gives way to another window's."""

from __future__ import annotations

from tests.tui.frames import frame, make, running, until
from tests.tui.sample import FixedSource

from lobes.domain.errors import Conflict
from lobes.tui.app import LobesApp


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


async def test_it_shows_the_digits_and_renews_those_that_were_used() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        app.show_presence_code()
        await until(pilot, lambda: "000 001" in text(app))
        source.code_state = "used"
        await until(pilot, lambda: "000 002" in text(app))
        source.code_state = "holds"
        assert "five times wrong" in text(app)
    asked = [call for call in source.calls if call[0] == "presence_code"]
    assert asked[:2] == [("presence_code", True), ("presence_code", False)]


async def test_it_gives_way_to_the_code_of_another_window() -> None:
    source = FixedSource(code_state="replaced")
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        app.show_presence_code()
        await until(pilot, lambda: "Another window" in text(app))
        assert "000 001" not in text(app)
    assert source.codes == 1


async def test_a_home_that_asks_nobody_says_so() -> None:
    source = FixedSource(fail={"presence_code": Conflict("It asks nobody.", hint="Look.")})
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        app.show_presence_code()
        await until(pilot, lambda: "It asks nobody. Look." in text(app))
