"""Private Spaces without their names, for a screen that others see.

One gate: everything that the screens are given passes it, whatever is asked, so no screen can
forget it. In the place of a name, an id or a folder stands another one, the same throughout the
session; what the screens hand back is put back. What is in a private Space isn't read at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lobes.domain.errors import Conflict, LobesError, Unavailable
from lobes.tui.memory import Left
from lobes.tui.outcomes import SPACES_VIEWS, Outcome, Taken

if TYPE_CHECKING:
    from lobes.services.pack_drafts import PackDraft
    from lobes.tui.ports import Source
    from lobes.tui.values import SpaceRow

T = TypeVar("T")

HIDDEN = "hidden"
"""The reason of a refusal."""
MARK = "■ Private"
_STANDS_IN = re.compile(f"{MARK} |private_")
PLAIN = frozenset(
    {"close", "account_name", "begin", "preferences", "set_preference", "prewarm"}
    | {"stop_indexing", "is_kept_out", "can_write", "version", "presence_code", "presence_state"}
    | {"check_chain", "index_state", "open_draft"}
)
"""Whose values name no Space, or are the person's own file, for an editor of theirs."""
CODES = frozenset(
    {"id", "space", "kind", "setting", "reason", "sensitivity", "status", "who", "actor", "verb"}
    | {"event", "answer", "by", "request", "document", "lobe", "stamp", "level", "author"}
    | {"memory_class", "epistemic", "row", "provenance", "brakes", "memory"}
)
"""Fields of a thing in a private Space that tell nothing of it; any other text goes."""


class Veil:
    """`Source` over another one. May be used from several threads."""

    def __init__(self, source: Source) -> None:
        self.plain = source
        self._names = Names()
        self._version: int | None = None
        self._lock = Lock()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.plain, name)
        return partial(self.asked, name, found) if callable(found) else self.over(found)

    def review(self) -> Any:
        """What waits in a private Space is counted and can't be opened or decided."""
        return _Review(self.plain.review(), self)

    def look(self) -> None:
        """Learn which Spaces are private now."""
        with self._lock:
            version = self._stored()
            if version is not None and version != self._version:
                self._learn(version)

    def looked(self) -> list[Sequence[SpaceRow]]:
        """The Spaces of each view as the services know them; which are private is learnt of
        these."""
        with self._lock:
            version = self._stored()
            return [()] * len(SPACES_VIEWS) if version is None else self._learn(version)

    def _stored(self) -> int | None:
        """None where there is no home yet, so nothing is private."""
        try:
            return self.plain.version()
        except Unavailable:
            if self.plain.spaces("active"):
                raise
            return None

    def _learn(self, version: int) -> list[Sequence[SpaceRow]]:
        found: list[Sequence[SpaceRow]] = [self.plain.spaces(view) for view in SPACES_VIEWS]
        self._names.learn([one for rows in found for one in rows])
        self._version = version
        return found

    def over(self, value: T) -> T:
        """The value as it is shown."""
        return cast("T", self._names.walk(value, out=True, handed=self))

    def back(self, value: T) -> T:
        """The value as the services know it."""
        return cast("T", self._names.walk(value, out=False, handed=self))

    def hides(self, space: str) -> bool:
        return space in self._names.aliases

    def evidence(self, space: str) -> Any:
        from lobes.tui.values import SpaceEvidence

        if not self.hides(space):
            return self.asked("evidence", self.plain.evidence, space)
        name = self._names.aliases[space]
        return SpaceEvidence(space, name, "", problem=f"{WHY} {SHOW}", is_read=False)

    def ties(self, space: str) -> Any:
        from lobes.tui.values import Ties

        return Ties() if self.hides(space) else self.asked("ties", self.plain.ties, space)

    def find(self, part: str) -> Any:
        """What is in a private Space isn't found, for that would tell what is in it."""
        self.look()
        hits = self.plain.find(part)
        return self.over(tuple(one for one in hits if one.space not in self._names.ids))

    def take_over(self, draft: PackDraft, **named: Any) -> Taken:
        """The draft is the person's own text, which goes into the file as it is."""
        try:
            done = self.plain.take_over(draft, **named)
        except LobesError as error:
            raise self.error(error) from None
        return replace(self.over(replace(done, draft=None)), draft=done.draft)

    def follow(self, stop: Any, tell: Any, fail: Callable[[Exception], None]) -> None:
        self.plain.follow(stop, tell, lambda error: fail(self.error(error)))

    def open(self) -> Any:
        return self.asked("open", self.plain.open)

    def asked(self, name: str, member: Callable[..., Any], *given: Any, **named: Any) -> Any:
        if name != "remember" and any(self.concerns(one) for one in (*given, *named.values())):
            raise hidden()
        given, named = self.back(given), self.back(named)
        try:
            value = member(*given, **named)
            if name in PLAIN:
                return value
            self.look()
        except LobesError as error:
            raise self.error(error) from None
        return self.over(value)

    def concerns(self, given: object) -> bool:
        if isinstance(given, list | tuple):
            return any(self.concerns(one) for one in cast("tuple[Any, ...]", given))
        if isinstance(given, str):
            return self.hides(given) or self._names.is_sealed(given)
        return any(
            isinstance(one, str) and self.concerns(one)
            for one in (getattr(given, "space", ""), getattr(given, "id", ""))
        )

    def error(self, error: Exception) -> Exception:
        """Another one with the same words, and nothing of what led to it."""
        if not isinstance(error, LobesError):
            return error
        told = type(error).__new__(type(error))  # whatever else it takes to be made
        vars(told).update(vars(error))
        told.message, told.hint = self.over(error.message), self.over(error.hint)
        told.args = (told.message,)
        return told


