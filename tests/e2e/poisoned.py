"""`python -m tests.e2e.poisoned PAYLOADS.json`: the app on fixed values that hold these texts.

For the pty: here every field of every screen can hold what a service would refuse, so the bytes
show what the display gate and the net do alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import TypeVar

from tests.e2e import poisoned_people
from tests.tui.frames import make
from tests.tui.sample import ANSWERS, CHAIN, EVIDENCE, LOBE, RECORD, SPACES, FixedSource

from lobes.domain.errors import LobesError
from lobes.services.offers import Offered
from lobes.tui.access import Placing
from lobes.tui.erasing import Erasable, EraseImpact
from lobes.tui.outcomes import Outcome
from lobes.tui.paste import protect_pastes
from lobes.tui.values import (
    Activity,
    ActivityRow,
    Decided,
    Difference,
    Finding,
    Found,
    Hit,
    Impact,
    LobeView,
    Looked,
    NotRead,
    PackRow,
    Place,
    Proposed,
    ReaderRow,
    Readers,
    SpaceEvidence,
    SpaceRow,
    Tie,
    Withheld,
)

T = TypeVar("T")


class Poisoned(FixedSource):
    """Dialogs are filled from here as well."""

    text = ""
    texts: Sequence[str] = ()

    def look_at(self, folder: str) -> Proposed:
        found = super().look_at(folder)
        return replace(
            found, name=self.text, roles=((self.text, "goals"),), ignored=((self.text, self.text),)
        )

    def trash_impact(self, space: str) -> Impact:
        return Impact(self.text, "project", (self.text,))

    def erase_impact(self, what: Erasable, id: str) -> EraseImpact:
        return EraseImpact(self.text, (self.text,) * 2, ("prj_initech", self.text), (self.text,))

    def place(self, answer: object) -> Place:
        return Place(self.text, tuple(self.text.split("\n")), 41, (41, 42))

    def find(self, part: str) -> tuple[Hit, ...]:
        return tuple(Hit("prj_0", one, "project", one, one) for one in self.texts)

    def people(self) -> poisoned_people.PoisonedPeople:  # type: ignore[override]
        return poisoned_people.PoisonedPeople(self.texts)

    def placing(self, space: str, group: str) -> Placing:
        return poisoned_people.placing(group, self.text)

    def put_in(self, space: str, group: str) -> Outcome:
        return Outcome(self.text)

    def sources(self, space: str) -> tuple[Offered, ...]:
        return poisoned_people.offered(self.texts)


def poisoned(texts: Sequence[str]) -> Poisoned:
    """A Space, an answer and rows of the record for each text; lists hold all of them."""
    everything = " ".join(text[:200] for text in texts)
    spaces = tuple(
        replace(space, id=f"prj_{place}", name=text, note=text, tags=(text,))
        for place, (space, text) in enumerate(zip(_each(SPACES[:6], texts), texts, strict=True))
    )
    readers = tuple(ReaderRow(one, 1, 1, (one, one)) for one in texts)
    rows = _record(texts)
    effect = poisoned_people.effect(texts)
    source = Poisoned(
        rows=spaces,
        evidences={space.id: _evidence(space) for space in spaces},
        found=_found(texts),
        view=_lobe(texts, everything),
        effect=effect,
        named_effect=effect,
        difference=Difference((everything,), (f"-{everything}", f"+{everything}")),
        record=Activity(rows, len(rows)),
        current="prj_0",
        grid=poisoned_people.grid(texts),
        chain=replace(CHAIN, state="edited", seal=texts[0], is_whole=False, told=tuple(texts)),
        read_by=Readers(7, readers, everything, readers),
        looked=Looked(
            tuple(Finding(one, one) for one in texts),
            tuple(NotRead(one, 1, (one,)) for one in texts),
        ),
        fail={
            name: LobesError(everything, hint=everything) for name in ("archive", "presence_code")
        },
    )
    source.text, source.texts = everything, [text[:200] for text in texts]
    return source


def _each(rows: Sequence[T], texts: Sequence[str]) -> list[T]:
    return list(islice(cycle(rows), len(texts)))


def _evidence(space: SpaceRow) -> SpaceEvidence:
    text = space.name
    return replace(
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


def _found(texts: Sequence[str]) -> Found:
    answers = tuple(
        replace(
            one,
            id=f"a{n}",
            title=text,
            sentence=text,
            lobe=text,
            path=text,
            text=text,
            sensitivity=text,
            detectors=(text,),
        )
        for n, (one, text) in enumerate(zip(_each(ANSWERS, texts), texts, strict=True))
    )
    withheld = tuple(
        Withheld(text, "ask", text, text, f"space/{n}") for n, text in enumerate(texts[:4])
    )
    return Found("", answers, withheld, lobes=2, words_found=3)


def _lobe(texts: Sequence[str], everything: str) -> LobeView:
    return replace(
        LOBE,
        name=texts[0],
        config=replace(LOBE.config, tags=(everything,), excluded_from=(texts[1],)),
        sources=tuple(
            replace(one, name=t, sentence=t) for one, t in zip(LOBE.sources, texts, strict=False)
        ),
        refusals=tuple(
            replace(one, name=t, sentence=t, change=t)
            for one, t in zip(LOBE.refusals, texts, strict=False)
        ),
        names={f"prj_{n}": text for n, text in enumerate(texts)},
        access=poisoned_people.access(texts, everything),
    )


def _record(texts: Sequence[str]) -> tuple[ActivityRow, ...]:
    """Three rows for each text: an act, a refusal and what somebody else did."""
    first = RECORD.rows[0]
    return tuple(
        replace(
            first,
            id=str(3 * (len(texts) - n) + kind),
            at=first.at - timedelta(minutes=3 * n + kind),
            who=text,
            actor=text,
            verb=text,
            what=text,
            answer=text,
            by=text,
            event=text,
            sentence=text,
            request=text,
            counts=((text, 3),),
            decisions=(Decided(text, text, False),),
            refused=kind == 1,
            notice=kind == 2,
        )
        for n, text in enumerate(texts)
        for kind in range(3)
    )


def main(path: str) -> None:
    """Texts may hold lone surrogates: JSON spells them, UTF-8 can't."""
    protect_pastes()
    make(poisoned(json.loads(Path(path).read_text("ascii")))).run()


if __name__ == "__main__":
    main(sys.argv[1])
