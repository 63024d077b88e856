"""Pictures of the screens, to look at: `python -m tests.tui.pictures FOLDER`.

cairosvg ignores `textLength`, so text would drift against the grid; each character gets its own
x. Needs cairosvg and the font Fira Code (DejaVu Sans Mono where it is missing).
"""

from __future__ import annotations

import asyncio
import html
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import cairosvg

from tests.tui.frames import make, running, settled
from tests.tui.sample import FixedSource

SIZES = ((80, 24), (120, 40), (160, 50))
THEMES = ("lobes-night", "lobes-paper")
CELL = 12.2
SCENES: dict[str, tuple[str, list[str]]] = {
    "spaces": ("prj_notidian", []),
    "search": ("prj_notidian", ["2", *"how do we resolve sync conflicts".replace(" ", "\0")]),
    "lobe": ("prj_initech", ["6", "j", "j", "space"]),
    "lobe-why": ("prj_initech", ["6", "G"]),
    "trash": ("prj_notidian", ["D"]),
    "keys": ("prj_notidian", ["?"]),
    "commands": ("prj_notidian", [":"]),
    "toast": ("prj_notidian", ["A"]),
    "review": ("prj_notidian", ["3"]),
    "welcome": ("", []),
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

    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("font-family: Fira Code, monospace", "font-family: Fira Code")
    return _TEXT.sub(placed, svg)


async def shoot(folder: Path, scene: str, theme: str, size: tuple[int, int]) -> Path:
    """One picture of one scene."""
    space, keys = SCENES[scene]
    source = FixedSource(current=space, fresh=scene == "welcome")
    app = make(source, theme=theme)
    async with running(app, size) as pilot:
        for key in keys:
            await pilot.press("space" if key == "\0" else key)
            await settled(pilot)
        await pilot.pause(0.4)
        await settled(pilot)
        svg = on_the_grid(app.export_screenshot(title="Lobes"))
    path = folder / f"{scene}-{theme.removeprefix('lobes-')}-{size[0]}x{size[1]}.png"
    cairosvg.svg2png(bytestring=svg.encode(), write_to=str(path))
    return path


def main(words: Iterable[str]) -> None:
    folder = Path(next(iter(words), "pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        for theme in THEMES:
            for size in SIZES:
                print(asyncio.run(shoot(folder, scene, theme, size)))


if __name__ == "__main__":
    main(sys.argv[1:])
