"""A change of a lobe's config, as the CLI's options and the Lobe screen's draft both say it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from lobes.domain.actors import Preset
from lobes.domain.errors import Invalid
from lobes.domain.ids import parse_address, parse_slug
from lobes.domain.lobes import CrossSpace, LobeConfig, Subscription
from lobes.domain.memories import WritePolicy

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class LobeChange:
    """None and () leave a setting as it is."""

    is_private: bool | None = None
    cross_space: CrossSpace | None = None
    tag: tuple[str, ...] = ()
    untag: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    no_exclude: tuple[str, ...] = ()
    mute: tuple[str, ...] = ()
    unmute: tuple[str, ...] = ()
    subscribe: tuple[Subscription, ...] = ()
    unsubscribe: tuple[Subscription, ...] = ()
    agent_preset: Preset | None = None
    agents_see_confidential: bool | None = None
    write_policy: WritePolicy | None = None
    hold_external_changes: bool | None = None
    inherit: tuple[str, ...] = ()
    """The categories of the own personal lobe from now on; `none` or `default` stand alone."""

    @property
    def is_empty(self) -> bool:
        return self == LobeChange()


def changed(
    config: LobeConfig, change: LobeChange, *, space: str, at: datetime | None = None
) -> LobeConfig:
    """The config after the change; `Invalid` for what can't be (itself, a bad id, its own lobe).

    `at`: since when what it newly excludes is kept apart; None for a change that is only tried.
    """
    _check(change, space)
    return replace(
        config,
        is_private=config.is_private if change.is_private is None else change.is_private,
        cross_space=change.cross_space or config.cross_space,
        tags=_edited(config.tags, change.tag, change.untag),
        excluded_from=_edited(config.excluded_from, change.exclude, change.no_exclude),
        excluded_since=_since(config, change.exclude, at),
        muted=_edited(config.muted, change.mute, change.unmute),
        subscriptions=_edited(config.subscriptions, change.subscribe, change.unsubscribe),
        agent_preset=change.agent_preset or config.agent_preset,
        agents_see_confidential=config.agents_see_confidential
        if change.agents_see_confidential is None
        else change.agents_see_confidential,
        write_policy=change.write_policy or config.write_policy,
        hold_external_changes=config.hold_external_changes
        if change.hold_external_changes is None
        else change.hold_external_changes,
        inherit_categories=_inherited(config.inherit_categories, change.inherit),
        sound=True,
    )


def _check(change: LobeChange, space: str) -> None:
    for name in (*change.tag, *change.exclude):
        parse_slug(name, what="tag or id")
    for address in change.mute:
        parse_address(address)
    both = (
        {*change.tag} & {*change.untag}
        or {*change.exclude} & {*change.no_exclude}
        or {*change.mute} & {*change.unmute}
        or {*change.subscribe} & {*change.unsubscribe}
    )
    if both:
        raise Invalid(
            "It would do one thing and undo it.", hint="Name each once.", reason="contradiction"
        )
    itself = space in change.exclude or f"space/{space}" in change.mute
    if itself or Subscription("space", space) in change.subscribe:
        raise Invalid(
            "A Space always draws on its own lobe.", hint="Name another lobe.", reason="own_lobe"
        )
    if any(parse_address(address).kind == "personal" for address in change.mute):
        raise Invalid(
            "Your own lobe can't be muted.",
            hint="Let the Space inherit no category: --inherit none.",
            reason="own_lobe",
        )


def _since(
    config: LobeConfig, exclude: tuple[str, ...], at: datetime | None
) -> tuple[tuple[str, datetime], ...]:
    """What is excluded again keeps its time, also an unknown one."""
    new = [] if at is None else [(one, at) for one in exclude if one not in config.excluded_from]
    return tuple({**dict(config.excluded_since), **dict(new)}.items())


def _inherited(was: tuple[str, ...] | None, asked: tuple[str, ...]) -> tuple[str, ...] | None:
    if not asked:
        return was
    if asked in (("none",), ("default",)):
        return () if asked == ("none",) else None
    if {"none", "default"} & set(asked):
        raise Invalid(
            "none and default stand alone.",
            hint="Name categories, or one of the two.",
            reason="bad_category",
        )
    return tuple(sorted({parse_slug(one, what="category") for one in asked}))


def _edited(items: tuple[_T, ...], add: tuple[_T, ...], remove: tuple[_T, ...]) -> tuple[_T, ...]:
    kept = [one for one in items if one not in remove]
    return tuple(dict.fromkeys([*kept, *add]))
