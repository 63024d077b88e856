"""The index on a real store, real SQLite and real Lance tables."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from index_world import BagOfWords, World, embed_all, find, settle
from lobes.domain.errors import Unavailable
from lobes.engine.index import Index


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "store.db")


@pytest.fixture
def index(tmp_path: Path, world: World) -> Iterator[Index]:
    made = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    yield made
    made.close()


def ids(reply: object) -> list[str]:
    return [candidate.id for candidate in reply.candidates]  # type: ignore[attr-defined]


def test_a_note_is_found_by_words_and_by_meaning(world: World, index: Index) -> None:
    note = world.put("work", "a.md", "# Deploy\n\nrestart the gateway after the backup\n")
    world.put("work", "b.md", "# Lunch\n\nthe canteen has soup\n")
    settle(index)
    reply = find(index, "gateway backup", "work")
    best = reply.candidates[0]
    assert best.id == note.passages[0].id
    assert best.content_hash == note.passages[0].content_hash
    assert (best.words, best.meaning, best.lobe) == (1, 1, "space/work")
    assert 0 < best.score <= 1
    assert reply.degraded == ()


def test_only_the_given_lobes_are_searched(world: World, index: Index) -> None:
    world.put("work", "a.md", "gateway")
    world.put("home", "a.md", "gateway")
    settle(index)
    assert {c.lobe for c in find(index, "gateway", "home").candidates} == {"space/home"}
    assert find(index, "gateway").candidates == ()
    assert find(index, "gateway", "nowhere").candidates == ()


def test_search_before_load_answers_by_words(world: World, index: Index) -> None:
    world.put("work", "a.md", "gateway")
    index.apply_outbox()
    reply = find(index, "gateway", "work")
    assert reply.degraded == ("words_only",)
    assert len(reply.candidates) == 1


def test_words_are_there_before_the_vectors(world: World, index: Index) -> None:
    world.put("work", "a.md", "gateway")
    index.load()
    index.apply_outbox()
    assert find(index, "gateway", "work").degraded == ("meaning_behind",)
    assert index.status().vectors_done == 0
    embed_all(index)
    assert find(index, "gateway", "work").degraded == ()
    assert index.status().vectors_done == index.status().vectors_total == 1


def test_an_edit_is_found_and_the_old_text_is_not(world: World, index: Index) -> None:
    world.put("work", "a.md", "## One\n\nalpha\n\n## Two\n\nbeta\n")
    settle(index)
    world.put("work", "a.md", "## One\n\nalpha\n\n## Two\n\ngamma\n")
    index.apply_outbox()
    assert find(index, "beta", "work").words_found == 0
    assert find(index, "gamma", "work").words_found == 1
    embed_all(index)
    assert len(find(index, "gamma", "work").candidates) == 2


def test_a_removed_note_and_a_removed_space_are_gone(
    world: World, index: Index, tmp_path: Path
) -> None:
    world.put("work", "a.md", "alpha")
    world.put("home", "a.md", "alpha")
    settle(index)
    world.remove("work", "a.md")
    world.drop("home")
    index.apply_outbox()
    assert find(index, "alpha", "work", "home").candidates == ()
    assert list((tmp_path / "index" / "lobes").iterdir()) == []


def test_unchanged_text_is_never_embedded_again(world: World, tmp_path: Path) -> None:
    embedder = BagOfWords()
    index = Index(tmp_path / "index", world.path, embedder=embedder)
    world.put("work", "a.md", "## One\n\nalpha\n\n## Two\n\n" + "beta " * 200)
    settle(index)
    before = len(embedder.embedded)
    world.put("work", "a.md", "## One\n\nalpha\n\n## Two\n\n" + "beta " * 200)
    world.put("work", "moved.md", "# a\n\n## One\n\nalpha\n")
    settle(index)
    index.reconcile()
    embed_all(index)
    index.close()
    again = Index(tmp_path / "index", world.path, embedder=embedder)
    settle(again)
    assert embedder.embedded[before:] == []
    again.close()


def test_equal_texts_of_a_lobe_share_one_vector(world: World, tmp_path: Path) -> None:
    embedder = BagOfWords()
    index = Index(tmp_path / "index", world.path, embedder=embedder)
    world.put("work", "x/note.md", "alpha")
    world.put("work", "y/note.md", "alpha")
    settle(index)
    world.put("work", "z/note.md", "alpha")
    settle(index)
    assert len(embedder.embedded) == 1
    assert find(index, "alpha", "work").meaning_found == 3
    index.close()


def test_a_reopened_index_gives_the_same_reply(world: World, tmp_path: Path) -> None:
    first = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    for number in range(30):
        world.put("work", f"{number}.md", f"# Note {number}\n\nalpha beta {number}\n")
    settle(first)
    expected = find(first, "alpha note", "work")
    first.close()
    again = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    again.load()
    assert find(again, "alpha note", "work") == expected
    again.rebuild()
    embed_all(again)
    assert find(again, "alpha note", "work") == expected
    again.close()


def test_the_cursor_is_kept_and_gaps_lead_to_a_repair(world: World, tmp_path: Path) -> None:
    index = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    world.put("work", "a.md", "alpha")
    assert index.apply_outbox() == 1
    index.close()
    world.put("work", "b.md", "beta")
    world.trim_outbox(2)
    again = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    assert again.apply_outbox() == 2
    assert find(again, "beta", "work").words_found == 1
    again.close()


def test_another_model_means_new_vectors(world: World, tmp_path: Path) -> None:
    world.put("work", "a.md", "alpha")
    first = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    settle(first)
    first.close()
    other = Index(tmp_path / "index", world.path, embedder=BagOfWords("other", dim=16))
    settle(other)
    reply = find(other, "alpha", "work")
    assert (reply.words_found, reply.meaning_found, reply.degraded) == (1, 1, ())
    other.close()


def test_files_are_only_for_their_owner(world: World, index: Index, tmp_path: Path) -> None:
    world.put("work", "a.md", "alpha")
    settle(index)
    index.maintain()
    for path in [tmp_path / "index", *(tmp_path / "index").rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode & 0o077 == 0, path


def test_a_deep_search_continues_the_same_list(world: World, index: Index) -> None:
    world.put_all("work", {f"{n}.md": f"alpha {'beta ' * (n % 7)} {n}" for n in range(300)})
    settle(index)
    short = ids(find(index, "alpha beta", "work"))
    deep = find(index, "alpha beta", "work", depth=300)
    assert ids(deep)[: len(short)] == short
    assert len(set(ids(deep))) == len(deep.candidates) == 300
    assert deep.candidates[-1].score == 0


def test_index_of_a_home_without_lobes_is_empty(world: World, index: Index) -> None:
    settle(index)
    assert index.status().lobes == 0
    assert find(index, "anything", "work").candidates == ()


def test_du08_index_folder_deleted_is_made_again(world: World, tmp_path: Path) -> None:
    """DU-08."""
    world.put("work", "a.md", "alpha")
    index = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    settle(index)
    expected = find(index, "alpha", "work")
    index.close()
    shutil.rmtree(tmp_path / "index")
    again = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    settle(again)
    assert find(again, "alpha", "work") == expected
    again.close()


def test_a_long_outbox_says_how_far_it_has_come(world: World, index: Index) -> None:
    index.load()
    index.apply_outbox()
    for space in ("a", "b", "c"):
        world.put_all(space, {f"{n}.md": f"alpha {n}" for n in range(30)})
    seen: list[tuple[str, int, int]] = []

    def note() -> None:
        status = index.status()
        seen.append((status.state, status.words_done, status.words_total))

    index.apply_outbox(progressed=note)
    assert seen == [("indexing", 30, 90), ("indexing", 60, 90), ("indexing", 90, 90)]
    assert (index.status().words_done, index.status().words_total) == (90, 90)


def test_a_first_index_says_how_far_it_has_come(world: World, index: Index) -> None:
    for space in ("a", "b"):
        world.put_all(space, {f"{n}.md": f"alpha {n}" for n in range(10)})
    seen: list[tuple[int, int]] = []

    def note() -> None:
        status = index.status()
        seen.append((status.words_done, status.words_total))

    index.apply_outbox(progressed=note)
    assert seen == [(10, 20), (20, 20)]


def test_status_names_the_most_fragments_of_any_lobe(
    world: World, index: Index, tmp_path: Path
) -> None:
    settle(index)
    assert index.status().fragments == 0
    world.put("home", "a.md", "alpha")
    for number in range(3):
        world.put("work", f"{number}.md", f"alpha {number}")
        settle(index)
    data = tmp_path / "index" / "lobes" / "space-work" / "vec.lance" / "data"
    assert index.status().fragments == len(list(data.iterdir())) == 3
    index.close()
    again = Index(tmp_path / "index", world.path, embedder=BagOfWords())
    again.load()
    assert again.status().fragments == 3
    again.close()


def test_an_index_makes_its_folder_but_not_a_home_that_was_removed(
    world: World, tmp_path: Path
) -> None:
    index = Index(tmp_path / "gone" / "state" / "index", world.path, embedder=BagOfWords())
    with pytest.raises(Unavailable):
        index.apply_outbox()
    assert not (tmp_path / "gone").exists()
