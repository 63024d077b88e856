"""The embedder that ships with Lobes: all-MiniLM-L6-v2 as int8 ONNX, offline, English.

Both files are checked by SHA-256 before they are read: a truncated model would give vectors that
look fine. A damaged model means search by words, never another model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
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
BATCH = 32
_SPECIAL = 2  # [CLS] and [SEP]


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
        self._batches: Any = None
        self._queries: Any = None

    def load(self) -> None:
        """Verify, read and warm; `Unavailable` when a file is missing or damaged."""
        with self._loading:
            if self._queries is not None:
                return
            model = self._verified("model.onnx")
            vocabulary = self._verified("tokenizer.json")
            from tokenizers import Tokenizer

            self._tokenizer = Tokenizer.from_buffer(vocabulary)
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(TOKENS)
            queries = _session(model, threads=1)
            # A run on one thread happens in the caller's own, so a query passes a batch by; with
            # more threads both would share a pool.
            self._batches = queries if self._threads == 1 else _session(model, self._threads)
            self._queries = queries
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
        """Batches of texts of like length: padding is work that nobody asked for."""
        import numpy as np

        self.load()
        tokens: list[list[int]] = [
            found.ids for found in self._tokenizer.encode_batch([_sound(text) for text in texts])
        ]
        order = sorted(range(len(tokens)), key=lambda number: len(tokens[number]))
        made = np.zeros((len(tokens), DIM), dtype=np.float32)
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            made[some] = _run(self._batches, [tokens[number] for number in some])
        return made

    def embed_query(self, text: str) -> Vectors:
        self.load()
        return _run(self._queries, [self._tokenizer.encode(_sound(text)).ids])[0]

    def pieces(self, text: str) -> int:
        self.load()
        return max(0, len(self._tokenizer.encode(_sound(text)).ids) - _SPECIAL)


def _sound(text: str) -> str:
    """Text that the tokenizer takes: a lone surrogate would raise."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _session(model: bytes, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that spin while they wait take the cores that the screen needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _run(session: Any, tokens: Sequence[Sequence[int]]) -> Vectors:
    import numpy as np

    longest = max(map(len, tokens))
    ids = np.zeros((len(tokens), longest), dtype=np.int64)
    mask = np.zeros((len(tokens), longest), dtype=np.int64)
    for row, own in enumerate(tokens):
        ids[row, : len(own)] = own
        mask[row, : len(own)] = 1
    return session.run(["embedding"], {"input_ids": ids, "attention_mask": mask})[0]
