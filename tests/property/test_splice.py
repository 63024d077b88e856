"""A splice touches one value: everything before and after it stays, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.errors import Invalid
from lobes.store.splice import splice, written
from lobes.store.yaml_strict import parse_yaml, plain_value

SCALARS = (
    st.text(st.characters(codec="utf-8"), max_size=20)
    | st.sampled_from(
        ["no", "~", "yes", "1e3", "12", "a: b", "# x", "'", '"', "a\nb", " x ", "\u202e", "-"]
    )
    | st.integers(-(10**17), 10**17)
    | st.booleans()
    | st.none()
)


@dataclass(frozen=True)
class Line:
    """One key with its value as written; joined they are the file, so each place is known."""

    head: str
    key: str
    value: str
    tail: str

    def __str__(self) -> str:
        return f"{self.head}{self.key}: {self.value}{self.tail}"


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[Line], str]:
    """A byte order mark or not, lines under one section or not, and one kind of line end."""
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    indent = draw(st.sampled_from(["", "  ", "    "]))
    lines: list[Line] = []
    for number in range(draw(st.integers(1, 5))):
        note = draw(st.sampled_from(["", f"# note: é{ending}", ending, f"{indent}#{ending}"]))
        value = draw(
            st.sampled_from(
                [
                    "x",
                    "'it''s'",
                    '"q \\" é"',
                    "12",
                    "true",
                    "null",
                    "two words",
                    "no",
                    "https://x/y",
                ]
            )
        )
        tail = draw(st.sampled_from(["", "  ", "   # why: not", " # é 🙂"]))
        lines.append(Line(f"{note}{indent}", f"k{number}", value, tail + ending))
    top = draw(st.sampled_from(["", "\ufeff"])) + (f"top:{ending}" if indent else "")
    return top, lines, ending


@given(files(), st.data(), SCALARS)
def test_replacing_keeps_every_other_byte(
    file: tuple[str, list[Line], str], data: st.DataObject, value: str | int | bool | None
) -> None:
    top, lines, _ = file
    text = top + "".join(map(str, lines))
    index = data.draw(st.integers(0, len(lines) - 1))
    line = lines[index]
    before = top + "".join(map(str, lines[:index])) + f"{line.head}{line.key}: "
    after = line.tail + "".join(map(str, lines[index + 1 :]))
    path = ("top", line.key) if "top:" in top else (line.key,)
    result = splice(text, path, value)
    assert result.startswith(before)
    assert result.endswith(after)
    assert result[len(before) : len(result) - len(after)].count("\n") == 0
    assert _at(result, path) == value


@given(files(), SCALARS)
def test_adding_a_key_is_one_more_line(
    file: tuple[str, list[Line], str], value: str | int | bool | None
) -> None:
    top, lines, ending = file
    text = top + "".join(map(str, lines))
    path = ("top", "new") if "top:" in top else ("new",)
    result = splice(text, path, value)
    indent = "  " * (len(lines[0].head.split("\n")[-1]) // 2)
    assert result == f"{text}{indent}new: {written(value)}{ending}"
    assert _at(result, path) == value


def _at(text: str, path: tuple[str, ...]) -> object:
    here: object = plain_value(parse_yaml(text))
    for key in path:
        assert isinstance(here, dict)
        here = here[key]
    return here


@pytest.mark.parametrize(
    ("text", "path", "value", "result"),
    [
        ("a: 1", ("a",), 2, "a: 2"),
        ("a: 1 # n", ("b",), "x", "a: 1 # n\nb: x\n"),
        ("a:\nb: 1\n", ("a",), "x", "a: x\nb: 1\n"),
        ("a: # n\nb: 1\n", ("a",), "x", "a: x # n\nb: 1\n"),
        ("a: {b: 1, c: 2}\n", ("a", "b"), 3, "a: {b: 3, c: 2}\n"),
        ("a: {b: 1}\n", ("a", "c"), "x y", "a: {b: 1, c: x y}\n"),
        ("a: {}\n", ("a", "c", "d"), 1, "a: {c: {d: 1}}\n"),
        ("{a: 1}", ("b",), 2, "{a: 1, b: 2}"),
        ("a:\n  b: 1\n\n# end\nz: 1\n", ("a", "c"), 2, "a:\n  b: 1\n  c: 2\n\n# end\nz: 1\n"),
        ("a: 1\n", ("m", "sub", "o"), "x", "a: 1\nm:\n  sub:\n    o: x\n"),
        ("a: |\n  long\n  text\n\n# n\nb: 1\n", ("a",), "x", "a: x\n\n# n\nb: 1\n"),
        ("a: one\n  two\nb: 1\n", ("a",), "x", "a: x\nb: 1\n"),
        ("a: 'x'\n", ("a",), "no", "a: 'no'\n"),
        ("a: x\n", ("a",), "no", 'a: "no"\n'),
        ("a: x\n", ("a",), "a\u202eb", 'a: "a\\u202eb"\n'),
        ("---\na: 1\n...\n", ("b",), 2, "---\na: 1\nb: 2\n...\n"),
        ("a: 1\nb:\n  - x\n  - y\n", ("c",), 2, "a: 1\nb:\n  - x\n  - y\nc: 2\n"),
    ],
)
def test_forms_people_write(
    text: str, path: tuple[str, ...], value: str | int, result: str
) -> None:
    assert splice(text, path, value) == result
    assert splice(text.replace("\n", "\r\n"), path, value) == result.replace("\n", "\r\n") or (
        "\n" not in text
    )


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a: {b: 1}\n", ("a",)),
        ("a: [1]\n", ("a",)),
        ("a: 1\n", ("a", "b")),
        ("a: 1\n", ()),
        ("? a\n: 1\n", ("b",)),
        ("a: &x 1\n", ("a",)),
        ("a: 1\na: 2\n", ("a",)),
        ("a: |+\n  x\n\n\n", ("b",)),
        ("a: [\n", ("a",)),
    ],
)
def test_what_cannot_be_changed_alone_is_left_alone(text: str, path: tuple[str, ...]) -> None:
    with pytest.raises(Invalid):
        splice(text, path, "x")


def test_text_that_is_no_unicode_is_refused() -> None:
    with pytest.raises(Invalid) as caught:
        splice("a: 1\n", ("a",), "\ud800")
    assert caught.value.reason == "not_spliced"
