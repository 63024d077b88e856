"""What is never knowledge, for the scan and for the watch."""

from __future__ import annotations

import pytest

from lobes.domain.noise import is_noise, is_worth_a_look


@pytest.mark.parametrize(
    "name", [".git", ".x.md", ".obsidian", "node_modules", "venv", "a.md~", "#a#", "x.tmp", "a.swo"]
)
def test_noise_is_neither_scanned_nor_watched(name: str) -> None:
    assert is_noise(name)
    assert not is_worth_a_look(name)


@pytest.mark.parametrize("name", ["a.md", "tmp", "build", "a~b.md", "#1.md", "swim.md", "notes"])
def test_what_a_person_writes_is_scanned_and_watched(name: str) -> None:
    assert not is_noise(name)
    assert is_worth_a_look(name)


def test_the_rules_are_hidden_but_watched() -> None:
    assert is_noise(".lobesignore")
    assert is_worth_a_look(".lobesignore")


def test_a_persons_folder_may_bear_the_name_that_vim_tries_out() -> None:
    assert not is_noise("4913")
    assert not is_worth_a_look("4913")
