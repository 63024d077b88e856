"""The form of Lobe as values: its rows, and the stored lobe beside the edited one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lobes.domain.lobes import LobeConfig, Subscription
from lobes.domain.permissions import Permission
from lobes.tui.access import subjects, touched
from lobes.tui.values import Effect, LobeView, Refusal, SourceRow


@dataclass(frozen=True, slots=True)
class FormRow:
    """A row of the form; without an id it is a heading, a column line or a blank.

    Ids: `private`, `never`, `spaces`, `tags`, `inherits`, `source:<address>`,
    `add:<subscription>`, `refusal:<address>`, `seen`, `group`, `named:<subject>`, `agents_may`,
    `agents_see`, `proposals`, `outside`.
    """

    id: str
    kind: str
    source: SourceRow | None = None
    refusal: Refusal | None = None
    added: Subscription | None = None
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Explained:
    """Why one Space does or doesn't draw on a lobe, with both names."""

    asking: str
    asked: str
    item: Refusal | SourceRow


@dataclass(frozen=True, slots=True)
class Draft:
    """What is stored, what is wanted of the lobe and of who sees its Space (`permission`: None
    where that is others' to decide), and what saving would do (None: not computed yet)."""

    view: LobeView
    config: LobeConfig
    permission: Permission | None = None
    effect: Effect | None = None

    @property
    def serving(self) -> int:
        """How many changes say who may draw on it."""
        old, new = self.view.config, self.config
        apart = set(old.excluded_from) ^ set(new.excluded_from)
        return (old.is_private != new.is_private) + len(apart)

    @property
    def drawing(self) -> int:
        """How many say what it draws on."""
        old, new = self.view.config, self.config
        inherits = old.inherit_categories != new.inherit_categories
        return (
            (old.cross_space != new.cross_space)
            + inherits
            + sum(
                len(set(one) ^ set(other))
                for one, other in (
                    (old.tags, new.tags),
                    (old.muted, new.muted),
                    (old.subscriptions, new.subscriptions),
                )
            )
        )

    @property
    def concerning(self) -> int:
        """How many say which persons and agents come in."""
        old, new, access = self.view.config, self.config, self.view.access
        people = touched(access.permission, self.permission) if access and self.permission else 0
        agents = (old.agent_preset != new.agent_preset) + (
            old.agents_see_confidential != new.agents_see_confidential
        )
        return people + agents

    @property
    def remembering(self) -> int:
        """How many say what waits before it is remembered or read."""
        old, new = self.view.config, self.config
        held = old.hold_external_changes != new.hold_external_changes
        return (old.write_policy != new.write_policy) + held

    @property
    def changes(self) -> int:
        """How many settings differ from what is stored."""
        return self.serving + self.drawing + self.concerning + self.remembering


_OWN = {"own", "personal"}
_NEVER, _INHERITS, _BLANK = (
    FormRow("never", "never"),
    FormRow("inherits", "inherits"),
    FormRow("", "blank"),
)
_PROPOSALS, _OUTSIDE = FormRow("proposals", "proposals"), FormRow("outside", "outside")


def rows(draft: Draft, *, narrow: bool = False) -> list[FormRow]:
    """All rows of the form, from top to bottom; `narrow` moves the rarer ones to the end."""
    top = [FormRow("", "serve"), FormRow("private", "private")]
    draw = [FormRow("", "draw"), FormRow("spaces", "spaces"), FormRow("tags", "tags")]
    if not narrow:
        top.append(_NEVER)
        draw.append(_INHERITS)
    out = [*top, _BLANK, *draw, _BLANK, FormRow("", "sources"), *_sources(draft)]
    refusals = draft.view.refusals
    if refusals:
        out += [_BLANK, FormRow("", "refusals")]
        out += [FormRow(f"refusal:{one.key}", "refusal", refusal=one) for one in refusals]
    out += [_BLANK, FormRow("", "people"), *_people(draft)]
    out += [_BLANK, FormRow("", "waits"), _PROPOSALS, _OUTSIDE]
    return [*out, _BLANK, _INHERITS, _NEVER] if narrow else out


def _sources(draft: Draft) -> Iterator[FormRow]:
    """What it draws on, then the sources that are no lobe themselves or bring none yet."""
    view = draft.view
    for one in view.sources:
        yield FormRow(f"source:{one.key}", "source", source=one)
    shown = {one.subscription for one in view.sources if not one.by}
    for source in dict.fromkeys((*view.config.subscriptions, *draft.config.subscriptions)):
        if f"{source.type}:{source.id}" not in shown:
            yield FormRow(f"add:{source.type}:{source.id}", "added", added=source)
    if {one.reason for one in view.sources} <= _OWN and not draft.config.subscriptions:
        yield FormRow("", "alone")


def _people(draft: Draft) -> Iterator[FormRow]:
    access = draft.view.access
    if access is None or draft.permission is None:
        yield FormRow("", "shut")
        return
    yield FormRow("seen", "seen")
    yield FormRow("group", "group")
    stored, wanted = subjects(access.permission), subjects(draft.permission)
    ordered = [one.subject for one in access.known if one.subject in stored]
    ordered += [one.subject for one in access.known if one.subject in wanted - stored]
    if not ordered:
        yield FormRow("", "no_one")
    for place, subject in enumerate(ordered):
        kind = "named" if place else "first_named"
        yield FormRow(f"named:{subject}", kind, subject=subject)
    yield FormRow("agents_may", "agents_may")
    yield FormRow("agents_see", "agents_see")


def section(cursor: str) -> str:
    """The kind of the heading that a row stands under: the one that is lit with the focus."""
    if cursor in ("private", "never"):
        return "serve"
    if cursor in ("seen", "group", "agents_may", "agents_see") or cursor.startswith("named:"):
        return "people"
    if cursor in ("proposals", "outside"):
        return "waits"
    return "refusals" if cursor.startswith("refusal:") else "draw"
