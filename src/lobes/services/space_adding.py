"""A folder becomes a Space: what it would mean is shown before anything is written.

Nothing in the folder is changed by adding it: where it has no `space.yaml`, what was proposed
lives in the store alone until the person writes one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from lobes.access.facts import HOME, Resource
from lobes.classify.masking import masked
from lobes.domain.errors import Conflict, Invalid, LobesError, Unavailable
from lobes.domain.ids import Slug, parse_slug
from lobes.domain.lobes import CrossSpace, LobeConfig
from lobes.domain.packs import SpaceYaml, propose
from lobes.domain.spaces import Space, SpaceKind
from lobes.services.authority import facts_for, record, require
from lobes.services.ingress import check_typed
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import Seen, seen_manifest
from lobes.store.files import SafeRoot, check_place, check_root
from lobes.store.found import Listing
from lobes.store.read_spaces import SpaceRow, space_rows
from lobes.store.roots import RootCheck
from lobes.store.templates import TEMPLATES, Template, render_pack


@dataclass(frozen=True, slots=True)
class FolderProposal:
    """What adding a folder would make. `overlaps` name Spaces whose folders it nests with: adding
    it needs a confirmation of exactly these."""

    folder: Path
    manifest: SpaceYaml
    manifest_hash: str
    has_manifest: bool
    files: int
    roles: tuple[tuple[str, str], ...]
    skipped: tuple[tuple[str, str], ...]
    overlaps: tuple[str, ...]
    warnings: tuple[str, ...]
    check: RootCheck
    answer: str
    """The reason by which whoever asked may add it."""


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What the person chose instead of what was proposed; None takes the proposal.

    `manifest_hash` is the hash of the `space.yaml` that was shown ("" where there was none); None
    where nothing was shown and it is taken as it is.
    """

    id: str | None = None
    kind: SpaceKind | None = None
    name: str | None = None
    is_private: bool = False
    cross_space: CrossSpace | None = None
    template: str | None = None
    confirmed_overlaps: tuple[str, ...] = ()
    manifest_hash: str | None = None


def propose_folder(
    lobes: Installation, caller: Caller, folder: Path, *, kind: SpaceKind | None = None
) -> FolderProposal:
    """Look at a folder without writing anything.

    Raises `Invalid` for a folder that can't be a root (the home itself, the whole disk, Lobes'
    own), `Unavailable` for one that isn't there or can't be read.
    """
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        rows = space_rows(store)
    answer = require(lobes, caller, "write_meta", HOME, facts=facts).reason
    check = check_root(folder, home_folders=our_folders(lobes, folder), others=_roots(rows))
    with SafeRoot.open(check.path) as root:
        listing = root.list()
        seen = seen_manifest(root)
    manifest = _manifest(check.path, listing, seen, kind)
    return FolderProposal(
        folder=check.path,
        manifest=manifest,
        manifest_hash=seen.content_hash if seen else "",
        has_manifest=seen is not None,
        files=len(listing.files),
        roles=tuple(sorted(manifest.roles.items())),
        skipped=tuple((one.path, one.reason) for one in listing.skipped),
        overlaps=tuple(one.space for one in check.overlaps),
        warnings=(*check.warnings, *manifest.warnings),
        check=check,
        answer=answer,
    )


def _roots(rows: Iterable[SpaceRow]) -> dict[str, Path]:
    return {row.id: Path(row.root) for row in rows if row.status != "deleted"}


def refuse_place(lobes: Installation, folder: Path) -> None:
    """Raise as `space_to_add` would of this folder, before it is made or anything is written."""
    with lobes.reading() as store:
        others = _roots(space_rows(store))
    ours = our_folders(lobes, folder)
    if folder.is_dir():
        overlaps = check_root(folder, home_folders=ours, others=others).overlaps
    else:
        overlaps = check_place(folder, home_folders=ours, others=others)
    refuse_overlap({one.space for one in overlaps})


def our_folders(lobes: Installation, folder: Path) -> tuple[Path, ...]:
    """Lobes' own folders are refused as roots; a folder in the one for its packs is not."""
    mine = lobes.folders
    if mine.spaces.resolve() in folder.resolve().parents:
        return ()
    return (mine.data, mine.state, mine.cache, mine.config, mine.spaces)


def _manifest(
    folder: Path, listing: Listing, seen: Seen | None, kind: SpaceKind | None
) -> SpaceYaml:
    if seen is not None:
        if seen.manifest is None:
            raise Invalid(f"space.yaml: {seen.fault}", hint="Mend it, then add the folder again.")
        return seen.manifest
    paths = [one.path for one in listing.files]
    return propose(paths, folder_name=folder.name, kind=kind).manifest


def add_space(
    lobes: Installation, caller: Caller, folder: Path, options: AddOptions = AddOptions()
) -> Space:
    """Make the folder a Space. Its `space.yaml`, as it was shown, counts as trusted.

    Raises `Conflict` (`exists`) where the id is taken, (`overlap`) where its folder nests with
    another Space's and that is not confirmed, (`changed`) where `space.yaml` isn't the one shown.
    """
    space, answer = space_to_add(lobes, caller, folder, options)
    with lobes.database().begin() as unit:
        unit.spaces.add(space)
        unit.commit()
    record_added(lobes, caller, space, answer=answer)
    return space


def space_to_add(
    lobes: Installation, caller: Caller, folder: Path, options: AddOptions = AddOptions()
) -> tuple[Space, str]:
    """What `add_space` makes, not stored yet, and by which reason; it raises the same."""
    proposal = propose_folder(lobes, caller, folder, kind=options.kind)
    if options.manifest_hash not in (None, proposal.manifest_hash):
        raise Conflict("space.yaml changed since you saw it.", hint="Look again.", reason="changed")
    refuse_overlap(set(proposal.overlaps) - set(options.confirmed_overlaps))
    return _space(lobes, proposal, options), proposal.answer


