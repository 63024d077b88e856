"""What a scan passes over in silence: the noise that nobody keeps, and what `.lobesignore` names.

The file follows gitignore. It is matched part by part with patterns that never go back, because
an agent may write it: as one regular expression for the whole path (measured with pathspec 1.1) a
line with three stars took 2 s against a single long name; so each line takes microseconds.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lobes.domain.noise import IGNORE_FILE as IGNORE_FILE
from lobes.domain.noise import is_noise as is_noise

MAX_LINES = 500
MAX_LINE = 300

Ignores = Callable[[str, bool], bool]


def ignores(text: str) -> tuple[Ignores, int]:
    """`(path, is_folder) -> bool` for the rules in `text`, and how many lines were refused.

    Ask from the root downwards: what lies in an ignored folder is never asked about.
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rules: list[_Rule] = []
    for line in lines[:MAX_LINES]:
        rule = _parsed(line)
        if rule is not None:
            rules.append(rule)

    def ignored(path: str, is_folder: bool) -> bool:
        parts = path.split("/")
        for rule in reversed(rules):
            if (is_folder or not rule.folders_only) and _matches(rule.parts, parts):
                return not rule.takes_back
        return False

    return ignored, len(lines) - len(rules)


@dataclass(frozen=True, slots=True)
class _Rule:
    """`None` among the parts stands for `**`: any number of folders."""

    parts: tuple[re.Pattern[str] | None, ...]
    folders_only: bool
    takes_back: bool


def _parsed(line: str) -> _Rule | None:
    if len(line) > MAX_LINE:
        return None
    if not line.endswith("\\ "):
        line = line.rstrip()
    takes_back = line.startswith("!")
    pattern = line.removeprefix("!") if takes_back else line
    folders_only = pattern.endswith("/")
    pattern = pattern.rstrip("/")
    names = pattern.removeprefix("/").split("/")
    if not all(names):
        return None
    if "/" not in pattern:
        names.insert(0, "**")
    if names[-1] == "**":
        names.append("*")
    try:
        return _Rule(tuple(map(_part, names)), folders_only, takes_back)
    except re.error:
        return None


def _part(name: str) -> re.Pattern[str] | None:
    if name == "**":
        return None
    spelled = re.sub(r"\\([*?[])", r"[\1]", name).replace("[^", "[!")
    spelled = re.sub(r"\\(.)", r"\1", spelled)
    # The translation commits to the first place where each piece fits, so it never goes back.
    return re.compile(fnmatch.translate(spelled))


def _matches(globs: tuple[re.Pattern[str] | None, ...], parts: Iterable[str]) -> bool:
    states = _reached(globs, {0})
    for part in parts:
        following: set[int] = set()
        for state in states:
            glob = globs[state] if state < len(globs) else _END
            if glob is None:
                following.add(state)
            elif glob.match(part):
                following.add(state + 1)
        states = _reached(globs, following)
    return len(globs) in states


_END = re.compile(r"(?!)")


def _reached(globs: tuple[re.Pattern[str] | None, ...], states: set[int]) -> set[int]:
    reached = set(states)
    for state in sorted(states):
        while state < len(globs) and globs[state] is None:
            state += 1
            reached.add(state)
    return reached
