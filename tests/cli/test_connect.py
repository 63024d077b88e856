"""`connect`: what is printed is what a program starts; what is written keeps the rest."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

from lobes.cli.app import run
from lobes.domain.agent_programs import PROGRAMS
from lobes.services.context import Context
from shell import Shell, shell_on


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with shell_on(tmp_path_factory.mktemp("connect") / "home") as made:
        made.json("init", "--presence", "off")
        made.json("space", "new", "prj_a")
        yield made


@pytest.fixture
def shell(home: Shell) -> Iterator[Shell]:
    """A home whose Space holds nothing but what it was made with."""
    made_with = set(root(home).iterdir())
    yield home
    for one in set(root(home).iterdir()) - made_with:
        if one.is_dir() and not one.is_symlink():
            shutil.rmtree(one)
        else:
            one.unlink()


def root(shell: Shell) -> Path:
    return shell.folder / "spaces" / "prj_a"


def stored(shell: Shell, program: str) -> Any:
    path = root(shell) / PROGRAMS[program].file
    text = path.read_text("utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_written_is_what_was_printed(shell: Shell, program: str) -> None:
    said = shell.json("connect", program, "--space", "prj_a")
    assert not (root(shell) / said["file"]).exists()
    done = shell.json("connect", program, "--space", "prj_a", "--write")
    again = shell.json("connect", program, "--space", "prj_a", "--write")
    assert stored(shell, program) == {said["section"]: {"lobes": said["entry"]}}
    assert (done["written"], done["kept"], again["written"]) == (True, "", False)


async def test_the_entry_starts_the_server(shell: Shell) -> None:
    entry = shell.json("connect", "claude-code", "--space", "prj_a")["entry"]
    parameters = StdioServerParameters(
        command=entry["command"], args=entry["args"], cwd=root(shell), env=shell.env
    )
    async with stdio_client(parameters) as pipes, ClientSession(*pipes) as agent:
        await agent.initialize()
        assert (await agent.list_tools()).tools


def test_the_hook_gives_a_session_its_context_and_never_fails_one(shell: Shell) -> None:
    """field.md: a worker that can't be reached never blocks the person's prompt."""
    (root(shell) / "current.md").write_text("# Current\n\nWe keep herons.\n", "utf-8")
    shell.json("index")
    said = shell.json("connect", "claude-code")["hook"]
    assert said["file"] == ".claude/settings.json"
    (entry,) = said["settings"]["hooks"]["SessionStart"][0]["hooks"]
    assert entry["timeout"] > 0

    def run(folder: Path, home: str = "") -> Any:
        words = shlex.split(entry["command"].replace(str(shell.folder), home or str(shell.folder)))
        ran = subprocess.run(words, cwd=folder, env=shell.env, capture_output=True, check=True)
        return json.loads(ran.stdout)

    told = run(root(shell))["hookSpecificOutput"]
    assert told["hookEventName"] == "SessionStart"
    assert "> We keep herons." in told["additionalContext"]
    rows = shell.json("audit", "list")["items"]
    assert "ai:" in next(one for one in rows if one["event"] == "space.context")["actor"]
    for folder, home in ((shell.folder.parent, ""), (root(shell), f"{shell.folder}-none")):
        assert set(run(folder, home)) == {"systemMessage"}
    assert shell.json("connect", "codex")["hook"] is None


def test_what_was_there_is_kept_beside_it(shell: Shell) -> None:
    before = '{\n    "mcpServers": {"other": {"command": "x"}}\n}\n'
    path = root(shell) / ".mcp.json"
    path.write_text(before, "utf-8")
    path.chmod(0o640)
    done = shell.json("connect", "claude-code", "--space", "prj_a", "--write")
    assert (root(shell) / done["kept"]).read_text("utf-8") == before
    assert set(stored(shell, "claude-code")["mcpServers"]) == {"other", "lobes"}
    assert path.stat().st_mode & 0o777 == 0o640


def test_the_hook_goes_into_the_list_beside_those_of_the_person(shell: Shell) -> None:
    theirs = '{"matcher": "startup", "hooks": [{"type": "command", "command": "date"}]}'
    before = f'{{"model": "x", "hooks": {{"SessionStart": [\n  {theirs}\n], "Stop": []}}}}\n'
    path = root(shell) / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(before, "utf-8")
    said = shell.json("connect", "claude-code", "--space", "prj_a", "--write")["hook"]
    settings = json.loads(path.read_text("utf-8"))
    (ours,) = said["settings"]["hooks"]["SessionStart"]
    assert settings["hooks"]["SessionStart"] == [json.loads(theirs), ours]
    assert (settings["model"], settings["hooks"]["Stop"]) == ("x", [])
    assert theirs in path.read_text("utf-8")
    assert (said["written"], said["kept"]) == (True, ".claude/settings.json.before-lobes")
    assert (root(shell) / said["kept"]).read_text("utf-8") == before
    again = shell.json("connect", "claude-code", "--space", "prj_a", "--write")["hook"]
    assert (again["written"], again["kept"]) == (False, "")


def test_where_the_hook_cannot_be_written_nothing_is(shell: Shell) -> None:
    path = root(shell) / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text("// mine\n{}\n", "utf-8")
    failed = shell.run("connect", "claude-code", "--space", "prj_a", "--write")
    assert failed.code == 6
    assert path.read_text("utf-8") == "// mine\n{}\n"
    assert not (root(shell) / ".mcp.json").exists()


@pytest.mark.parametrize(
    ("program", "text"),
    [("vscode", '{\n  // mine\n  "servers": {}\n}\n'), ("codex", "model = \n"), ("cursor", "[1]")],
)
def test_a_file_with_more_in_it_than_plain_data_is_left_alone(
    shell: Shell, program: str, text: str
) -> None:
    path = root(shell) / PROGRAMS[program].file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    ran = shell.run("connect", program, "--space", "prj_a", "--write")
    assert ran.code == 6
    assert "by hand" in ran.err
    assert path.read_text("utf-8") == text
    assert [one.name for one in path.parent.iterdir() if "before" in one.name] == []


def test_a_link_in_its_place_is_not_followed(shell: Shell, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.json"
    target.write_text("{}", "utf-8")
    (root(shell) / ".mcp.json").symlink_to(target)
    ran = shell.run("connect", "claude-code", "--space", "prj_a", "--write")
    assert ran.code == 6
    assert target.read_text("utf-8") == "{}"


def test_a_hook_that_breaks_and_an_error_in_json_keep_their_form(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = shell.run("context", "x", "--space", "prj_none", "--format", "json")
    assert (refused.code, refused.document["error"]["code"]) == (3, "not_found")

    def broken(*_: object, **__: object) -> Context:
        raise OSError("/a/path/of/mine")

    monkeypatch.setattr("lobes.cli.context.assemble", broken)
    words = ["--home", str(shell.folder), "--space", "prj_a", "context", "--format", "claude-hook"]
    monkeypatch.chdir(root(shell))
    assert run(words, open_tui=lambda *_, **__: 0) == 0
    said = json.loads(capsys.readouterr().out)
    assert set(said) == {"systemMessage"}
    assert "OSError" in said["systemMessage"]
    assert "mine" not in said["systemMessage"]
