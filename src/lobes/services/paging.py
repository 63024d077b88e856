"""The pages of a list: each begins behind an id that the page before named, and all of them say
how many items there are on all pages together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from lobes.domain.errors import Invalid

T = TypeVar("T")
U = TypeVar("U")

MOST = 1000
"""Items of one page."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list; `total` counts all that the caller may know, `next` is the id after
    which the next page begins, "" at the end."""

    items: tuple[T, ...]
    total: int
    next: str

    def of(self, items: Iterable[U]) -> Page[U]:
        """This page, showing these for what it has."""
        return Page(tuple(items), self.total, self.next)


def page_of(ids: Sequence[str], *, after: str, limit: int) -> Page[str]:
    """The page of `ids` that begins behind `after`, "" for the first one.

    Raises `Invalid` where `after` is none of them, or `limit` is not of 1 to `MOST`.
    """
    if not 1 <= limit <= MOST:
        raise Invalid(f"A page has 1 to {MOST} items.", hint="Name a number.", reason="bad_limit")
    begin = ids.index(after) + 1 if after in ids else 0
    if after and not begin:
        raise Invalid("There is no page after that.", hint="Begin anew.", reason="bad_cursor")
    page = tuple(ids[begin : begin + limit])
    more = begin + limit < len(ids)
    return Page(page, len(ids), page[-1] if more else "")
