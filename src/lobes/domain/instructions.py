"""Whether a text speaks to an agent rather than of a thing: a signal, by which nothing is decided.

Nobody can list all ways to say it, so where a text comes from decides how far it is trusted. Listed
are the ways that are met: rules put aside, a new role, marks of a prompt, something kept from the
person, something sent away. English in breadth; of seven more languages the first alone.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from lobes.domain.display import is_hidden

_ASIDE = (
    r"(?:ignor(?:e|es|ing)|disregard|forget|overrid(?:e|ing)|bypass"
    r"|(?:do\s+not|don'?t|never|stop)\s+(?:follow|obey|heed)(?:ing)?)"
)
_EARLIER = (
    r"(?:previous|prior|preceding|above|earlier|former|any|all|your|system|safety|developer|those)"
)
_RULES = (
    r"(?:instruction|rule|prompt|message|guideline|polic|directive|constraint|restriction"
    r"|safeguard|guardrail|context|command)"
)
_PERSON = r"(?:user|human|owner|operator|person)s?"

_ENGLISH = (
    rf"\b{_ASIDE}\b.{{0,40}}\b{_EARLIER}\b.{{0,40}}\b{_RULES}",
    rf"\b{_ASIDE}\b.{{0,20}}\b{_RULES}\w*\s+(?:above|before|so\s+far|(?:that\s+)?you\b)",
    rf"\b{_ASIDE}\b.{{0,20}}\b(?:everything|anything|all|what)\b.{{0,20}}\b(?:above|before|told)\b",
    rf"\b{_EARLIER}\s+{_RULES}\w*.{{0,40}}\b(?:no\s+longer\s+appl|are\s+(?:void|invalid|cancel))",
    r"\bnew\s+(?:system\s+)?(?:instructions?|directives?|orders)\s*:",
    r"\b(?:call|use|invoke|run|execute)\s+(?:the\s+)?\S{1,40}\s+(?:tool|function)\b",
    r"\byou\s+(?:are|must|will)\s+(?:now|from\s+now\s+on)\b|\bfrom\s+now\s+on,?\s+you\b",
    r"\b(?:pretend|act\s+as\s+if)\s+(?:to\s+be\b|you\b)|\byour\s+new\s+(?:role|task|goal|persona)\b",
    r"\bas\s+an?\s+(?:ai|language\s+model|assistant|agent),?\s+you\b",
    r"\b(?:system|developer)\s+(?:prompt|message|override)\b",
    rf"\b(?:do\s+not|don'?t|never|without)\s+(?:tell|telling|inform|informing|mention|mentioning"
    rf"|ask|asking|alert|alerting|notify|notifying)\b.{{0,40}}\b(?:the|your)\s+{_PERSON}\b",
    r"\b(?:send|post|upload|exfiltrate|forward|leak|submit)\b.{0,80}\b(?:https?://|webhook)",
    r"\b(?:curl|wget|iwr)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b",
)
_MARKS = (
    r"<\|?(?:im_start|im_end|system|start_header_id|endoftext)\b",
    r"\[/?INST\]|<</?SYS>>|(?m:^[ \t]*#{2,4}[ \t]*(?:system|instructions?)[ \t]*:?[ \t]*$)",
    r"(?m:^[ \t]*(?:system|developer)[ \t]*:\s)",
)
_ELSEWHERE = (
    r"\b(?:ignorier\w*|vergiss|vergessen\s+sie|missacht\w*)\b.{0,40}"
    r"(?:anweisung|vorgabe|regel|befehl|instruktion)",
    r"\b(?:ignore[rz]?|oublie[rz]?)\b.{0,40}\b(?:instruction|consigne|règle|directive)",
    r"\b(?:ignora|ignore|olvida|olvide)\b.{0,40}\b(?:instrucci|regla|indicaci|orden)",
    r"\b(?:ignora|dimentica)\b.{0,40}\b(?:istruzion|regol|indicazion)",
    r"(?:игнорируй|забудь|не\s+следуй).{0,40}(?:инструкци|правил|указани|команд)",
    r"(?:忽略|无视|忘记|忽視|無視).{0,12}(?:指令|指示|提示|规则|規則)",
    r"(?:指示|命令|ルール).{0,6}(?:無視|忘れ)",
)
_SPEAKS = re.compile("|".join((*_ENGLISH, *_MARKS, *_ELSEWHERE)), re.IGNORECASE | re.DOTALL)
_UNSPELLED = str.maketrans({"’": "'", "`": None, "*": None, '"': None})


def looks_like_instruction(text: str) -> bool:
    """Whether it speaks to an agent, as the eye reads it: whatever hides between the letters, and
    however wide they are."""
    seen = "".join(one for one in text if one.isspace() or not is_hidden(one))
    return _SPEAKS.search(normalize("NFKC", seen).translate(_UNSPELLED)) is not None
