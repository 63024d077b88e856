"""The audit's rows as Activity shows them: names in place of ids, a sentence beside each code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from lobes.domain.actors import name_of
from lobes.domain.errors import Invalid
from lobes.domain.reasons import REASONS, sentence
from lobes.domain.since import parse_since
from lobes.services.audit_log import count_audit, list_audit, list_readers, verify_audit
from lobes.services.audit_words import seal_words, verdict_words
from lobes.services.installation import Caller, Installation
from lobes.services.notices import Notice, list_notices, mark_seen
from lobes.store.audit import AuditRow, Reader, Verdict, Wanted
from lobes.store.audit_query import FIELDS, Word
from lobes.tui.values import (
    Activity,
    ActivityRow,
    AskedRows,
    Chain,
    Decided,
    ReaderRow,
    Readers,
)

DENIED = "access.denied"
READER_DAYS = 7
MOST_NAMES = 50
"""Spaces whose name holds a word of the filter, that are looked for."""


@dataclass(frozen=True, slots=True)
class Record:
    """The record of one home; `names` gives the names of Spaces by their id."""

    lobes: Installation
    caller: Caller
    names: Callable[[], Mapping[str, str]]

    def page(self, asked: AskedRows) -> Activity:
        if asked.view == "notices":
            return self._notices(asked)
        names, me = self.names(), name_of(self.caller.actor)
        now = self.lobes.clock().astimezone()
        wanted = wanted_of(asked, me=me, names=names, now=now)
        rows, matched = list_audit(self.lobes, self.caller, wanted, limit=asked.limit)
        total = count_audit(self.lobes, self.caller) if asked.is_narrowed else matched
        return Activity(tuple(_row(one, me, names) for one in rows), total, matched)

    def _notices(self, asked: AskedRows) -> Activity:
        """What others did that concerns the person who looks. What was shown counts as seen."""
        before = asked.before.removeprefix(NOTICE)
        found = list_notices(self.lobes, self.caller, before=before, limit=asked.limit)
        words = asked.words.casefold().split()
        names = self.names()
        rows = [_notice(one, names) for one in found.items]
        kept = tuple(one for one in rows if all(word in _text(one) for word in words))
        if new := [one.id for one in found.items if not one.is_seen]:
            mark_seen(self.lobes, self.caller, new)
        return Activity(kept, found.total, len(kept) if words else found.total)

    def chain(self, *, asked: bool) -> Chain:
        """`asked`: the person wants to know now, so a locked secret store may be unlocked."""
        asking = "person" if asked else "once"
        verdict = verify_audit(self.lobes, self.caller, asking=asking)
        return chain(verdict, checked=self.lobes.clock())

    def readers(self, space: str) -> Readers:
        """`space` is an id, or empty."""
        names = self.names()
        me = name_of(self.caller.actor)
        since = self.lobes.clock() - timedelta(days=READER_DAYS)
        rows = list_readers(self.lobes, self.caller, Wanted(since=since))
        of = list_readers(self.lobes, self.caller, Wanted(space=space)) if space else ()
        return Readers(
            READER_DAYS,
            tuple(_reader(one, me, names) for one in rows),
            names.get(space, space),
            tuple(_reader(one, me, names) for one in of),
        )


NOTICE = "notice-"
_DENIED_WORDS = {"refused": True, "allowed": False}


def wanted_of(asked: AskedRows, *, me: str, names: Mapping[str, str], now: datetime) -> Wanted:
    """What the words of the filter mean: `who:` `verb:` `what:` `answer:` `by:` `since:`, and plain
    words for any of them. A time that isn't whole yet narrows nothing."""
    wanted = Wanted(before=int(asked.before) if asked.before else None)
    match asked.view:
        case "refused":
            wanted = replace(wanted, denied=True)
        case "reads":
            wanted = replace(wanted, reads=True, denied=False)
        case "changes":
            wanted = replace(wanted, reads=False, denied=False)
        case _:
            pass
    for word in asked.words.casefold().split():
        field, colon, value = word.partition(":")
        if colon and field == "since":
            with suppress(Invalid):
                wanted = replace(wanted, since=parse_since(value, now=now))
        elif field in ("answer", word) and (value or word) in _DENIED_WORDS:
            wanted = _narrowed(wanted, _DENIED_WORDS[value or word])
        else:
            known = bool(colon) and field in FIELDS
            text, of = (value, field) if known else (word, "")
            if of == "who" and text == "me":
                text = me
            addresses = [f"space/{id}" for id, name in names.items() if text in name.casefold()]
            found = Word(text, of, tuple(addresses[:MOST_NAMES]))
            wanted = replace(wanted, words=(*wanted.words, found))
    return wanted


