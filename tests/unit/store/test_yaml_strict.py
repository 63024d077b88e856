"""The strict loader: what it refuses, how fast, and that nothing is converted."""

from __future__ import annotations

import time
import tracemalloc
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from lobes.domain.errors import Invalid
from lobes.store import yaml_strict
from lobes.store.yaml_strict import Scalar, parse_yaml, plain_value

LAUGHS = "a: &a [x,x]\n" + "".join(f"{b}: &{b} [*{a},*{a}]\n" for a, b in pairwise("abcdefg"))


@pytest.fixture(params=["C", "Python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both parsers: PyYAML may have been built without libyaml."""
    if request.param == "Python":
        monkeypatch.setattr(yaml_strict, "_LOADER", yaml.SafeLoader)
    return request.param


@pytest.mark.parametrize(
    ("text", "line", "about"),
    [
        (LAUGHS, 1, "anchors"),
        ("a: *a", 1, "anchors"),
        ("a: &a [*a]", 1, "anchors"),
        ("b: 1\n<<: {a: 1}", 2, "merge"),
        ("a: !!python/object/apply:os.system [ls]", 1, "tags"),
        ("a: ! x", 1, "tags"),
        ("a: !!str 1", 1, "tags"),
        ("!!map {a: 1}", 1, "tags"),
        ("%YAML 1.1\n---\na: 1", 1, "directives"),
        ("a: 1\n---\nb: 1", 2, "more than one document"),
        ("private: true\nprivate: false", 2, "twice"),
        ("a: {b: 1, 'b': 2}", 1, "twice"),
        ("1: a", 1, "key must be text"),
        ("? [a]\n: b", 1, "key must be text"),
        ("? {a: 1}\n: b", 1, "key must be text"),
        ("null: a", 1, "key must be text"),
        ("- a", 1, "keys and values"),
        ("text", 1, "keys and values"),
        ("", 1, "keys and values"),
        ("# only a note\n", 1, "keys and values"),
        ("a: [" + "x," * 11_000 + "]", 1, "too many"),
        ("a: 1\nb: [", 2, "not valid YAML"),
        ("a: 1\n\tb: 2", 2, "not valid YAML"),
        ("a: \x07", 1, "characters"),
        ("a: \ud800", 1, "Unicode"),
        ("a: " + "[" * 30 + "]" * 30, 1, "nested"),
        ("a: " + "{b: " * 30 + "1" + "}" * 30, 1, "nested"),
        ("".join(f"{'  ' * n}k:\n" for n in range(30)), 13, "nested"),
    ],
)
def test_what_a_manifest_never_needs_is_refused_with_its_line(
    parser: str, text: str, line: int, about: str
) -> None:
    """PA-17, PA-18."""
    with pytest.raises(Invalid) as caught:
        parse_yaml(text)
    assert caught.value.reason == "bad_yaml"
    assert about in caught.value.message
    if about not in {"not valid YAML", "characters"}:
        assert caught.value.message.startswith(f"Line {line}:")
    assert "\x07" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 100_000,
        "a: " + "[" * 60_000,
        "[" * 60_000,
        "a: " + "9" * 1_000_000,
        LAUGHS * 900,
        "? " * 20_000,
        "- " * 20_000,
        "a: {" + "b: {" * 15_000,
        "a: [" + "x," * 30_000 + "]",
        "".join(f"k{number}: 1\n" for number in range(7_000)),
        "a: '" + "x" * 60_000,
        "a: |\n" + "  x\n" * 15_000,
        "&a " * 20_000,
        "\n" * 60_000 + "a: 1",
    ],
    ids=range(14),
)
def test_no_document_costs_more_than_a_moment(text: str) -> None:
    """PA-17, PA-20: under 100 ms (measured: 35 at most; three times that passes on a busy
    machine) and 50 MiB, and no traceback whatever it is."""
    tracemalloc.start()
    try:
        with suppress(Invalid):
            parse_yaml(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 50 * 1024 * 1024
    started = time.process_time()
    with suppress(Invalid):
        parse_yaml(text)
    assert time.process_time() - started < 0.3


@pytest.mark.parametrize(
    "text",
    ["a: " + "[" * 3_000, "a: " + "- " * 3_000, "{a: " * 3_000],
    ids=["brackets", "dashes", "braces"],
)
def test_deep_nesting_is_an_answer_also_in_the_python_parser(text: str) -> None:
    """PA-20: plain PyYAML raises RecursionError at 3,000 brackets."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(yaml_strict, "_LOADER", yaml.SafeLoader)
        with pytest.raises(Invalid):
            parse_yaml(text)


_TEXTS = ["no", "off", "Yes", "TRUE", "2024-01-02", "12:30:45", "1e3", "1.5", "0x1f", "010", "+1"]


def test_scalars_are_never_converted(parser: str) -> None:
    """PA-19: YAML 1.1 would make booleans, dates, numbers and base 60 of these."""
    text = (
        "a: [no, off, Yes, TRUE, 2024-01-02, 12:30:45, 1e3, 1.5, 0x1f, 010, +1, 1_000, .inf]\n"
        "b: [true, false, null, ~, '', 'true', \"1\", 0, -7, 9999999999999999999999]\n"
        "c:\n"
    )
    found = plain_value(parse_yaml(text))
    assert found == {
        "a": [*_TEXTS, "1_000", ".inf"],
        "b": [True, False, None, None, "", "true", "1", 0, -7, "9999999999999999999999"],
        "c": None,
    }


def test_places_are_offsets_in_the_very_text(parser: str) -> None:
    """Beyond the BMP, behind a byte order mark, with CRLF: as `splice` cuts by them."""
    text = "\ufeff# 𝄞\r\na: 'é𝄞' # x\r\nb:\r\n  c: plain text\r\n  d: {e: \"q\"}\r\n"
    top = parse_yaml(text)
    found = {key: node for key, node in _scalars(top.entries)}
    assert {key: text[node.start : node.end] for key, node in found.items()} == {
        "a": "'é𝄞'",
        "c": "plain text",
        "e": '"q"',
    }
    assert [found[key].line for key in "ace"] == [2, 4, 5]


def _scalars(entries: dict[str, yaml_strict.Node]) -> list[tuple[str, Scalar]]:
    found: list[tuple[str, Scalar]] = []
    for key, node in entries.items():
        if isinstance(node, Scalar):
            found.append((key, node))
        elif isinstance(node, yaml_strict.MapNode):
            found += _scalars(node.entries)
    return found


def test_size_is_counted_in_bytes() -> None:
    limit = yaml_strict.MAX_BYTES
    assert parse_yaml("a: " + "x" * (limit - 3))
    with pytest.raises(Invalid, match="64 KiB"):
        parse_yaml("a: " + "x" * (limit - 2))
    with pytest.raises(Invalid, match="64 KiB"):
        parse_yaml("a: " + "é" * (limit // 2))


def test_no_code_of_a_document_runs(tmp_path: Path) -> None:
    """PA-17."""
    mark = tmp_path / "ran"
    with pytest.raises(Invalid):
        parse_yaml(f"a: !!python/object/apply:pathlib.Path.touch ['{mark}']")
    assert not mark.exists()
