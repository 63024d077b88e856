"""`lobe …`: list, show, set, subscribe, unsubscribe, explain; matrix is a module of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, cast

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import items, show, shown, table
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.domain.actors import PRESETS, Preset
from lobes.domain.errors import Invalid
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import (
    CROSS_SPACE,
    CROSS_SPACE_WORDS,
    CrossSpace,
    LobeConfig,
    parse_subscription,
)
from lobes.domain.memories import WRITE_POLICIES, WritePolicy
from lobes.domain.reasons import nobody
from lobes.services import lobe_changes
from lobes.services import lobes as lobe_services
from lobes.services.explaining import Explained
from lobes.services.explaining import explain as explain_lobes
from lobes.services.lobe_effects import Effect
from lobes.services.lobes import LobeRow, LobeView

_HERE = "lobes.cli.lobe"
_dry_run = click.option("--dry-run", is_flag=True, help="Only show the effect.")


@click.group(
    cls=LazyGroup,
    lazy={
        "list": (f"{_HERE}:list_", "Every lobe that you may know."),
        "show": (f"{_HERE}:show_", "One lobe: settings, sources, who draws on it."),
        "set": (f"{_HERE}:set_", "Change a lobe; --dry-run shows the effect."),
        "subscribe": (f"{_HERE}:subscribe", "Draw on a Space, tag, group or share explicitly."),
        "unsubscribe": (f"{_HERE}:unsubscribe", "End a subscription."),
        "explain": (f"{_HERE}:explain", "Why and why not, for every lobe or one."),
        "matrix": ("lobes.cli.matrix:matrix", "All Spaces against all Spaces, a code a cell."),
    },
    help="Which Spaces draw on which, and why.",
)
def lobe() -> None:
    pass


@click.command()
@global_options
def list_(session: Session) -> None:
    """Every lobe that you may know."""
    with session.opened() as (lobes, caller):
        rows = lobe_services.list_lobes(lobes, caller)
    show(
        session,
        items([asdict(row) for row in rows]),
        lambda: table([(row.address, row.name, row.state, _holds(row)) for row in rows]),
    )


def _holds(row: LobeRow) -> str:
    return f"{row.documents:,}" if row.space else f"{row.memories:,} memories"


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@global_options
def show_(session: Session, *, named: str) -> None:
    """One lobe: its settings, what it draws on, who draws on it."""
    with session.opened() as (lobes, caller):
        view = lobe_services.lobe_view(lobes, caller, named)
    document = {
        "space": view.space,
        "address": f"space/{view.space}",
        "effective_cross_space": view.cross_space,
        **config_document(view.config),
        "sources": [explained_document(one) for one in view.sources if one.allowed],
        "not_drawn_on": [explained_document(one) for one in view.sources if not one.allowed],
        "answers_to": list(view.answers_to),
    }
    show(session, document, lambda: _view_lines(view))


def config_document(config: LobeConfig) -> dict[str, Any]:
    """A lobe's config in the words of the contract."""
    return {
        "is_private": config.is_private,
        "cross_space": config.cross_space,
        "excluded_from": list(config.excluded_from),
        "excluded_since": {
            one: at.isoformat() for one in config.excluded_from if (at := config.apart_since(one))
        },
        "subscriptions": [
            {"type": one.type, "id": one.id, "label": one.label} for one in config.subscriptions
        ],
        "tags": list(config.tags),
        "muted": list(config.muted),
        "inherit_categories": (
            None if config.inherit_categories is None else list(config.inherit_categories)
        ),
        "agent_preset": config.agent_preset,
        "agents_see_confidential": config.agents_see_confidential,
        "write_policy": config.write_policy,
        "hold_external_changes": config.hold_external_changes,
    }


def explained_document(one: Explained) -> dict[str, Any]:
    return {
        "asking": one.asking,
        "lobe": one.lobe,
        "name": one.name,
        "allowed": one.allowed,
        "reason": one.reason,
        "sentence": one.sentence,
        "weight": round(one.weight, 4),
        "would_change": one.would_change,
    }


def _view_lines(view: LobeView) -> Iterable[str]:
    setting = CROSS_SPACE_WORDS[view.cross_space]
    yield f"{shown(view.name)}  My Spaces: {setting}  Private: " + (
        "On" if view.config.is_private else "Off"
    )
    yield from _never_lines(view)
    yield from _explained_lines(view.sources)
    yield "Answers to " + (", ".join(map(shown, view.answers_to)) or "no one")


def _never_lines(view: LobeView) -> Iterable[str]:
    names = {one.lobe: one.name for one in view.sources}
    for one in view.config.excluded_from:
        at = view.config.apart_since(one)
        since = f", since {at:%Y-%m-%d}" if at else ""
        yield f"Never with {shown(names.get(f'space/{one}', one))}, both ways{since}"


