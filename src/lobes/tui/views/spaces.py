"""Spaces: the list with its groups, and the evidence of the one under the cursor."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rich.cells import cell_len

from lobes.tui import cells
from lobes.tui.paint import (
    BLANK,
    Line,
    Look,
    Span,
    fitted,
    flowed,
    heading,
    ink,
    labelled,
    muted,
    paragraph,
    spread,
    title,
    width_of,
)
from lobes.tui.previews import previewed
from lobes.tui.views import marks

if TYPE_CHECKING:
    from lobes.tui.values import Kind, PackRow, SpaceEvidence, SpaceRow, Tie

GROUPS: tuple[tuple[Kind, str], ...] = (
    ("project", "PROJECTS"),
    ("area", "AREAS"),
    ("guest", "SHARED WITH ME"),
)
NAME_MIN = 16


@dataclass(frozen=True, slots=True)
class ListRow:
    """A Space, or a group's heading, or the blank between groups (both without an id).

    `gone`: it was there a moment ago; nothing is shown of it but its name, struck.
    """

    id: str
    heading: str = ""
    first: bool = False
    space: SpaceRow | None = None
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """A Space that is not there any more, and the one (by id) that it stood before."""

    space: SpaceRow
    before: str


def gone(spaces: Sequence[SpaceRow], there: Collection[str]) -> dict[str, Gone]:
    """Those of `spaces` that are no longer `there`."""
    out: dict[str, Gone] = {}
    after = ""
    for one in reversed(spaces):
        if one.id in there:
            after = one.id
        else:
            out[one.id] = Gone(one, after)
    return out


def with_gone(spaces: Sequence[SpaceRow], gone: Mapping[str, Gone]) -> list[SpaceRow]:
    """`spaces` with those that are gone where they stood."""
    stood: dict[str, list[SpaceRow]] = {}
    for one in reversed(list(gone.values())):
        stood.setdefault(one.before, []).append(one.space)
    out: list[SpaceRow] = []
    for one in spaces:
        out += [*stood.pop(one.id, ()), one]
    return [*out, *(one for left in stood.values() for one in left)]


class Grouped:
    """The rows of the list: groups in their order, a blank between them. A row is made when its
    page is asked for, so that a filter of ten thousand Spaces makes two hundred."""

    def __init__(self, spaces: Iterable[SpaceRow], gone: Collection[str] = ()) -> None:
        members: dict[Kind, list[SpaceRow]] = {kind: [] for kind, _ in GROUPS}
        for one in spaces:
            members[one.kind].append(one)
        self._gone = gone
        self._lines: list[ListRow | SpaceRow] = []
        for kind, name in GROUPS:
            if members[kind]:
                first = not self._lines
                self._lines += () if first else (ListRow(""),)
                self._lines.append(ListRow("", heading=name, first=first))
                self._lines += members[kind]

    def count(self) -> int:
        return len(self._lines)

    def window(self, offset: int, limit: int) -> list[ListRow]:
        return [self._row(one) for one in self._lines[offset : offset + limit]]

    def find(self, id: str) -> int | None:
        places = (place for place, one in enumerate(self._lines) if one.id == id)
        return next(places, None) if id else None

    def _row(self, line: ListRow | SpaceRow) -> ListRow:
        if isinstance(line, ListRow):
            return line
        return ListRow(line.id, space=line, gone=line.id in self._gone)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Widths; 0 means the column is gone."""

    name: int
    lobe: int
    docs: int
    waiting: int
    changed: int
    note: int
    private_word: bool = True


def columns(width: int) -> _Columns:
    """Columns go in the order note, Changed, Docs, Waiting, then the Private word."""
    wants = [
        _Columns(0, 20, 6, 8, 9, 10),
        _Columns(0, 20, 6, 8, 9, 0),
        _Columns(0, 20, 6, 8, 0, 0),
        _Columns(0, 20, 0, 8, 0, 0),
        _Columns(0, 20, 0, 0, 0, 0),
        _Columns(0, 11, 0, 0, 0, 0, False),
    ]
    needs = [NAME_MIN + 2, 18, 16, 16, NAME_MIN, 0]
    for want, need in zip(wants, needs, strict=True):
        used = want.lobe + want.docs + want.waiting + want.changed + want.note
        if width - used >= need:
            return replace(want, name=width - used)
    return _Columns(width, 0, 0, 0, 0, 0, False)


