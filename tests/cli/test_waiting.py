"""What waits for a person is counted where the shell lists Spaces and tells of the home."""

from __future__ import annotations

from shell import Shell


def pending(shell: Shell) -> tuple[int, int, dict[str, int]]:
    """Of the list, of the one Space, of the home."""
    listed = shell.json("space", "list")["items"][0]["pending"]
    one = shell.json("space", "show", "prj_a")["pending"]
    return listed, one, shell.json("status")["pending"]


def test_what_waits_is_counted_until_it_is_decided(shell: Shell) -> None:
    assert pending(shell) == (0, 0, {})
    id = shell.json("memory", "propose", "A zebra crosses.", "--space", "prj_a")["id"]
    assert pending(shell) == (1, 1, {"space/prj_a": 1})
    for words in (("status",), ("space", "list"), ("space", "show", "prj_a")):
        assert "1 waiting" in shell.run(*words).out, words
    assert shell.json("status", "--as", "ai:ada/reader@prj_a")["pending"] == {}
    shell.json("memory", "accept", id, "--yes")
    assert pending(shell) == (0, 0, {})
    for words in (("space", "list"), ("space", "show", "prj_a")):
        assert "waiting" not in shell.run(*words).out, words


def test_the_home_has_one_name_wherever_it_is_told(shell: Shell) -> None:
    assert shell.json("status")["home"] == str(shell.folder)
