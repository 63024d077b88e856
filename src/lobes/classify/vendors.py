"""The named plugins of detect-secrets: tokens of vendors, by the shapes that it keeps up.

Only its patterns are used, never its verification, so nothing is asked of any network. Its entropy
and keyword plugins are left out: they flag ordinary prose. Importing it takes 0.2 s, so that waits
until a gate stands in a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import cast

from lobes.classify.rules import Rule, Text, is_placeholder, looks_random
from lobes.classify.secrets import secret


@dataclass(frozen=True, slots=True)
class Plugin:
    """Module and class in detect-secrets, our name of its hits, and its gates. `is_whole` where
    the gates are part of the token."""

    module: str
    kind: str
    name: str
    gates: tuple[str, ...]
    is_whole: bool = True


PLUGINS: tuple[Plugin, ...] = (
    Plugin("aws", "AWSKeyDetector", "aws-access-key", ("akia", "asia", "abia", "acca", "a3t")),
    Plugin("azure_storage_key", "AzureStorageKeyDetector", "azure-key", ("accountkey=",)),
    Plugin("discord", "DiscordBotTokenDetector", "discord-token", ("discord",), is_whole=False),
    Plugin(
        "github_token",
        "GitHubTokenDetector",
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    ),
    Plugin(
        "gitlab_token",
        "GitLabTokenDetector",
        "gitlab-token",
        ("glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "gr1348941", "glcbt-", "glimt-", "glptt-",
         "glagent-", "gloas-"),
    ),
    Plugin("mailchimp", "MailchimpDetector", "mailchimp-key", ("-us",), is_whole=False),
    Plugin("npm", "NpmDetector", "npm-token", ("_authtoken",), is_whole=False),
    Plugin("openai", "OpenAIDetector", "openai-key", ("t3blbkfj",)),
    Plugin("pypi_token", "PypiTokenDetector", "pypi-token", ("pypi-ag",)),
    Plugin("sendgrid", "SendGridDetector", "sendgrid-key", ("sg.",), is_whole=False),
    Plugin("slack", "SlackDetector", "slack-token", ("xox",)),
    Plugin("slack", "SlackDetector", "slack-token", ("hooks.slack.com",), is_whole=False),
    Plugin("square_oauth", "SquareOAuthDetector", "square-secret", ("sq0csp-",)),
    Plugin("stripe", "StripeDetector", "stripe-key", ("sk_live_", "rk_live_")),
    Plugin("twilio", "TwilioKeyDetector", "twilio-key", ("twilio",), is_whole=False),
)  # fmt: skip


def plugin_rules(text: Text) -> Iterator[Rule]:
    """The rules of the plugins that have a gate in this text."""
    if not text.tokens:
        return
    for plugin in PLUGINS:
        where = text.tokens if plugin.is_whole else text.lowered
        if any(gate in where for gate in plugin.gates):
            yield from _rules(plugin)


@cache
def _rules(plugin: Plugin) -> tuple[Rule, ...]:
    kind: object = getattr(import_module(f"detect_secrets.plugins.{plugin.module}"), plugin.kind)
    patterns = cast("Iterable[re.Pattern[str]]", getattr(kind, "denylist"))  # noqa: B009
    return tuple(
        Rule(
            secret(plugin.name),
            plugin.gates,
            _spelled(one),
            holds=_is_token,
            is_token=plugin.is_whole,
            is_whole=plugin.is_whole,
        )
        for one in patterns
    )


def _spelled(pattern: re.Pattern[str]) -> str:
    """The pattern with its flags in itself."""
    flags = ((re.IGNORECASE, "i"), (re.VERBOSE, "x"))
    letters = "".join(letter for flag, letter in flags if pattern.flags & flag)
    return f"(?{letters}){pattern.pattern}" if letters else pattern.pattern


def _is_token(value: str) -> bool:
    return looks_random(value) or (not is_placeholder(value) and len(value) >= 40)
