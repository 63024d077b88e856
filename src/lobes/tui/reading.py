"""From what the services answer to what the screens show. Words and shapes only; no decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lobes.domain.front_matter import front_matter
from lobes.domain.lobe_change import LobeChange
from lobes.domain.packs import ROLES
from lobes.domain.relevance import HALF_LIFE
from lobes.domain.space_yaml import kind_of
from lobes.domain.spaces import is_stale
from lobes.tui.values import (
    After,
    Answer,
    Cell,
    Change,
    Effect,
    Finding,
    Found,
    Grid,
    Hit,
    LobeView,
    Looked,
    NotRead,
    PackRow,
    Place,
    Proposed,
    Refusal,
    Setting,
    SourceRow,
    SpaceEvidence,
    SpaceRow,
    Tie,
    Ties,
    Withheld,
)
from lobes.tui.views.chrome import IndexState
from lobes.tui.views.saving import ASKS, NOW

if TYPE_CHECKING:
    from lobes.domain.lobes import LobeConfig
    from lobes.engine.protocol import EngineStatus
    from lobes.services.doctor import Finding as StoredFinding
    from lobes.services.explaining import Explained
    from lobes.services.finding import Named
    from lobes.services.hits import Recalled
    from lobes.services.lobe_effects import Effect as StoredEffect
    from lobes.services.lobes import LobeView as StoredLobe
    from lobes.services.lobes import Ties as StoredTies
    from lobes.services.matrix import Matrix
    from lobes.services.search import Answer as FoundAnswer
    from lobes.services.search import Hit as FoundHit
    from lobes.services.skipped import SkippedFiles
    from lobes.services.space_adding import FolderProposal
    from lobes.services.spaces import PackText, SpacePack
    from lobes.store.read_spaces import SpaceRow as StoredRow
    from lobes.tui.access import Access

_SETTINGS: Mapping[str, Setting] = {"open": "open", "ask": "ask", "deny": "closed"}


def space_row(row: StoredRow, now: datetime, *, waiting: int = 0) -> SpaceRow:
    """A Space in the list, and how many proposals wait there."""
    changed = moment(row.changed)
    return SpaceRow(
        id=row.id,
        kind=kind_of(row.kind),
        name=row.name,
        setting=_SETTINGS.get(row.cross_space, "closed"),
        is_private=row.is_private,
        documents=row.documents,
        waiting=waiting,
        changed=changed,
        stale=is_stale(changed=changed, every_days=row.review_every_days, now=now),
        note="folder not there" if row.root_state not in ("ok", "new") else "",
        manifest_changed=row.waits_for_trust,
        root=short_path(row.root),
        description=row.description,
        tags=row.tags,
    )


def hit(found: Named) -> Hit:
    return Hit(found.space, found.name, kind_of(found.kind), found.path, found.title)


def moment(nanoseconds: int) -> datetime | None:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC) if nanoseconds else None


def short_path(path: str) -> str:
    """With `~` for the person's home folder."""
    home = str(Path.home())
    return f"~{path.removeprefix(home)}" if path == home or path.startswith(f"{home}/") else path


NAMES_SHOWN = 40
"""Names of Spaces in one line of the evidence: more never fit."""


def ties(found: StoredTies) -> Ties:
    return Ties(
        tuple(Tie(name, reason) for name, reason in found.draws_on[:NAMES_SHOWN]),
        found.answers_to[:NAMES_SHOWN],
        found.not_answering[:NAMES_SHOWN],
    )


def evidence(detail: SpacePack, state: PackText | None, problem: str) -> SpaceEvidence:
    row = detail.row
    text = without_front_matter(state.text) if state else ""
    roles = {one.role for one in detail.pack if one.role}
    known = list(roles_of(row.kind))
    with_role = sorted(
        (one for one in detail.pack if one.role),
        key=lambda one: (known.index(one.role) if one.role in known else len(known), one.path),
    )
    changed = next((one.changed for one in detail.pack if state and one.path == state.path), 0)
    return SpaceEvidence(
        id=row.id,
        name=row.name,
        root=short_path(row.root),
        description=row.description,
        now=said_under(text, "now"),
        next=said_under(text, "next"),
        roles=len(roles),
        roles_known=len(roles | set(detail.missing_roles)),
        missing=detail.missing_roles,
        pack=tuple(
            PackRow(one.path, one.role, one.tokens, moment(one.changed)) for one in with_role
        ),
        preview_path=state.path if state else "",
        preview=text,
        preview_changed=moment(changed),
        problem=f"{problem} What is indexed stays." if problem else "",
        manifest_changed=row.waits_for_trust,
        is_tied=False,
    )


