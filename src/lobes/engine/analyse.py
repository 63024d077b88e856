"""How text becomes terms, the same for passages and queries.

NFKC, lower case, runs of letters and digits, accents folded, an English stop list, the Snowball
stemmer. Scripts without spaces become overlapping pairs and single characters. Identifiers such as
`retry_after` or `HTTPServer2` are one term whole and one for each part.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock

import Stemmer

QUERY_CHARACTERS = 10_000
QUERY_TERMS = 64
TERM_CHARACTERS = 64
_CACHED = 200_000
_CACHED_CHARACTERS = 40

# The 127 words of the English list that NLTK made common: question and auxiliary words are in it,
# which lifted LoCoMo by 4 points against the 33 words of Lucene's list.
_ENGLISH = """
i me my myself we our ours ourselves you your yours yourself yourselves he him his
himself she her hers herself it its itself they them their theirs themselves what which
who whom this that these those am is are was were be been being have has had having do
does did doing a an the and but if or because as until while of at by for with about
against between into through during before after above below to from up down in out on
off over under again further then once here there when where why how all any both each
few more most other some such no nor not only own same so than too very s t can will
just don should now
"""
STOP_WORDS: tuple[str, ...] = tuple(_ENGLISH.split())
_STOP = {word: number for number, word in enumerate(STOP_WORDS)}
STOP_BYTES = (len(STOP_WORDS) + 7) // 8

# Marks that belong to words (vowel signs are no letters to `re`), and scripts without spaces.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
    "\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3"
)
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_ASCII_RUN = re.compile(r"[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)*")
_RUN = re.compile(rf"(?:[^\W_]|[{_MARKS}])+(?:_+(?:[^\W_]|[{_MARKS}])+)*")
_SCRIPTS = re.compile(rf"([{_UNSPACED}]+)|[^{_UNSPACED}]+")
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9_]+")
_FOLDED = re.compile("[\u0300-\u036f]")


@dataclass(frozen=True, slots=True)
class _Run:
    """What one run of letters and digits adds to a passage."""

    terms: tuple[str, ...]
    stops: int
    length: int


_stemmer = Stemmer.Stemmer("english")
_stemming = Lock()  # a Stemmer keeps state between calls
_runs: dict[str, _Run] = {}


@dataclass(frozen=True, slots=True)
class Analysed:
    """A passage's terms with their counts, which stop words it holds, its length in words."""

    counts: Counter[str]
    stops: int
    length: int


@dataclass(frozen=True, slots=True)
class Query:
    """Distinct terms in sorted order, stop words as bits, and the last word as it was typed."""

    terms: tuple[str, ...]
    stops: int
    last: str
    last_term: str


def clean(text: str) -> str:
    """`text` without lone surrogates and NUL, in NFKC: what can be stored and compared."""
    if text.isascii():
        return text.replace("\0", " ")
    text = text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    return unicodedata.normalize("NFKC", text)


def analyse(*texts: str) -> Analysed:
    """The terms of a passage, given as title, heading and text."""
    runs: Counter[str] = Counter()
    for text in texts:
        cleaned = clean(text)
        runs.update((_ASCII_RUN if cleaned.isascii() else _RUN).findall(cleaned))
    counts: Counter[str] = Counter()
    stops = length = 0
    for run, times in runs.items():
        found = _runs.get(run) or _run(run)
        stops |= found.stops
        length += found.length * times
        for term in found.terms:
            counts[term] += times
    return Analysed(counts, stops, length)


def parse_query(text: str) -> Query:
    """The query's terms: the first 64 distinct ones of its first 10,000 characters."""
    found: dict[str, None] = {}
    stops = 0
    last = last_term = ""
    for word, primary in _words(clean(text[:QUERY_CHARACTERS]), query=True):
        if (number := _STOP.get(word)) is not None:
            stops |= 1 << number
            last = last_term = ""
            continue
        term = _stem(word)
        if len(found) < QUERY_TERMS:
            found.setdefault(term)
        if primary:
            last, last_term = word, term
    return Query(tuple(sorted(found)), stops, last, last_term)


def count_words(text: str) -> int:
    """Runs of letters and digits in a query, for the language check of the fusion."""
    return len(_RUN.findall(clean(text[:QUERY_CHARACTERS])))


def _run(run: str) -> _Run:
    terms: list[str] = []
    stops = length = 0
    for word, primary in _words(run):
        if (number := _STOP.get(word)) is not None:
            stops |= 1 << number
        else:
            terms.append(_stem(word))
            length += primary
    made = _Run(tuple(terms), stops, length)
    if len(run) <= _CACHED_CHARACTERS:
        if len(_runs) >= _CACHED:
            _runs.clear()
        _runs[run] = made
    return made


def _words(text: str, *, query: bool = False) -> Iterator[tuple[str, bool]]:
    """(word, counts towards the length); parts of identifiers and single characters don't."""
    for found in (_ASCII_RUN if text.isascii() else _RUN).finditer(text):
        run = found[0]
        if run.isascii():
            yield from _spaced(run)
            continue
        for piece in _SCRIPTS.finditer(run):
            if piece[1]:
                yield from _unspaced(piece[0], query=query)
            else:
                yield from _spaced(_fold(piece[0]))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", _FOLDED.sub("", unicodedata.normalize("NFD", text)))


def _spaced(run: str) -> Iterator[tuple[str, bool]]:
    run = run.strip("_")
    whole = run.lower()[:TERM_CHARACTERS]
    if not whole:
        return
    yield whole, True
    inner = run[1:]
    if "_" in inner or not (inner.islower() or run.isupper() or inner.isdigit() or not inner):
        parts = [part.lower()[:TERM_CHARACTERS] for part in _PARTS.findall(run)]
        if len(parts) > 1 and any(map(str.isalpha, parts)) and not _is_plain(run):
            for part in parts:
                yield part, False


def _is_plain(run: str) -> bool:
    """Lower-case words with digits, such as `mp3` or `1990s`, are no identifiers."""
    return "_" not in run and (run.islower() or run[1:].islower())


def _unspaced(run: str, *, query: bool) -> Iterator[tuple[str, bool]]:
    run = run.lower()
    if len(run) == 1:
        yield run, True
        return
    for first, second in pairwise(run):
        yield first + second, True
    if not query:
        for char in run:
            yield char, False


def _stem(word: str) -> str:
    with _stemming:
        return _stemmer.stemWord(word)
