"""Find a Space or a file of a pack by its name: what the caller may not know is not found.

A Space is found as `list_spaces` shows it (`read_meta`), a file as `show_space` does:
`read_content` on its Space, then `read_meta` on the file itself. Texts are not looked into;
`search` does that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lobes.access.facts import Facts, Resource, resources
from lobes.services.authority import facts_for, may
from lobes.services.installation import Caller, Installation
from lobes.store.read_spaces import NamedFile, NamedSpace, named_files, named_spaces

LIMIT = 200
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Named:
    """A Space, or with a `path` one file of its pack. `name` is the Space's."""

    space: str
    name: str
    kind: str
    path: str = ""
    title: str = ""


def find_named(
    lobes: Installation, caller: Caller, part: str, *, limit: int = LIMIT
) -> tuple[Named, ...]:
    """Spaces with `part` in name or id, then files with it in path or title, the shortest names
    first; upper and lower case are one. Nothing for an empty `part`."""
    wanted = part.casefold().strip()
    if not wanted:
        return ()
    with lobes.reading() as store:
        spaces = named_spaces(store)
        facts = facts_for(store, caller)
        names = {one.id: one for one in spaces}
        found = [
            Named(one.id, one.name, one.kind)
            for one in spaces
            if wanted in f"{one.name}\n{one.id}".casefold()
            and may(caller, "read_meta", Resource("space", one.id), facts)
        ]
        found.sort(key=lambda one: (not one.name.casefold().startswith(wanted), one.name))
        readable = {
            one.id
            for one in spaces
            if may(caller, "read_content", Resource("space", one.id), facts)
        }
        offset = 0
        while len(found) < limit:
            files = named_files(store, wanted, offset=offset, limit=_CHUNK)
            known = facts_for(
                store, caller, things=resources("document", (one.id for one in files))
            )
            found += _files(caller, files, readable, names, known)
            offset += _CHUNK
            if len(files) < _CHUNK:
                break
    return tuple(found[:limit])


def _files(
    caller: Caller,
    files: list[NamedFile],
    readable: set[str],
    names: dict[str, NamedSpace],
    facts: Facts,
) -> Iterator[Named]:
    for one in files:
        document = Resource("document", one.id)
        if one.space in readable and may(caller, "read_meta", document, facts):
            space = names[one.space]
            yield Named(space.id, space.name, space.kind, one.path, one.title)
