"""Reading one import: candidates and what was left aside, in an order that is always the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lobes.domain.imports import Found, ImportSource, Skip, SourceKind
from lobes.imports.archives import Archive, Spoilt, archive
from lobes.imports.exports import ORDER, Export, part_of
from lobes.imports.folders import from_file, from_folder
from lobes.imports.gathering import Left, Raw, gather
from lobes.imports.limits import Limits, Progress, Stop, never, unseen
from lobes.imports.opening import Stopped, Watch, is_folder, opened, size_of, watched
from lobes.store.found import SKIP_REASONS

_EXPORTS: frozenset[SourceKind] = frozenset(
    {"chatgpt_export", "claude_export", "mcp_memory", "mem0"}
)


def read(
    path: Path,
    source: ImportSource,
    *,
    limits: Limits | None = None,
    stop: Stop = never,
    progress: Progress = unseen,
) -> Iterator[Found]:
    """What the path holds, read as that kind of source.

    Nothing is written anywhere. `stop` is asked at every read and every candidate; `progress` gets
    bytes done and bytes in all. A `Skip` whose `ends` is true means that the source is refused:
    what came before it is not to be proposed either. `Unavailable` where a folder can't be opened.
    """
    bounds = limits or Limits()
    watch = Watch(0, stop=stop, progress=progress)
    raws = _ending(path, _raws(path, source.kind, bounds, watch))
    yield from gather(raws, source.kind, limits=bounds, stop=stop)


def _ending(path: Path, raws: Iterator[Raw]) -> Iterator[Raw]:
    """The same, and at the end the reason why it ended early, if it did."""
    try:
        yield from raws
    except Stopped:
        yield Left(path.name, "", "stopped")
    except Spoilt as error:
        yield Left(path.name, "", error.reason)


def _raws(path: Path, kind: SourceKind, limits: Limits, watch: Watch) -> Iterator[Raw]:
    if kind not in _EXPORTS:
        reader = from_folder(path, kind, limits=limits, watch=watch) if is_folder(path) else None
        yield from reader or from_file(path, kind, watch=watch)
        return
    export = Export(kind, limits)
    if is_folder(path):
        for one in sorted(
            path.iterdir(), key=lambda one: (ORDER.index(part_of(one.name)), one.name)
        ):
            if part_of(one.name) not in ("", "account"):
                yield from _file(export, one, watch, is_named=False)
    else:
        yield from _file(export, path, watch, is_named=True)
    yield from export.rest()


def _file(export: Export, path: Path, watch: Watch, *, is_named: bool) -> Iterator[Raw]:
    stream = opened(path) if is_named or not path.is_symlink() else "link"
    if isinstance(stream, str):
        sentences: dict[str, str] = {str(key): text for key, text in SKIP_REASONS.items()}
        yield Left(path.name, "", stream, skip=Skip(path.name, stream, sentences[stream]))
        return
    with stream:
        size = size_of(stream)
        if size > export.limits.source_bytes:
            yield Left(path.name, "", "too_large")
            return
        if stream.peek(4)[:2] == b"PK":
            with archive(stream, limits=export.limits, watch=watch) as found:
                yield from _members(export, found, watch)
            return
        watch.total += size
        yield from export.file(watched(stream, watch), path.name, part_of(path.name))


def _members(export: Export, found: Archive | tuple[Skip, ...], watch: Watch) -> Iterator[Raw]:
    if not isinstance(found, Archive):
        yield from (Left(one.where, "", one.reason, skip=one) for one in found)
        return
    nested = frozenset(found.nested())
    wanted = sorted(found.names, key=lambda name: (ORDER.index(part_of(name)), name))
    watch.total += found.size_of(name for name in wanted if part_of(name))
    for name in wanted:
        part = part_of(name)
        if part in ("", "account"):
            reason = "nested_archive" if name in nested else "account" if part else "not_read"
            yield Left("", name, reason)
            continue
        with found.reading(name) as member:
            yield from export.file(member, name, part)
