"""Settings: TOML in the configuration folder, each with a default, a range and one sentence.

A wrong setting never stops a start: it becomes a warning and the default stays. The environment
(`LOBES_<FIELD>`) goes before the file, the file before the default.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lobes.config.folders import Folders
from lobes.domain.display import one_line
from lobes.domain.errors import Invalid

Value = str | int | bool


def _setting(default: Any, doc: str, *, values: tuple[str, ...] = (), least: int = 0) -> Any:
    return dataclasses.field(
        default=default, metadata={"doc": doc, "values": values, "least": least}
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person may set for all Spaces of this installation."""

    theme: str = _setting("lobes-night", "The theme: a file's name in themes, without .toml.")
    glyphs: str = _setting("auto", "The signs on the screen.", values=("auto", "unicode", "ascii"))
    animation: bool = _setting(True, "Whether the screen may move; off also for slow links.")
    private_names: str = _setting(
        "shown",
        "Whether the app opens with the names of private Spaces.",
        values=("shown", "hidden"),
    )
    search_results: int = _setting(10, "How many results a search gives.", least=1)
    engine_idle_minutes: int = _setting(
        10, "After how many minutes without work the index engine ends.", least=1
    )
    rescan_seconds: int = _setting(
        120, "How often the packs are looked through beside the watcher, in seconds.", least=10
    )
    audit_days: int = _setting(90, "How many days the record of what was done is kept.", least=1)
    secret_store: str = _setting(
        "system", "Whether keys may be kept in the system's secret store.", values=("system", "off")
    )


@dataclass(frozen=True, slots=True)
class Field:
    """One setting as `config show` and the documentation tell it.

    `values` are the only ones it takes, () where any will do; `least` is the smallest number.
    """

    name: str
    type: str
    default: Value
    doc: str
    values: tuple[str, ...] = ()
    least: int = 0


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings that hold, and what was wrong in the file or the environment."""

    settings: Settings
    warnings: tuple[str, ...]


def describe() -> list[Field]:
    """Every setting in the order of the documentation."""
    defaults = dataclasses.asdict(Settings())
    return [
        Field(
            name=field.name,
            type=type(defaults[field.name]).__name__,
            default=defaults[field.name],
            doc=field.metadata["doc"],
            values=field.metadata["values"],
            least=field.metadata["least"],
        )
        for field in dataclasses.fields(Settings)
    ]


def load_settings(folders: Folders, environ: Mapping[str, str]) -> Loaded:
    """The settings from the file and the environment; never raises, see `Loaded.warnings`."""
    warnings: list[str] = []
    chosen: dict[str, Value] = {}
    fields = {field.name: field for field in describe()}
    for key, value in _file(folders, warnings).items():
        field = fields.get(key)
        if field is None:
            warnings.append(f"{one_line(key)} is no setting.{_did_you_mean(key, fields)}")
        else:
            _take(field, value, key, into=chosen, warnings=warnings)
    for field in fields.values():
        variable = f"LOBES_{field.name.upper()}"
        if (text := environ.get(variable)) is not None:
            _take(field, _untyped(field, text), variable, into=chosen, warnings=warnings)
    return Loaded(Settings(**chosen), tuple(warnings))  # pyright: ignore[reportArgumentType]


def read_value(key: str, text: str) -> Value:
    """The value that `text` means for this setting.

    Raises `Invalid` for an unknown key (`unknown_setting`) or a value it can't have (`bad_value`).
    """
    fields = {field.name: field for field in describe()}
    field = fields.get(key)
    if field is None:
        raise Invalid(
            f"{one_line(key)} is no setting.",
            hint=_did_you_mean(key, fields).strip() or "lobes config show names them all.",
            reason="unknown_setting",
        )
    value = _untyped(field, text)
    if wrong := _wrong(field, value):
        raise Invalid(f"{key} {wrong}.", reason="bad_value")
    return value


def json_schema() -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) of the settings file, for editors."""
    kinds = {"str": "string", "int": "integer", "bool": "boolean"}
    properties: dict[str, Any] = {}
    for field in describe():
        entry: dict[str, Any] = {
            "type": kinds[field.type],
            "default": field.default,
            "description": field.doc,
        }
        if field.values:
            entry["enum"] = list(field.values)
        if field.type == "int":
            entry["minimum"] = field.least
        properties[field.name] = entry
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of Lobes",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _file(folders: Folders, warnings: list[str]) -> dict[str, object]:
    try:
        return tomllib.loads(folders.settings_file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        warnings.append(
            f"The settings file can't be read, so defaults hold: {one_line(str(error))}"
        )
        return {}


def _take(
    field: Field, value: object, origin: str, *, into: dict[str, Value], warnings: list[str]
) -> None:
    if wrong := _wrong(field, value):
        warnings.append(f"{origin} {wrong}; {_shown(into.get(field.name, field.default))} holds.")
    elif isinstance(value, str | int):
        into[field.name] = value


def _wrong(field: Field, value: object) -> str:
    """What is wrong with the value, "" when nothing is. A boolean is no number here."""
    if type(value).__name__ != field.type:
        return {"int": "must be a whole number", "bool": "must be true or false"}.get(
            field.type, "must be text"
        )
    if field.values and value not in field.values:
        return f"must be one of {', '.join(field.values)}"
    if isinstance(value, int) and field.type == "int" and value < field.least:
        return f"must be at least {field.least}"
    return ""


def _untyped(field: Field, text: str) -> Value:
    """Text as it is typed, turned into the setting's type; text itself when it can't be."""
    if field.type == "bool":
        return {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}.get(
            text.lower(), text
        )
    if field.type == "int" and text.isascii() and text.isdecimal() and len(text) < 10:
        return int(text)
    return text


def _shown(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _did_you_mean(key: str, fields: Mapping[str, Field]) -> str:
    import difflib

    near = difflib.get_close_matches(key, fields, n=1)
    return f" Did you mean {near[0]}?" if near else ""
