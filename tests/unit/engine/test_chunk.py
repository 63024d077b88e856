"""Passages: where they begin and end, and which ids survive an edit."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.engine.chunk import MAX, Chunked, chunk
from lobes.engine.outline import outline


def cut(text: str, path: str = "note.md") -> Chunked:
    return chunk(text, path=path, document_id="doc")


def test_headings_make_sections_with_their_path() -> None:
    found = cut("# Guide\n\nintro\n\n## Setup\n\nrun it\n\nUsage\n-----\n\nuse it\n")
    assert [(p.heading, p.text) for p in found.passages] == [
        ("Guide", "intro"),
        ("Guide › Setup", "run it"),
        ("Guide › Usage", "use it"),
    ]
    assert found.title == "Guide"
    assert [(p.first_line, p.last_line) for p in found.passages] == [(3, 3), (7, 7), (12, 12)]


def test_a_hash_inside_a_fence_is_no_heading() -> None:
    found = cut("# A\n\n```sh\n# comment\n\nls\n```\n\ntail\n")
    assert [p.heading for p in found.passages] == ["A"]
    assert "# comment\n\nls" in found.passages[0].text


def test_a_hash_in_a_script_is_no_heading() -> None:
    found = cut("# comment\nprint(1)\n", path="run.py")
    assert found.title == "run"
    assert found.passages[0].heading == ""


def test_title_prefers_frontmatter_then_first_h1_then_stem() -> None:
    assert cut("---\ntitle: 'From front'\n---\n# Other\nx\n").title == "From front"
    assert cut("## Two\nx\n# One\ny\n").title == "One"
    assert cut("plain\n", path="deep/my note.md").title == "my note"


def test_frontmatter_is_no_passage_and_a_rule_line_is_no_frontmatter() -> None:
    assert [p.text for p in cut("---\ntags: [a]\n---\nbody\n").passages] == ["body"]
    assert len(cut("---\nnever closed\n").passages) == 1


def test_an_empty_note_gives_no_passage() -> None:
    for text in ("", "\n\n  \n", "---\ntitle: x\n---\n", "\ufeff"):
        assert cut(text).passages == ()


def test_a_lone_heading_can_be_found() -> None:
    assert [p.text for p in cut("# Shopping\n\n## Milk\n\n## Bread\n\nrye\n").passages] == [
        "Milk",
        "rye",
    ]


def test_crlf_gives_the_same_passages() -> None:
    text = "# A\n\none\n\n## B\n\ntwo\n"
    assert cut(text.replace("\n", "\r\n")).passages == cut(text).passages


def test_an_edit_elsewhere_keeps_the_other_ids() -> None:
    before = cut("# A\n\none\n\n## B\n\ntwo\n\n## C\n\nthree\n")
    after = cut("# A\n\none\n\nadded\n\n## B\n\ntwo, changed\n\n## C\n\nthree\n")
    kept = {p.id for p in before.passages} & {p.id for p in after.passages}
    assert [p.text for p in before.passages if p.id in kept] == ["three"]


def test_equal_passages_have_different_ids() -> None:
    found = cut("## T\n\nsame\n\n## T\n\nsame\n")
    assert len({p.id for p in found.passages}) == 2


def test_code_and_tables_stay_whole_when_they_fit() -> None:
    table = "\n".join(f"| cell {n} | {'x' * 20} |" for n in range(40))
    assert 900 < len(table) < MAX
    found = cut(f"# T\n\n{'word ' * 150}\n\n{table}\n")
    assert table in [p.text for p in found.passages]


def test_a_very_long_line_is_cut_at_cells() -> None:
    line = "| " + " | ".join(f"cell{n}" for n in range(2000)) + " |"
    found = cut(line)
    assert all(len(p.text) <= MAX for p in found.passages)
    assert {f"cell{n}" for n in range(2000)} == {
        word for p in found.passages for word in p.text.replace("|", " ").split()
    }


def test_the_content_hash_follows_title_heading_and_text() -> None:
    one = cut("## H\n\nx\n", path="a.md").passages[0]
    other = cut("## H\n\nx\n", path="b.md").passages[0]
    assert one.id == other.id
    assert one.content_hash != other.content_hash


@given(st.text(alphabet=st.sampled_from("ab#-=`~|\n\r \t.")))
def test_any_text_keeps_its_letters_and_order(text: str) -> None:
    found = cut(text)
    assert all(p.text.strip() and len(p.text) <= MAX for p in found.passages)
    lines = [(p.first_line, p.last_line) for p in found.passages]
    assert lines == sorted(lines)
    assert len({p.id for p in found.passages}) == len(found.passages)


def test_chunking_imports_nothing_heavy() -> None:
    heavy = "{'numpy', 'lancedb', 'pyarrow', 'onnxruntime', 'tokenizers', 'asyncio', 'Stemmer'}"
    code = f"import sys, lobes.engine.chunk; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "text",
    ["# a" + " " * 900_000 + "x", "---\ntitle: a" + " " * 900_000 + "x\n---\n# b\n"],
    ids=["heading", "title"],
)
def test_a_line_of_blanks_in_a_heading_does_not_hold_the_index(text: str) -> None:
    """A pattern that looked back took 7 seconds at 20 KB, and four times as long at twice that."""
    begun = time.process_time()
    found = outline(text, path="a.md")
    assert time.process_time() - begun < 1
    assert found.title == "a x"


def test_signs_at_the_end_of_a_heading_are_its_mark() -> None:
    text = "# one ##\n# two#\n## C#  \n#\tthree #\t\n#hash\n"
    assert [one.path[-1] for one in outline(text, path="a.md").sections[1:]] == [
        "one",
        "two#",
        "C#",
        "three",
    ]
