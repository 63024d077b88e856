"""Pictures of the screens, to look at: `python -m tests.tui.pictures FOLDER`.

With `docs/pictures` (`make pictures`): the ones of the documents, of a new home with the samples.

cairosvg ignores `textLength`, so text would drift against the grid; each character gets its own
x. Needs cairosvg and the font Fira Code (DejaVu Sans Mono where it is missing).
"""

from __future__ import annotations

import asyncio
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from tests.tui.frames import READY, make, running, settled
from tests.tui.sample import FixedSource

from lobes.clock import utc_now
from lobes.config.folders import Folders, folders_under
from lobes.tui.app import LobesApp
from lobes.tui.glyphs import Glyphs
from lobes.tui.home import Home
from lobes.tui.values import SpaceEvidence

SIZES = ((80, 24), (120, 40), (160, 50))
THEMES = ("lobes-night", "lobes-paper")
CELL = 12.2
AGES = (180, 7_000, 93_000, 260_000, 900_000, 3_600, 400_000)
"""Seconds, for the files of the samples in turn."""
QUESTION = "how do we resolve sync conflicts".replace(" ", "\0")
WIDE_ONLY = "j\0"
"""One row further down, past a row that only the wide form has above it."""
SCENES: dict[str, tuple[str, list[str]]] = {
    "spaces": ("prj_notidian", []),
    "search": ("prj_notidian", ["2", *QUESTION]),
    "lobe": ("prj_initech", ["6", "j", WIDE_ONLY, "space"]),
    "lobe-why": ("prj_initech", ["6", "G"]),
    "trash": ("prj_notidian", ["D"]),
    "keys": ("prj_notidian", ["?"]),
    "commands": ("prj_notidian", [":"]),
    "toast": ("prj_notidian", ["A"]),
    "activity": ("prj_notidian", ["7"]),
    "review": ("prj_notidian", ["3"]),
    "marks": ("prj_notidian", ["x", "j", "j", "x"]),
    "filter": ("prj_notidian", ["/", "n", "o"]),
    "zoom": ("prj_notidian", ["tab", "enter"]),
    "why": ("prj_notidian", ["2", *QUESTION, "down", "w"]),
    "picker": ("prj_notidian", ["ctrl+o"]),
    "find": ("prj_notidian", ["ctrl+f", *"md"]),
    "problems": ("prj_notidian", ["!"]),
    "welcome": ("", []),
    "welcome-folder": ("", ["2", "enter", *"clients/initech"]),
}

DOCS = Path("docs/pictures")
DOCUMENTS: dict[str, tuple[str, list[str]]] = {
    "spaces": ("prj_notidian", []),
    "search": ("prj_notidian", ["2", *QUESTION]),
    "lobe": ("prj_initech", ["6", "j", "j", "space"]),
    "activity": ("prj_notidian", ["7"]),
    "commands": ("prj_notidian", [":"]),
}

_TEXT = re.compile(
    r'<text class="([^"]*)" x="([\d.]+)" y="([\d.]+)" textLength="[^"]*"([^>]*)>(.*?)</text>'
)


def on_the_grid(svg: str) -> str:
    """The same picture with an x for each character and a font that is installed."""

    def placed(match: re.Match[str]) -> str:
        kind, x, y, rest, text = match.groups()
        shown = html.unescape(text)
        xs = " ".join(f"{float(x) + CELL * place:.1f}" for place in range(len(shown)))
        body = html.escape(shown, quote=False).replace("\xa0", "&#160;")
        return f'<text class="{kind}" x="{xs}" y="{y}"{rest}>{body}</text>'

    svg = re.sub(r"<!--.*?-->", "", svg)
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace(
        "font-family: Fira Code, monospace", "font-family: Fira Code, DejaVu Sans Mono, monospace"
    )
    return _TEXT.sub(placed, svg)


