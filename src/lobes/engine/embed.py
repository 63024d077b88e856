"""The port of the embedders: text in, unit vectors out; which model is part of its id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """A model behind the meaning leg.

    `id` names model, revision and quantisation: another id means other vectors, never mixed.
    `is_local` is false when texts leave the machine, which a person must have chosen.
    """

    @property
    def id(self) -> str: ...

    @property
    def dim(self) -> int: ...

    @property
    def is_local(self) -> bool: ...

    def load(self) -> None:
        """Heavy imports and files; `Unavailable` when the model is missing or damaged."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """float32 [len(texts), dim], each row of length 1, in the order of `texts`."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """float32 [dim] of length 1; never waits behind a batch of documents."""
        ...

    def pieces(self, text: str) -> int:
        """How many word pieces the model's own vocabulary needs for `text`."""
        ...
