"""`memory accept|edit|reject|reopen|merge|supersede|archive|restore|dispute|recheck`,
`memory move|promote` to another lobe, and `memory delete`, of some or of a scope."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import click

from lobes.cli.deciding import asked_for, readers_document, tell
from lobes.cli.memory_options import DATES, moment
from lobes.cli.output import confirmed, show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.domain.actors import person_of
from lobes.domain.errors import Conflict, Invalid
from lobes.domain.ids import LobeAddress, parse_address
from lobes.domain.reviewing import REJECTIONS, Decides
from lobes.services.decisions import Asked
from lobes.services.installation import Caller
from lobes.services.promoting import promotion
from lobes.services.reviewing import decide
from lobes.services.scoped_deletion import Counted, Scope, count_scope, delete_scope

_IDS = click.argument("ids", type=NAME, metavar="ID...", nargs=-1, required=True)
_SHOWN = click.option(
    "--shown", "shown_hash", type=TEXT, metavar="HASH", help="Exactly what was shown."
)
_CONFIRM = click.option(
    "--confirm",
    "confirms",
    is_flag=True,
    help="Although it is sensitive or holds something hidden.",
)


@click.command()
@_IDS
@_SHOWN
@_CONFIRM
@global_options
def accept(
    session: Session, *, ids: tuple[str, ...], shown_hash: str | None, confirms: bool
) -> None:
    """Let proposals be used; without --shown they are shown first. Of several, what needs a look
    is left."""
    with session.opened() as (lobes, caller):
        asked = asked_for(
            session,
            lobes,
            caller,
            ids,
            shown_hash=shown_hash,
            confirms=confirms,
            question="Accept it?" if len(ids) == 1 else f"Accept these {len(ids)}?",
        )
        decided = decide(lobes, caller, "accept", asked)
    tell(session, decided)


@click.command()
@click.argument("id", type=NAME, metavar="ID")
@click.option("--text", type=TEXT, default="", help="The new words.")
@click.option("--valid-from", type=click.DateTime(DATES), help="It holds from here on.")
@click.option("--valid-to", type=click.DateTime(DATES), help="Here it no longer holds.")
@_SHOWN
@_CONFIRM
@global_options
def edit(
    session: Session,
    *,
    id: str,
    text: str,
    valid_from: datetime | None,
    valid_to: datetime | None,
    shown_hash: str | None,
    confirms: bool,
) -> None:
    """Say it in other words or of another time: a new version; the old one is kept."""
    validity = (moment(valid_from), moment(valid_to)) if valid_from or valid_to else None
    with session.opened() as (lobes, caller):
        asked = asked_for(
            session,
            lobes,
            caller,
            (id,),
            shown_hash=shown_hash,
            confirms=confirms,
            question="Change it?",
        )
        decided = decide(lobes, caller, "edit", asked, text=text, validity=validity)
    tell(session, decided)


@click.command()
@_IDS
@click.option(
    "--reason",
    type=TEXT,
    default="",
    metavar="WHY",
    help=f"{', '.join(REJECTIONS)}, or words of your own.",
)
@global_options
def reject(session: Session, *, ids: tuple[str, ...], reason: str) -> None:
    """Not proposed again by itself for 180 days."""
    _simple(session, "reject", ids, reason=reason)


@click.command()
@_IDS
@global_options
def reopen(session: Session, *, ids: tuple[str, ...]) -> None:
    """What was rejected waits again."""
    _simple(session, "reopen", ids)


@click.command()
@_IDS
@global_options
def archive(session: Session, *, ids: tuple[str, ...]) -> None:
    """Kept, and out of use until it is restored."""
    _simple(session, "archive", ids)


@click.command()
@_IDS
@_CONFIRM
@global_options
def restore(session: Session, *, ids: tuple[str, ...], confirms: bool) -> None:
    """Back from the archive, and from nowhere else."""
    _simple(session, "restore", ids, confirms=confirms)


@click.command()
@_IDS
@global_options
def recheck(session: Session, *, ids: tuple[str, ...]) -> None:
    """It still holds; of a proposal: hold it against what there is now."""
    _simple(session, "recheck", ids)


def _simple(
    session: Session,
    act: Decides,
    ids: Sequence[str],
    *,
    reason: str = "",
    confirms: bool = False,
) -> None:
    with session.opened() as (lobes, caller):
        asked = [Asked(id, confirmed=confirms) for id in ids]
        decided = decide(lobes, caller, act, asked, reason=reason)
    tell(session, decided)


@click.command()
@click.argument("new", type=NAME, metavar="NEW")
@click.argument("old", type=NAME, metavar="[OLD]", required=False, default="")
@click.option(
    "--also", type=NAME, multiple=True, metavar="ID", help="Near copies of OLD that go with it."
)
@_SHOWN
@_CONFIRM
@global_options
def supersede(
    session: Session,
    *,
    new: str,
    old: str,
    also: tuple[str, ...],
    shown_hash: str | None,
    confirms: bool,
) -> None:
    """NEW holds and OLD is out of use, kept; by default what NEW says that it replaces."""
    with session.opened() as (lobes, caller):
        asked = asked_for(
            session,
            lobes,
            caller,
            (new,),
            shown_hash=shown_hash,
            confirms=confirms,
            question="Let it hold, and the other one be out of use?",
        )
        decided = decide(lobes, caller, "supersede", asked, target=old, also=also)
    tell(session, decided)


@click.command()
@click.argument("id", type=NAME, metavar="ID")
@click.argument("other", type=NAME, metavar="OTHER")
@click.option("--over", is_flag=True, help="The dispute is over, and both hold.")
@_SHOWN
@_CONFIRM
@global_options
def dispute(
    session: Session, *, id: str, other: str, over: bool, shown_hash: str | None, confirms: bool
) -> None:
    """Keep both; each is shown with the other, as contested."""
    with session.opened() as (lobes, caller):
        if over:
            decided = decide(lobes, caller, "settle", [Asked(id)], target=other)
        else:
            asked = asked_for(
                session,
                lobes,
                caller,
                (id,),
                shown_hash=shown_hash,
                confirms=confirms,
                question="Keep both, as contested?",
            )
            decided = decide(lobes, caller, "dispute", asked, target=other)
    tell(session, decided)


@click.command()
@_IDS
@click.option(
    "--into", "kept", type=NAME, required=True, metavar="ID", help="The one that is kept."
)
@click.option("--text", type=TEXT, default="", help="What the kept one says then.")
@global_options
def merge(session: Session, *, ids: tuple[str, ...], kept: str, text: str) -> None:
    """Fold them into one, which is kept."""
    with session.opened() as (lobes, caller):
        target, *asked = asked_for(
            session,
            lobes,
            caller,
            (kept, *ids),
            shown_hash=None,
            confirms=False,
            question="Fold them into the first one?",
        )
        decided = decide(lobes, caller, "merge", asked, target=target, text=text)
    tell(session, decided)


@click.command()
@_IDS
@click.option(
    "--to", "named", type=TEXT, required=True, metavar="LOBE", help="space/prj_a, personal/me, …"
)
@_SHOWN
@global_options
def move(session: Session, *, ids: tuple[str, ...], named: str, shown_hash: str | None) -> None:
    """What was proposed in the wrong lobe waits in another one, held against what that one has."""
    with session.opened() as (lobes, caller):
        asked = asked_for(
            session,
            lobes,
            caller,
            ids,
            shown_hash=shown_hash,
            confirms=False,
            question=f"Let it wait in {shown(named)}?",
        )
        decided = decide(lobes, caller, "move", asked, lobe=_address(caller, named))
    tell(session, decided)


def _address(caller: Caller, named: str) -> LobeAddress:
    own = f"personal/{person_of(caller.actor)}"
    return parse_address(own if named == "personal/me" else named)


@click.command()
@_IDS
@click.option(
    "--to", "named", type=TEXT, required=True, metavar="LOBE", help="personal/me, team/core, …"
)
@click.option("--dry-run", is_flag=True, help="Only show who could read them then.")
@global_options
def promote(session: Session, *, ids: tuple[str, ...], named: str, dry_run: bool) -> None:
    """Propose them where more may read them; shows who, first."""
    with session.opened() as (lobes, caller):
        address = _address(caller, named)
        looked = [promotion(lobes, caller, id, address) for id in ids]
        if not session.as_json:
            for one in looked:
                people = ", ".join(map(shown, one.new_people)) or (
                    "no person" if one.readers.is_whole else "nobody you know of"
                )
                spaces = ", ".join(map(shown, one.new_spaces)) or "no Space"
                said = shown(one.memory.statement, limit=70)
                click.echo(f"{said}\n  could then be read by: {people}; {spaces}", err=True)
        if dry_run:
            found = [readers_document(one.readers) for one in looked]
            show(session, {"promoted": False, "readers": found}, list)
            return
        if not confirmed(session, f"Propose it in {shown(named)}?"):
            raise _not_confirmed()
        hashes = [Asked(one.memory.id, one.shown) for one in looked]
        decided = decide(lobes, caller, "promote", hashes, lobe=address)
    tell(session, decided)


@click.command()
@click.argument("ids", type=NAME, metavar="[ID]...", nargs=-1)
@click.option(
    "--author",
    type=TEXT,
    metavar="WHO",
    help="Everything in --space by user, agent, import, share.",
)
@click.option(
    "--session", "session_id", type=NAME, metavar="ID", help="Everything in --space from there."
)
@click.option(
    "--source", type=TEXT, metavar="NAME", help="Everything in --space that came from there."
)
@click.option("--dry-run", is_flag=True, help="Only count.")
@global_options
def delete(
    session: Session,
    *,
    ids: tuple[str, ...],
    author: str | None,
    session_id: str | None,
    source: str | None,
    dry_run: bool,
) -> None:
    """Out of use for good; counts first. Its bytes are removed by memory erase."""
    scoped = author or session_id or source
    if bool(ids) == bool(scoped):
        raise Invalid(
            "Name memories, or a scope.",
            hint="ID..., or --space ID with --author, --session or --source.",
            reason="usage",
        )
    with session.opened() as (lobes, caller):
        counted = Counted(ids, ())
        if scoped:
            scope = Scope(
                session.needed_space(caller), author or "", session_id or "", source or ""
            )
            counted = count_scope(lobes, caller, scope)
        if dry_run or not counted.ids:
            show(session, _count_document(counted), lambda: [_count_line(counted)])
            return
        if not session.as_json:
            click.echo(_count_line(counted), err=True)
        if not confirmed(session, "Delete?"):
            raise _not_confirmed()
        decided = delete_scope(lobes, caller, counted)
    tell(session, decided)


def _count_document(counted: Counted) -> dict[str, object]:
    return {"deleted": False, "count": len(counted.ids), "statuses": dict(counted.statuses)}


def _count_line(counted: Counted) -> str:
    how = ", ".join(f"{count} {status}" for status, count in counted.statuses)
    return f"{len(counted.ids)} would go{': ' + how if how else ''}."


def _not_confirmed() -> Conflict:
    return Conflict("Nothing was decided.", hint="--yes does it.", reason="not_confirmed")