def _explained_lines(rows: Iterable[Explained]) -> list[str]:
    return table(
        [
            (one.lobe, one.reason, f"{one.weight:.2f}" if one.allowed else "–", one.sentence)
            for one in rows
        ]
    )


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@click.option("--private/--no-private", "private", default=None, help="No other Space draws on it.")
@click.option("--cross-space", type=click.Choice(CROSS_SPACE), help="Both directions.")
@click.option("--tag", type=TEXT, multiple=True, metavar="TAG", help="Carry this tag.")
@click.option("--untag", type=TEXT, multiple=True, metavar="TAG", help="Carry it no longer.")
@click.option("--exclude", type=TEXT, multiple=True, metavar="SPACE", help="Never with, both ways.")
@click.option("--no-exclude", type=TEXT, multiple=True, metavar="SPACE", help="Both ways again.")
@click.option("--mute", type=TEXT, multiple=True, metavar="LOBE", help="Draw on it no longer.")
@click.option("--unmute", type=TEXT, multiple=True, metavar="LOBE", help="Draw on it again.")
@click.option(
    "--agents-see-confidential/--no-agents-see-confidential",
    default=None,
    help="Whether agents get what is confidential.",
)
@click.option(
    "--inherit",
    type=TEXT,
    multiple=True,
    metavar="CATEGORY",
    help="Of your own lobe these categories alone; none; default.",
)
@click.option("--agent-preset", type=click.Choice(PRESETS), help="What agents may do at most.")
@click.option(
    "--write-policy", type=click.Choice(WRITE_POLICIES), help="Which memories wait for a person."
)
@click.option(
    "--hold/--no-hold",
    "hold",
    default=None,
    help="Whether what changes in its files outside of Lobes waits for review.",
)
@_dry_run
@global_options
def set_(
    session: Session,
    *,
    named: str,
    private: bool | None,
    cross_space: str | None,
    tag: tuple[str, ...],
    untag: tuple[str, ...],
    exclude: tuple[str, ...],
    no_exclude: tuple[str, ...],
    mute: tuple[str, ...],
    unmute: tuple[str, ...],
    agent_preset: str | None,
    agents_see_confidential: bool | None,
    inherit: tuple[str, ...],
    write_policy: str | None,
    hold: bool | None,
    dry_run: bool,
) -> None:
    """Change the lobe of SPACE. The effect is worked out by the same rules as after saving."""
    change = LobeChange(
        is_private=private,
        cross_space=cast("CrossSpace | None", cross_space),
        tag=tag,
        untag=untag,
        exclude=exclude,
        no_exclude=no_exclude,
        mute=tuple(_address(one) for one in mute),
        unmute=tuple(_address(one) for one in unmute),
        agent_preset=cast("Preset | None", agent_preset),
        agents_see_confidential=agents_see_confidential,
        write_policy=cast("WritePolicy | None", write_policy),
        hold_external_changes=hold,
        inherit=inherit,
    )
    if change.is_empty:
        raise Invalid("Nothing to change.", hint="See lobes lobe set --help.", reason="no_change")
    _change(session, named, change, dry_run=dry_run)


def _address(text: str) -> str:
    return text if "/" in text else f"space/{text}"


def _change(session: Session, space: str, change: LobeChange, *, dry_run: bool) -> None:
    with session.opened() as (lobes, caller):
        if dry_run:
            effect = lobe_changes.preview(lobes, caller, space, change)
        else:
            effect = lobe_changes.save(lobes, caller, space, change).effect
    document = {
        "gains": [asdict(one) for one in effect.gains],
        "loses": [asdict(one) for one in effect.loses],
        "changes": [
            {
                "space": one.space,
                "lobe": one.lobe,
                "before": one.before.reason,
                "after": one.after.reason,
                "weight": round(one.after.weight, 4),
            }
            for one in effect.changes
        ],
        "saved": not dry_run,
        **config_document(effect.config),
    }
    show(session, document, lambda: _effect_lines(effect, dry_run=dry_run))


def _effect_lines(effect: Effect, *, dry_run: bool) -> Iterable[str]:
    for one in effect.gains:
        yield f"+ {shown(one.space)} draws on {shown(one.lobe)}"
    for one in effect.loses:
        yield f"- {shown(one.space)} no longer draws on {shown(one.lobe)}"
    for shift in effect.changes:
        if shift.before.allowed and shift.after.allowed:
            weights = f"{shift.before.weight:.2f} → {shift.after.weight:.2f}"
            yield f"~ {shown(shift.space)} on {shown(shift.lobe)} {weights}"
        elif not shift.before.allowed and not shift.after.allowed:
            yield f"  {shown(shift.space)} on {shown(shift.lobe)}: {shown(shift.after.sentence)}"
    if not effect.gains:
        yield f"{nobody(is_whole=effect.is_whole).capitalize()} gains anything."
    yield "Nothing was changed." if dry_run else "Saved."


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@click.option(
    "--to",
    "source",
    type=TEXT,
    required=True,
    metavar="SOURCE",
    help="space:ID, tag:TAG, team:ID …",
)
@_dry_run
@global_options
def subscribe(session: Session, *, named: str, source: str, dry_run: bool) -> None:
    """Draw on a source explicitly, whatever My Spaces says; private still beats it."""
    change = LobeChange(subscribe=(parse_subscription(source),))
    _change(session, named, change, dry_run=dry_run)


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@click.option(
    "--to", "source", type=TEXT, required=True, metavar="SOURCE", help="What it was subscribed to."
)
@_dry_run
@global_options
def unsubscribe(session: Session, *, named: str, source: str, dry_run: bool) -> None:
    """End a subscription."""
    change = LobeChange(unsubscribe=(parse_subscription(source),))
    _change(session, named, change, dry_run=dry_run)


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@click.argument("target", type=NAME, required=False)
@global_options
def explain(session: Session, *, named: str, target: str | None) -> None:
    """Why SPACE draws on each lobe or not; with TARGET both directions."""
    with session.opened() as (lobes, caller):
        rows = explain_lobes(lobes, caller, named, target)
    show(
        session,
        items([explained_document(one) for one in rows]),
        lambda: _both_ways(rows) if target else _explained_lines(rows),
    )


def _both_ways(rows: Iterable[Explained]) -> Iterable[str]:
    for one in rows:
        weight = f"  × {one.weight:.2f}" if one.allowed else ""
        verb = "draws on" if one.allowed else "doesn't draw on"
        yield f"{shown(one.asking)} {verb} {shown(one.lobe)}: {one.reason}{weight}"
        yield f"  {shown(one.sentence)}"
        if one.would_change:
            yield f"  What would change it: {shown(one.would_change)}."