def row(entry: ListRow, width: int, lit: bool, look: Look) -> list[Line]:
    at = columns(width)
    if entry.heading:
        return [_heading(entry, at, look)]
    if entry.space is None:
        return [BLANK]
    space = entry.space
    if entry.gone:
        struck = look.glyphs.of("memory", "deleted")
        words = muted(f"{struck} {space.name}  it is not here any more")
        return [(fitted(words, max(0, width - 1), look),)]
    colour = "accent" if lit else "muted"
    name = ink(space.name, bold=lit)
    spans: list[Span] = [
        marks.kind(space.kind, look, colour=colour),
        Span(" "),
        fitted(name, max(0, at.name - 3), look),
        Span(" "),
    ]
    if at.lobe:
        spans.extend(_lobe(space, at, look))
    if at.docs:
        spans.append(Span(cells.right(cells.count(space.documents), at.docs)))
    if at.waiting:
        spans.append(Span(cells.right(cells.count(space.waiting), at.waiting)))
    if at.changed:
        spans.append(_changed(space, at, look))
    if at.note:
        spans.extend(_note(space, at, look))
    return [tuple(spans)]


def _heading(entry: ListRow, at: _Columns, look: Look) -> Line:
    spans = [fitted(title(entry.heading), at.name, look)]
    if entry.first:
        for word, size, align in (
            ("Lobe", at.lobe, "left"),
            ("Docs", at.docs, "right"),
            ("Waiting", at.waiting, "right"),
            ("Changed", at.changed, "right"),
        ):
            if size:
                spans.append(fitted(title(word), size, look, align=align))
    return tuple(spans)


def _lobe(space: SpaceRow, at: _Columns, look: Look) -> list[Span]:
    spans = [marks.setting(space.setting, look)]
    if space.is_private:
        spans += [Span("  "), marks.private(look, word=at.private_word)]
    gap = at.lobe - width_of(spans)
    return [*spans, Span(" " * max(0, gap))]


def _changed(space: SpaceRow, at: _Columns, look: Look) -> Span:
    shown = look.age(space.changed)
    if space.stale and not at.note:
        return Span(
            cells.right(f"{look.glyphs.of('warning', 'stale')} {shown}", at.changed), "warning"
        )
    return Span(cells.right(shown, at.changed), "muted")


def _note(space: SpaceRow, at: _Columns, look: Look) -> list[Span]:
    if space.stale:
        word = f" {look.glyphs.of('warning', 'stale')} stale"
        return [Span(cells.fit(word, at.note), "warning")]
    return [fitted(muted(f" {space.note}"), at.note, look)]


def evidence(
    space: SpaceEvidence,
    width: int,
    focused: bool,
    look: Look,
    *,
    full: bool,
    preview: bool = True,
) -> list[Line]:
    """The pane: who it is, where it stands, both directions of its lobe, its pack, a preview.

    `full` gives the roomy form of the side-by-side layout.
    """
    lines = _who(space, width, focused, look)
    if not space.is_read:
        return lines
    if full:
        lines.append(BLANK)
    for label, text in (("Now", space.now), ("Next", space.next)):
        if text:
            lines.append(labelled(label, [ink(text)], width, look))
    if full and (space.now or space.next):
        lines.append(BLANK)
    lines.extend(_ties(space, width, look))
    lines.append(_roles(space, width, look, tokens=not full))
    if full:
        lines.extend(_pack(space.pack, width, look, focused=focused))
        lines.extend(_preview(space, width, look, focused=focused) if preview else [])
    return lines


