"""The words leg through the index: stop words, live typing, scripts, and BM25's own statistics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from index_world import BagOfWords, World, find, settle
from lobes.engine.index import Index


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "store.db")


@pytest.fixture
def index(tmp_path: Path, world: World) -> Iterator[Index]:
    made = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    yield made
    made.close()


def words(index: Index, query: str, *spaces: str) -> list[str]:
    """Ids in the order of the words leg; the model isn't loaded."""
    index.apply_outbox()
    return [c.id for c in find(index, query, *(spaces or ("work",))).candidates]


def test_a_query_of_stop_words_still_finds(world: World, index: Index) -> None:
    who = world.put("work", "a.md", "who are the band").passages[0].id
    world.put("work", "b.md", "nothing of it")
    assert words(index, "the who") == [who]
    assert words(index, "to be or not to be") == []


def test_a_word_is_found_while_it_is_typed(world: World, index: Index) -> None:
    note = world.put("work", "a.md", "authentication of people").passages[0].id
    world.put("work", "b.md", "canteen")
    for typed in ("au", "auth", "authen", "authenticat", "authenticati", "authenticatio"):
        assert words(index, f"people {typed}")[:1] == [note], typed
        assert words(index, typed) == [note], typed
    assert words(index, "zz") == []
    assert words(index, "auxx people") == [note]


def test_typing_looks_only_at_the_allowed_lobes(world: World, index: Index) -> None:
    note = world.put("work", "a.md", "gateway").passages[0].id
    world.put("home", "a.md", "gat")
    assert words(index, "gat", "work") == [note]


def test_short_and_mixed_queries_in_scripts_without_spaces(world: World, index: Index) -> None:
    """Field: an unspaced compound, one character, and `docker 部署`."""
    both = world.put("work", "a.md", "用 docker 部署服务").passages[0].id
    one = world.put("work", "b.md", "部署计划").passages[0].id
    assert words(index, "docker 部署")[0] == both
    assert set(words(index, "部署")) == {both, one}
    assert set(words(index, "署")) == {both, one}
    assert words(index, "服务部署计划")[0] == one


def test_rare_words_weigh_more_and_short_passages_too(world: World, index: Index) -> None:
    for number in range(8):
        world.put("work", f"{number}.md", f"common word {number}")
    rare = world.put("work", "rare.md", "rare word").passages[0].id
    longer = world.put("work", "long.md", "rare word " + "filler " * 60).passages[0].id
    assert words(index, "rare common")[:2] == [rare, longer]


def test_the_title_and_the_headings_are_searched(world: World, index: Index) -> None:
    note = world.put("work", "gateway notes.md", "## Rollback\n\nask Ada\n").passages[0].id
    assert words(index, "gateway") == [note]
    assert words(index, "rollback") == [note]


def test_a_renamed_title_is_followed(world: World, index: Index) -> None:
    world.put("work", "a.md", "---\ntitle: Gateway\n---\nask Ada\n")
    assert len(words(index, "gateway")) == 1
    world.put("work", "a.md", "---\ntitle: Canteen\n---\nask Ada\n")
    assert words(index, "gateway") == []
    assert len(words(index, "canteen")) == 1


QUERIES = ("gateway backup", "gate", "the who", "retry_after 部署", "gatewaying", "nothing here")


def test_words_in_memory_answer_as_the_file_does(
    world: World, index: Index, tmp_path: Path
) -> None:
    for space in ("work", "home"):
        world.put_all(
            space,
            {f"{n}.md": f"the gateway {n} retry_after 部署 who {space} backup\n" for n in range(9)},
        )
    settle(index)
    cold = [find(index, query, "work", "home") for query in QUERIES]
    assert all(reply.words_found for reply in cold[:5])
    index.warm()
    index.maintain()
    hidden = tmp_path / "index" / "lobes" / "space-work" / "lex.db"
    hidden.rename(hidden.with_name("away"))
    assert [find(index, query, "work", "home") for query in QUERIES] == cold
    hidden.with_name("away").rename(hidden)


def test_what_was_written_after_the_warming_is_found(world: World, index: Index) -> None:
    world.put("work", "a.md", "gateway")
    settle(index)
    find(index, "gateway", "work")
    index.warm()
    world.put("work", "b.md", "gateway backup")
    world.put("work", "a.md", "tunnel")
    index.apply_outbox()
    assert find(index, "gateway", "work").words_found == 1
    index.warm()
    assert find(index, "gateway", "work").words_found == 1
    assert find(index, "tunnel", "work").words_found == 1
    index.rebuild()
    assert find(index, "tunnel", "work").words_found == 1