async def shoot(folder: Path, scene: str, theme: str, size: tuple[int, int]) -> Path:
    """One picture of one scene."""
    space, keys = SCENES[scene]
    source = FixedSource(current=space, fresh=not space)
    app = make(source, theme=theme)
    async with running(app, size) as pilot:
        for key in keys:
            if key == WIDE_ONLY and size[0] < 100:
                continue
            await pilot.press("space" if key == "\0" else key[0] if key == WIDE_ONLY else key)
            await settled(pilot)
        await pilot.pause(0.4)
        await settled(pilot)
        svg = on_the_grid(app.export_screenshot(title="Lobes"))
    import cairosvg

    path = folder / f"{scene}-{theme.removeprefix('lobes-')}-{size[0]}x{size[1]}.png"
    cairosvg.svg2png(bytestring=svg.encode(), write_to=str(path))
    return path


class SampleHome(Home):
    """A real home whose folders read as if they lay in the person's own."""

    def evidence(self, space: str) -> SpaceEvidence:
        return replace(super().evidence(space), root=f"~/spaces/{space}")


def sample_home(folder: Path) -> Folders:
    """A home with the sample Spaces, indexed; its files are of different ages."""
    command = [sys.executable, "-m", "lobes", "--home", str(folder)]
    for words in (["init", "--sample", "--user", "ada"], ["index"], ["engine", "stop"]):
        if words == ["index"]:
            now = time.time()
            for number, space in enumerate(sorted((folder / "spaces").iterdir(), reverse=True)):
                for place, path in enumerate(sorted(space.rglob("*.md"))):
                    age = AGES[place % len(AGES)] + number**2 * 9_000
                    os.utime(path, (now - age, now - age))
        subprocess.run([*command, *words], check=True, capture_output=True, timeout=120)
    return folders_under(folder)


def understood(home: str) -> None:
    """Ask until the engine answers by meaning too; it runs on afterwards."""
    asked = ["search", "sync conflicts", "--space", "prj_notidian", "--json"]
    command = [sys.executable, "-m", "lobes", "--home", home, *asked]
    for _ in range(120):
        done = subprocess.run(command, check=True, capture_output=True, timeout=60)
        if not json.loads(done.stdout)["degraded"]:
            return
        time.sleep(0.5)
    raise TimeoutError("the engine never answered by meaning")


async def documents(folder: Path) -> None:
    """The pictures of the documents: a new home with the samples, as a person sees it."""
    with tempfile.TemporaryDirectory() as place:
        folders = sample_home(Path(place))
        understood(place)
        for name, (space, keys) in DOCUMENTS.items():
            source = SampleHome(folders, first=space)
            app = LobesApp(source, clock=utc_now, glyphs=Glyphs(), live=False)
            app.index = READY
            async with app.run_test(size=(120, 40), notifications=False) as pilot:
                await settled(pilot)
                for key in keys:
                    await pilot.press("space" if key == "\0" else key)
                await pilot.pause(1.0)
                await settled(pilot)
                svg = app.export_screenshot(title="Lobes")
            source.close()
            (folder / f"{name}.svg").write_text(on_the_grid(svg), encoding="utf-8")
        await fixed(folder, "welcome", FixedSource(current="", fresh=True))
        await fixed(folder, "review", FixedSource(), "3")
        command = [sys.executable, "-m", "lobes", "--home", place, "engine", "stop"]
        subprocess.run(command, check=True, capture_output=True, timeout=60)


async def fixed(folder: Path, name: str, source: FixedSource, *keys: str) -> None:
    """A picture of what no new home holds."""
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press(*keys)
        await pilot.pause(0.4)
        await settled(pilot)
        svg = app.export_screenshot(title="Lobes")
    (folder / f"{name}.svg").write_text(on_the_grid(svg), encoding="utf-8")


def main(words: Iterable[str]) -> None:
    folder = Path(next(iter(words), "pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    if folder == DOCS:
        asyncio.run(documents(folder))
        return
    for scene in SCENES:
        for theme in THEMES:
            for size in SIZES:
                print(asyncio.run(shoot(folder, scene, theme, size)))


if __name__ == "__main__":
    main(sys.argv[1:])
