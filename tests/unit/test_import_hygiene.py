"""What a command must not pay for: imports are looked up in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shell import Shell, shell_on

HEAVY = {"lancedb", "onnxruntime", "textual", "sqlmodel", "sqlalchemy", "pydantic", "rich",
         "tokenizers", "numpy", "pyarrow", "watchfiles", "asyncio", "keyring", "detect_secrets",
         "requests", "mcp", "mcp_types", "anyio", "starlette"}  # fmt: skip

_CODE = """
import json, os, sys
sys.argv[0] = "lobes"
def main():
    {act}
code = 0
try:
    main()
except SystemExit as end:
    code = end.code or 0
out = os.fdopen(int(os.environ["TELL"]), "w")
json.dump([code, sorted({{name.split(".")[0] for name in sys.modules}})], out)
out.close()
"""

CLI = "import lobes.__main__; lobes.__main__.main()"


def imported(act: str, *words: str, env: dict[str, str], tmp_path: Path) -> tuple[int, set[str]]:
    """The exit code and the top-level names of all modules at the end."""
    tell = tmp_path / "modules.json"
    with tell.open("wb") as file:
        subprocess.run(
            [sys.executable, "-c", _CODE.format(act=act), *words],
            env={**env, "TELL": str(file.fileno())},
            pass_fds=(file.fileno(),),
            capture_output=True,
            timeout=60,
            check=True,
        )
    code, modules = json.loads(tell.read_text())
    return code, set(modules)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    with shell_on(tmp_path / "home") as made:
        yield made


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("search", "--help"),
                                   ("lobe", "--help"), ("lobe", "set", "--help")])  # fmt: skip
def test_help_imports_nothing_heavy(shell: Shell, tmp_path: Path, words: tuple[str, ...]) -> None:
    code, modules = imported(CLI, *words, env=shell.env, tmp_path=tmp_path)
    assert code == 0
    assert "click" in modules
    assert modules & (HEAVY | {"yaml", "ulid"}) == set()


def test_help_imports_no_command(shell: Shell, tmp_path: Path) -> None:
    _, modules = imported(
        "import lobes.cli.app as app, sys\n    app.run(['--help'], open_tui=print)\n"
        "    sys.modules.update({n.replace('.', '-'): m for n, m in list(sys.modules.items())})",
        env=shell.env,
        tmp_path=tmp_path,
    )
    commands = {f"lobes-cli-{name}" for name in ("space", "lobe", "search", "index", "home")}
    assert modules & commands == set()


@pytest.mark.parametrize("module", ["lobes.access.resolve", "lobes.access.what_if",
                                    "lobes.engine.protocol", "lobes.engine.client",
                                    "lobes.engine.chunk"])  # fmt: skip
def test_access_and_the_engines_port_import_nothing_heavy(
    shell: Shell, tmp_path: Path, module: str
) -> None:
    _, modules = imported(f"import {module}", env=shell.env, tmp_path=tmp_path)
    assert modules & HEAVY == set()
    if module.startswith("lobes.access"):
        assert "sqlite3" not in modules


def test_a_search_with_a_warm_engine_imports_nothing_of_it(shell: Shell, tmp_path: Path) -> None:
    shell.json("init", "--presence", "off")
    shell.json("space", "new", "prj_a")
    shell.json("index")
    words = ("--home", str(shell.folder), "search", "goals", "--space", "prj_a", "--json")
    code, modules = imported(CLI, *words, env=shell.env, tmp_path=tmp_path)
    assert code == 0
    assert modules & HEAVY == set()


@pytest.mark.parametrize("words", [("status",), ("space", "list"), ("lobe", "list"),
                                   ("lobe", "explain", "prj_a"), ("engine", "status"),
                                   ("memory", "list"), ("review",),
                                   ("context", "goals", "--space", "prj_a")])  # fmt: skip
def test_looking_imports_no_database_layer(
    shell: Shell, tmp_path: Path, words: tuple[str, ...]
) -> None:
    shell.json("init", "--presence", "off")
    shell.json("space", "new", "prj_a")
    command = ("--home", str(shell.folder), *words, "--json")
    code, modules = imported(CLI, *command, env=shell.env, tmp_path=tmp_path)
    assert code == 0
    assert modules & {"sqlmodel", "pydantic", "lancedb", "onnxruntime", "textual"} == set()


@pytest.mark.parametrize("words", [("--help",), ("doctor",), ("status",), ("audit", "list"),
                                   ("audit", "verify", "--no-key")])  # fmt: skip
def test_nothing_but_asking_for_a_key_reaches_the_secret_store(
    shell: Shell, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """KR-07: the way to the store isn't even imported."""
    shell.json("init", "--presence", "off")
    shell.json("space", "new", "prj_a")
    env = {**shell.env, "LOBES_SECRET_STORE": "system"}
    act = (
        "import atexit\n"
        "    atexit.register(lambda: 'lobes.store.secrets' in sys.modules and os._exit(9))\n"
        f"    {CLI}"
    )
    command = ("--home", str(shell.folder), *words)
    code, modules = imported(act, *command, env=env, tmp_path=tmp_path)
    assert code in (0, 1)
    assert "keyring" not in modules


def test_doctor_secrets_asks_the_secret_store(shell: Shell, tmp_path: Path) -> None:
    """KR-01: the code and the sentence where there is none; and the test above can fail."""
    shell.json("init", "--presence", "off")
    ran = shell.run("doctor", "secrets", LOBES_SECRET_STORE="system", DBUS_SESSION_BUS_ADDRESS="")
    assert ran.code == 1
    assert "no secret store" in ran.out
    off = shell.run("doctor", "secrets", "--json")
    assert off.code == 0
    assert "turned off in the settings" in off.document["items"][0]["text"]
