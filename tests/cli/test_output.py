"""What reaches the terminal: hostile names and texts, closed pipes, narrow encodings."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from shell import Shell, shell_on

HOSTILE = "\x1b[2J\x1b]52;c;YXR0YWNr\x07\x9b31m\u202ereversed\u202c\u2028\r\x08bell [bold]x[/]"
RAW = ("\x1b", "\x07", "\x9b", "\u202e", "\u2028", "\r", "\x08", "\x00")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with shell_on(tmp_path_factory.mktemp("hostile") / "home") as shell:
        shell.json("init", "--presence", "off", "--user", "ada")
        shell.json("space", "new", "prj_a")
        fill(shell)
        yield shell


def fill(shell: Shell) -> None:
    pack = shell.folder / "spaces" / "prj_a"
    (pack / "evil \u202egnp.md").write_text("# bad name\n")
    (pack / "esc\x1b[31m.md").write_text("# bad name\n")
    (pack / "text.md").write_text(f"# Heading {HOSTILE}\n\nzephyr {HOSTILE} after\n")
    (pack / "[bold]name[x].md").write_text("# Markup [red]x[/]\n\nzephyr [link=x]y[/link]\n")
    shell.json("index", "--wait")


LOOKS: list[tuple[str, ...]] = [
    ("search", "zephyr", "--space", "prj_a", "--explain"),
    ("search", "zephyr \x1b[31m", "--space", "prj_a"),
    ("space", "show", "prj_a"),
    ("space", "list"),
    ("index",),
    ("lobe", "explain", "prj_a"),
    ("audit", "list"),
    ("doctor",),
    ("status",),
    ("space", "show", "\x1b[31m"),
    ("lobe", "set", "prj_a", "--tag", HOSTILE),
    ("\x1b[31m",),
]


@pytest.mark.parametrize("form", ["--json", "--quiet"])
def test_no_control_reaches_the_terminal(hostile: Shell, form: str) -> None:
    """TE-11, TE-16."""
    for words in LOOKS:
        ran = hostile.run(*words, form)
        for raw in RAW:
            assert raw not in ran.out + ran.err, (words, raw)
        if form == "--json":
            json.loads(ran.out)
    found = hostile.json("search", "zephyr", "--space", "prj_a")["items"]
    assert any("[link=x]" in item["snippet"] for item in found)
    assert any("\x1b" in item["snippet"] + item["heading"] for item in found)


def test_markup_in_a_text_is_shown_as_it_is(hostile: Shell) -> None:
    ran = hostile.run("search", "zephyr", "--space", "prj_a")
    assert "[link=x]y[/link]" in ran.out
    assert "[bold]name[x].md" in ran.out


def test_bytes_that_are_no_text_in_a_question_and_in_a_path(hostile: Shell) -> None:
    """TE-11: lone surrogates."""
    for words in (
        ("search", b"zephyr \xff\xed\xa0\x80", "--space", "prj_a"),
        ("which", b"/\xff\xfe"),
        ("space", "add", b"/no/\xff"),
        ("space", "edit", "prj_a", "--description", b"\xff"),
        ("lobe", "set", "prj_a", "--exclude", b"\xff"),
    ):
        ran = hostile.run(*words, "--json")
        assert "internal_error" not in ran.out, (words, ran)
        json.loads(ran.out).items()
        plain = hostile.run(*words)
        assert plain.code == ran.code
        assert "Traceback" not in plain.err


@pytest.mark.parametrize(
    "words",
    [("space", "list"), ("search", "release", "--space", "prj_initech"),
     ("search", "release", "--space", "prj_initech", "--json"), ("audit", "list", "-n", "1000"),
     ("space", "show", "nothing", "--json")],
)  # fmt: skip
def test_a_reader_that_goes_away_is_no_fault(sampled: Shell, words: tuple[str, ...]) -> None:
    """`lobes search … | head -1`: silent, whenever the pipe closes."""
    for unbuffered in ("", "1"):
        process = subprocess.Popen(
            sampled.words(*words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**sampled.env, "PYTHONUNBUFFERED": unbuffered},
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        assert process.wait(30) in (0, 3)
        assert errors == b""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_terminal_without_our_signs_gets_something_to_read(sampled: Shell, encoding: str) -> None:
    for words in (
        ("lobe", "show", "prj_initech"),
        ("search", "café 部署", "--space", "prj_initech"),
    ):
        ran = sampled.run(*words, PYTHONIOENCODING=encoding)
        assert ran.code == 0, ran
        assert ran.out != ""


def test_progress_goes_to_stderr_and_quiet_silences_it(tmp_path: Path, shell: Shell) -> None:
    ran = shell.run("index", "--wait", "--json")
    assert ran.document["indexed"] >= 0
    assert shell.run("index", "--wait", "--quiet").err == ""
