"""`python -m tests.e2e.poisoned PAYLOADS.json`: the app on fixed values that hold these texts.

For the pty: here every field of every screen can hold what a service would refuse, so the bytes
show what the display gate and the net do alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from tests.tui.frames import make
from tests.tui.sample import ANSWERS, EVIDENCE, LOBE, RECORD, SPACES, FixedSource

from lobes.domain.errors import LobesError
from lobes.tui.paste import protect_pastes
from lobes.tui.values import (
    Activity,
    Decided,
    Difference,
    Found,
    Impact,
    PackRow,
    Place,
    Proposed,
    Tie,
    Withheld,
)


class Poisoned(FixedSource):
    """Dialogs are filled from here as well."""

    text = ""

    def look_at(self, folder: str) -> Proposed:
        found = super().look_at(folder)
        return replace(
            found, name=self.text, roles=((self.text, "goals"),), ignored=((self.text, self.text),)
        )

    def trash_impact(self, space: str) -> Impact:
        return Impact(self.text, "project", (self.text,))

    def place(self, answer: object) -> Place:
        return Place(self.text, tuple(self.text.split("\n")), 41, (41, 42))


def poisoned(texts: Sequence[str]) -> Poisoned:
    """A Space, an answer and a row of the record for each text; lists hold all of them."""

    def each(rows: Sequence[object]) -> list[object]:
        return list(islice(cycle(rows), len(texts)))

    everything = " ".join(text[:200] for text in texts)
    spaces = tuple(
        replace(space, id=f"prj_{place}", name=text, note=text)
        for place, (space, text) in enumerate(zip(each(SPACES[:6]), texts, strict=True))
    )
    evidences = {
        space.id: replace(
            EVIDENCE,
            id=space.id,
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
        for space, text in zip(spaces, texts, strict=True)
    }
    answers = tuple(
        replace(one, id=f"a{n}", title=text, sentence=text, lobe=text, path=text, text=text)
        for n, (one, text) in enumerate(zip(each(ANSWERS), texts, strict=True))
    )
    withheld = tuple(Withheld(text, "ask", text, text) for text in texts[:4])
    sources = tuple(
        replace(one, name=t, sentence=t) for one, t in zip(LOBE.sources, texts, strict=False)
    )
    refusals = tuple(
        replace(one, name=t, sentence=t, change=t)
        for one, t in zip(LOBE.refusals, texts, strict=False)
    )
    rows = tuple(
        replace(
            one, id=str(n), who=t, actor=t, what=t, sentence=t, decisions=(Decided(t, t, False),)
        )
        for n, (one, t) in enumerate(zip(each(RECORD.rows), texts, strict=True))
    )
    source = Poisoned(
        rows=spaces,
        evidences=evidences,
        found=Found("", answers, withheld, lobes=2, words_found=3),
        view=replace(
            LOBE,
            name=texts[0],
            config=replace(LOBE.config, tags=(everything,), excluded_from=(texts[1],)),
            sources=sources,
            refusals=refusals,
            names={"prj_x": everything},
        ),
        difference=Difference((everything,), (f"-{everything}", f"+{everything}")),
        record=Activity(rows, len(rows)),
        current="prj_0",
        fail={"archive": LobesError(everything, hint=everything)},
    )
    source.text = everything
    return source


def main(path: str) -> None:
    """Texts may hold lone surrogates: JSON spells them, UTF-8 can't."""
    protect_pastes()
    make(poisoned(json.loads(Path(path).read_text("ascii")))).run()


if __name__ == "__main__":
    main(sys.argv[1])