def roles_of(kind: str) -> tuple[str, ...]:
    """The roles of a kind in the order of the pack's format."""
    return ROLES[kind_of(kind)]


def without_front_matter(text: str) -> str:
    """The text below a YAML head; all of it where there is none."""
    lines = text.split("\n")
    end = front_matter(lines)
    return "\n".join(lines[end:]).lstrip("\n") if end else text


def said_under(text: str, heading: str) -> str:
    """The first paragraph under a Markdown heading of that name, on one line."""
    inside = False
    words: list[str] = []
    for line in text.split("\n"):
        if line.startswith("#"):
            if words:
                break
            inside = line.lstrip("#").strip().casefold() == heading
        elif inside and line.startswith("|"):
            break  # a table is no sentence
        elif inside and line.strip():
            words.append(line.strip())
        elif words:
            break
    return " ".join(words)


def found(answer: FoundAnswer, question: str, names: Mapping[str, str]) -> Found:
    return Found(
        question=question,
        answers=tuple(_answer(hit, names) for hit in answer.items),
        withheld=tuple(
            Withheld(one.name, one.reason, one.sentence, lobe=one.lobe) for one in answer.withheld
        ),
        degraded=tuple(answer.degraded),
        lobes=len(answer.drawn_on),
        took_ms=round(answer.took_ms),
        words_found=answer.words_found,
        meaning_found=answer.meaning_found,
    )


def _answer(hit: FoundHit, names: Mapping[str, str]) -> Answer:
    return Answer(
        id=hit.id,
        score=hit.score,
        title=hit.heading or hit.title or hit.path,
        reason=hit.reason,
        sentence=hit.sentence,
        weight=hit.weight,
        lobe=names.get(hit.space, hit.name),
        path=hit.path,
        text=hit.text,
        meaning=hit.meaning,
        words=hit.words,
        sensitivity=hit.sensitivity,
        detectors=hit.detectors,
        is_masked=hit.is_masked,
        space=hit.space,
        document=hit.document,
        first_line=hit.first_line,
        last_line=hit.last_line,
        changed=hit.memory.confirmed if hit.memory else None,
        stale=hit.memory is not None and hit.memory.is_stale,
        outside=hit.is_from_outside,
        contested=hit.memory is not None and hit.memory.is_contested,
        memory=_of_a_memory(hit.memory) if hit.memory else None,
    )


def _of_a_memory(memory: Recalled) -> tuple[tuple[str, str], ...]:
    what = f"{memory.kind.replace('_', ' ')}, {memory.epistemic.replace('_', ' ')}"
    rows = [("Kind", what), ("Author", memory.author)]
    if memory.is_contested:
        rows.append(("Contested", "the other side stands beside it"))
    if memory.valid_to is not None:
        rows.append(("Valid to", f"{memory.valid_to.astimezone():%Y-%m-%d}"))
    rows.append(("Evidence", f"× {memory.evidence:.2f}"))
    half = HALF_LIFE[memory.kind]
    rows.append(("Freshness", f"half-life {half} d  × {memory.freshness:.2f}"))
    return tuple(rows)


AROUND = 6
"""Lines of the file shown before and after a passage."""


