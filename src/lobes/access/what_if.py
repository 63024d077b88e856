"""The facts as they would be, so that the same rules tell an effect before it is saved."""

from __future__ import annotations

from dataclasses import replace

from lobes.access.facts import Facts, Links, Resource, Standing
from lobes.domain.lobes import CrossSpace, LobeConfig, stricter
from lobes.domain.permissions import PUBLIC, Permission


def with_config(
    facts: Facts, space: str, config: LobeConfig, *, manifest_says: CrossSpace | None
) -> Facts:
    """The facts if `space` had this config; every other Space's links follow."""
    own = facts.spaces[space]
    changed = replace(
        own,
        is_private=config.is_private or not config.sound,
        cross_space=stricter(config.cross_space, manifest_says),
        agents_see_confidential=config.agents_see_confidential,
    )
    links = {asking: _seen_from(asking, was, space, config) for asking, was in facts.links.items()}
    own = facts.links.get(space, Links())
    links[space] = replace(own, config=config, excludes=frozenset(config.excluded_from))
    return replace(facts, spaces={**facts.spaces, space: changed}, links=links)


def _seen_from(asking: str, links: Links, space: str, config: LobeConfig) -> Links:
    if asking == space:
        return links
    excluded_by = links.excluded_by - {space}
    if asking in config.excluded_from:
        excluded_by |= {space}
    tagged = {
        tag: (spaces | {space}) if tag in config.tags else (spaces - {space})
        for tag, spaces in links.tagged.items()
    }
    return replace(links, excluded_by=excluded_by, tagged=tagged)


def with_permission(facts: Facts, resource: Resource, permission: Permission | None) -> Facts:
    """The facts if the Space or the thing kept in one had this permission; None: none of its own.

    The facts hold the resource and its Space.
    """
    if resource.kind == "space":
        own = facts.spaces[resource.id]
        standing = replace(own.standing, permission=permission or PUBLIC)
        changed = replace(own, standing=standing)
        return replace(facts, spaces={**facts.spaces, resource.id: changed})
    item = facts.items[resource]
    around = facts.spaces[item.lobe.id].standing
    inner = None if permission is None else _own_standing(item.standing, around, permission)
    return replace(facts, items={**facts.items, resource: replace(item, standing=inner)})


def _own_standing(own: Standing | None, around: Standing, permission: Permission) -> Standing:
    return replace(own or around, permission=permission)
