"""The audit's rows as Activity shows them: names in place of ids, a sentence beside each code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lobes.domain.reasons import REASONS, sentence
from lobes.store.audit import AuditRow, Verdict
from lobes.tui.values import Activity, ActivityRow, Chain, Decided

DENIED = "access.denied"


def activity(
    rows: Iterable[AuditRow], total: int, *, me: str, names: Mapping[str, str]
) -> Activity:
    """`me` is how the audit writes the person who looks; `names` are Spaces by id."""
    return Activity(tuple(_row(one, me, names) for one in rows), total)


def _row(row: AuditRow, me: str, names: Mapping[str, str]) -> ActivityRow:
    what = [_name(one, names) for one in row.resources] or ["home"]
    more = f" +{len(what) - 1}" if len(what) > 1 else ""
    refused = row.event == DENIED
    asking = row.actor.partition("@")[2]
    known = row.answer in REASONS
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
    )


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


def chain(verdict: Verdict) -> Chain:
    return Chain(verdict.state, verdict.rows, verdict.seq, verdict.is_whole)
