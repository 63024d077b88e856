"""The process's stdin and stdout, taken out of everybody else's reach.

Done before anything is imported that could print: from then on descriptor 0 is empty and 1 is
stderr, for every dependency and every child.
"""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pipes:
    """Descriptors of which nothing else in this process knows; children don't get them."""

    reads: int
    writes: int


def taken_over() -> Pipes:
    pipes = Pipes(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # no stderr: what is printed goes nowhere
        os.dup2(nothing, 1)
    os.close(nothing)
    return pipes
