"""What a statement is, and what it is about: rules over one text, without a model.

A link, a task, a line of a transcript, a question and a file that is only pointed to state nothing.
Kind and class are a first guess for the person who reviews.
"""

from __future__ import annotations

import re

from lobes.imports.limits import PARAGRAPH, STATEMENT, SUBJECT

_CHECKBOX = re.compile(r"\[[ xX\-/>!?]?\](?:\s|$)")
_TIME = re.compile(
    r"[\[(]?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\s*(?:[ap]\.?m\.?)?[\])]?(?=[\s:,–-]|$)"
    r"|\[?\d{4}-\d{2}-\d{2}[ T]\d{1,2}:\d{2}(?::\d{2})?[^\]\s]*\]?(?=\s|$)",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"!?\[\[[^\]]{1,400}\]\]|!?\[[^\]]{0,400}\](?:\([^)]{0,2000}\)|\[[^\]]{0,200}\])"
    r"|<?https?://[^\s>]+>?|<[\w.+-]+@[\w.-]+>"
)
_BESIDE_LINKS = re.compile(
    r"[\s\-–—:|,.;/*_()•>]+|\b(?:see|also|and|or|at|read|siehe|auch|und)\b", re.I
)
_POINTER = re.compile(r"@[~\w-]*[./]\S*")
_LED_POINTER = re.compile(r"(?i)(?:see|read|load|include|import|refer to)\s+@\S+")
_ABOUT = re.compile(r"(?i)this (?:file|document) (?:provides|gives|contains|describes|is)\b")
_INTERROGATIVE = re.compile(
    r"(?i)(?:what|who|whom|whose|which|when|where|why|how|is|are|am|was|were|do|does|did|can|could"
    r"|will|would|shall|should|may|might|have|has|had)(?:'s|'re)?\b"
)
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WIKILINK = re.compile(r"!?\[\[([^\]|#]{0,200})(?:#[^\]|]{0,200})?(?:\|([^\]]{0,200}))?\]\]")


def not_a_statement(text: str, *, is_paragraph: bool = False) -> str:
    """The code of why this is none; "" where it is one."""
    if _CHECKBOX.match(text):
        return "checkbox"
    if _TIME.match(text):
        return "transcript"
    if _POINTER.fullmatch(text) or _LED_POINTER.fullmatch(text.rstrip(". \t\n")):
        return "reference"
    if is_only_links(text):
        return "links"
    if _ABOUT.match(text):
        return "about"
    if is_question(text):
        return "question"
    if is_short(text):
        return "short"
    return "long_text" if len(text) > (PARAGRAPH if is_paragraph else STATEMENT) else ""


def is_only_links(text: str) -> bool:
    bare, count = _LINK.subn(" ", text[: 4 * STATEMENT])
    return count > 0 and not _BESIDE_LINKS.sub("", bare)


def is_question(text: str) -> bool:
    """Whether it asks: all of it, or it ends asking and begins so too."""
    bare = text.rstrip("*_\"')]` ")
    if not bare.endswith(("?", "？")):
        return False
    sentences = re.split(r"(?<=[.!。])\s+", bare)
    return len(sentences) == 1 or _INTERROGATIVE.match(bare) is not None


def is_short(text: str) -> bool:
    """Fewer than two words, or where words aren't spaced, fewer than four letters."""
    if len(_WORD.findall(text[:STATEMENT])) >= 2:
        return False
    return len(_UNSPACED.findall(text[:STATEMENT])) < 4


def plain(text: str) -> str:
    """On one line, with the names of wiki links instead of their brackets."""
    if "[[" in text:
        text = _WIKILINK.sub(lambda found: found[2] or found[1], text)
    return " ".join(text.split())


def subject_of(text: str) -> str:
    """What something is about, on one line and short."""
    return plain(text[: SUBJECT * 4]).strip("*_` ")[:SUBJECT].rstrip()


def sentences(text: str) -> list[str]:
    """A long paragraph cut where a sentence ends and the next begins with a capital."""
    return re.split(r"(?<=[.!?。！？])\s+(?=[\"“'(*]?[^\Wa-z\d_])", text)
