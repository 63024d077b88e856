"""What a Space remembers goes out and comes back the same, and nothing of another one with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import composite

from homes import AHome, opened_home
from lobes.domain.ids import LobeAddress
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import parse_subscription
from lobes.domain.memories import (
    CLASSES,
    EPISTEMICS,
    KINDS,
    Link,
    Memory,
    Provenance,
    Tombstone,
    Version,
    statement_hash,
)
from lobes.domain.permissions import parse_permission
from lobes.domain.sensitivity import LEVELS, Setting
from lobes.services.bringing_in import bring_in
from lobes.services.exporting import EVERY, export_memories, export_space
from lobes.services.ingress import looked_at_anew
from lobes.services.lobe_changes import save
from lobes.services.space_importing import import_space
from lobes.store.memory_lines import parse_lines
from lobes.store.read_memories import links, lobe_memories, tombstones_for, versions
from remembered import remember
from traces import traces

WEIRD = (
    "a\u2028b\u2029c\x85d",
    "tabs\tand\r\ncarriage\rreturns\n\n> lines",
    "\u202ereversed\u202c and ze\u200bro width",
    "e\u0301 is not é, \ufb01 is not fi",
    "🦊🏳️‍🌈 \U0010ffff",
    '{"id": "x"}\n# Title\n```\n---\nid: prj_evil\n---',
    "<script>&amp;</script> [link](javascript:x) \x1b[31mred\x07",
    "ünder " * 600,
    "語" * 4000,
)
NUMBERS = count()

texts = st.one_of(
    st.sampled_from(WEIRD),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60),
)
statements = texts.filter(str.strip)
words = st.text("abcdefg äß/.:-", max_size=20)
moments = st.integers(10**9, 3 * 10**9).map(lambda one: datetime.fromtimestamp(one + 0.25, UTC))
perhaps = st.one_of(st.none(), moments)
PERMISSIONS = (
    None,
    parse_permission('{"visibility": "private"}'),
    parse_permission('{"visibility": "restricted", "grants": {"read_content": ["user:bob"]}}'),
)


@st.composite
def past(draw: st.DrawFn, id: str, memory: dict[str, Any]) -> tuple[Version, ...]:
    said = [*draw(st.lists(statements, max_size=2)), memory["statement"]]
    return tuple(
        Version(
            id,
            number,
            text,
            statement_hash(text),
            draw(st.sampled_from(EVERY)) if number < len(said) else memory["status"],
            draw(st.sampled_from(["propose", "edit", "accept"])),
            draw(st.sampled_from(["user:ada", "policy", "ai:ada/proposer@prj_x"])),
            draw(words),
            at=draw(moments),
        )
        for number, text in enumerate(said, start=1)
    )


@composite
def kept_memory(draw: st.DrawFn) -> dict[str, Any]:
    given = draw(st.sampled_from([None, *LEVELS]))
    setting = draw(
        st.one_of(
            st.none(),
            st.builds(
                Setting,
                st.sampled_from(LEVELS),
                st.just("user:ada"),
                words,
                moments.map(datetime.isoformat),
                st.just(given),
                st.frozensets(st.tuples(words, words), max_size=2),
            ),
        )
    )
    return {
        "statement": draw(statements),
        "kind": draw(st.sampled_from(KINDS)),
        "memory_class": draw(st.sampled_from(CLASSES)),
        "epistemic": draw(st.sampled_from(EPISTEMICS)),
        "status": draw(st.sampled_from(EVERY)),
        "author": draw(st.sampled_from(["user", "agent", "import", "share"])),
        "subject": draw(texts),
        "category": draw(st.sampled_from(["", "health", "people"])),
        "provenance": Provenance(
            *(draw(words) for _ in range(5)),
            evidence=tuple(draw(st.lists(texts, max_size=3))),
            is_external=draw(st.booleans()),
        ),
        "confidence": draw(st.one_of(st.none(), st.floats(0, 1))),
        "level": draw(st.sampled_from(LEVELS)),
        "given": given,
        "setting": setting,
        "permission": draw(st.sampled_from(PERMISSIONS)),
        "waits_for": tuple(draw(st.lists(st.sampled_from(["outside", "imported"]), unique=True))),
        "use_count": draw(st.integers(0, 9)),
        "created": draw(moments),
        "updated": draw(moments),
        **{
            name: draw(perhaps)
            for name in ("verified", "keep_until", "valid_from", "valid_to", "last_retrieved")
        },
    }


Tie = tuple[str, int, int, datetime]
ties = st.lists(
    st.tuples(
        st.sampled_from(["supersedes", "disputes", "merged"]),
        st.integers(0, 3),
        st.integers(0, 3),
        moments,
    ),
    max_size=5,
    unique_by=lambda one: one[:3],
)


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AHome, AHome, AHome]]:
    folder = tmp_path_factory.mktemp("round_trip")
    with ExitStack() as stack:
        yield (
            stack.enter_context(opened_home(folder / "one")),
            stack.enter_context(opened_home(folder / "other")),
            stack.enter_context(opened_home(folder / "third")),
        )


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), drawn=st.lists(kept_memory(), min_size=1, max_size=4), tied=ties)
def test_whatever_is_remembered_comes_back_the_same(
    homes: tuple[AHome, AHome, AHome],
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
    drawn: list[dict[str, Any]],
    tied: list[Tie],
) -> None:
    """field "export, import elsewhere": ids, times, expiry, status, provenance, versions, links."""
    one, other, third = homes
    space = f"prj_{next(NUMBERS)}"
    one.a_space(space, {}, LobeChange(tag=("amber", "craft")))
    before = _filled(one, space, drawn, tied, data)
    folder = tmp_path_factory.mktemp("export")
    done = export_space(one.lobes, one.me, space, folder / "out", every=True)
    assert done.left_out == ()
    import_space(other.lobes, other.me, folder / "out")
    assert whole(other, space) == before == whole(one, space)
    lobe = LobeAddress("space", space)
    export_memories(one.lobes, one.me, space, folder / "alone.jsonl", every=True)
    lines = parse_lines((folder / "alone.jsonl").read_text("utf-8"), lobe)
    assert {line.memory.id: (line.memory, line.versions, set(line.links)) for line in lines} == {
        id: (memory, past, ties) for id, (memory, past, ties, _) in before.items()
    }
    third.a_space(space, {})
    here = remember(third, f"space/{space}", "Here before.")
    bring_in(third.lobes, third.me, space, folder / "alone.jsonl")
    assert {id: kept for id, kept in whole(third, space).items() if id != here.id} == before
    again = bring_in(third.lobes, third.me, space, folder / "alone.jsonl")
    assert (again.memories, again.same) == (0, len(before))


def _filled(
    home: AHome, space: str, drawn: list[dict[str, Any]], tied: list[Tie], data: st.DataObject
) -> dict[str, Any]:
    ids = [home.lobes.new_id() for _ in drawn]
    lobe = LobeAddress("space", space)
    pasts = [data.draw(past(id, one)) for id, one in zip(ids, drawn, strict=True)]
    memories = [
        looked_at_anew(
            Memory(
                id=id,
                lobe=lobe,
                person="ada",
                content_hash=statement_hash(one["statement"]),
                version=len(versions),
                replaces=data.draw(st.sampled_from(["", *(other for other in ids if other != id)])),
                **one,
            )
        )
        for id, one, versions in zip(ids, drawn, pasts, strict=True)
    ]
    links = [
        Link(kind, ids[a], ids[b], since)  # type: ignore[arg-type]
        for kind, a, b, since in tied
        if a != b and max(a, b) < len(ids)
    ]
    with home.lobes.database().begin() as unit:
        unit.memories.bring_in(memories, [each for one in pasts for each in one], links)
        for memory, versions in zip(memories, pasts, strict=True):
            if memory.status == "rejected":
                hash, by = memory.content_hash, versions[-1].actor
                unit.memories.tombstone(
                    Tombstone(memory.id, lobe, hash, "rejected", by, memory.updated)
                )
        unit.commit()
    return whole(home, space)


def whole(home: AHome, space: str) -> dict[str, Any]:
    """Id → the memory, its versions, its links, its tombstone."""
    lobe = LobeAddress("space", space)
    with home.lobes.reading() as store:
        found = {one.id: one for one in lobe_memories(store, lobe, EVERY)}
        hashes = [one.content_hash for one in found.values()]
        stones = tombstones_for(store, lobe, hashes, since=datetime(1900, 1, 1, tzinfo=UTC))
        return {
            id: (
                one,
                tuple(versions(store, id)),
                set(links(store, [id])),
                stones.get(one.content_hash),
            )
            for id, one in found.items()
        }


# Nothing of another one goes along ---------------------------------------------------------------

MARKERS = {
    "prj_a": "Zephyrquokka",
    "prj_b": "Quibblewort",
    "area_c": "Marmoladix",
    "area_d": "Hippodromia",
}


def test_of_several_filled_spaces_each_goes_out_without_a_word_of_another(tmp_path: Path) -> None:
    with opened_home(tmp_path / "home") as home:
        for space, marker in MARKERS.items():
            home.a_space(space, {"goals.md": f"# {marker}\n\n{marker} in a file.\n"})
        for space, marker in MARKERS.items():
            others = tuple(one for one in MARKERS if one != space)
            change = LobeChange(
                exclude=others[:1], subscribe=(parse_subscription(f"space:{others[1]}"),)
            )
            save(home.lobes, home.me, space, replace(change, tag=(marker.lower(),)))
            home.write(space, "docs/more.md", f"# More\n\n{marker} again.\n")
        home.index()
        mine = {space: _remembered(home, space) for space in MARKERS}
        with home.lobes.database().begin() as unit:
            for one in mine.values():
                for other in mine.values():
                    if one is not other:
                        unit.memories.link("disputes", one.id, other.id)
            unit.commit()
        for space, marker in MARKERS.items():
            others = [text for one, text in MARKERS.items() if one != space]
            others += [one for one in MARKERS if one != space]
            others += [one.id for at, one in mine.items() if at != space]
            out = tmp_path / "out" / space
            out.parent.mkdir(exist_ok=True)
            done = export_space(home.lobes, home.me, space, out, every=True)
            assert (done.files, done.memories) == (3, 2)
            assert traces(out, *others) == []
            for name in ("a.md", "a.jsonl"):
                export_memories(home.lobes, home.me, space, out / name, every=True)
            assert traces(out, *others) == []
            there = {one.split(":")[0] for one in traces(out, marker)}
            assert {"memories.md", "memories.jsonl", "a.md", "a.jsonl", "pack/goals.md"} <= there
            about = json.loads((out / "export.json").read_text())
            assert about["space"]["lobe"]["tags"] == [marker.lower()]


def _remembered(home: AHome, space: str) -> Memory:
    marker = MARKERS[space]
    old = remember(home, f"space/{space}", f"{marker} was", status="superseded", subject=marker)
    long = home.lobes.clock() + timedelta(days=9)
    came = Provenance("cli", marker, marker, "add", marker, (f"{marker}.md",))
    new = remember(
        home,
        f"space/{space}",
        f"{marker} is",
        status="disputed",
        provenance=came,
        replaces=old.id,
        valid_to=long,
    )
    with home.lobes.database().begin() as unit:
        unit.memories.link("supersedes", new.id, old.id)
        unit.commit()
    return new
