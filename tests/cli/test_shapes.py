"""The JSON of every command: other programs call these names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shell import Shell

IMPORTED = Path(__file__).parents[1] / "fixtures" / "imports" / "CLAUDE.md"
EXPORTED = IMPORTED.with_name("exported.jsonl")
LIST = {"items", "total", "next"}
LOBE = {"is_private", "cross_space", "tags"}
SPACE = {"id", "kind", "name", "status", "owner", "group", "lobe", "documents", "pending",
         "changed"}  # fmt: skip
EXPLAINED = {"lobe", "allowed", "reason", "sentence", "weight", "would_change"}
EFFECT = {"gains", "loses", "changes"}
REPORT = {"indexed", "unchanged", "removed", "skipped", "held", "roots", "chunks", "seconds"}
CONFIG = {"is_private", "cross_space", "excluded_from", "subscriptions", "tags", "muted",
          "agent_preset"}  # fmt: skip
PERMISSION = {"resource", "owner", "group", "visibility", "grants", "subjects", "version"}

SHAPES: list[tuple[tuple[str, ...], set[str], set[str]]] = [
    (("status",), {"home", "version", "schema", "spaces", "documents", "chunks", "pending",
                   "engine", "roots", "problems"}, set()),
    (("engine", "status"), {"state", "words_done", "vectors_done", "vectors_total",
                            "fragments"}, set()),
    (("space", "list"), LIST, SPACE),
    (("space", "show", "prj_initech"), SPACE, set()),
    (("lobe", "list"), LIST, {"address", "space", "kind", "documents", "state"}),
    (("lobe", "show", "prj_initech"), CONFIG | {"space", "address", "sources"}, set()),
    (("lobe", "explain", "prj_initech"), LIST, EXPLAINED),
    (("lobe", "explain", "prj_initech", "prj_globex"), LIST, EXPLAINED),
    (("lobe", "matrix"), LIST | {"columns", "columns_total", "columns_next"},
     {"space", "name", "codes"}),
    (("audit", "notices"), LIST | {"unseen"}, set()),
    (("allow-once", "prj_notidian", "--from", "area_internal", "q"),
     {"space", "lobe", "name", "expires", "minutes"}, set()),
    (("lobe", "set", "prj_initech", "--no-private", "--dry-run"), EFFECT, set()),
    (("lobe", "subscribe", "prj_initech", "--to", "tag:craft", "--dry-run"), EFFECT, set()),
    (("search", "release freeze", "--space", "area_internal"),
     {"items", "withheld", "degraded", "took_ms"},
     {"id", "kind", "lobe", "space", "path", "heading", "snippet", "score", "scores", "reason",
      "sentence"}),
    (("permission", "show", "space/prj_initech"), PERMISSION, set()),
    (("permission", "set", "space/prj_initech", "--visibility", "private", "--dry-run"),
     PERMISSION | {"gains", "loses", "notes", "saved"}, set()),
    (("can", "me", "read_meta", "space/prj_initech"),
     {"allowed", "reason", "sentence", "rule"}, set()),
    (("audit", "list"), LIST, {"seq", "at", "event", "actor", "verb", "resources", "channel"}),
    (("audit", "verify"), {"state", "rows"}, set()),
    (("doctor",), LIST, {"area", "level", "text", "hint"}),
    (("config", "path"), {"settings", "data", "state", "cache", "config"}, set()),
    (("config", "schema"), {"$schema", "title", "properties"}, set()),
    (("config", "show"), LIST | {"warnings"}, {"name", "value", "default", "doc"}),
    (("space", "trash", "prj_initech", "--dry-run"), {"impact", "trashed"}, set()),
    (("memory", "import", str(IMPORTED), "--space", "area_internal", "--dry-run"),
     {"source", "proposed", "repeats", "suppressed", "skipped", "refused", "stopped", "dry_run",
      "first"}, set()),
    (("memory", "import", str(EXPORTED), "--space", "area_internal", "--as-exported", "--dry-run"),
     {"space", "memories", "same", "dry_run"}, set()),
    (("index",), REPORT, set()),
    (("index", "prj_initech"), REPORT, set()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "keys", "item_keys"), SHAPES, ids=[" ".join(shape[0]) for shape in SHAPES]
)
def test_every_document_holds_the_keys_of_the_contract(
    sampled: Shell, words: tuple[str, ...], keys: set[str], item_keys: set[str]
) -> None:
    document: dict[str, Any] = sampled.json(*words)
    assert keys <= document.keys()
    if item_keys:
        assert document["items"] != []
        for item in document["items"]:
            assert item_keys <= item.keys()
    if keys >= LIST:
        assert document["total"] >= len(document["items"])


def test_the_parts_inside(sampled: Shell) -> None:
    space = sampled.json("space", "list")["items"][0]
    assert space["lobe"].keys() >= LOBE
    status = sampled.json("status")
    assert status["engine"].keys() >= {"state", "words_done", "vectors_done", "vectors_total",
                                       "fragments"}  # fmt: skip
    assert all(root.keys() >= {"space", "path", "state"} for root in status["roots"])
    found = sampled.json("search", "day rate", "--space", "area_internal")
    assert all(one.keys() >= {"lobe", "reason", "sentence"} for one in found["withheld"])
    assert found["withheld"] != []
    told = sampled.json(
        "search", "day rate", "--space", "area_internal", "--as", "ai:ada/reader@area_internal"
    )
    assert told["withheld"] == {"more_with_approval": True}
    effect = sampled.json("lobe", "set", "area_writing", "--private", "--dry-run")
    assert all(one.keys() >= {"space", "lobe"} for one in effect["loses"])
    assert effect["loses"] != []
    assert sampled.json("index")["roots"][0].keys() >= {"space", "state"}


def test_skipped_files_are_listed_and_are_no_failure(shell: Shell) -> None:
    (shell.folder / "spaces" / "prj_a" / "bad.md").write_bytes(b"\xff\xfe\x00")
    report = shell.json("index")
    assert [(one["path"], one.keys() >= {"path", "reason"}) for one in report["skipped"]] == [
        ("bad.md", True)
    ]


def test_commands_that_change_say_what_they_made(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "README.md").write_text("# Notes\n")
    assert shell.json("space", "add", str(folder), "--id", "prj_n", "--yes")["added"] is True
    assert shell.json("space", "edit", "prj_n", "--name", "Named")["name"] == "Named"
    assert shell.json("space", "finish", "prj_n")["status"] == "finished"
    assert shell.json("space", "archive", "prj_n")["status"] == "archived"
    assert shell.json("space", "restore", "prj_n")["status"] == "finished"
    assert shell.json("space", "trash", "prj_n", "--yes")["trashed"] is True
    assert shell.json("space", "restore", "prj_n")["status"] == "finished"
    assert shell.json("space", "trust", "prj_n")["waiting"] is None
    saved = shell.json("lobe", "set", "prj_n", "--private", "--tag", "t", "--mute", "prj_a",
                       "--exclude", "prj_a", "--agent-preset", "reader")  # fmt: skip
    assert (saved["saved"], saved["is_private"], saved["tags"]) == (True, True, ["t"])
    since = shell.json("lobe", "show", "prj_n")["excluded_since"]
    assert list(since) == ["prj_a"]
    assert (
        f"Never with prj_a, both ways, since {since['prj_a'][:10]}"
        in shell.run("lobe", "show", "prj_n").out
    )
    shell.json("lobe", "subscribe", "prj_n", "--to", "space:prj_a")
    shell.json("lobe", "unsubscribe", "prj_n", "--to", "space:prj_a")
    assert shell.json("lobe", "show", "prj_n")["subscriptions"] == []
    assert shell.json("which", str(folder))["space"] == "prj_n"
    assert shell.json("engine", "stop").keys() == {"stopped"}
    assert shell.json("doctor", "--fix")["mended"] is not None
