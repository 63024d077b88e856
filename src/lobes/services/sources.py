"""What a Space may subscribe to: only what the caller may know of, and by its right kind.

Without that a subscription would tell whether an id is taken, or lie in wait for a thing to come.
"""

from __future__ import annotations

from collections.abc import Iterable

from lobes.access.facts import Facts, Resource
from lobes.domain.actors import person_of
from lobes.domain.errors import Forbidden, Invalid, nothing_there
from lobes.domain.groups import a_kind
from lobes.domain.lobes import Subscription
from lobes.domain.reasons import remedy
from lobes.services.authority import may
from lobes.services.installation import Caller
from lobes.services.knowing import knows_source

_GROUPS = ("team", "department", "organization")


def check_sources(caller: Caller, sources: Iterable[Subscription], facts: Facts) -> None:
    """`NotFound` for a source that the caller may not know of, `Invalid` for one of another kind
    (`wrong_kind`) or for oneself (`own_lobe`), `Forbidden` for a Space that the caller may not
    read (`no_access`). A tag names no thing, so any will do."""
    for source in sources:
        if not knows_source(caller, source, facts):
            raise nothing_there()
        if source.type == "space" and not may(
            caller, "read_content", Resource("space", source.id), facts
        ):
            raise Forbidden(
                "You may see that it exists, not read it.",
                hint=remedy("no_access"),
                reason="no_access",
            )
        if source.type == "user" and source.id == person_of(caller.actor):
            raise Invalid(
                "You share nothing with yourself.", hint="Name another person.", reason="own_lobe"
            )
        group = facts.groups.get(source.id) if source.type in _GROUPS else None
        if group is not None and group.kind != source.type:
            raise Invalid(
                f"{source.id} is {a_kind(group.kind)}.",
                hint=f"Write {group.kind}:{source.id}.",
                reason="wrong_kind",
            )