WHY = "The names and texts of private Spaces are hidden."
SHOW = "Open it in Spaces to show them."


def hidden() -> Conflict:
    return Conflict(WHY, hint=SHOW, reason=HIDDEN)


@dataclass(frozen=True, slots=True)
class Veiled:
    """What a screen is handed to be called; `plain` is what it stands for."""

    plain: Callable[..., Any]
    by: Veil

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.by.asked("", self.plain, *given, **named)


class Names:
    """What is hidden and what stands in its place, each way the same for the whole session.

    Every spelling has a place of its own, so that what is put back is what was there. Screens ask
    from several threads: each way holds the lock, for a new spelling is learnt on the way.
    """

    def __init__(self) -> None:
        self.ids: dict[str, str] = {}
        """Id of a private Space → the id in its place."""
        self.aliases: dict[str, str] = {}
        """The id in its place → the name in its place."""
        self._lock = Lock()
        self._sealed: dict[str, str] = {}
        """Id of what was seen to be in a private Space → the id of that."""
        self._numbers: dict[str, int] = {}
        """Id of every Space that was ever private → its number."""
        self._number: dict[str, int] = {}
        """Hidden word, in small letters → the number of its Space."""
        self._shown: dict[str, str] = {}
        self._meant: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        self._back: re.Pattern[str] | None = None

    def is_sealed(self, id: str) -> bool:
        return self._sealed.get(id, "") in self.ids

    def learn(self, rows: Sequence[SpaceRow]) -> None:
        """All Spaces as they are now."""
        taken = {one.id for one in rows}
        with self._lock:
            for row in rows:
                if row.id in self.ids and not row.is_private:
                    self._open(row.id)
            for row in rows:  # a word of one that was opened may be another one's as well
                if row.is_private:
                    self._hide(row, taken)
            longest = sorted(self._number, key=len, reverse=True)
            pattern = "|".join(map(_whole, longest))
            self._pattern = re.compile(pattern, re.IGNORECASE) if longest else None

    def _hide(self, row: SpaceRow, taken: set[str]) -> None:
        number = self._numbers.setdefault(row.id, len(self._numbers) + 1)
        if row.id not in self.ids:
            alias = f"private_{number}"
            while alias in taken:
                alias += "_x"
            self.aliases[alias] = f"{MARK} {number}"
            self.ids[row.id] = alias
            self._pair(row.id, alias)
            self._pair(row.name, self.aliases[alias])
        for word in (row.id, row.name, row.root, row.root.removeprefix("~")):
            if word:
                self._number.setdefault(word.casefold(), number)

    def _open(self, space: str) -> None:
        """It is private no more. What was handed out in its place is still put back."""
        del self.aliases[self.ids.pop(space)]
        gone = self._numbers[space]
        self._number = {word: number for word, number in self._number.items() if number != gone}

    def walk(self, value: Any, *, out: bool, handed: Veil) -> Any:
        """The value with every text in it turned; `handed` is by whom callables are called."""
        known: dict[str, str] = {}

        def turned(text: str) -> str:
            if text not in known:
                known[text] = self._out(text) if out else self._in(text)
            return known[text]

        def walked(one: Any) -> Any:
            if isinstance(one, str):
                return turned(one)
            if isinstance(one, tuple | list | set | frozenset):
                one = self._bare(one) if out else one
                parts = cast("tuple[Any, ...]", one)
                if hasattr(parts, "_fields"):
                    return type(parts)(*(walked(part) for part in parts))
                kind: type[Any] = type(parts)
                return kind(walked(part) for part in parts)
            if isinstance(one, Mapping):
                items = cast("Mapping[Any, Any]", one).items()
                return {walked(key): walked(part) for key, part in items}
            if isinstance(one, Veiled) or callable(one):
                return self._call(one, out=out, handed=handed)
            if is_dataclass(one) and not isinstance(one, type):
                one = self._bare(one) if out else one
                changed = {name: walked(part) for name, part in _values(one).items()}
                return replace(one, **changed)
            if isinstance(one, LobesError):
                return handed.error(one) if out else one
            return one if _is_leaf(one) or not out else _Part(one, handed)

        return walked(value)

    def _call(self, one: Any, *, out: bool, handed: Veil) -> Any:
        if isinstance(one, Veiled):
            return one if out else one.plain
        return Veiled(one, handed) if out else one

    def _bare(self, one: Any) -> Any:
        """A thing in a private Space: its place and its codes, and no other text."""
        if isinstance(one, Left):
            return one
        space = _space_of(one)
        from lobes.tui.values import Finding, NotRead  # not before the first frame

        if isinstance(one, Finding):
            about = self._out(one.text, whole=True)
            same = about == one.text
            return (
                one
                if same
                else replace(one, text=f"Something is to be said of {about}.", hint=SHOW)
            )
        if isinstance(one, NotRead):
            told = [self._out(each, whole=True) for each in one.examples]
            return replace(one, examples=tuple(told))
        alias = self.aliases.get(self.ids.get(space, ""))
        if alias is None:
            return one
        if isinstance(one, Outcome):
            return replace(one, text=f"Done in {alias}")
        if (id := getattr(one, "id", space)) != space:
            self._sealed[id] = space
        known = one._asdict() if hasattr(one, "_fields") else _values(one)
        gone = {
            name: _nothing(value, alias, name) for name, value in known.items() if name not in CODES
        }
        return one._replace(**gone) if hasattr(one, "_fields") else replace(one, **gone)

    def _out(self, text: str, *, whole: bool = False) -> str:
        """`whole`: of a text that names a private Space that name alone."""
        if not text:
            return text
        with self._lock:
            if self._pattern is None:
                return text
            if not whole:
                return self._pattern.sub(self._one, text)
            found = self._pattern.search(text)
            return f"{MARK} {self._numbered(found[0])}" if found else text

    def _one(self, match: re.Match[str]) -> str:
        word = match[0]
        if word not in self._shown:
            alias = f"{MARK} {self._numbered(word)}"
            count = sum(one.startswith(alias) for one in self._meant)
            self._pair(word, f"{alias} ({count})" if count else alias)
        return self._shown[word]

    def _numbered(self, word: str) -> int:
        """Of whatever the pattern found: a word, or a folder with what lies in it."""
        small = word.casefold()
        if small in self._number:
            return self._number[small]
        return self._number[max((one for one in self._number if small.startswith(one)), key=len)]

    def _pair(self, word: str, alias: str) -> None:
        """Two Spaces may be called the same: then each of their names is put back as that."""
        self._shown.setdefault(word, alias)
        self._meant[alias] = word
        self._back = None

    def _in(self, text: str) -> str:
        if not text or not self._meant or not _STANDS_IN.search(text):
            return text
        with self._lock:
            if self._back is None:
                longest = sorted(self._meant, key=len, reverse=True)
                self._back = re.compile("|".join(f"{re.escape(one)}(?![0-9])" for one in longest))
            return self._back.sub(lambda match: self._meant[match[0]], text)


