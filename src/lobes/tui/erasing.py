"""Erasing as the screens ask for it: what it would do, in sentences, and the act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lobes.domain.display import one_line
from lobes.tui.cells import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lobes.services.erasing import Erased, Preview

Erasable = Literal["memory", "space"]
SHOWN = 60
"""Characters of a memory that are shown."""


@dataclass(frozen=True, slots=True)
class EraseImpact:
    """What is shown before: `typed` is what has to be typed, any one of them; `unreached` is what
    no act of Lobes reaches."""

    title: str
    sentences: tuple[str, ...]
    typed: tuple[str, ...]
    unreached: tuple[str, ...]


def impact(what: Erasable, found: Preview, names: Mapping[str, str]) -> EraseImpact:
    """The service's preview in words."""
    goes = [plural(number, *_NOUNS[word]) for word, number in found.counts if word in _NOUNS]
    verb = "leaves" if sum(number for _, number in found.counts) == 1 else "leave"
    losers = ", ".join(names.get(one, one) for one in found.losers)
    said = [f"{_listed(goes)} {verb} every file Lobes owns."]
    said.append(f"{losers} can't draw on it any more." if losers else "No other Space draws on it.")
    stays = _staying(found)
    if stays:
        said.append(stays)
    if found.root:
        said.append(f"The folder {found.root} is not touched.")
    if found.backups:
        said.append(f"{plural(found.backups, 'backup')} of ours {_are(found.backups)} made anew.")
    if what == "space":
        title = f"Erase the {found.kind.capitalize()} {found.title or found.named}?"
        typed = tuple(dict.fromkeys((found.named, found.title)))
    else:
        title, typed = "Erase this memory?", (found.named,)
        said = [*([f"“{one_line(found.title, limit=SHOWN)}”"] if found.title else []), *said]
    return EraseImpact(title, tuple(said), tuple(one for one in typed if one), found.unreached)


def outcome(found: Erased, name: str) -> str:
    """What a toast says: what is done before what isn't yet."""
    rest = found.rest
    said = [f"Erased {name}"]
    if rest.removed:
        number = plural(len(rest.removed), "backup")
        said.append(f"{number} that couldn't be read {_are(len(rest.removed))} gone")
    if rest.left:
        said.append(f"Still to do: {rest.left[0]} lobes doctor --fix goes on with it")
    return ". ".join(one.rstrip(".") for one in said)


_NOUNS = {
    "documents": ("document", "documents"),
    "memories": ("memory", "memories"),
    "versions": ("version", "versions"),
    "pack edits": ("pack edit", "pack edits"),
    "sessions": ("session", "sessions"),
}
"""What is counted, but for passages: they are the documents' own."""


def _listed(parts: list[str]) -> str:
    return " and ".join(one for one in (", ".join(parts[:-1]), parts[-1]) if one)


def _staying(found: Preview) -> str:
    """What stays with its words; "" where nothing does."""
    kinds = [one.split("/")[0] for one in found.elsewhere]
    counts = (
        (len(found.stays), "memory", "memories"),
        (kinds.count("session"), "session", "sessions"),
        (kinds.count("edit"), "pack edit", "pack edits"),
    )
    parts = [plural(*one) for one in counts if one[0]]
    if not parts:
        return ""
    is_one = sum(number for number, _, _ in counts) == 1
    if is_one:
        return f"{parts[0]} that says the same or is tied to it stays."
    return f"{_listed(parts)} that say the same or are tied to it stay."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
