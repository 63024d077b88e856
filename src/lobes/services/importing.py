"""Importing what other tools kept: read whole first, then proposed, never taken for true.

A person starts it. What came from the same source before is there already, also where a person has
since reworded, superseded or archived it, and what is kept from whoever imports isn't there; what
was rejected stays away as long as any rejected statement. An archive that can't be trusted gives
nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from lobes.access.facts import Resource
from lobes.classify.masking import masked
from lobes.domain.errors import Invalid
from lobes.domain.ids import LobeAddress
from lobes.domain.imports import SOURCES, Candidate, ImportSource, Skip, SourceKind, Unsupported
from lobes.domain.memories import Provenance, statement_hash
from lobes.domain.proposals import Origin, Proposal
from lobes.imports.reading import read
from lobes.imports.recognise import recognise
from lobes.services.authority import facts_of, require
from lobes.services.comparing import neighbourhood
from lobes.services.installation import Caller, Installation
from lobes.services.known_to import KnownTo
from lobes.services.proposing import Left, propose_many
from lobes.store.read_memories import known_refs

FIRST = 10
"""Candidates that a look ahead shows."""

Phase = Literal["reading", "proposing"]
Watch = Callable[[Phase, int, int], None]
"""Bytes while it reads, statements while it proposes: done, and in all."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did, or after a look ahead would do.

    `repeats` are there already, `suppressed` were rejected before. `source` is None for an archive
    that is refused unread: then `skipped` holds each reason. Where it `is_stopped`, what was
    proposed by then stays; a second run goes on from there. `first` has its secrets masked.
    """

    source: ImportSource | None
    proposed: int = 0
    repeats: int = 0
    suppressed: int = 0
    skipped: tuple[Skip, ...] = ()
    first: tuple[Candidate, ...] = ()
    is_refused: bool = False
    is_stopped: bool = False


def import_memories(
    lobes: Installation,
    caller: Caller,
    space: str,
    path: Path,
    *,
    kind: SourceKind | None = None,
    dry_run: bool = False,
    watch: Watch = lambda phase, done, total: None,
    stop: Callable[[], bool] = lambda: False,
) -> Imported:
    """Propose what the path holds in this Space; with `dry_run` only say what that would be.

    Asks for `propose`, of a person alone, before it touches the path. Raises `Invalid`
    (`unknown_format`, `unsupported`, …) for what can't be imported.
    """
    with lobes.reading() as store:
        facts = facts_of(store, caller, space)
        require(lobes, caller, "propose", Resource("space", space), facts=facts, human_only=True)
    source = ImportSource(kind, SOURCES[kind]) if kind else recognise(path)
    if isinstance(source, Unsupported):
        return _refused(source)
    found, skipped = _read(path, source, watch, stop)
    if any(one.ends for one in skipped):
        return Imported(source, skipped=skipped, is_refused=True)
    if any(one.reason == "stopped" for one in skipped):
        return Imported(source, skipped=skipped, is_stopped=True)
    fresh, repeats = _not_yet_here(lobes, caller, space, source, found)
    first = tuple(_shown(one) for one in fresh[:FIRST])
    outline = Imported(source, repeats=repeats, skipped=skipped, first=first)
    if dry_run:
        return replace(outline, proposed=len(fresh))
    return _proposed(lobes, caller, space, outline, fresh, watch, stop)


def _refused(found: Unsupported) -> Imported:
    if found.reasons:
        return Imported(None, skipped=found.reasons, is_refused=True)
    raise Invalid(found.sentence, hint=found.hint, reason=found.reason)


def _read(
    path: Path, source: ImportSource, watch: Watch, stop: Callable[[], bool]
) -> tuple[list[Candidate], tuple[Skip, ...]]:
    """Everything before anything is proposed: what ends an import may stand at its end."""
    candidates: list[Candidate] = []
    skipped: list[Skip] = []

    def progress(done: int, total: int) -> None:
        watch("reading", done, total)

    for one in read(path, source, stop=stop, progress=progress):
        if isinstance(one, Candidate):
            candidates.append(one)
        else:
            skipped.append(one)
    return candidates, tuple(skipped)


def _not_yet_here(
    lobes: Installation,
    caller: Caller,
    space: str,
    source: ImportSource,
    found: Sequence[Candidate],
) -> tuple[list[Candidate], int]:
    """The candidates that the lobe, as far as the caller may read it, doesn't hold, and how many
    it does."""
    lobe = LobeAddress("space", space)
    hashes = {one.external_id: statement_hash(one.statement) for one in found}
    with lobes.reading() as store:
        words = neighbourhood(lobes.folders.store)
        view = KnownTo(store, words, caller, facts_of(store, caller, space))
        came = known_refs(store, lobe, source.kind, hashes)
        known = set(view.readable(id for ids in came.values() for id in ids))
        same = view.same(lobe, hashes.values())
    refs = {ref for ref, ids in came.items() if not known.isdisjoint(ids)}
    said = {
        content_hash
        for content_hash, some in same.items()
        if any(status in ("active", "disputed", "proposed") for _, status in some)
    }
    fresh = [
        one for one in found if one.external_id not in refs and hashes[one.external_id] not in said
    ]
    return fresh, len(found) - len(fresh)


def _shown(one: Candidate) -> Candidate:
    """As anybody sees it before it is a proposal: secrets masked."""
    return replace(one, statement=masked(one.statement), subject=masked(one.subject))


def _proposed(
    lobes: Installation,
    caller: Caller,
    space: str,
    outline: Imported,
    fresh: Sequence[Candidate],
    watch: Watch,
    stop: Callable[[], bool],
) -> Imported:
    assert outline.source is not None
    wanted = [_proposal(one, outline.source) for one in fresh]
    total = len(wanted)
    done = propose_many(
        lobes,
        caller,
        space,
        wanted,
        watch=lambda count: watch("proposing", count, total),
        stop=stop,
    )
    refused = [
        Skip(one.source_ref, answer.reason, answer.message)
        for one, answer in zip(fresh, done, strict=False)
        if isinstance(answer, Left)
    ]
    outcomes = [answer.outcome for answer in done if not isinstance(answer, Left)]
    return replace(
        outline,
        proposed=outcomes.count("pending") + outcomes.count("active"),
        repeats=outline.repeats + outcomes.count("repeat"),
        suppressed=outcomes.count("suppressed"),
        skipped=(*outline.skipped, *refused),
        is_stopped=len(done) < total,
    )


def _proposal(one: Candidate, source: ImportSource) -> tuple[Proposal, Origin]:
    """Its place and its day in the source are its evidence."""
    day = f" ({one.created:%Y-%m-%d})" if one.created else ""
    proposal = Proposal(
        one.statement,
        kind=one.kind,
        memory_class=one.memory_class,
        subject=one.subject,
        evidence=(one.source_ref + day,),
    )
    came = Provenance(
        source=source.kind, ref=one.external_id, is_external=one.derived_from_external
    )
    return proposal, Origin("import", came)