def refuse_overlap(unconfirmed: set[str]) -> None:
    """`Conflict` where a folder nests with Spaces whose overlap nobody confirmed."""
    if unconfirmed:
        names = ", ".join(sorted(unconfirmed))
        raise Conflict(
            f"This folder nests with the folder of {names}.",
            hint="Both would index the same files. Confirm it with --overlap.",
            reason="overlap",
        )


def new_space(
    lobes: Installation,
    caller: Caller,
    space_id: str,
    *,
    name: str | None = None,
    template: str = "project",
    folder: Path | None = None,
    confirms_overlap: bool = False,
) -> Space:
    """A Space with a pack to fill in, in a new or empty folder.

    Raises `Conflict` where the id is taken, the folder holds something already, or it nests with
    another Space's folder and that is not confirmed.
    """
    slug = parse_slug(space_id, what="Space")
    check_typed(name=name)
    chosen = TEMPLATES.get(template)
    if chosen is None:
        raise _no_template(template)
    with lobes.reading() as store:
        facts = facts_for(store, caller, trash=True)
    require(lobes, caller, "write_meta", HOME, facts=facts)
    if slug in facts.spaces:
        raise Conflict(
            "There is a Space with that id.", hint="Choose another one.", reason="exists"
        )
    target = folder or lobes.folders.spaces / slug
    pack = render_pack(chosen, space_id=slug, name=name or slug)
    nested = _made_pack(lobes, caller, target, pack, confirms_overlap=confirms_overlap)
    options = AddOptions(template=template, confirmed_overlaps=nested)
    return add_space(lobes, caller, target, options)


def _made_pack(
    lobes: Installation,
    caller: Caller,
    target: Path,
    pack: Mapping[str, str],
    *,
    confirms_overlap: bool,
) -> tuple[str, ...]:
    """Write the pack into an empty folder; the Spaces whose folders nest with it."""
    made = _empty_folder(target)
    try:
        nested = propose_folder(lobes, caller, target).overlaps
        if not confirms_overlap:
            refuse_overlap(set(nested))
        with SafeRoot.open(target) as root:
            for path, text in pack.items():
                root.write(path, text, expect_hash=None)
    except LobesError:
        for one in made:
            with suppress(OSError):
                one.rmdir()
        raise
    return nested


def _empty_folder(target: Path) -> list[Path]:
    """Make the folder where it isn't there; the folders made for it, the innermost first."""
    made = [one for one in (target, *target.parents) if not one.exists()]
    try:
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        occupied = any(target.iterdir())
    except OSError as error:
        raise Unavailable(
            "The folder can't be made there.",
            hint="Choose another one, or look at who may write there.",
            reason="read_only",
        ) from error
    if occupied:
        raise Conflict(
            "That folder holds something already.",
            hint="lobes space add takes a folder with files.",
            reason="exists",
        )
    return made


def _space(lobes: Installation, proposal: FolderProposal, options: AddOptions) -> Space:
    manifest = proposal.manifest
    chosen_kind = options.kind or manifest.kind
    if proposal.has_manifest and (options.id or manifest.id, chosen_kind) != (
        manifest.id,
        manifest.kind,
    ):
        raise Invalid(
            "space.yaml names another id or kind.",
            hint="Change it there: id and kind never change silently.",
            reason="kind_never_changes",
        )
    check_typed(name=options.name)
    manifest = replace(
        manifest,
        id=parse_slug(options.id or manifest.id, what="Space"),
        kind=chosen_kind,
        name=options.name or manifest.name,
    )
    template = _template(options, manifest.kind)
    default = template.cross_space or lobes.default_cross_space
    lobe = replace(
        template.lobe,
        is_private=options.is_private or template.lobe.is_private,
        cross_space=options.cross_space or default,
    )
    return _new(lobes, proposal, manifest, lobe)


def _new(
    lobes: Installation, proposal: FolderProposal, manifest: SpaceYaml, lobe: LobeConfig
) -> Space:
    now = lobes.clock()
    status = "archived" if manifest.status == "archived" else "active"
    return Space(
        id=Slug(manifest.id),
        kind=manifest.kind,
        name=masked(manifest.name),
        description=masked(manifest.description),
        status="finished" if manifest.status == "finished" else status,
        status_before=None,
        trashed_from=None,
        owner=lobes.owner,
        group=None,
        permission=None,
        root=str(proposal.folder),
        root_device=str(proposal.check.identity.device),
        root_inode=str(proposal.check.identity.inode),
        root_state="new",
        review_every_days=manifest.review_every_days,
        trusted=manifest,
        binding=manifest,
        trusted_hash=proposal.manifest_hash,
        seen_hash=proposal.manifest_hash,
        lobe=lobe,
        version=1,
        created=now,
        updated=now,
        trashed=None,
    )


def _template(options: AddOptions, kind: SpaceKind) -> Template:
    template = TEMPLATES.get(options.template or kind)
    if template is None or template.kind != kind:
        raise _no_template("a Project" if kind == "project" else "an Area")
    return template


def _no_template(wanted: str) -> Invalid:
    return Invalid(
        f"There is no such template for {wanted}.",
        hint=f"Templates: {', '.join(sorted(TEMPLATES))}.",
        reason="bad_template",
    )


def record_added(lobes: Installation, caller: Caller, space: Space, *, answer: str) -> None:
    resource = Resource("space", space.id)
    record(lobes, caller, "space.added", "write_meta", resource, answer=answer)