def _whole(word: str) -> str:
    """The word where it is one; of a folder all that lies in it as well."""
    before = f"(?<!{MARK[0]} )" + (r"(?<![0-9A-Za-z_])" if re.match(r"[0-9A-Za-z_]", word) else "")
    after = r"(?![0-9A-Za-z_])" if re.search(r"[0-9A-Za-z_]$", word) else ""
    below = r"(?:/[^\n\"']*)?" if "/" in word else ""
    return before + re.escape(word) + after + below


def _values(one: Any) -> dict[str, Any]:
    """What it is made of; what follows from that, it finds by itself."""
    return {each.name: getattr(one, each.name) for each in fields(one) if each.init}


def _space_of(one: Any) -> str:
    """The id of the Space that this is, or is in; "" where it is in none."""
    from lobes.domain.ids import LobeAddress

    lobe = getattr(getattr(one, "row", one), "lobe", None)
    if isinstance(lobe, LobeAddress):
        return lobe.id if lobe.kind == "space" else ""
    is_space = hasattr(one, "root") and hasattr(one, "id")
    found = one.id if is_space else getattr(one, "space", "")
    return found if isinstance(found, str) else ""


_KINDS: tuple[type[Any], ...] = (tuple, list, dict)


def _nothing(value: Any, alias: str, name: str) -> Any:
    if isinstance(value, str):
        return alias if value and name in ("name", "title", "what", "statement") else ""
    return next((kind() for kind in _KINDS if isinstance(value, kind)), value)


def _is_leaf(one: object) -> bool:
    return one is None or not type(one).__module__.startswith("lobes.")


class _Part:
    """A part of the port, with methods of its own."""

    def __init__(self, part: Any, by: Veil) -> None:
        self._part = part
        self._by = by

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        return Veiled(found, self._by) if callable(found) else self._by.over(found)


class _Review(_Part):
    def alike(self, items: Any) -> Any:
        """Of what can be read."""
        seen = [one for one in items if not self._by.concerns(one)]
        return Veiled(self._part.alike, self._by)(seen)
