"""The embedder that ships with Lobes: all-MiniLM-L6-v2 as int8 ONNX, offline, English.

Both files are checked by SHA-256 before they are read: a truncated model would give vectors that
look fine. A damaged model means search by words, never another model.

Each text is run alone. The int8 kernels scale activations by the largest value of the whole batch,
so that a text's vector moved with its neighbours (cosine 0.993 to itself): another lobe's text
would show in this one's scores, and a rebuild would give other answers. It costs no speed either.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from lobes.domain.errors import Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

FOLDER = Path(__file__).parent / "models"
SHA256 = {
    "model.onnx": "8f7763168a157eaf7f366982453322d33885f39c839047b91432ac75ee36eeff",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
ID = f"all-MiniLM-L6-v2-int8@{SHA256['model.onnx'][:12]}"
DIM = 384
TOKENS = 256
"""What the model was trained on; its positions end at 512."""
_SPECIAL = 2  # [CLS] and [SEP]
_RECENT = 64
"""Queries whose vector is kept: a screen asks again at each commit, a search looks deeper."""


class MiniLm:
    """See `engine.embed.Embedder`. Loading costs about 0.3 s, a query 2 ms on one core."""

    id = ID
    dim = DIM
    is_local = True

    def __init__(self, *, folder: Path = FOLDER, threads: int = 1) -> None:
        self._folder = folder
        self._threads = threads
        self._loading = Lock()
        self._tokenizer: Any = None
        self._session: Any = None
        self._recent = lru_cache(_RECENT)(self._embed)

    def load(self) -> None:
        """Verify, read and warm; `Unavailable` when a file is missing or damaged."""
        with self._loading:
            if self._session is not None:
                return
            model = self._verified("model.onnx")
            vocabulary = self._verified("tokenizer.json")
            from tokenizers import Tokenizer

            self._tokenizer = Tokenizer.from_buffer(vocabulary)
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(TOKENS)
            self._session = _session(model)
        self.embed_query("warm")

    def _verified(self, name: str) -> bytes:
        try:
            raw = (self._folder / name).read_bytes()
        except OSError:
            raw = b""
        if hashlib.sha256(raw).hexdigest() != SHA256[name]:
            raise Unavailable(
                "The embedding model is damaged or missing; search goes on by words.",
                hint="Install Lobes again to get its model back.",
                reason="model_damaged",
            )
        return raw

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        self.load()
        if self._threads == 1:
            made = [self._embed(text) for text in texts]
        else:
            with ThreadPoolExecutor(self._threads) as pool:
                made = list(pool.map(self._embed, texts))
        return np.array(made, dtype=np.float32).reshape(len(texts), DIM)

    def embed_query(self, text: str) -> Vectors:
        return self._recent(text)

    def _embed(self, text: str) -> Vectors:
        import numpy as np

        self.load()
        ids = np.array([self._tokenizer.encode(_sound(text)).ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        vector = self._session.run(["embedding"], inputs)[0][0]
        vector.setflags(write=False)  # whoever asks again gets this very one
        return vector

    def pieces(self, text: str) -> int:
        self.load()
        return max(0, len(self._tokenizer.encode(_sound(text)).ids) - _SPECIAL)


def _sound(text: str) -> str:
    """Text that the tokenizer takes: a lone surrogate would raise."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _session(model: bytes) -> Any:
    """A session whose runs happen in the caller's thread: no query waits behind a document."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
