"""What anybody sees of a text that holds a secret: the detector's name in its place.

Beside the display gate: a service masks what it hands out, the face draws it. Lines stay where
they are, so that a place in the file is the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from lobes.classify import VERSION
from lobes.domain.sensitivity import Finding, Kept


class Looked(Protocol):
    """A text that a version of the classifier has looked at, and what it found."""

    @property
    def findings(self) -> Sequence[Kept]: ...
    @property
    def classifier(self) -> int: ...


def known_in(one: Looked | None) -> Sequence[Kept] | None:
    """What stands in the text as far as this classifier knows, for `masked`: what another version
    found, or didn't, says nothing."""
    return one.findings if one is not None and one.classifier == VERSION else None


def masked(text: str, *, first_line: int = 1, kept: Sequence[Kept] | None = None) -> str:
    """`text` with every secret replaced by `[NAME hidden]`.

    `kept` is what was found in the whole file, of which `text` is a part that begins on
    `first_line`: () says that nothing was, so nothing is looked for; None that nobody knows. A
    secret that the part doesn't show by itself, because the file was cut through it, takes its
    lines with it.
    """
    if kept is not None and not any(one.is_secret for one in kept):
        return text
    from lobes.classify.scan import scan  # 20 ms, and most texts hold nothing

    found = [one for one in scan(text) if one.detector.is_secret]
    whole = _without(text, found)
    return _lines_out(whole, first_line, _lost(found, first_line, kept or ()))


def _without(text: str, found: Iterable[Finding]) -> str:
    parts: list[str] = []
    end = 0
    for one in found:
        breaks = "\n" * text.count("\n", one.start, one.end)
        parts += [text[end : one.start], hidden(one.detector.name), breaks]
        end = one.end
    return "".join((*parts, text[end:]))


def unmasked(text: str, original: str) -> str | None:
    """`text` with the secrets of `original` back in the places that stand for them, in their order;
    None where it can't be told which is which."""
    from lobes.classify.scan import scan

    secrets: dict[str, list[str]] = {}
    for one in scan(original):
        if one.detector.is_secret:
            secrets.setdefault(one.detector.name, []).append(original[one.start : one.end])
    for name, values in secrets.items():
        parts = text.split(hidden(name))
        if len(parts) == 1:
            continue
        if len(parts) != len(values) + 1 or any("\n" in one for one in values):
            return None
        text = "".join(one for pair in zip(parts, [*values, ""], strict=True) for one in pair)
    return text


def hidden(name: str) -> str:
    """What stands in the place of a secret."""
    return f"[{name} hidden]"


def _lost(found: Sequence[Finding], first_line: int, kept: Iterable[Kept]) -> list[Kept]:
    """The secrets of the file that the part's own look didn't show."""
    shown = [(one.first_line + first_line - 1, one.last_line + first_line - 1) for one in found]
    return [
        one
        for one in kept
        if one.is_secret
        and not any(first <= one.last_line and one.first_line <= last for first, last in shown)
    ]


def _lines_out(text: str, first_line: int, lost: Sequence[Kept]) -> str:
    if not lost:
        return text
    lines = text.split("\n")
    for one in lost:
        start = max(0, one.first_line - first_line)
        end = min(len(lines), one.last_line - first_line + 1)
        lines[start:end] = [hidden(one.detector)] * max(0, end - start)
    return "\n".join(lines)