def place(answer: Answer, text: str | None, problem: str = "") -> Place:
    """The passage among the lines of its file; its own lines where the file is another by now."""
    own = tuple(answer.text.split("\n"))
    lines = text.splitlines() if text is not None else []
    first, last = answer.first_line, answer.last_line
    inside = lines[first - 1 : last] if 0 < first <= last else []
    start = next((one.strip() for one in own if one.strip()), "")
    if not any(start in one or one.strip() in start for one in inside if one.strip()):
        changed = "It changed since it was indexed: these are the lines that were found."
        end = first + len(own) - 1
        return Place(answer.path, own, first, (first, end), problem or changed)
    begin, end = max(1, first - AROUND), min(len(lines), last + AROUND)
    return Place(answer.path, tuple(lines[begin - 1 : end]), begin, (first, last))


def place_of_memory(answer: Answer) -> Place:
    """A memory stands in no file: all of it, which is the text that was found."""
    own = tuple(answer.text.split("\n"))
    return Place(answer.where, own, 1, (1, len(own)))


def lobe(
    view: StoredLobe,
    names: Mapping[str, str],
    put_away: Mapping[str, str],
    *,
    access: Access | None = None,
) -> LobeView:
    subscriptions = {f"{one.type}:{one.id}" for one in view.config.subscriptions}
    return LobeView(
        space=view.space,
        name=view.name,
        kind=kind_of(view.kind),
        config=view.config,
        version=view.version,
        sources=tuple(_source(one, subscriptions) for one in view.sources if one.allowed),
        refusals=tuple(
            Refusal(one.lobe, one.name, one.reason, one.sentence, one.would_change)
            for one in view.sources
            if not one.allowed
        ),
        readers=tuple(names.get(one, one) for one in view.answers_to),
        manifest_says=_SETTINGS[view.manifest_says] if view.manifest_says else None,
        names=dict(names),
        is_archived=view.status == "archived",
        put_away=put_away,
        access=access,
    )


def _source(one: Explained, subscriptions: Iterable[str]) -> SourceRow:
    by_space = one.lobe.replace("/", ":", 1)
    by_tag = f"tag:{one.by.removeprefix('#')}" if one.by.startswith("#") else ""
    by_group = one.by.replace("/", ":", 1) if "/" in one.by else ""
    names = [by_space] if one.reason != "member" else []
    own = next((name for name in (*names, by_tag, by_group) if name in subscriptions), "")
    by = one.by if by_tag or by_group else ""
    return SourceRow(one.lobe, one.name, one.reason, one.weight, one.sentence, own, by)


def grid(found: Matrix) -> Grid:
    """The matrix; a cell is put into words when it is looked at."""

    def told(row: int, column: int) -> Cell:
        one = found.explained(row, column)
        return Cell(one.reason, one.sentence, one.weight, one.would_change)

    return Grid(
        rows=tuple((one.id, one.name) for one in found.rows),
        columns=tuple((one.id, one.name) for one in found.columns),
        codes=tuple(tuple(one.reason for one in row) for row in found.cells),
        told=told,
        all_rows=found.all_rows,
        all_columns=found.all_columns,
    )


def effect(stored: StoredEffect, view: LobeView) -> Effect:
    """The resolver's two states as lines: gains, losses, and what counts more or less."""
    here = f"space/{view.space}"
    becomes = {one.lobe: one for one in stored.after}
    others_gain = [view.names.get(p.space, p.space) for p in stored.gains if p.lobe == here]
    others_lose = [view.names.get(p.space, p.space) for p in stored.loses if p.lobe == here]
    gained = [becomes[p.lobe] for p in stored.gains if p.space == view.space]
    lost = [becomes[p.lobe] for p in stored.loses if p.space == view.space]
    changes = [
        *(Change("gain", name, f"draws on {view.name}") for name in others_gain),
        *(Change("gain", one.name, f"{NOW}{one.reason}") for one in gained),
        *(Change("loss", name, f"no longer draws on {view.name}") for name in others_lose),
        *(Change("loss", one.name, _lost(one)) for one in lost),
        *(
            _shift(s.before, s.after)
            for s in stored.changes
            if s.space == view.space and s.before.allowed and s.after.allowed
        ),
    ]
    readers = [name for name in view.readers if name not in others_lose]
    return Effect(
        before=stored.draws_before,
        after=stored.draws_after,
        changes=tuple(changes),
        gaining=tuple(others_gain),
        gained=tuple(one.name for one in gained),
        readers=(*readers, *others_gain),
        sources={
            one.lobe: After(one.weight if one.allowed else None, one.reason, one.by)
            for one in stored.after
        },
        is_whole=stored.is_whole,
    )