def _who(space: SpaceEvidence, width: int, focused: bool, look: Look) -> list[Line]:
    """What the list knows of it too: its name and folder, what it is about, what is wrong."""
    root = cells.middle(ink(space.root).text, max(12, width // 2), mark=look.mark)
    lines: list[Line] = [heading([title(space.name)], [muted(root)], width, look, focused=focused)]
    lines.extend(paragraph(space.description, width, lines=3) if space.description else [])
    if space.problem:
        lines.extend(paragraph(space.problem, width, colour="warning"))
    if space.manifest_changed:
        key = f"  {look.key('trust')} shows the difference"
        lines.append((Span("space.yaml changed", "warning"), muted(key)))
    return lines


def above_file(space: SpaceEvidence, width: int, focused: bool, look: Look) -> list[Line]:
    """What stands above the file when all of it is read: the evidence, and the file's heading."""
    lines = evidence(space, width, focused, look, full=True, preview=False)
    return [*lines, *_preview_heading(space, width, look, focused=focused)]


def of_row(space: SpaceRow, look: Look, *, in_trash: bool = False) -> SpaceEvidence:
    """What the list knows of a Space: shown until its pack has been read; in the trash, all."""
    from lobes.tui.values import SpaceEvidence

    return SpaceEvidence(
        space.id,
        space.name,
        space.root,
        space.description,
        manifest_changed=space.manifest_changed,
        problem=f"It is in the trash. {look.key('archive')} brings it back." if in_trash else "",
        is_read=False,
        is_tied=in_trash,
    )


def _ties(space: SpaceEvidence, width: int, look: Look) -> list[Line]:
    if not space.is_tied:
        return [labelled(label, [], width, look) for label in ("Draws on", "Answers to")]
    named = [[marks.reason(tie.reason, look, _tie_word(tie))] for tie in space.draws_on]
    lines: list[Line] = []
    for place, flow in enumerate(flowed(named or [[muted("nothing")]], width - 11)):
        lines.append(labelled("Draws on" if not place else "", flow, width, look))
    names = ", ".join(space.answers_to) or "no other Space"
    answers = [ink(names)]
    lacking = ", ".join(space.not_answering)
    if lacking and cell_len(names) + cell_len(lacking) + 6 <= width - 11:
        answers += [Span("  "), muted(f"not {lacking}")]
    lines.append(labelled("Answers to", answers, width, look))
    return lines


def _tie_word(tie: Tie) -> str | None:
    """One's own lobe and the personal one are named by their code."""
    return None if tie.reason in ("own", "personal") else tie.name


def _roles(space: SpaceEvidence, width: int, look: Look, *, tokens: bool) -> Line:
    spans = [Span(f"{space.roles} of {space.roles_known} roles")]
    if space.missing:
        verb = "is" if len(space.missing) == 1 else "are"
        spans += [Span("  "), ink(f"{', '.join(space.missing)} {verb} missing", "warning")]
    total = sum(item.tokens for item in space.pack)
    if tokens and total:
        spans += [Span("  "), Span(f"{total:,} tokens", "muted")]
    return labelled("Pack", spans, width, look)


def _pack(pack: Sequence[PackRow], width: int, look: Look, *, focused: bool) -> list[Line]:
    if not pack:
        return []
    role, tokens, changed = 18, 7, 9
    path = max(8, width - role - tokens - changed - 1)
    head = "role".ljust(role) + "tokens".rjust(tokens) + "changed".rjust(changed)
    lines: list[Line] = [
        BLANK,
        heading([title("Pack")], [muted(head)], width, look, focused=focused),
    ]
    for item in pack:
        shown = cells.middle(ink(item.path).text, path, mark=look.mark)
        lines.append(
            (
                Span(cells.fit(shown, path) + " "),
                fitted(muted(item.role), role, look),
                Span(cells.right(cells.count(item.tokens), tokens)),
                Span(cells.right(look.age(item.changed), changed), "muted"),
            )
        )
    return lines


def _preview(space: SpaceEvidence, width: int, look: Look, *, focused: bool) -> list[Line]:
    if not space.preview:
        return []
    text = paragraph(cells.reflow(previewed(space.preview, look.key("open"))), width)
    return [*_preview_heading(space, width, look, focused=focused), *text]


def _preview_heading(space: SpaceEvidence, width: int, look: Look, *, focused: bool) -> list[Line]:
    age = [muted(look.age(space.preview_changed))]
    return [BLANK, heading([title(space.preview_path)], age, width, look, focused=focused)]


def context(
    spaces: Sequence[SpaceRow], view: str, *, brief: bool = False
) -> tuple[list[Span], list[Span]]:
    """Line 2: the screen's name, and how much there is."""
    documents = sum(space.documents for space in spaces)
    left = [Span("Spaces", bold=True)]
    if view != "active":
        left += [Span("  "), muted(view)]
    count = cells.plural(len(spaces), "Space")
    return left, [muted(count if brief else f"{count} · {documents:,} documents")]


def nothing(view: str, width: int, look: Look) -> list[Line]:
    """The empty list: what this is, why it is empty, the next key."""
    if view != "active":
        key = look.key("view")
        archived = f"Nothing is archived. {key} shows the trash."
        trash = f"The trash is empty. {key} shows the active Spaces."
        return [*paragraph(archived if view == "archived" else trash, width)]
    return [
        *paragraph(
            "No Spaces yet. A Space is a project or an area of your life with its own knowledge.",
            width,
        ),
        spread(
            [
                Span(look.key("add_folder"), "accent", bold=True),
                muted(" adds a folder, "),
                Span(look.key("new_space"), "accent", bold=True),
                muted(" starts one."),
            ],
            [],
            width,
            look,
        ),
    ]
