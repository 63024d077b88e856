"""What a person told a chat to remember, in so many words. Nothing else of a chat is a statement:
an answer, a question, a code block or a story told in passing gives none."""

from __future__ import annotations

import re

from lobes.imports.limits import PARAGRAPH

_ASKED = re.compile(
    r"""(?ix) ^[\s>*"'-]*
    (?:(?:please|pls|ok|okay|hey|also|and|bitte|so)[\s,]+){0,3}
    (?:
        (?:remember|keep\ in\ mind|don'?t\ forget|do\ not\ forget|make\ a\ note|take\ note|note)
            \s*(?:,|:|that\b|this\b|the\ following\b|for\ (?:the\ future|later|next\ time)\b)
      | (?:save|add|store|commit|put)\s+(?:this|that|it|the\ following)\s+(?:to|in|into)\s+
            (?:your\s+|the\s+)?(?:long[- ]term\s+)?memory
      | (?:for\ (?:future\ reference|the\ record)|to\ remember)\b
      | merk(?:e)?\ dir\b | denk(?:e)?\ daran\b
      | remember\s+(?=(?:i|i'm|i've|my|we|our|the|it's|it\ is|he|she|they)\b)
    )
    [\s,:–-]*(?:that\b|dass\b|this\b)?[\s,:–-]*(?P<said>\S.*)$
    """
)
_NO_STATEMENT = re.compile(
    r"(?i)(?:when|how|if|what|who|why|where|whether|the (?:time|day) (?:when|we|i)|to|me"
    r"|conversation|chat)\b"
)
_STANDING = re.compile(r"(?i)^\s*(?:from now on|in (?:the )?future|going forward)[,\s]+\S")


def remembered(text: str) -> list[tuple[int, str]]:
    """The statements with their line, counted from 1. A text that is quoted, fenced or longer than
    a paragraph says nothing of the kind."""
    found: list[tuple[int, str]] = []
    in_fence = False
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith(("```", "~~~")):
            in_fence = not in_fence
        elif not in_fence and len(line) <= PARAGRAPH and (said := _said(line)):
            found.append((number, said))
    return found


def _said(line: str) -> str:
    if _STANDING.match(line):
        said = line.strip()
    elif (asked := _ASKED.match(line)) and not _NO_STATEMENT.match(asked["said"]):
        said = asked["said"].strip()
        if len(said) > 2 and said[0] == said[-1] and said[0] in "\"'":
            said = said[1:-1]
    else:
        return ""
    return "" if said.endswith("?") else said
