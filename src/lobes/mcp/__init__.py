"""The agents' face: a Model Context Protocol server on stdin and stdout, bound to one Space.

The official package is imported in `server` and `wire` alone, so that the tools can be called, and
tested, without it.
"""
