"""The model that ships: known answers, and that a damaged file is noticed."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from lobes.domain.errors import Unavailable
from lobes.engine.minilm import FOLDER, SHA256, MiniLm


@pytest.fixture(scope="module")
def model() -> MiniLm:
    return MiniLm()


def test_known_answer_of_the_model_card(model: MiniLm) -> None:
    query = model.embed_query("That is a happy person")
    found = model.embed_documents(
        [
            "That is a happy dog",
            "That is a very happy person",
            "Today is a sunny day",
        ]
    )
    # Full precision: 0.695, 0.943, 0.257.
    assert found @ query == pytest.approx([0.707, 0.950, 0.256], abs=0.006)
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)


def test_a_vector_depends_on_its_own_text_alone(model: MiniLm) -> None:
    text = "restart the gateway after the backup"
    alone = model.embed_documents([text])[0]
    among = model.embed_documents(["部署 alpha", text, "the quick brown fox " * 60])[1]
    threads = MiniLm(threads=2).embed_documents(["soup", text])[1]
    assert alone.tobytes() == among.tobytes() == threads.tobytes()
    assert alone.tobytes() == model.embed_query(text).tobytes()


def test_a_query_asked_again_has_the_same_vector_and_nobody_can_change_it(model: MiniLm) -> None:
    text = "where is the backup kept"
    first = model.embed_query(text)
    model.embed_documents([f"{number} other texts" for number in range(100)])
    assert model.embed_query(text) is first
    assert MiniLm().embed_query(text).tobytes() == first.tobytes()
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1.0


def test_odd_text_is_embedded(model: MiniLm) -> None:
    found = model.embed_documents(["", "\ud800", "\0", "a" * 100_000, "語" * 5000])
    assert found.shape == (5, model.dim)
    assert np.isfinite(found).all()


def test_no_text_gives_no_vector(model: MiniLm) -> None:
    assert model.embed_documents([]).shape == (0, model.dim)


@pytest.mark.parametrize("name", sorted(SHA256))
def test_a_truncated_file_is_noticed(tmp_path: Path, name: str) -> None:
    """Field: a model of 50 of 90 MB, unnoticed for months."""
    shutil.copytree(FOLDER, tmp_path / "models")
    path = tmp_path / "models" / name
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(Unavailable, match="damaged"):
        MiniLm(folder=tmp_path / "models").load()


def test_pieces_tell_a_foreign_query(model: MiniLm) -> None:
    assert model.pieces("where is the backup kept") == 5
    assert model.pieces("Sicherungskopie wiederherstellen") > 5
