"""`sensitivity list|show|lower|raise`: how sensitive documents and memories are, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, cast

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import show, shown, table
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.domain.errors import Invalid
from lobes.domain.resources import Resource, parse_resource, resource_address
from lobes.domain.sensitivity import LEVELS, Kept, Level
from lobes.services import memory_sensitivity
from lobes.services import sensitivity as document_sensitivity
from lobes.services.sensitivity import ClearLine, SensitivityView
from lobes.store.read_sensitivity import Raised

if TYPE_CHECKING:
    from lobes.services.installation import Caller, Installation

_HERE = "lobes.cli.sensitivity"


@click.group(
    cls=LazyGroup,
    lazy={
        "list": (f"{_HERE}:list_", "What is restricted or confidential, and why."),
        "show": (f"{_HERE}:show_", "A document or memory: level, findings, who set it."),
        "lower": (f"{_HERE}:lower", "Set a laxer level, with a reason."),
        "raise": (f"{_HERE}:raise_", "Set a stricter level."),
    },
    help="How sensitive documents and memories are.",
)
def sensitivity() -> None:
    pass


@click.command()
@click.argument("named", type=NAME, metavar="[SPACE]", required=False)
@global_options
def list_(session: Session, *, named: str | None) -> None:
    """The restricted and confidential documents of SPACE, or of all Spaces."""
    with session.opened() as (lobes, caller):
        found = document_sensitivity.list_sensitive(lobes, caller, named or session.space)
    items = [_raised(one) for one in found]
    document = {"items": items, "total": len(items), "next": None}
    show(session, document, lambda: table([_row(one) for one in found]))


def _raised(one: Raised) -> dict[str, Any]:
    return {
        "resource": f"doc/{one.document}",
        "space": one.space,
        "path": one.path,
        "sensitivity": one.level,
        "detectors": _names(one.findings),
    }


def _row(one: Raised) -> tuple[str, ...]:
    detectors = ", ".join(_names(one.findings)) or "–"
    return one.level, one.space, one.path, detectors, f"doc/{one.document}"


def _names(findings: Iterable[Kept]) -> list[str]:
    return list(dict.fromkeys(one.detector for one in findings))


def _asked(text: str) -> Resource:
    resource = parse_resource(text)
    if resource.kind not in ("document", "memory"):
        raise Invalid(
            "Only documents and memories have a sensitivity.",
            hint="Write doc/ULID or memory/ULID; space show SPACE and memory list name them.",
            reason="no_sensitivity",
        )
    return resource


class _Services(Protocol):
    """What documents and memories have each in a module of its own."""

    def show_sensitivity(
        self, lobes: Installation, caller: Caller, resource: Resource
    ) -> SensitivityView: ...

    def clear_lines(
        self, lobes: Installation, caller: Caller, resource: Resource
    ) -> tuple[ClearLine, ...]: ...

    def lower(
        self, lobes: Installation, caller: Caller, resource: Resource, level: Level, *, reason: str
    ) -> SensitivityView: ...

    def raise_to(
        self, lobes: Installation, caller: Caller, resource: Resource, level: Level, *, reason: str
    ) -> SensitivityView: ...


def _services(resource: Resource) -> _Services:
    return memory_sensitivity if resource.kind == "memory" else document_sensitivity


@click.command()
@click.argument("resource", type=TEXT)
@click.option("--reveal", is_flag=True, help="Show the lines with secrets; this is recorded.")
@global_options
def show_(session: Session, *, resource: str, reveal: bool) -> None:
    """The sensitivity of RESOURCE (doc/ULID, memory/ULID) and what it comes from."""
    asked = _asked(resource)
    services = _services(asked)
    with session.opened() as (lobes, caller):
        view = services.show_sensitivity(lobes, caller, asked)
        clear = services.clear_lines(lobes, caller, asked) if reveal else ()
    document = _document(view)
    if reveal:
        document["lines"] = [
            {"detector": one.detector, "line": one.line, "text": one.text} for one in clear
        ]
    show(session, document, lambda: _lines(view, clear))


def _document(view: SensitivityView) -> dict[str, Any]:
    setting = view.setting
    return {
        "resource": resource_address(view.resource),
        "space": view.space,
        "path": view.path,
        "sensitivity": view.level,
        "given": view.given,
        "findings": [
            {
                "detector": one.detector,
                "secret": one.is_secret,
                "lines": [one.first_line, one.last_line],
            }
            for one in view.findings
        ],
        "set": setting
        and {
            "sensitivity": setting.level,
            "by": setting.by,
            "at": setting.at,
            "reason": setting.reason,
        },
    }


def _lines(view: SensitivityView, clear: Iterable[ClearLine]) -> Iterable[str]:
    named = view.path or resource_address(view.resource)
    yield f"{view.level}  {shown(view.space)}  {shown(named)}"
    yield f"  its own head says  {view.given or 'nothing'}"
    for one in view.findings:
        yield f"  line {one.first_line}  {shown(one.detector)}{'  masked' if one.is_secret else ''}"
    if view.setting:
        by, why = shown(view.setting.by), shown(view.setting.reason)
        yield f"  set to {view.setting.level} by {by}: {why}"
    for line in clear:
        yield f"  {line.line}: {shown(line.text)}"


_level = click.argument("level", type=click.Choice(LEVELS))


@click.command()
@click.argument("resource", type=TEXT)
@_level
@click.option("--reason", type=TEXT, required=True, help="Why; kept with it.")
@global_options
def lower(session: Session, *, resource: str, level: str, reason: str) -> None:
    """Set RESOURCE to the laxer LEVEL. Something new that is found raises it again."""
    asked = _asked(resource)
    with session.opened() as (lobes, caller):
        view = _services(asked).lower(lobes, caller, asked, cast("Level", level), reason=reason)
    show(session, _document(view), lambda: _lines(view, ()))


@click.command("raise")
@click.argument("resource", type=TEXT)
@_level
@click.option("--reason", type=TEXT, default="", help="Why; kept with it.")
@global_options
def raise_(session: Session, *, resource: str, level: str, reason: str) -> None:
    """Set RESOURCE to the stricter LEVEL."""
    asked = _asked(resource)
    with session.opened() as (lobes, caller):
        view = _services(asked).raise_to(lobes, caller, asked, cast("Level", level), reason=reason)
    show(session, _document(view), lambda: _lines(view, ()))