def _narrowed(wanted: Wanted, denied: bool) -> Wanted:
    """Refusals among what was allowed are none: two that exclude each other leave no row."""
    if wanted.denied is not None and wanted.denied != denied:
        return replace(wanted, after=2**53)
    return replace(wanted, denied=denied)


def _row(row: AuditRow, me: str, names: Mapping[str, str]) -> ActivityRow:
    what = [_name(one, names) for one in row.resources] or ["home"]
    more = f" +{len(what) - 1}" if len(what) > 1 else ""
    refused = row.event == DENIED
    asking = row.actor.partition("@")[2]
    known = row.answer in REASONS
    first = row.resources[0] if row.resources else ""
    return ActivityRow(
        id=str(row.seq),
        at=row.at,
        who="me" if row.actor == me else _who(row.actor),
        actor=row.actor,
        verb=row.verb,
        what=f"{what[0]}{more}",
        answer=row.answer,
        refused=refused,
        by=row.channel,
        times=row.counts.get("repeated", 0) or 1,
        event=row.event,
        sentence=sentence(row.answer, a=names.get(asking, asking), b=what[0]) if known else "",
        request=row.correlation,
        counts=tuple(sorted(row.counts.items())),
        decisions=tuple(
            Decided(_name(lobe, names), reason, yes) for lobe, reason, yes in row.decisions
        ),
        space=first.removeprefix("space/") if first.startswith("space/") else "",
    )


def _notice(one: Notice, names: Mapping[str, str]) -> ActivityRow:
    return ActivityRow(
        id=f"{NOTICE}{one.id}",
        at=one.at,
        who=_who(one.who),
        actor=one.who,
        verb=one.event,
        what=_name(one.about, names) if one.about else "hidden now",
        answer="seen" if one.is_seen else "new",
        refused=False,
        by="",
        event=one.event,
        sentence=one.sentence,
        space=one.about.removeprefix("space/") if one.about.startswith("space/") else "",
        notice=True,
    )


def _text(row: ActivityRow) -> str:
    return " ".join((row.who, row.verb, row.what, row.answer, row.sentence)).casefold()


def _reader(one: Reader, me: str, names: Mapping[str, str]) -> ReaderRow:
    who = "me" if one.actor == me else _who(one.actor)
    return ReaderRow(who, one.reads, one.refused, _named(one.spaces, names))


def _named(ids: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(id, id) for id in ids)


def _who(actor: str) -> str:
    """`bob`, `reader` for an agent by its preset, `job editor` for background work."""
    kind, _, rest = actor.partition(":")
    if kind == "user":
        return rest
    preset = rest.partition("/")[2].partition("@")[0]
    return f"job {preset}" if kind == "job" else preset or actor


def _name(address: str, names: Mapping[str, str]) -> str:
    """`space/prj_x` → its name; any other address as it is."""
    kind, _, id = address.partition("/")
    return names.get(id, address) if kind == "space" else address


def chain(verdict: Verdict, *, checked: datetime) -> Chain:
    sentence, hint = verdict_words(verdict)
    told = () if verdict.is_whole else (sentence, hint)
    if verdict.is_whole and verdict.seal not in ("whole", "none"):
        told = (seal_words(verdict),)
    return Chain(
        verdict.state,
        verdict.rows,
        verdict.seq,
        verdict.is_whole,
        since=_moment(verdict.since),
        seal=verdict.seal,
        sealed=_moment(verdict.sealed_at),
        sealed_to=verdict.sealed_to,
        told=told,
        checked=checked,
    )


def _moment(text: str) -> datetime | None:
    """A time in the file is data too: whoever edits it may write anything there."""
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
