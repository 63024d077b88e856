"""What can be wrong with a list of actions: doubled ids and keys, a key that hides another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lobes.keys.actions import ACTIONS, OVERLAYS, Action


def faults(
    actions: Sequence[Action] = ACTIONS, keys: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """What is wrong with the list: a doubled id, a doubled key, a screen key over a global one.

    `keys` are those that hold instead of the list's own, by action.
    """
    found: list[str] = []
    keys_of: dict[str, tuple[str, ...]] = {}
    places: set[tuple[str, str]] = set()
    for one in sorted(actions, key=lambda action: action.screen):
        if {("", one.id), (one.screen, one.id)} & places:
            found.append(f"{one.id} is there twice")
        if keys_of.setdefault(one.id, one.keys) != one.keys:
            found.append(f"{one.id} has other keys on {one.screen}")
        places.add((one.screen, one.id))
    found += [
        f"{one.id} has no key or no help"
        for one in actions
        if not one.help or not (one.keys or one.group == "Lobes")
    ]
    holding = {one.id: one.keys for one in actions} if keys is None else keys
    return [
        *found,
        *(f"{key} of {one} hides {other}" for one, other, key in clashes(actions, holding)),
    ]


def clashes(
    actions: Iterable[Action], keys: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str, str]]:
    """Two actions that one key would do in one place, and that key. What lies over a screen takes
    all keys, so its own clash among themselves alone."""
    overlays = {name for name, _ in OVERLAYS}
    taken: dict[tuple[str, str], str] = {}
    for action in sorted(actions, key=lambda one: one.screen):
        for key in keys.get(action.id, ()):
            other = taken.get((action.screen, key))
            if other is None and action.screen not in overlays:
                other = taken.get(("", key))
            if other:
                yield action.id, other, key
            else:
                taken[action.screen, key] = action.id
