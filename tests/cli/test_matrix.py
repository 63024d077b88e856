"""The matrix, the explanation and the notices as the shell shows them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import get_args

from tests.bench.building import add_spaces, configs

from homes import AHome
from lobes.access.resolve import Code
from lobes.cli.matrix import SIGNS
from lobes.domain.actors import parse_actor
from lobes.services.explaining import explain
from lobes.services.installation import Caller
from lobes.services.matrix import matrix
from lobes.tui.glyphs import GROUPS
from shell import Shell, shell_on


def test_every_code_that_a_cell_can_have_has_its_own_sign() -> None:
    in_cells = set(get_args(Code)) - {"personal", "member", "shared"}
    assert set(SIGNS) == in_cells
    assert len(set(SIGNS.values())) == len(SIGNS)
    assert {code: GROUPS["reason"][code][1] for code in SIGNS} == dict(SIGNS)


def test_the_sample_home_on_a_screen(sampled: Shell) -> None:
    lines = sampled.run("lobe", "matrix").out.splitlines()
    spaces = sampled.json("space", "list")["total"]
    rows = lines[1 : spaces + 1]
    assert [line.split()[0] for line in rows] == [str(n + 1) for n in range(spaces)]
    assert all(line.split()[-spaces:][n] == "." for n, line in enumerate(rows))
    legend = {line.split()[1] for line in lines[spaces + 2 :]}
    assert {"own", "private", "closed", "sibling"} <= legend
    assert not any("--across" in line for line in lines), "all of it is there"


def test_json_and_explain_say_the_same(sampled: Shell) -> None:
    found = sampled.json("lobe", "matrix")
    assert found["next"] is found["columns_next"] is None
    for row in found["items"]:
        told = sampled.json("lobe", "explain", row["space"])["items"]
        codes = {one["lobe"].removeprefix("space/"): one["reason"] for one in told}
        assert row["codes"] == {space: codes[space] for space in row["codes"]}


def test_both_ways_as_sentences(sampled: Shell) -> None:
    out = sampled.run("lobe", "explain", "prj_initech", "prj_globex").out
    assert "prj_initech doesn't draw on space/prj_globex: private" in out
    assert "What would change it: turn Private off in Initech." in out


def test_a_wide_home_says_what_is_shown(home: AHome, tmp_path: Path) -> None:
    add_spaces(home.lobes, configs(70))
    with shell_on(tmp_path / "home") as shell:
        out = shell.run("lobe", "matrix", "--from", "3", "-n", "5", COLUMNS="80").out
        rows = [line for line in out.splitlines() if "Prj_" in line or "prj_" in line]
        assert [row.split()[0] for row in rows] == ["3", "4", "5", "6", "7"]
        assert all(len(line) <= 80 for line in rows)
        assert "Rows 3–7 of 70, columns 1–25 of 70." in out
        end = shell.run("lobe", "matrix", "--across", "70", "-n", "2", COLUMNS="80").out
        assert "columns 70–70 of 70." in end
        assert "sibling" in shell.run("lobe", "matrix", "--summary").out
        assert "There is no Space here." in shell.run("lobe", "matrix", "--from", "71").out


# What may be known, and how fast ---------------------------------------------------------------


def caller(who: str) -> Caller:
    return Caller(parse_actor(who), "cli", is_present=who.startswith("user:"))


def test_nobody_sees_a_space_that_they_may_not_know(home: AHome) -> None:
    for space in ("prj_a", "prj_known", "prj_read", "prj_dark"):
        home.a_space(space, {"a.md": "# A\n"})
    home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'bob', '2026-01-01')")
    for space, verbs in (
        ("prj_known", ("read_meta",)),
        ("prj_read", ("read_meta", "read_content")),
    ):
        grants = ",".join(f'"{verb}": ["user:bob"]' for verb in verbs)
        permission = f'{{"visibility": "restricted", "grants": {{{grants}}}}}'
        home.execute("UPDATE space SET permission = ? WHERE id = ?", permission, space)
    found = matrix(home.lobes, caller("user:bob"))
    assert [one.id for one in found.columns] == ["prj_known", "prj_read"]
    assert [one.id for one in found.rows] == ["prj_read"], (
        "settings of the other aren't his to read"
    )
    assert (found.code(0, 0), found.code(0, 1)) == ("no_access", "own")
    assert (found.all_rows, found.all_columns) == (1, 2)
    agent = matrix(home.lobes, caller("ai:bob/reader@prj_read"))
    assert [one.id for one in agent.columns] == ["prj_read"]


def test_a_cell_reads_as_in_explain(home: AHome) -> None:
    for space in ("prj_a", "prj_b"):
        home.a_space(space, {"a.md": "# A\n"})
    found = matrix(home.lobes, home.me)
    for row, asking in enumerate(found.rows):
        told = {one.lobe: one for one in explain(home.lobes, home.me, asking.id)}
        for column, asked in enumerate(found.columns):
            assert found.explained(row, column) == told[f"space/{asked.id}"]


def test_windows_are_parts_of_the_whole(home: AHome) -> None:
    add_spaces(home.lobes, configs(12))
    whole = matrix(home.lobes, home.me)
    assert whole.is_whole
    part = matrix(home.lobes, home.me, first_row=3, first_column=5, most=4)
    assert part.cells == tuple(row[5:9] for row in whole.cells[3:7])
    assert (part.all_rows, part.all_columns, part.is_whole) == (12, 12, False)
    assert matrix(home.lobes, home.me, first_row=99).rows == ()


def test_300_spaces_take_less_than_a_second(home: AHome) -> None:
    add_spaces(home.lobes, configs(320))
    started = time.perf_counter()
    found = matrix(home.lobes, home.me)
    took = time.perf_counter() - started
    assert (len(found.rows), len(found.columns), found.all_rows) == (300, 300, 320)
    assert took < 1.0, took
