"""Persons, groups and who sees a Space, with these texts wherever a text can stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tests.tui.sample_access import ACCESS
from tests.tui.sample_people import CORE, PEOPLE

from lobes.domain.lobes import Subscription
from lobes.domain.permissions import Permission
from lobes.services.groups import GroupDetail, GroupImpact
from lobes.services.offers import Offered
from lobes.tui.access import Access, Named, Placing
from lobes.tui.outcomes import Outcome
from lobes.tui.people import Act, Everybody
from lobes.tui.values import Cell, Change, Effect, Grid


def everybody(texts: Sequence[str]) -> Everybody:
    """A person and a group for each text: ids are slugs, whatever the rest says."""
    person, group = PEOPLE.people[1], PEOPLE.groups[1]
    return Everybody(
        tuple(
            replace(person, id=f"person_{n}", name=text, groups=(text, text), is_me=not n)
            for n, text in enumerate(texts)
        ),
        tuple(
            replace(group, id=f"group_{n}", name=text, parent=text) for n, text in enumerate(texts)
        ),
    )


def detail(texts: Sequence[str]) -> GroupDetail:
    return replace(
        CORE,
        name=texts[0],
        parent=texts[0],
        people=tuple(
            replace(CORE.people[1], person=f"person_{n}", name=text, through=text, since=since)
            for n, text in enumerate(texts)
            for since in ("", "2026-01-02T03:04:05+00:00")[: 1 + n % 2]
        ),
        in_it=tuple((f"prj_{n}", text) for n, text in enumerate(texts)),
        below=tuple(texts),
    )


@dataclass(frozen=True)
class PoisonedPeople:
    texts: Sequence[str]

    def everybody(self) -> Everybody:
        return everybody(self.texts)

    def group(self, id: str) -> GroupDetail:
        return detail(self.texts)

    def impact(self, id: str) -> GroupImpact:
        few = tuple(self.texts)
        return GroupImpact(id, self.texts[0], few, few, few)

    def do(self, act: Act) -> Outcome:
        return Outcome(" ".join(self.texts))


def access(texts: Sequence[str], everything: str) -> Access:
    """Everybody is named; every second entry is void, for a reason that is a text of its own."""
    named = tuple(
        Named(f"user:person_{n}", text, "person", "" if n % 2 else text)
        for n, text in enumerate(texts)
    )
    groups = tuple(Named(f"group:group_{n}", text, "team") for n, text in enumerate(texts))
    subjects = frozenset(one.subject for one in named)
    return replace(
        ACCESS,
        permission=Permission("public", (("read_content", subjects), ("read_meta", subjects))),
        group="group_0",
        group_name=everything,
        known=(*named, *groups),
        groups=groups,
    )


def placing(group: str, everything: str) -> Placing:
    return Placing(group, everything, everything, (everything,), (everything,))


def effect(texts: Sequence[str]) -> Effect:
    """What saving would do: a line of each kind for each text."""
    return Effect(
        before=1,
        after=2,
        changes=tuple(
            Change(kind, text, text, who)
            for text in texts
            for kind in ("gain", "loss")
            for who in ("space", "person", "agents")
        ),
        gaining=tuple(texts),
        gained=tuple(texts),
        readers=tuple(texts),
        notes=tuple(texts),
        is_whole=False,
    )


def offered(texts: Sequence[str]) -> tuple[Offered, ...]:
    return tuple(
        Offered(Subscription("user", f"person_{n}", text), text) for n, text in enumerate(texts)
    )


def grid(texts: Sequence[str]) -> Grid:
    """A matrix in which a cell's code, sentence and remedy are the texts as well."""
    spaces = tuple((f"prj_{n}", text) for n, text in enumerate(texts))
    told: Callable[[int, int], Cell] = lambda row, column: Cell(  # noqa: E731
        texts[column], texts[row], 0.5, texts[column]
    )
    return Grid(spaces, spaces, tuple(tuple(texts) for _ in texts), told, len(spaces), len(spaces))
