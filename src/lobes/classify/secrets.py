"""Our own rules for secrets: what detect-secrets 1.5 misses, or can't give the place of.

Shapes are those that the vendors publish. Order matters only where two rules take the same
characters: the first names the hit.
"""

from __future__ import annotations

import base64

from lobes.classify.rules import (
    Holds,
    Rule,
    is_placeholder,
    is_quoted_password,
    is_written_out,
    looks_random,
)
from lobes.domain.sensitivity import Detector


def secret(name: str) -> Detector:
    return Detector(name, "confidential", "credentials")


def _is_no_placeholder(value: str) -> bool:
    return not is_placeholder(value)


def _is_web_token(value: str) -> bool:
    """RFC 7519: the first part is the Base64 of a JSON object that names an algorithm."""
    head = value.partition(".")[0]
    try:
        return b'"alg"' in base64.urlsafe_b64decode(head + "=" * (-len(head) % 4))
    except ValueError:
        return False


def _key(name: str, gates: tuple[str, ...], pattern: str, *, holds: Holds = looks_random) -> Rule:
    return Rule(
        secret(name),
        gates,
        (rf"(?<![A-Za-z0-9]){pattern}"),
        holds=holds,
        begins_at_gate=True,
        is_token=True,
        is_whole=True,
    )


_WORD = (
    r"(?:passw(?:or[dt]|d)|passphrase|contrase(?:ñ|n)a|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|token"
    r"|credential|(?:(?<=api)|(?<=access)|(?<=private)|(?<=api[_-])|(?<=access[_-])"
    r"|(?<=private[_-]))key)s?"
)
_WORDS = ("pass", "contrase", "pwd", "secret", "token", "credential", "key")
_ABOUT = (
    r"(?:types?|names?|headers?|fields?|prefix|suffix|endpoints?|ur[il]s?|paths?|files?|polic(?:y|ies)"
    r"|ids?|counts?|length|size|limits?|ttl|expiry|expires\w*|format|pattern|regex|params?|rules?"
    r"|hint|label|title|columns?|kinds?|class|hashers?|ref)"
)
"""What a name may end in that tells of a secret without being one: `token_type`."""
_NAMED = (
    rf"(?i){_WORD}(?:[_-](?!{_ABOUT}(?![a-z0-9]))\w{{1,12}}|\d{{1,3}})?[\"'`\]*]{{0,3}}[ \t]*"
    r"(?::=|=>|={1,3}|:)"
)

RULES: tuple[Rule, ...] = (
    Rule(
        secret("private-key"),
        ("private key",),
        (
            r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?!-----END)[A-Za-z0-9+/=\s>:,;.()@_-]|\\n){64,}"
            r"(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
        is_whole=True,
    ),
    Rule(
        secret("private-key"),
        ("putty-user-key-file",),
        (r"PuTTY-User-Key-File-[23]:[^\0]*?Private-Lines: \d+\s(?:[A-Za-z0-9+/=]+\s*)+"),
    ),
    _key("age-key", ("age-secret-key-1",), r"AGE-SECRET-KEY-1[0-9A-Z]{58}\b"),
    _key("anthropic-key", ("sk-ant-",), r"sk-ant-[A-Za-z0-9]{2,12}-[A-Za-z0-9_-]{24,}"),
    _key("openai-key", ("sk-",), r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{24,}"),
    _key("openai-key", ("sk-",), r"sk-(?!ant-)[A-Za-z0-9]{32,64}\b"),
    _key("google-key", ("aiza",), r"AIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])"),
    _key("google-key", ("gocspx-",), r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _key("google-key", ("ya29.",), r"ya29\.[A-Za-z0-9_-]{40,}"),
    _key("github-token", ("github_pat_",), r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    _key("huggingface-token", ("hf_",), r"hf_[A-Za-z0-9]{34}\b", holds=_is_no_placeholder),
    _key("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{36}\b"),
    _key("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"do[opr]_v1_[a-f0-9]{64}\b"),
    _key("shopify-token", ("shp",), r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
    _key("stripe-key", ("sk_live_", "rk_live_"), r"(?:sk|rk)_live_[0-9A-Za-z]{24,}"),
    Rule(
        secret("telegram-token"),
        (":aa",),
        (r"(?<![A-Za-z0-9])\d{8,10}:AA[0-9A-Za-z_-]{33}(?![0-9A-Za-z_-])"),
        holds=looks_random,
        digits=8,
        is_token=True,
        is_whole=True,
    ),
    _key(
        "json-web-token",
        ("eyj",),
        r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
        holds=_is_web_token,
    ),
    Rule(
        secret("password-in-url"),
        ("://",),
        (r"://[^\s:/?#@\[\]<>\"'`]*:([^\s:/?#@\[\]<>\"'`]{3,})@[\w.\[-]"),
        group=1,
        holds=_is_no_placeholder,
    ),
    Rule(
        secret("token-in-url"),
        ("key=", "sig="),
        (r"(?i)[?&#](?:\w{0,20}[_-])?(?:key|sig)=([\w.~%+/-]{16,})"),
        group=1,
        holds=looks_random,
    ),
    Rule(
        secret("bearer-token"),
        ("authorization",),
        (r"(?i)authorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic)\s+([\w.~+/=-]{12,})"),
        group=1,
        holds=_is_no_placeholder,
        begins_at_gate=True,
    ),
    Rule(
        secret("password"),
        _WORDS,
        (_NAMED + r"[ \t]*(?:[rbuf@]{0,2})([\"'`])((?:(?!\1)[^\n\s])+)\1"),
        group=2,
        holds=is_quoted_password,
        begins_at_gate=True,
    ),
    Rule(
        secret("password"),
        _WORDS,
        (_NAMED + r"[* \t]*([^\s\"'`,;|<>(){}\[\]]{6,}(?![\w(\[]))"),
        group=1,
        holds=is_written_out,
        begins_at_gate=True,
    ),
    Rule(
        secret("password"),
        ("password=", "passwd=", "passphrase=", "secret="),
        # A line of an environment's file, where a password of plain words has no quotes.
        (r"(?m)^(?:export )?(?:[A-Z0-9]+_)*(?:PASSWORD|PASSWD|PASSPHRASE|SECRET)=([^\s\"'`]{8,})$"),
        group=1,
        holds=is_quoted_password,
    ),
    Rule(
        secret("password"),
        ("pass", "contrase"),
        (
            r"(?i)(?:passwor[dt]|passphrase|passcode|contrase(?:ñ|n)a)\b[^\n.:=]{0,40}?"
            r"\b(?:is|was|ist|lautet|es)\b[ \t:]*[\"'`]?([^\s\"'`]{6,}?)[\"'`]?(?=[.,;!?]?(?:\s|$))"
        ),
        group=1,
        holds=looks_random,
        begins_at_gate=True,
    ),
)
