"""A signal is handled at once, whichever thread of the process took it."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator

import pytest

from lobes.tui.wakening import wake_on_signals

SOON, LATE = 1.0, 3.0


@pytest.fixture
def as_before() -> Iterator[None]:
    """The handler and the bytes of this process as they were."""
    handler = signal.getsignal(signal.SIGUSR1)
    yield
    signal.signal(signal.SIGUSR1, handler)
    told = signal.set_wakeup_fd(-1)
    if told >= 0:
        os.close(told)


def test_a_signal_that_another_thread_took_does_not_wait_for_the_next_event(
    as_before: None,
) -> None:
    """As after `fg`, where all threads come back at once and any of them may take SIGCONT."""

    async def seconds() -> float:
        loop = asyncio.get_running_loop()
        handled = asyncio.Event()
        signal.signal(signal.SIGUSR1, lambda *_: handled.set())
        wake_on_signals(loop)
        # The main thread waits in the loop by then; without a byte there it would until LATE.
        loop.run_in_executor(None, _take_one)
        begun = loop.time()
        await asyncio.wait({asyncio.ensure_future(handled.wait())}, timeout=LATE)
        return loop.time() - begun

    assert asyncio.run(seconds()) < SOON


def _take_one() -> None:
    threading.Event().wait(0.1)
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
    threading.Event().wait(2 * SOON)
