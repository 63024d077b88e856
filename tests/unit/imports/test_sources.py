"""Each format, as its tool writes it: what is taken, as what, and what is left aside."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.unit.imports.sources import FIXTURES, reasons, said, taken, zipped

from lobes.domain.imports import Candidate, ImportSource, Skip, Unsupported
from lobes.imports.limits import Limits
from lobes.imports.reading import read
from lobes.imports.recognise import recognise


def test_an_instruction_file_gives_its_items_and_short_paragraphs() -> None:
    candidates, skips = taken(FIXTURES / "CLAUDE.md")
    assert [(one.statement, one.kind, one.subject) for one in candidates] == [
        ("`make test` – runs the tests without the slow ones", "command", "Commands"),
        ("Run `make fmt` before every commit", "command", "Commands"),
        (
            "We decided to keep the parser free of regular expressions with two stars.",
            "decision",
            "Style",
        ),
        ("Never raise across the boundary of a service", "pattern", "Errors are values"),
        ("Return `Outcome` and let the face decide", "context", "Errors are values"),
        (
            "Migrations live in `db/migrations` and are never edited after a release",
            "pattern",
            "Layout",
        ),
    ]
    assert {one.memory_class for one in candidates} == {"project"}
    assert all(one.derived_from_external for one in candidates)
    assert candidates[1].source_ref == "CLAUDE.md:8"
    assert reasons(skips) == {
        "about": 1,
        "code": 1,
        "table": 1,
        "checkbox": 2,
        "links": 2,
        "reference": 1,
        "question": 1,
        "transcript": 1,
        "quote": 1,
        "private": 1,
        "recalled": 2,
    }


def test_a_private_region_is_in_no_candidate_and_no_skip() -> None:
    """hostile AG-08, field "text inside private tags": gone before anything else."""
    found = list(read(FIXTURES / "CLAUDE.md", ImportSource("claude_md", "CLAUDE.md")))
    assert "yellow note" not in repr(found)
    assert "main.py" not in repr(found)
    assert "Rust" not in repr(found)


def test_a_memory_folder_gives_one_memory_a_file_and_not_its_index_again() -> None:
    candidates, skips = taken(FIXTURES / "memory")
    assert [(one.statement, one.memory_class) for one in candidates] == [
        ("The build needs Node 20, not 22", "project"),
        (
            "Never deploy while the pipeline is red. **Why:** a hot fix went out with failing"
            " tests in March.",
            "feedback",
        ),
        ("The user is a data scientist who is new to Go.", "user"),
    ]
    assert candidates[1].subject == "Deploys wait for a green pipeline"
    assert reasons(skips) == {"reference": 2}


def test_observations_keep_category_and_tags_and_nothing_is_taken_for_one() -> None:
    """field "prose bullets with links, checkboxes, transcript times"."""
    candidates, skips = taken(FIXTURES / "notes")
    assert [(one.statement, one.kind, one.tags) for one in candidates] == [
        (
            "Pour over gives more clarity than a French press",
            "observation",
            ("coffee", "brewing", "method"),
        ),
        ("Water is heated to 93 degrees", "decision", ("coffee", "brewing", "heat")),
        (
            "Light roasts from Ethiopia work best (own tasting)",
            "preference",
            ("coffee", "brewing"),
        ),
    ]
    assert dict(candidates[0].data)["permalink"] == "coffee-brewing"
    assert candidates[0].created == datetime(2025, 3, 1, tzinfo=UTC)
    assert reasons(skips) == {"prose": 4, "relation": 2}


def test_a_vault_gives_items_and_paragraphs_and_its_settings_are_not_read(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian" / "plugins.md").write_text("- a plugin says this here\n")
    (tmp_path / "Tea.md").write_text(
        "---\naliases: [chai]\n---\n- Green tea wants [[Water|cooler water]]\n- [[Milk]]\n"
        "- [bug] Kettle leaks when tilted #home\n"
    )
    candidates, skips = taken(tmp_path)
    assert [(one.statement, one.subject, one.kind) for one in candidates] == [
        ("Green tea wants cooler water", "Tea", "context"),
        ("Kettle leaks when tilted", "Tea", "error_fix"),
    ]
    assert candidates[0].data == (("aliases", "chai"),)
    assert reasons(skips) == {"links": 1}


def test_entities_give_statements_that_name_them() -> None:
    candidates, skips = taken(FIXTURES / "memory.jsonl")
    assert [(one.statement, one.memory_class, one.subject) for one in candidates] == [
        ("Ann Lee: Speaks fluent Spanish", "user", "Ann Lee"),
        ("Ann Lee prefers morning meetings", "user", "Ann Lee"),
        ("Billing: Retries three times", "project", "Billing"),
    ]
    assert reasons(skips) == {
        "question": 1,
        "private": 1,
        "relation": 1,
        "bad_json": 1,
        "duplicate_key": 1,
        "bad_record": 1,
    }


def test_a_broken_record_of_mem0_is_named_and_the_rest_is_taken() -> None:
    candidates, skips = taken(FIXTURES / "mem0.json")
    assert [(one.statement, one.kind) for one in candidates] == [
        ("Prefers tea over coffee", "preference"),
        ("Works on \ufffd compilers", "observation"),
    ]
    assert candidates[0].created == datetime(2025, 4, 1, 17, tzinfo=UTC)
    assert candidates[0].tags == ("food",)
    assert reasons(skips) == {"bad_record": 1, "inactive": 1}


def test_a_backup_of_openmemory_is_read_and_its_second_copy_is_named(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "memories_export_ann.zip",
        {
            "memories.json": json.dumps(
                {
                    "user": {"id": "u"},
                    "memories": [
                        {"id": "1", "content": "Uses a split keyboard", "state": "active"},
                        {"id": "2", "content": "Used a trackball once", "state": "archived"},
                    ],
                    "access_controls": [],
                }
            ),
            "memories.jsonl.gz": b"\x1f\x8b",
        },
    )
    candidates, skips = taken(path)
    assert [one.statement for one in candidates] == ["Uses a split keyboard"]
    assert reasons(skips) == {"inactive": 1, "nested_archive": 1}


def test_a_chat_with_null_title_no_time_and_missing_links_loses_nothing(tmp_path: Path) -> None:
    """field "ChatGPT export with null title, no create_time, missing child links"."""
    data = (FIXTURES / "chatgpt.json").read_bytes()
    path = zipped(
        tmp_path / "export.zip",
        {"conversations.json": data, "user.json": "{}", "chat.html": "<html>", "a.png": b"\x89"},
    )
    candidates, skips = taken(path)
    assert [one.statement for one in candidates] == [
        "my sister is called Ida.",
        "User's sister is called Ida.",
        "User is learning Norwegian.",
        "Has two cats, Pip and Bo.",
        "Prefers metric units.",
        "Answer in British English",
        "Never use emojis in answers",
        "Works as a nurse in Bergen.",
    ]
    assert candidates[1].created == datetime(2024, 6, 1, 0, 0, 0, 500000, tzinfo=UTC)
    assert candidates[0].created is None
    assert candidates[3].created == datetime(2024, 5, 1, tzinfo=UTC)
    assert {one.memory_class for one in candidates} == {"user"}
    assert reasons(skips) == {"chat": 7, "bad_record": 1, "account": 1, "not_read": 2}


def test_a_chat_that_asks_a_name_gives_no_memory() -> None:
    """field "253 turns produce 212 proposals": questions and answers give none."""
    assert not [one for one in said(FIXTURES / "chatgpt.json") if "name" in one or "wrong" in one]


def test_the_claude_export_gives_memories_instructions_and_what_was_asked(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "data.zip",
        {
            "conversations.json": (FIXTURES / "claude_chats.json").read_bytes(),
            "memories.json": (FIXTURES / "claude_memories.json").read_bytes(),
            "projects.json": json.dumps(
                [{"uuid": "p", "name": "Garden", "prompt_template": "- Answer with Latin names",
                  "docs": [{"filename": "a.txt", "content": "text"}]}]
            ),
            "users.json": "[]",
        },
    )  # fmt: skip
    candidates, skips = taken(path)
    assert [(one.statement, one.subject, one.memory_class) for one in candidates] == [
        (
            "Ann is a nurse who builds small tools. She prefers short answers.",
            "Work context",
            "user",
        ),
        ("Moves to Bergen in August", "Top of mind", "user"),
        ("The project plans a garden on a slope.", "Purpose", "project"),
        ("Answer with Latin names", "Garden", "project"),
        ("I'm allergic to peanuts.", "", "user"),
    ]
    assert reasons(skips) == {"attachment": 1, "chat": 2, "bad_record": 1, "account": 1}


def test_an_unpacked_export_gives_the_same_as_its_archive(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for name, fixture in (
        ("conversations.json", "claude_chats.json"),
        ("memories.json", "claude_memories.json"),
    ):
        (folder / name).write_bytes((FIXTURES / fixture).read_bytes())
    packed = zipped(tmp_path / "d.zip", {p.name: p.read_bytes() for p in folder.iterdir()})
    assert taken(folder)[0] == taken(packed)[0]


def test_a_second_run_gives_the_same_ids_in_the_same_order(tmp_path: Path) -> None:
    for name in ("chatgpt.json", "memory.jsonl", "mem0.json", "CLAUDE.md", "notes"):
        assert taken(FIXTURES / name) == taken(FIXTURES / name)
    (tmp_path / "CLAUDE.md").write_text("\n\n" + (FIXTURES / "CLAUDE.md").read_text())
    first = [one.external_id for one in taken(FIXTURES / "CLAUDE.md")[0]]
    assert [one.external_id for one in taken(tmp_path / "CLAUDE.md")[0]] == first
    assert len(set(first)) == len(first)


def test_the_same_statement_twice_is_taken_once(tmp_path: Path) -> None:
    """field "byte-identical capture twice"."""
    path = tmp_path / "AGENTS.md"
    path.write_text("- Keep modules **small**\n- Keep modules small.\n")
    candidates, skips = taken(path)
    assert [one.statement for one in candidates] == ["Keep modules **small**"]
    assert [(one.where, one.reason) for one in skips] == [("AGENTS.md:2", "same")]


def test_a_project_gives_all_of_its_instruction_files_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("- Tests run with `make test`\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    rules = tmp_path / ".cursor" / "rules" / "web"
    rules.mkdir(parents=True)
    (rules / "a.mdc").write_text(
        "---\nglobs: *.ts\nalwaysApply: false\n---\n- Use the app router\n"
    )
    instructions = tmp_path / ".github" / "instructions"
    instructions.mkdir(parents=True)
    (instructions / "py.instructions.md").write_text('---\napplyTo: "**"\n---\nType every port.\n')
    (tmp_path / ".github" / "copilot-instructions.md").write_text("Write small commits.\n")
    candidates, skips = taken(tmp_path)
    assert [one.statement for one in candidates] == [
        "Tests run with `make test`",
        "Write small commits.",
        "Use the app router",
        "Type every port.",
    ]
    assert dict(candidates[2].data) == {"globs": "*.ts", "alwaysApply": "false"}
    assert [(one.where, one.reason) for one in skips] == [("CLAUDE.md", "link")]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("CLAUDE.md", "claude_md"),
        ("memory", "claude_memory"),
        ("notes", "basic_memory"),
        ("notes/coffee.md", "basic_memory"),
        ("memory.jsonl", "mcp_memory"),
        ("mem0.json", "mem0"),
        ("chatgpt.json", "chatgpt_export"),
        ("claude_chats.json", "claude_export"),
        ("claude_memories.json", "claude_export"),
    ],
)
def test_a_source_is_recognised(name: str, kind: str) -> None:
    found = recognise(FIXTURES / name)
    assert isinstance(found, ImportSource)
    assert found.kind == kind


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("AGENTS.md", "agents_md"),
        (".cursorrules", "cursor_rules"),
        ("rules/a.mdc", "cursor_rules"),
        (".github/copilot-instructions.md", "copilot_instructions"),
        (".github/instructions/a.instructions.md", "copilot_instructions"),
        (".claude/rules/a.md", "claude_md"),
        ("projects/-home-ann-app/memory/a.md", "claude_memory"),
    ],
)
def test_a_file_is_recognised_by_its_place(tmp_path: Path, place: str, kind: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("- One rule to follow\n")
    found = recognise(path)
    assert isinstance(found, ImportSource)
    assert found.kind == kind
    assert said(path) == ["One rule to follow"]


def test_chats_of_open_webui_are_named_as_unsupported() -> None:
    """field "Open WebUI JSON"."""
    found = recognise(FIXTURES / "openwebui.json")
    assert isinstance(found, Unsupported)
    assert (found.label, found.reason) == ("Open WebUI chats", "unsupported")
    assert "Open WebUI chats" in found.sentence


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "unknown_format"),
        (b"just a text\n", "unknown_format"),
        (b'{"a": 1}', "unknown_format"),
        (b"[1, 2", "unknown_format"),
        (b"SQLite format 3\0" + b"\0" * 100, "unsupported"),
        (b"%PDF-1.7", "unsupported"),
        ('[{"mapping": {}}]'.encode("utf-16"), "not_utf8"),
        (b"PK\x03\x04 and no more", "bad_archive"),
    ],
)
def test_what_is_unknown_is_named_and_not_guessed(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "some.dat"
    path.write_bytes(data)
    found = recognise(path)
    assert isinstance(found, Unsupported)
    assert found.reason == reason
    assert found.sentence.endswith(".")


def test_a_pipe_or_a_missing_file_ends_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (("pipe", "not_regular"), ("none", "gone")):
        found = recognise(tmp_path / name)
        assert isinstance(found, Unsupported)
        assert found.reason == reason
        assert found.hint
        assert "no longer" not in found.sentence


def test_a_name_that_no_pack_can_have_stops_nothing_of_a_folder(tmp_path: Path) -> None:
    """PA-11: the file is named, and the others are read; only an archive is refused whole."""
    (tmp_path / "MEMORY.md").write_text("- Tea is kept in the blue tin\n")
    with open(os.fsencode(tmp_path) + b"/\xff\xfe.md", "w", encoding="utf-8") as odd:
        odd.write("- Coffee is kept in the red tin\n")
    found = list(read(tmp_path, ImportSource("claude_memory", "")))
    skips = [one for one in found if isinstance(one, Skip)]
    assert [one.statement for one in found if isinstance(one, Candidate)] == [
        "Tea is kept in the blue tin"
    ]
    assert [(one.where, one.ends) for one in skips] == [("\\xff\\xfe.md", False)]


def test_a_path_that_is_none_is_no_source() -> None:
    for path in (Path("x" * 5000), Path("a\0b")):
        found = recognise(path)
        assert isinstance(found, Unsupported)
        assert found.reason == "unreadable"


def test_an_import_is_stopped_and_says_where(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("\n".join(f"- Rule number {n} is kept" for n in range(100)))
    source = recognise(path)
    assert isinstance(source, ImportSource)
    asked = iter([False] * 6)
    found = list(read(path, source, stop=lambda: next(asked, True)))
    assert 0 < len(found) < 10
    assert found[-1].reason == "stopped"  # type: ignore[union-attr]


def test_no_more_is_taken_than_the_limit_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("\n".join(f"- Rule number {n} is kept" for n in range(100)))
    candidates, skips = taken(path, limits=Limits(candidates=10))
    assert len(candidates) == 10
    assert [(one.where, one.reason) for one in skips] == [("AGENTS.md:11", "too_many")]


def test_progress_goes_forward_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    path = FIXTURES / "chatgpt.json"
    list(read(path, ImportSource("chatgpt_export", ""), progress=lambda *one: seen.append(one)))
    size = path.stat().st_size
    assert seen[-1] == (size, size)
    assert seen == sorted(seen)


def test_many_alike_are_listed_a_few_times_and_then_counted(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("\n".join(f"- [ ] task number {n}" for n in range(500)))
    _, skips = taken(path)
    assert len(skips) == 21
    assert skips[-1].count == 480
    assert reasons(skips) == {"checkbox": 500}
