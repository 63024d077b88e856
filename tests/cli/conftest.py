"""A sample home that commands look at; commands that change something take one of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shell import Shell, shell_on


@pytest.fixture(scope="package")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """The sample home, indexed; only looked at."""
    with shell_on(tmp_path_factory.mktemp("cli") / "home") as shell:
        shell.json("init", "--sample", "--presence", "off", "--user", "ada")
        shell.json("index", "--wait")
        yield shell


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """A home with one empty Space, without presence."""
    with shell_on(tmp_path / "home") as made:
        made.json("init", "--presence", "off", "--user", "ada")
        made.json("space", "new", "prj_a")
        yield made


@pytest.fixture(scope="package")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """A home with one empty Space, for commands that fail and change nothing."""
    with shell_on(tmp_path_factory.mktemp("still") / "home") as made:
        made.json("init", "--presence", "off", "--user", "ada")
        made.json("space", "new", "prj_a")
        yield made
