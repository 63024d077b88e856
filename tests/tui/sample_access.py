"""Who sees a Space, with fixed values: Mei is named, Sam could be."""

from __future__ import annotations

from lobes.domain.lobes import Subscription
from lobes.domain.permissions import Permission
from lobes.services.offers import Offered
from lobes.tui.access import EVERYBODY, Access, Named
from lobes.tui.values import Change, Effect

NAMED = frozenset({"user:mei"})
ACCESS = Access(
    Permission("restricted", (("read_content", NAMED), ("read_meta", NAMED))),
    "1",
    "user:me",
    known=(
        Named("user:mei", "Mei Tanaka"),
        Named("user:me", "Robin"),
        Named("user:sam", "Sam Okafor"),
        Named("group:acme", "Acme", "organization"),
        Named("group:core", "Core", "team"),
        EVERYBODY,
    ),
    groups=(Named("group:acme", "Acme", "organization"), Named("group:core", "Core", "team")),
)
OFFERED = (
    Offered(Subscription("space", "prj_globex"), "Globex"),
    Offered(Subscription("space", "area_internal"), "Internal"),
    Offered(Subscription("space", "area_writing"), "Writing"),
    Offered(Subscription("tag", "consulting"), "#consulting", 2),
    Offered(Subscription("team", "core"), "Core"),
    Offered(Subscription("user", "mei"), "Mei Tanaka"),
)


TEXT = "now proposes, reads sessions, holds sessions"
NAMED_EFFECT = Effect(
    before=7,
    after=7,
    changes=(Change("gain", "Mei Tanaka", TEXT, "person"),),
)
AGENTS_EFFECT = Effect(
    before=7, after=7, changes=(Change("gain", "Agents", "now work as editor at most", "agents"),)
)