def _lost(one: Explained) -> str:
    return ASKS if one.reason == "ask" else one.reason.replace("_", " ")


def _shift(before: Explained, after: Explained) -> Change:
    kind = "weaker" if after.weight < before.weight else "stronger"
    through = f"through {after.by}" if after.by.startswith("#") else after.reason
    return Change(kind, after.name, f"{before.weight:.2f} → {after.weight:.2f}, now {through}")


def proposed(proposal: FolderProposal, names: Mapping[str, str]) -> Proposed:
    nested = [names.get(one, one) for one in proposal.overlaps]
    overlap = [f"It nests with the folder of {', '.join(nested)}: both would hold the same files."]
    return Proposed(
        folder=str(proposal.folder),
        name=proposal.manifest.name,
        id=proposal.manifest.id,
        kind=proposal.manifest.kind,
        roles=tuple((path, role) for role, path in proposal.roles),
        ignored=tuple((path, reason.replace("_", " ")) for path, reason in proposal.skipped[:12]),
        warnings=(*(overlap if nested else []), *proposal.warnings),
        overlaps=proposal.overlaps,
        manifest_hash=proposal.manifest_hash,
    )


def index_state(status: EngineStatus) -> IndexState:
    """An engine that isn't running is no news: a search starts it."""
    if status.state in ("off", "loading", "draining"):
        return IndexState()
    if status.state == "failed":
        return IndexState("off")
    if status.state == "rebuilding":
        return IndexState("rebuilding", status.words_done, status.words_total)
    if status.words_done < status.words_total:
        return IndexState("words", status.words_done, status.words_total)
    return IndexState("ready", status.vectors_done, status.vectors_total, status.rate)


def looked(findings: Iterable[StoredFinding], skipped: Iterable[SkippedFiles]) -> Looked:
    """What the doctor found: problems before notes."""
    found = [Finding(one.text, one.hint, one.level == "note") for one in findings]
    return Looked(
        tuple(sorted(found, key=lambda one: one.note)),
        tuple(
            NotRead(
                one.sentence, one.count, tuple(f"{space}  {path}" for space, path in one.examples)
            )
            for one in skipped
        ),
    )


def change_of(old: LobeConfig, new: LobeConfig) -> LobeChange:
    """What leads from one config to the other, in the words that the services take."""

    def both(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        added = tuple(item for item in other if item not in one)
        return added, tuple(item for item in one if item not in other)

    tag, untag = both(old.tags, new.tags)
    exclude, no_exclude = both(old.excluded_from, new.excluded_from)
    mute, unmute = both(old.muted, new.muted)
    return LobeChange(
        is_private=new.is_private if new.is_private != old.is_private else None,
        cross_space=new.cross_space if new.cross_space != old.cross_space else None,
        tag=tag,
        untag=untag,
        exclude=exclude,
        no_exclude=no_exclude,
        mute=mute,
        unmute=unmute,
        subscribe=tuple(s for s in new.subscriptions if s not in old.subscriptions),
        unsubscribe=tuple(s for s in old.subscriptions if s not in new.subscriptions),
        agent_preset=new.agent_preset if new.agent_preset != old.agent_preset else None,
        agents_see_confidential=new.agents_see_confidential
        if new.agents_see_confidential != old.agents_see_confidential
        else None,
        inherit=inherit_words(new) if new.inherit_categories != old.inherit_categories else (),
        write_policy=new.write_policy if new.write_policy != old.write_policy else None,
        hold_external_changes=new.hold_external_changes
        if new.hold_external_changes != old.hold_external_changes
        else None,
    )


def inherit_words(config: LobeConfig) -> tuple[str, ...]:
    """The categories as they are typed: they themselves, `none` or `default`."""
    categories = config.inherit_categories
    return ("default",) if categories is None else categories or ("none",)
