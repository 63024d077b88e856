"""`space …`: list, show, add, new, edit, trust, finish, archive, restore, trash, erase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import confirmed, items, show, shown, table, why_skipped
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, PLACE, TEXT
from lobes.domain.errors import Conflict
from lobes.domain.lobes import CROSS_SPACE, CROSS_SPACE_WORDS, CrossSpace
from lobes.domain.spaces import SpaceKind
from lobes.services.spaces import SpaceDetail, list_spaces, show_space
from lobes.services.waiting import waiting_in
from lobes.store.read_spaces import SpaceRow

if TYPE_CHECKING:
    from lobes.services.space_adding import AddOptions, FolderProposal

_HERE = "lobes.cli.space"
_SHOWN = 20
_CHANGES = "lobes.cli.space_changes"


@click.group(
    cls=LazyGroup,
    lazy={
        "list": (f"{_HERE}:list_", "The Spaces, Projects first."),
        "show": (f"{_HERE}:show_", "One Space: its pack, its roles, what it draws on."),
        "add": (f"{_HERE}:add", "Make a folder a Space; shows what that means first."),
        "new": (f"{_HERE}:new", "Start a Space from a template."),
        "edit": (f"{_CHANGES}:edit", "Change its name or description."),
        "trust": (f"{_CHANGES}:trust", "Let a changed space.yaml take effect."),
        "finish": (f"{_CHANGES}:finish", "A Project is done; it stays searchable."),
        "archive": (f"{_CHANGES}:archive", "Out of lists and sources until it is restored."),
        "restore": (f"{_CHANGES}:restore", "Back from the archive or the trash."),
        "trash": (f"{_CHANGES}:trash", "Into the trash; touches none of your files."),
        "export": (
            "lobes.cli.space_export:export",
            "A folder with all of it, to read and to move.",
        ),
        "import": ("lobes.cli.space_export:import_", "An exported Space, taken in again."),
        "erase": ("lobes.cli.erasing:erase_space", "Out of every file of Lobes, for good."),
    },
    help="List, add and change Spaces.",
)
def space() -> None:
    pass


@click.command()
@click.option("--all", "every", is_flag=True, help="Archived and trashed ones too.")
@global_options
def list_(session: Session, *, every: bool) -> None:
    """The Spaces that you may know, Projects first."""
    statuses = ("active", "finished", "archived", "deleted") if every else ("active", "finished")
    with session.opened() as (lobes, caller):
        rows = list_spaces(lobes, caller, statuses=statuses)
        waiting = waiting_in(lobes, caller)
    documents = [space_document(row, waiting) for row in rows]
    show(session, items(documents), lambda: _list_lines(rows, waiting))


def space_document(row: SpaceRow, waiting: Mapping[str, int]) -> dict[str, Any]:
    """A Space in the shape of the contract; `changed` is the newest file's time in seconds,
    `waiting` what waits for the caller, by the address of its lobe."""
    return {
        "id": row.id,
        "kind": row.kind,
        "name": row.name,
        "status": row.status,
        "owner": row.owner,
        "group": row.group,
        "lobe": {
            "is_private": row.is_private,
            "cross_space": row.cross_space,
            "tags": list(row.tags),
        },
        "documents": row.documents,
        "pending": _pending(row, waiting),
        "changed": row.changed / 1e9 if row.changed else None,
        "waits_for_trust": row.waits_for_trust,
    }


def _list_lines(rows: Iterable[SpaceRow], waiting: Mapping[str, int]) -> list[str]:
    words = CROSS_SPACE_WORDS
    return table(
        [
            (
                row.id,
                row.kind,
                row.name,
                words[row.cross_space] + (" Private" if row.is_private else ""),
                f"{row.documents:,}",
                _waits(row, waiting),
                "" if row.status == "active" else row.status,
            )
            for row in rows
        ]
    ) or ["No Spaces yet. lobes space add FOLDER makes one."]


def _waits(row: SpaceRow, waiting: Mapping[str, int]) -> str:
    count = _pending(row, waiting)
    return f"{count:,} waiting" if count else ""


def _pending(row: SpaceRow, waiting: Mapping[str, int]) -> int:
    return waiting.get(f"space/{row.id}", 0)


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@global_options
def show_(session: Session, *, named: str) -> None:
    """One Space: its pack, its roles, what it draws on."""
    with session.opened() as (lobes, caller):
        detail = show_space(lobes, caller, named)
        waiting = waiting_in(lobes, caller)
    document = {
        **space_document(detail.row, waiting),
        "description": detail.row.description,
        "root": detail.row.root,
        "root_state": detail.row.root_state,
        "group_known": detail.group_is_known,
        "pack": [
            {
                "id": one.id,
                "path": one.path,
                "role": one.role,
                "title": one.title,
                "tokens": one.tokens,
            }
            for one in detail.pack
        ],
        "missing_roles": list(detail.missing_roles),
        "skipped": [{"path": path, "reason": reason} for path, reason in detail.skipped],
        "draws_on": [
            {"lobe": one.lobe, "reason": one.reason, "weight": one.weight}
            for one in detail.lobe.sources
            if one.allowed
        ],
        "answers_to": list(detail.lobe.answers_to),
    }
    show(session, document, lambda: _show_lines(detail, _waits(detail.row, waiting)))


def _show_lines(detail: SpaceDetail, waits: str) -> Iterable[str]:
    row = detail.row
    yield f"{shown(row.name)}  {row.kind}  {shown(row.id)}  {shown(row.root)}"
    if row.description:
        yield shown(row.description)
    if row.group:
        yield f"In group    {shown(row.group)}" + (
            "" if detail.group_is_known else ", unknown group"
        )
    if waits:
        yield f"In review   {waits}"
    sources = [one for one in detail.lobe.sources if one.allowed]
    yield "Draws on    " + ", ".join(f"{one.reason} {shown(one.name)}" for one in sources)
    yield "Answers to  " + (", ".join(map(shown, detail.lobe.answers_to)) or "no one")
    yield from table([(one.path, one.role, f"{one.tokens:,}") for one in detail.pack])
    for path, reason in detail.skipped:
        yield f"skipped  {shown(path)}: {why_skipped(reason)}"


@click.command()
@click.argument("folder", type=PLACE)
@click.option("--id", "id_", type=TEXT, metavar="ID", help="Its id; made from its name otherwise.")
@click.option(
    "--kind", type=click.Choice(["project", "area"]), help="What it is; as its files say otherwise."
)
@click.option("--name", type=TEXT, help="Its name; as its files or its folder say otherwise.")
@click.option("--template", type=TEXT, metavar="NAME", help="project, area or sensitive-area.")
@click.option("--private", is_flag=True, help="No other Space may draw on it.")
@click.option(
    "--cross-space", type=click.Choice(CROSS_SPACE), help="How it draws on your other Spaces."
)
@click.option("--overlap", is_flag=True, help="Although its folder nests with another Space's.")
@global_options
def add(
    session: Session,
    *,
    folder: Path,
    id_: str | None,
    kind: str | None,
    name: str | None,
    template: str | None,
    private: bool,
    cross_space: str | None,
    overlap: bool,
) -> None:
    """Make FOLDER a Space. Shows what that means and asks; changes no file in it."""
    from lobes.services.space_adding import AddOptions, add_space, propose_folder

    with session.opened() as (lobes, caller):
        proposal = propose_folder(lobes, caller, folder, kind=cast("SpaceKind | None", kind))
        options = AddOptions(
            id=id_,
            kind=cast("SpaceKind | None", kind),
            name=name,
            is_private=private,
            cross_space=cast("CrossSpace | None", cross_space),
            template=template,
            confirmed_overlaps=proposal.overlaps if overlap else (),
            manifest_hash=proposal.manifest_hash,
        )
        document = _proposed(proposal, options)
        if not session.as_json:
            for line in _proposal_lines(document):
                click.echo(line)
        if not confirmed(session, "Add it?"):
            raise Conflict("Nothing was added.", hint="--yes adds it.", reason="not_confirmed")
        added = add_space(lobes, caller, folder, options)
    document.update(added=True, id=added.id)
    show(
        session, document, lambda: [f"Added {shown(added.name)}. lobes index {added.id} reads it."]
    )


def _proposed(proposal: FolderProposal, options: AddOptions) -> dict[str, Any]:
    manifest = proposal.manifest
    return {
        "folder": str(proposal.folder),
        "id": options.id or manifest.id,
        "kind": options.kind or manifest.kind,
        "name": options.name or manifest.name,
        "files": proposal.files,
        "has_manifest": proposal.has_manifest,
        "roles": dict(proposal.roles),
        "overlaps": list(proposal.overlaps),
        "warnings": list(proposal.warnings),
        "skipped": [{"path": path, "reason": why} for path, why in proposal.skipped],
        "added": False,
    }


def _proposal_lines(document: dict[str, Any]) -> Iterable[str]:
    yield f"{shown(document['name'])}  {document['kind']}  {shown(document['id'])}"
    yield f"  {shown(document['folder'])}, {document['files']:,} Markdown files"
    for role, path in document["roles"].items():
        yield f"  {role:<20}{shown(path)}"
    for one in document["skipped"][:_SHOWN]:
        yield f"  skipped {shown(one['path'])}: {why_skipped(one['reason'])}"
    if len(document["skipped"]) > _SHOWN:
        yield f"  and {len(document['skipped']) - _SHOWN:,} more; --json lists them"
    for one in document["overlaps"]:
        yield f"! nests with the folder of {shown(one)}"
    for one in document["warnings"]:
        yield f"! {shown(one)}"
    yield "Agents bound to it may read these files; other Spaces as its lobe says."


@click.command()
@click.argument("id_", type=TEXT, metavar="ID")
@click.option("--name", type=TEXT, help="Its name; the id otherwise.")
@click.option("--template", type=TEXT, default="project", help="project, area or sensitive-area.")
@click.option("--folder", type=PLACE, help="Where; in the home otherwise.")
@global_options
def new(
    session: Session, *, id_: str, name: str | None, template: str, folder: Path | None
) -> None:
    """Start a Space from a template, with a pack to fill in."""
    from lobes.services.space_adding import new_space

    with session.opened() as (lobes, caller):
        made = new_space(lobes, caller, id_, name=name, template=template, folder=folder)
    document = {"id": made.id, "kind": made.kind, "name": made.name, "root": made.root}
    show(session, document, lambda: [f"Made {shown(made.name)} in {shown(made.root)}."])
