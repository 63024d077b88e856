"""One-line mistakes in the core, and the check that the comparison with the oracles sees each.

A mutant is a copy of `authorize` and `resolve` under other module names with one line changed in
one of them; nothing on disk changes and the real modules stay as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from comparison import all_agree

import lobes.access.authorize
import lobes.access.resolve

SOURCES = {
    name: Path(str(module.__file__)).read_text(encoding="utf-8")
    for name, module in (
        ("authorize", lobes.access.authorize),
        ("resolve", lobes.access.resolve),
    )
}


class Mutant(NamedTuple):
    module: str
    old: str
    new: str


def _a(old: str, new: str) -> Mutant:
    return Mutant("authorize", old, new)


def _r(old: str, new: str) -> Mutant:
    return Mutant("resolve", old, new)


MUTANTS = (
    _a('ask.thing.level != "confidential":', "ask.thing.level not in STAYS:"),
    _a("asked = {ask.actor.space, lobe.id if", "asked = {lobe.id if"),
    _a("    if all(space is not None", "    if any(space is not None"),
    _a(
        "thing.standing.group is None and thing.share is None)",
        "thing.standing.group is None or thing.share is None)",
    ),
    _a("if thing.level not in STAYS or", "if thing.level != 'confidential' or"),
    _a('thing.level == "restricted" and thing.share is None', "thing.share is None"),
    _a("thing.share is None and thing.has_own", "thing.has_own"),
    _a("thing.has_own and listed", "listed"),
    _a("thing.has_own and listed", "thing.has_own"),
    _a('"not_found" if ask.verb.name == "read_meta" else "not_granted"', '"not_granted"'),
    _a(
        "        if known is None:",
        "        if known is None and verb.strip().lower() not in VERBS:",
    ),
    _a("known = VERBS.get(verb)", "known = VERBS.get(verb.strip())"),
    _a("known = VERBS.get(verb)", "known = VERBS.get(verb.lower())"),
    _a("if not one.allowed), answers[-1])", "if one.allowed), answers[-1])"),
    _a("barred = _1_ai_bar(ask) or _3_ceiling(ask)", "barred = _3_ceiling(ask)"),
    _a("barred = _1_ai_bar(ask) or _3_ceiling(ask)", "barred = _1_ai_bar(ask)"),
    _a(
        "(Ai, Job)) and ask.verb.name in BARRED_TO_AI",
        "Ai) and ask.verb.name in BARRED_TO_AI",
    ),
    _a(
        "superuser = isinstance(ask.actor, Human) and ask.person in ask.facts.superusers",
        "superuser = ask.person in ask.facts.superusers",
    ),
    _a("    if superuser and not ask.thing.is_sealed:", "    if superuser:"),
    _a("(Ai, Job)) and ask.verb.name not in _ceiling", "Job) and ask.verb.name not in _ceiling"),
    _a("return ceiling(smaller(actor.preset, most))", "return ceiling(actor.preset)"),
    _a('not in ("read_meta", "read_content"):', 'not in ("read_meta", "read_content", "propose"):'),
    _a("    if ask.thing.lobe not in _served(ask.actor, ask.facts):", "    if False:"),
    _a(
        "    if category is not None and not config.inherits(category):",
        "    if False:",
    ),
    _a(
        "    if category is not None and not config.inherits(category):",
        "    if category and not config.inherits(category):",
    ),
    _a("one.lobe for one in decisions if one.allowed)", "one.lobe for one in decisions)"),
    _a(
        "    for thing in ask.around:",
        "    for thing in ask.around[:1]:",
    ),
    _a(
        "or _is_member(ask) or _is_named(ask) or _holds_share(ask)",
        "or _is_named(ask) or _holds_share(ask)",
    ),
    _a("_is_named(ask) or _holds_share(ask):", "_is_named(ask):"),
    _a("or _is_named(ask) or _holds_share(ask)", "or _holds_share(ask)"),
    _a("    _6_stranger,\n    _7_owner,\n", "    _7_owner,\n"),
    _a("    _7_owner,\n    _8_owner_only,\n", "    _8_owner_only,\n    _7_owner,\n"),
    _a("    _8_owner_only,\n", ""),
    _a("    _9_private,\n", ""),
    _a("    _10_listed,\n", ""),
    _a("    _11_guest_lobe,\n", ""),
    _a("    _12_public,\n", ""),
    _a(
        'GUEST_LOBE_ALLOWS = frozenset({"read_meta", "read_content"})',
        "GUEST_LOBE_ALLOWS = set(VERBS)",
    ),
    _a(
        'GROUP_MEMBERS_MAY = frozenset({"read_meta", "read_content", "propose"})',
        "GROUP_MEMBERS_MAY = set(VERBS)",
    ),
    _a('visibility == "public"\n', 'visibility != "private"\n'),
    _a("    if not (is_public and _is_member(ask)):", "    if not is_public:"),
    _a("    if not (is_public and _is_member(ask)):", "    if not _is_member(ask):"),
    _a(
        "if any(_lists(ask, verb) for verb in (ask.verb.name, *ask.verb.also_by)):",
        "if any(_lists(ask, verb) for verb in (ask.verb.name,)):",
    ),
    _a("ask.person in group.owners", "ask.person in group.hops"),
    _a("share.is_live and share.recipient == ask.person", "share.recipient == ask.person"),
    _a("share.is_live and share.recipient == ask.person", "share.is_live"),
    _a(
        '        if f"group:{name}" in subjects',
        '        if any(f"group:{name}".startswith(s) for s in subjects)',
    ),
    _a('if "all" in subjects and ask.person in ask.facts.people:', "if False:"),
    _a(
        "return (*around, replace(inner, standing=item.standing, is_group=False, has_own=True))",
        "return (replace(inner, standing=item.standing, is_group=False, has_own=True),)",
    ),
    _a(
        "return (*around, replace(inner, standing=item.standing, is_group=False, has_own=True))",
        "return around",
    ),
    _r(
        "frozenset(links.config.excluded_from) | links.excludes | links.excluded_by,",
        "frozenset(links.config.excluded_from) | links.excludes,",
    ),
    _r(
        "frozenset(links.config.excluded_from) | links.excludes | links.excluded_by,",
        "links.excluded_by,",
    ),
    _r(
        "else replace(facts, superusers=frozenset())",
        "else replace(facts)",
    ),
    _r("    if own is None or may(own.standing) is None:", "    if own is None:"),
    _r("        if readable is None:\n            continue\n", ""),
    _r(
        '_judge(other, asking) if readable else ("no_access", 0, "")',
        '_judge(other, asking) if True else ("no_access", 0, "")',
    ),
    _r("    if not b.is_live:", "    if False:"),
    _r("    if b.is_private:", "    if a.space.is_private:"),
    _r("    if b.is_private:", "    if b.is_private and b.id not in a.subscribed:"),
    _r('    if a.muted and LobeAddress("space", b.id) in a.muted:', "    if False:"),
    _r('b.cross_space == "open" and a.space.cross_space == "open"', 'b.cross_space == "open"'),
    _r(
        'b.cross_space == "open" and a.space.cross_space == "open"', 'a.space.cross_space == "open"'
    ),
    _r("    if owned and b.cross_space", "    if b.cross_space"),
    _r("    if b.id in a.subscribed:", "    if owned and b.id in a.subscribed:"),
    _r("    if owned and b.id in a.links.approved_once:", "    if b.id in a.links.approved_once:"),
    _r(
        "    owned = b.standing.owner == a.person == a.space.standing.owner",
        "    owned = b.standing.owner == a.space.standing.owner",
    ),
    _r(
        "    owned = b.standing.owner == a.person == a.space.standing.owner",
        "    owned = b.standing.owner == a.person",
    ),
    _r('source.type == "tag" and own.standing.owner == person', 'source.type == "tag"'),
    _r(
        "                if tagged is not None and tagged.standing.owner == person:",
        "                if tagged is not None:",
    ),
    _r('strictest == "ask" else', 'strictest != "open" else'),
    _r("weight=1 / (1 + hops)", "weight=1 / (2 + hops)"),
    _r(
        "min(group.hops.get(a.person, _FAR), group.space_hops.get(a.space.id, _FAR))",
        "group.hops.get(a.person, _FAR)",
    ),
    _r("share.recipient != a.person or not share.is_live", "share.recipient != a.person"),
    _r("share.recipient != a.person or not share.is_live", "not share.is_live"),
    _r("share_id in linked or share.owner in partners", "share_id in linked"),
    _r("        if lobe in a.muted:", "        if False:"),
    _r("elif lobe in a.muted:", "elif False:"),
    _r('    "subscribed": 0.4,', '    "subscribed": 0.5,'),
    _r('{"own", "personal", "member"', '{"own", "ask", "personal", "member"'),
)


@contextmanager
def core(mutant: Mutant | None) -> Iterator[tuple[ModuleType, ModuleType]]:
    """The two modules with one line changed, importing each other and not the real ones."""
    modules = {name: ModuleType(f"mutant_{name}") for name in SOURCES}
    try:
        for name, module in modules.items():
            text = SOURCES[name]
            if mutant and mutant.module == name:
                if text.count(mutant.old) != 1:
                    raise LookupError(f"stands {text.count(mutant.old)} times: {mutant.old}")
                text = text.replace(mutant.old, mutant.new)
            for other in SOURCES:
                text = text.replace(
                    f"from lobes.access.{other} import", f"from mutant_{other} import"
                )
            sys.modules[module.__name__] = module
            exec(compile(text, module.__name__, "exec"), module.__dict__)
        yield modules["authorize"], modules["resolve"]
    finally:
        for module in modules.values():
            sys.modules.pop(module.__name__, None)


def caught(mutant: Mutant | None, *, worlds: int = 400, every: int = 1) -> str | None:
    """The first case that tells the mutant from the oracle; None: it survived."""
    with core(mutant) as (authorize, resolve):
        return all_agree(authorize.authorize, resolve.resolve, worlds=worlds, every=every)
