"""Names of files inside a pack: which are taken, and when two of them are one.

A name is checked before any system call, by the same rules on every system, so that a pack stays
portable. The stored form is NFC; two names that are equal after NFC and case folding collide.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

from lobes.domain.display import display_text
from lobes.domain.errors import Invalid

MAX_COMPONENT_BYTES = 255
MAX_LEVELS = 32
MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown"})

# Windows opens a device for these, whatever the extension, superscript digits included.
_DEVICES = frozenset(
    {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}
    | {f"{port}{digit}" for port in ("COM", "LPT") for digit in "0123456789¹²³"}
)
# A write below one of these can run code at the next command of the version control system.
_REPOSITORY_FOLDERS = frozenset({".git", ".hg", ".svn", ".jj", "git~1"})
_BIDI_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_HINT = "Use plain names below the Space's folder, such as docs/goals.md."


def parse_name(text: str) -> str:
    """The name in NFC, or `Invalid` (`bad_name`) with what is wrong with it."""
    name = unicodedata.normalize("NFC", text)
    fault = _fault_of(name)
    if fault:
        raise Invalid(f"This file name can't be used: {fault}.", hint=_HINT, reason="bad_name")
    return name


def valid_name(text: str) -> bool:
    """Whether `parse_name` takes it."""
    return not _fault_of(unicodedata.normalize("NFC", text))


def is_markdown(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in MARKDOWN_SUFFIXES


def collision_key(name: str) -> str:
    """Equal for names that some file system would take for one (case, NFC and NFD)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def shown_name(raw: str) -> str:
    """An on-disk name as it can be drawn and stored; bytes that are not UTF-8 as `\\xff`."""
    return display_text(
        "".join(
            f"\\x{ord(char) - 0xDC00:02x}" if "\udc80" <= char <= "\udcff" else char for char in raw
        )
    )


def _fault_of(name: str) -> str:
    if not name:
        return "it is empty"
    parts = name.split("/")
    if len(parts) > MAX_LEVELS:
        return f"it is deeper than {MAX_LEVELS} folders"
    for part in parts:
        fault = _component_fault(part)
        if fault:
            return fault
    return ""


def _component_fault(part: str) -> str:
    if part in {"", ".", ".."}:
        return "it leaves its folder or has an empty part"
    if any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in part):
        return "it has control characters or bytes that are not UTF-8"
    if _BIDI_CONTROLS.search(part):
        return "it has characters that change the direction of writing"
    if "\\" in part or ":" in part:
        return "it has a backslash or a colon"
    if part.startswith("~"):
        return "a part starts with ~"
    if part[-1] in ". ":
        return "a part ends with a dot or a blank"
    if len(part.encode("utf-8")) > MAX_COMPONENT_BYTES:
        return f"a part is longer than {MAX_COMPONENT_BYTES} bytes"
    if part.split(".", 1)[0].rstrip(" ").upper() in _DEVICES:
        return "Windows keeps this name for a device"
    # Git's own folder is also reached by other case and with invisible characters in between.
    visible = "".join(char for char in part if unicodedata.category(char) != "Cf")
    if visible.casefold() in _REPOSITORY_FOLDERS:
        return "it lies inside a version control folder"
    return ""
