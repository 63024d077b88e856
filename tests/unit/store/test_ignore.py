"""The ignore file means what gitignore means."""

from __future__ import annotations

import pytest

from lobes.store.ignore import ignores, is_noise


def _kept_out(rules: str, path: str) -> bool:
    """As the walk asks: each folder from the top, then the file."""
    ignored, _ = ignores(rules)
    parts = path.split("/")
    folders = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return any(ignored(folder, True) for folder in folders) or ignored(path, False)


@pytest.mark.parametrize(
    ("rules", "out", "kept"),
    [
        ("a.md", "a.md sub/a.md", "b.md xa.md a.md.x"),
        ("/a.md", "a.md", "sub/a.md"),
        ("docs/a.md", "docs/a.md", "x/docs/a.md"),
        ("private/", "private/x.md sub/private/x.md", "private"),
        ("*.md", "a.md sub/b.md", "a.txt"),
        ("a?c", "abc axc", "ac abbc"),
        ("x[0-9].md", "x1.md", "xa.md x.md"),
        ("x[!0-9].md", "xa.md", "x1.md"),
        ("x[^0-9].md", "xa.md", "x1.md"),
        ("**/foo", "foo a/foo a/b/foo", "foox"),
        ("foo/**", "foo/a foo/a/b", "foo x/foo/a"),
        ("a/**/b", "a/b a/x/b a/x/y/b", "ab b x/a/b"),
        ("a**b", "ab axxb", "a/b"),
        ("docs/*", "docs/a docs/x/y", "docs"),
        ("*\n!keep.md", "a.md", "keep.md"),
        ("d/*\n!d/keep.md", "d/a.md", "d/keep.md"),
        ("!keep.md\n*.md", "keep.md", "x"),
        ("d/\n!d/keep.md", "d/keep.md", "x"),
        ("\\#a\n\\!b", "#a !b", "a b"),
        ("a\\*b", "a*b", "axb"),
        ("# note\n\n  \nx ", "x", "note"),
        ("Übung.md", "Übung.md", "Ubung.md"),
    ],
)
def test_rules_mean_what_git_means(rules: str, out: str, kept: str) -> None:
    for path in out.split():
        assert _kept_out(rules, path), path
    for path in kept.split():
        assert not _kept_out(rules, path), path


def test_lines_beyond_the_bounds_are_counted_as_refused() -> None:
    assert ignores("a\n" * 510)[1] == 10
    assert ignores("x" * 301)[1] == 1
    assert ignores("a//b")[1] == 1
    assert ignores("# note\n\na")[1] == 0


def test_noise_is_hidden_files_and_leftovers_only() -> None:
    for name in (".git", ".x.md", "a.md~", "#a#", "x.tmp", "node_modules"):
        assert is_noise(name)
    for name in ("a.md", "tmp", "build", "a~b.md", "#1.md"):
        assert not is_noise(name)
