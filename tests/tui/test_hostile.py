"""Hostile text in every field of every screen: shown as text, nothing bound, nothing moved."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import ANSWERS, EVIDENCE, LOBE, SPACES, FixedSource
from textual.color import Color

from lobes.domain.errors import LobesError
from lobes.tui.net import ControlNet
from lobes.tui.values import Found, PackRow, Tie, Withheld
from lobes.tui.widgets.toast import Toast

MARKUP = ["x [/b] y", "[/", "[a=b]", "[]", '["a]b', "[@click=app.quit]Approve[/]"]
CONTROLS = [
    "\x1b[2J\x1b[1;1H",
    "\x9b2J",
    "\x1bP1$r\x1b\\",
    "\x1b]0;title\x07",
    "\x1b]52;c;eA==\x07",
    "\x1b[6n",
    "approve\rDENY",
    "ab\x08\x08cd",
    "\u202egnp.exe",
    "a\ud800b\x00c\u2028d",
    "line\nbreak",
]
WIDE = ["日本語の名前" * 9, "👨‍👩‍👧‍👦 family 🇨🇭 flag", "e\u0301" * 40, "x" * 1_000_000]
FRAME = "╭────╮\n│ [ Keep it ] │\n╰────╯"
ALL = [*MARKUP, *CONTROLS, *WIDE, FRAME]


def poisoned(text: str) -> FixedSource:
    """The same text in every field that holds data."""
    spaces = tuple(replace(space, name=text, note=text) for space in SPACES)
    evidence = replace(
        EVIDENCE,
        name=text,
        root=text,
        description=text,
        now=text,
        next=text,
        draws_on=(Tie(text, "member"), Tie(text, text)),
        answers_to=(text, text),
        missing=(text,),
        pack=(PackRow(text, text, 1),),
        preview_path=text,
        preview=text,
        problem=text,
    )
    answers = tuple(
        replace(one, title=text, sentence=text, lobe=text, path=text, text=text) for one in ANSWERS
    )
    withheld = (Withheld(text, "ask", text, text), Withheld(text, text, text))
    found = Found("", answers, withheld, lobes=2, words_found=3)
    lobe = replace(
        LOBE,
        name=text,
        config=replace(LOBE.config, tags=(text,), excluded_from=(text,)),
        sources=tuple(replace(one, name=text, sentence=text) for one in LOBE.sources),
        refusals=tuple(
            replace(one, name=text, sentence=text, change=text) for one in LOBE.refusals
        ),
        names={"prj_x": text},
    )
    return FixedSource(
        rows=spaces,
        evidences={space.id: replace(evidence, id=space.id) for space in spaces},
        found=found,
        view=lobe,
    )


@pytest.mark.parametrize("text", ALL, ids=lambda t: ascii(t[:12]))
@pytest.mark.parametrize("size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow)])
async def test_hostile_text_stays_text_on_every_screen(text: str, size: tuple[int, int]) -> None:
    """TE-01, TE-02, TE-04, TE-05, TE-07, TE-10, TE-11, TE-12."""
    source = poisoned(text)
    app = make(source)
    async with running(app, size) as pilot:
        for keys in ([], ["ctrl+o"], ["escape", "6"], ["w"], ["escape", "2", "x"]):
            await pilot.press(*keys)
            await settled(pilot)
            clean(frame(app), size)
        await until(pilot, lambda: source.count("search") > 0)
        clean(frame(app), size)
        assert app.is_running


def clean(painted: list[str], size: tuple[int, int]) -> None:
    """No control reached the frame, and every line is as wide as the screen."""
    for line in painted:
        assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in line), ascii(line)
        assert not set(line) & set("\u202e\u2028\ud800")
        assert cell_len(line) == size[0], ascii(line)


async def test_a_toast_and_the_problems_show_hostile_text_on_one_line() -> None:
    """TE-16: an error's message is data."""
    text = "\x1b[2J[@click=app.quit]x[/]\n\u202e second line"
    app = make(FixedSource(fail={"archive": LobesError(text)}))
    async with running(app, (80, 24)) as pilot:
        await pilot.press("A")
        await settled(pilot)
        toast = app.screen.query_one(Toast)
        assert toast.display
        assert "[@click=app.quit]" in toast.text
        await pilot.press("!")
        await settled(pilot)
        clean(frame(app), (80, 24))


async def test_a_fault_of_ours_shows_its_type_and_no_text_of_it() -> None:
    """TE-16: what an unexpected exception says may hold a secret."""
    app = make(FixedSource(fail={"archive": ValueError("password=hunter2")}))
    async with running(app, (80, 24)) as pilot:
        await pilot.press("A")
        await settled(pilot)
        shown = app.screen.query_one(Toast).text
    assert "ValueError" in shown
    assert "hunter2" not in shown


async def test_a_frame_that_imitates_a_dialog_stays_in_its_pane() -> None:
    """TE-12: data reaches neither the gutter, nor the chrome, nor the border."""
    app = make(poisoned(FRAME))
    async with running(app, (120, 40)):
        painted = frame(app)
        assert all(line[0] in " ▌" for line in painted)
        assert all(line[64] == "│" for line in painted[3:-1])
        assert "Keep it" not in painted[0] + painted[-1]


async def test_a_paste_of_a_megabyte_is_text_and_presses_no_key() -> None:
    """TE-15."""
    from textual import events

    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("2")
        await settled(pilot)
        app.post_message(events.Paste("q\x1b[201~D" + "a" * 1_000_000))
        await settled(pilot)
        assert app.is_running
        assert source.count("trash_impact") == 0
        assert len(app.screen.query_one("#question").value) <= 2_000
        clean(frame(app), (80, 24))


@pytest.mark.parametrize("text", CONTROLS, ids=lambda t: ascii(t[:12]))
def test_the_net_deletes_controls_without_a_substitute(text: str) -> None:
    """TE-04: under the gate, whatever forgot it."""
    ground = Color.parse("black")
    kept = ControlNet().apply([Segment(text), Segment("ok")], ground)
    shown = "".join(one.text for one in kept)
    assert shown.endswith("ok")
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u2028" for c in shown)


def test_the_net_leaves_clean_lines_as_they_are() -> None:
    line = [Segment("◆ Notidian ──"), Segment("é日本")]
    assert ControlNet().apply(line, Color.parse("black")) is line
