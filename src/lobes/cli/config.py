"""`config path|show|schema`."""

from __future__ import annotations

import json
import os
from dataclasses import asdict

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import show, shown, table
from lobes.cli.session import Session, global_options
from lobes.config.settings import describe, json_schema, load_settings


@click.group(
    cls=LazyGroup,
    lazy={
        "path": ("lobes.cli.config:path", "Where files lie."),
        "show": ("lobes.cli.config:show_", "Every setting with its value and its default."),
        "schema": ("lobes.cli.config:schema", "A JSON Schema of the settings file, for editors."),
    },
    help="Settings and where files lie.",
)
def config() -> None:
    pass


@click.command()
@global_options
def path(session: Session) -> None:
    """Where files lie. Makes none of them."""
    folders = session.folders
    document = {
        "settings": str(folders.settings_file),
        "keys": str(folders.keys_file),
        "data": str(folders.data),
        "state": str(folders.state),
        "cache": str(folders.cache),
        "config": str(folders.config),
        "spaces": str(folders.spaces),
        "index": str(folders.index),
    }
    show(session, document, lambda: table(list(document.items())))


@click.command()
@global_options
def show_(session: Session) -> None:
    """Every setting with its value, its default and what it does."""
    loaded = load_settings(session.folders, os.environ)
    values = asdict(loaded.settings)
    rows = [{**asdict(one), "value": values[one.name]} for one in describe()]
    document = {"items": rows, "total": len(rows), "next": None, "warnings": list(loaded.warnings)}

    def lines() -> list[str]:
        found = table([(row["name"], json.dumps(row["value"]), row["doc"]) for row in rows])
        return [*found, *(f"! {shown(one)}" for one in loaded.warnings)]

    show(session, document, lines)


@click.command()
@global_options
def schema(session: Session) -> None:
    """A JSON Schema of the settings file, with which an editor completes and checks it."""
    document = json_schema()
    show(session, document, lambda: json.dumps(document, indent=2).split("\n"))
