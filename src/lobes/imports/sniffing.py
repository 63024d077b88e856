"""Which tool wrote a JSON file, by the keys at its beginning; words of a chat are no keys, since
their quotes are escaped."""

from __future__ import annotations

import re

from lobes.domain.imports import SourceKind, Unsupported

PREFIX = 256 * 1024


def _has(*keys: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf'"{key}"\s*:') for key in keys)


_KNOWN: tuple[tuple[tuple[re.Pattern[str], ...], SourceKind], ...] = (
    (_has("mapping", "(?:title|create_time|current_node)"), "chatgpt_export"),
    (_has("chat_messages"), "claude_export"),
    (_has("(?:conversations_memory|project_memories)"), "claude_export"),
    (_has("prompt_template", "uuid"), "claude_export"),
    (_has("entityType", "observations"), "mcp_memory"),
    (_has("relationType", "from"), "mcp_memory"),
    (_has("memory", "(?:user_id|agent_id|hash|created_at)"), "mem0"),
    (_has("content", "(?:state|app|category_ids|categories)", "created_at"), "mem0"),
    (_has("memories", "(?:access_controls|memory_categories|export_meta)"), "mem0"),
)
_OTHERS: tuple[tuple[tuple[re.Pattern[str], ...], str], ...] = (
    (_has("chat", "history", "(?:models|currentId|messages)"), "Open WebUI chats"),
    (_has("conversationId", "messages", "(?:endpoint|recursive|options)"), "LibreChat chats"),
    (_has("core_memory", "agent_type"), "Letta agent"),
    (_has("header", "(?:titleUrl|activityControls)"), "Google activity"),
    (_has("conversation", "responses"), "Grok chats"),
)


_OURS = _has("epistemic", "waits_for", "versions")


def json_kind(prefix: str) -> SourceKind | Unsupported:
    """The kind of export that begins so."""
    if all(key.search(prefix) for key in _OURS):
        return Unsupported(
            "an export of Lobes",
            "unsupported",
            "This is an export of Lobes itself; as proposals it would lose what was decided.",
            "--as-exported takes it in as it was.",
        )
    for keys, name in _OTHERS:
        if all(key.search(prefix) for key in keys):
            return not_supported(name)
    for keys, kind in _KNOWN:
        if all(key.search(prefix) for key in keys):
            return kind
    return unknown()


def not_supported(name: str) -> Unsupported:
    """A format that is known, and can't be imported."""
    return Unsupported(
        name,
        "unsupported",
        f"This looks like {name}, which can't be imported.",
        "Save what should be kept as Markdown and add its folder as a Space.",
    )


def unknown() -> Unsupported:
    return Unsupported(
        "",
        "unknown_format",
        "No format that can be imported was recognised.",
        "Name it with --kind, or add a folder of Markdown as a Space: lobes space add FOLDER.",
    )
