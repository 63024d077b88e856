"""The documents name every code the program can give, and nothing that isn't there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import click
import pytest
from tests.pages import configuration

from lobes.cli.app import root
from lobes.config.settings import describe
from lobes.domain.actors import PRESETS
from lobes.domain.agents import MARKERS
from lobes.domain.imports import LEFT_ASIDE, SOURCES
from lobes.domain.memories import Wait
from lobes.domain.memory_flags import SENTENCES
from lobes.domain.reasons import REASONS
from lobes.keys import actions
from lobes.keys.spelling import key_text
from lobes.mcp import errors, limits, lines, wire
from lobes.mcp.tools import TOOLS
from lobes.store.found import SKIP_REASONS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    [*DOCS.rglob("*.md"), *(ROOT / f"{n}.md" for n in ("README", "CONTRIBUTING", "SECURITY"))]
)
SIGNS = set("▌◷▅↳")
"""What stands on a screen and is no key."""
RECORDS = sorted((DOCS / "decisions").glob("*.md"))


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def row_of(code: str, text: str) -> str:
    """The table row that begins with this code; "" where there is none."""
    found = re.search(rf"^\| `{code}` \|.*$", text, re.MULTILINE)
    return found.group() if found else ""


@pytest.mark.parametrize("code", REASONS)
def test_reason_code_is_documented_with_its_sentence(code: str) -> None:
    sentence = REASONS[code].sentence.format(a="A", b="B", by="*by*")
    assert sentence in row_of(code, page("reasons.md"))


@pytest.mark.parametrize(("flag", "sentence"), SENTENCES.items())
def test_flag_of_a_memory_is_documented_with_its_sentence(flag: str, sentence: str) -> None:
    assert sentence in row_of(flag, page("memory.md"))


def test_every_reason_to_wait_has_its_sentence() -> None:
    assert set(get_args(Wait)) < set(SENTENCES)


@pytest.mark.parametrize(("code", "sentence"), SKIP_REASONS.items())
def test_skip_reason_is_documented_with_its_sentence(code: str, sentence: str) -> None:
    assert sentence in row_of(code, page("files.md"))


@pytest.mark.parametrize(("code", "sentence"), LEFT_ASIDE.items())
def test_what_an_import_leaves_aside_is_documented(code: str, sentence: str) -> None:
    assert sentence in row_of(code, page("importing.md"))


def test_every_kind_of_source_is_documented() -> None:
    assert all(f"`{kind}`" in page("importing.md") for kind in SOURCES)


def test_documents_name_no_code_that_does_not_exist() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", page("reasons.md"), re.MULTILINE))
    assert named - set(REASONS) == {"words_only", "meaning_behind", "rebuilding"}
    rows = set(re.findall(r"^\| `(\w+)` \|", page("files.md"), re.MULTILINE))
    assert rows == set(SKIP_REASONS)
    assert set(re.findall(r"^\| `(\w+)` \|", page("importing.md"), re.MULTILINE)) == set(LEFT_ASIDE)
    settings = set(re.findall(r"^\| `(\w+)` \|", page("configuration.md"), re.MULTILINE))
    assert settings == {field.name for field in describe()}


def test_the_page_of_the_settings_is_what_the_program_makes() -> None:
    assert page("configuration.md") == configuration.page(), "run `make docs`"


def test_settings_are_documented_with_default_and_sentence() -> None:
    for field in describe():
        default = str(field.default).lower() if field.type == "bool" else str(field.default)
        row = row_of(field.name, page("configuration.md"))
        assert f"| `{default}` | {field.doc}" in row
        assert all(value in row for value in field.values)


def test_presets_are_documented() -> None:
    assert "|".join(PRESETS) in page("cli.md").replace("\\|", "|")


@pytest.mark.parametrize(("screen", "name"), actions.PAGES)
def test_every_screen_is_described(screen: str, name: str) -> None:
    headings = re.findall(r"^## (.+)$", page("screens.md"), re.MULTILINE)
    assert any(name in heading.split(", ") for heading in headings)
    if actions.of_screen(screen):
        assert f"(pictures/{screen}.svg)" in page("screens.md")


@pytest.mark.parametrize("name", ["screens.md", "guide.md"])
def test_documents_name_no_key_that_does_nothing(name: str) -> None:
    known = {key for action in actions.ACTIONS for key in action.keys}
    known |= {key_text(key) for key in known}
    named = set(re.findall(r"`([^`\s]|ctrl\+\S|esc|enter|tab|f\d+)`", page(name)))
    assert named - known - SIGNS == set()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere_inside_the_project(path: Path) -> None:
    text = path.read_text("utf-8")
    links = re.findall(r"\[[^\]]*\]\(([^)#]+)", text)
    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_decision_record_is_short_and_numbered_like_its_file(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) <= 40
    assert lines[0].startswith(f"# {int(path.stem[:4])}. ")
    assert lines[2].startswith("**Decided.**")


def commands(group: click.Group, words: str = "lobes") -> Iterator[tuple[str, click.Command]]:
    """Every command that can be run, by all its words."""
    with click.Context(group) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from commands(command, f"{words} {name}")
            else:
                yield f"{words} {name}", command


COMMANDS = dict(commands(root))


def options(command: click.Command) -> set[str]:
    """The options of this command alone, in every spelling."""
    everywhere = {option for one in root.params for option in (*one.opts, *one.secondary_opts)}
    shown = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    return {name for one in shown for name in (*one.opts, *one.secondary_opts)} - everywhere


@pytest.mark.parametrize("words", COMMANDS)
def test_command_and_its_options_are_documented(words: str) -> None:
    text = page("cli.md")
    group, _, last = words.rpartition(" ")
    pattern = rf"`{group} (?:[a-z]+\\\|)*{last}\b"
    assert re.search(pattern, text)
    spelled = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))
    assert options(COMMANDS[words]) - spelled == set()


def test_documents_name_no_command_that_does_not_exist() -> None:
    named = re.findall(r"^\| `lobes ([a-z-]+)(?: ([a-z]+(?:\\\|[a-z]+)*))?", page("cli.md"), re.M)
    found = {
        " ".join(filter(None, ("lobes", first, second)))
        for first, seconds in named
        for second in seconds.split("\\|")
    }
    assert found == set(COMMANDS)


def test_every_marker_of_an_agent_is_documented_and_no_other() -> None:
    text = page("agents.md").partition("By what it is known")[2]
    named = re.findall(r"^\| `(\w+)`(?: = (.+))? \| (.+) \|$", text, re.MULTILINE)
    told = {(name, tuple(re.findall(r"`([^`]+)`", values)), whose) for name, values, whose in named}
    assert told == {(one.variable, one.values, one.agent) for one in MARKERS}


def test_every_tool_of_an_agent_is_documented_with_its_limits() -> None:
    text = page("agents.md").partition("## The command line")[0]
    rows = " ".join(re.findall(r"^\| `.+$", text, re.MULTILINE))
    assert set(re.findall(r"`([a-z]+_?[a-z_]*)` ?[|,]", rows)) >= set(TOOLS)
    assert set(errors.CODES) <= set(re.findall(r"`(\w+)`", text))
    for number in (limits.PROPOSALS, limits.CHARACTERS, limits.PAGE, wire.AT_ONCE):
        assert f"{number:,}" in text
    assert lines.LINE == 1024 * 1024
