"""The quick core: an engine is started, found, lost, started again, and leaves."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from engine_home import BUILD, Home, add_document, call_under_way, ready, until

from lobes.domain.errors import Unavailable
from lobes.engine.endpoint import read_endpoint
from lobes.engine.frames import Gone, pack, receive
from lobes.engine.link import Caller, greet
from lobes.engine.locking import is_held
from lobes.engine.protocol import SearchRequest, WatchRoot


def test_asking_for_the_state_notifying_and_stopping_start_nothing(home: Home) -> None:
    face = home.face()
    assert face.status().state == "off"
    face.notify()
    face.cancel()
    assert not face.stop()
    assert not home.place.folder.exists()
    assert not home.engines()


def test_the_first_call_starts_an_engine_that_a_second_face_finds(home: Home) -> None:
    pid = ready(home.face())
    assert [one.pid for one in home.engines()] == [pid]
    other = home.face()
    assert other.status().pid == pid
    assert other.status().build == BUILD


def test_prewarm_starts_the_engine_in_the_background(home: Home) -> None:
    face = home.face()
    face.prewarm()
    until(lambda: face.status().state != "off")
    until(lambda: not any(one.name == "engine-prewarm" for one in threading.enumerate()))
    assert [one.pid for one in home.engines()] == [face.status().pid]


def test_a_closed_face_starts_no_engine(home: Home) -> None:
    face = home.face()
    face.close()
    face.prewarm()
    until(lambda: not any(one.name == "engine-prewarm" for one in threading.enumerate()))
    with pytest.raises(Unavailable):
        ready(face)
    assert not home.place.folder.exists()


def test_the_engine_keeps_nothing_of_the_face_that_started_it(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOBES_SECRET", "x")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    engine = psutil.Process(home.started())
    environment = engine.environ()
    assert "LOBES_SECRET" not in environment
    assert "PYTHONDONTWRITEBYTECODE" not in environment
    assert environment["LANCEDB_LOG"] == "error"
    assert os.getsid(engine.pid) == engine.pid
    assert engine.cwd() == "/"
    files = {os.readlink(f"/proc/{engine.pid}/fd/{number}") for number in (0, 1, 2)}
    assert files == {"/dev/null", str(home.place.log)}


def test_socket_endpoint_lock_and_log_are_closed_to_others(home: Home) -> None:
    home.started()
    endpoint = read_endpoint(home.place.endpoint)
    assert endpoint is not None
    assert endpoint.kind == "unix"
    place = home.place
    for path in (endpoint.address, place.endpoint, place.lock, place.log):
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    for path in (os.path.dirname(endpoint.address), place.folder):
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o700


def test_a_search_finds_what_the_outbox_brought(home: Home) -> None:
    face = home.face()
    seq = add_document(home.place.store, "bridge", "The suspension bridge sways in the wind.")
    assert face.wait_words(seq, seconds=20).reached
    found = face.search(SearchRequest("suspension bridge", ("space/prj_one",)))
    assert [one.id for one in found.candidates] == ["pas_bridge"]
    assert not face.search(SearchRequest("suspension bridge", ())).candidates
    second = add_document(home.place.store, "tower", "A lattice tower of steel.")
    face.notify()
    assert face.wait_words(second, seconds=5).reached
    found = face.search(SearchRequest("lattice", ("space/prj_one",)))
    assert "pas_tower" in [one.id for one in found.candidates]


def test_a_commit_that_nobody_told_of_is_found_within_seconds(home: Home) -> None:
    face = home.face()
    ready(face)
    seq = add_document(home.place.store, "quiet", "Nobody said a word.")
    until(lambda: face.status().seq >= seq, seconds=5)
    found = face.search(SearchRequest("nobody said", ("space/prj_one",)))
    assert [one.id for one in found.candidates] == ["pas_quiet"]


def test_killed_engine_is_replaced_by_the_next_call(home: Home) -> None:
    """DU-01: kill -9; the index converges."""
    face = home.face()
    seq = add_document(home.place.store, "bridge", "The suspension bridge sways.")
    assert face.wait_words(seq, seconds=20).reached
    first = face.status().pid
    os.kill(first, signal.SIGKILL)
    started = time.monotonic()
    assert face.wait_words(seq, seconds=20).reached
    assert time.monotonic() - started < 5
    second = face.status().pid
    assert second not in (0, first)
    found = face.search(SearchRequest("suspension", ("space/prj_one",)))
    assert [one.id for one in found.candidates] == ["pas_bridge"]


def test_a_killed_engine_leaves_no_zombie(home: Home) -> None:
    pid = home.started()
    os.kill(pid, signal.SIGKILL)
    until(lambda: not psutil.pid_exists(pid))
    zombies = [one for one in psutil.Process().children() if one.status() == psutil.STATUS_ZOMBIE]
    assert zombies == []
    assert not home.engines()


def test_the_engine_leaves_when_nobody_asks_and_the_next_call_starts_another(home: Home) -> None:
    home.with_settings(idle_seconds=0.3)
    face = home.face()
    first = ready(face)
    until(lambda: not psutil.pid_exists(first))
    assert read_endpoint(home.place.endpoint) is None
    assert not is_held(home.place.lock)
    assert face.status().state == "off"
    assert ready(face) != first


def test_a_watch_keeps_the_engine_and_a_lost_face_lets_it_go(home: Home, tmp_path: Path) -> None:
    home.with_settings(idle_seconds=0.3)
    (tmp_path / "root").mkdir()
    face = home.face()
    face.watch([WatchRoot("prj_one", str(tmp_path / "root"))])
    pid = home.pid()
    assert face.next_event(seconds=1.0) is None
    assert psutil.pid_exists(pid)
    waiting = threading.Thread(target=lambda: _quiet(face), daemon=True)
    waiting.start()
    face.close()
    waiting.join(5)
    assert not waiting.is_alive()
    until(lambda: not psutil.pid_exists(pid))


def _quiet(face: object) -> None:
    try:
        face.next_event(seconds=30)  # type: ignore[attr-defined]
    except Unavailable:
        return


def test_stop_answers_when_the_engine_is_gone(home: Home) -> None:
    face = home.face()
    pid = ready(face)
    assert face.stop()
    assert not is_held(home.place.lock)
    until(lambda: not psutil.pid_exists(pid), seconds=1)
    assert not face.stop()


def test_a_term_signal_answers_what_waits_and_ends(home: Home) -> None:
    pid = home.started()
    with call_under_way(home, "wait_words", {"seq": 10**9, "seconds": 60}) as wire:
        os.kill(pid, signal.SIGTERM)
        reply = receive(wire, until=time.monotonic() + 10)
    assert reply["result"]["reached"] is False
    until(lambda: not psutil.pid_exists(pid))


def test_a_lost_caller_is_not_waited_for(home: Home) -> None:
    home.with_settings(idle_seconds=0.3)
    pid = home.started()
    with call_under_way(home, "wait_words", {"seq": 10**9, "seconds": 600}):
        assert psutil.pid_exists(pid)
    until(lambda: not psutil.pid_exists(pid))


def test_eight_faces_at_once_start_one_engine(home: Home) -> None:
    pids: list[int] = []
    together = threading.Barrier(8)

    def ask() -> None:
        face = home.face()
        together.wait()
        pids.append(ready(face))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pids) == 8
    assert len(set(pids)) == 1
    assert home.place.log.read_text().count("serving") == 1


def test_a_long_poll_does_not_hold_up_other_calls(home: Home, tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    face = home.face()
    face.watch([WatchRoot("prj_one", str(tmp_path / "root"))])
    polling = threading.Thread(target=lambda: _quiet(face), daemon=True)
    polling.start()
    started = time.monotonic()
    assert face.status().watching == 1
    assert time.monotonic() - started < 1
    face.close()
    polling.join(5)
    assert not polling.is_alive()


def test_a_wrong_token_is_cut_without_a_word(home: Home) -> None:
    home.started()
    endpoint = read_endpoint(home.place.endpoint)
    assert endpoint is not None
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(endpoint.address)
        stranger.sendall(pack({"token": "0" * 64, "build": BUILD, "session": "s"}))
        with pytest.raises(Gone):
            receive(stranger, until=time.monotonic() + 5)
    assert home.face().status().pid == endpoint.pid


@pytest.mark.parametrize(
    "garbage", [b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\0\0\0\x02[]", b"\0\0\0\x03\xff{}"]
)
def test_garbage_and_web_requests_on_the_port_are_cut_at_once(home: Home, garbage: bytes) -> None:
    home.place = replace(home.place, runtime=())
    pid = home.started()
    endpoint = read_endpoint(home.place.endpoint)
    assert endpoint is not None
    assert endpoint.kind == "tcp"
    with socket.create_connection(("127.0.0.1", int(endpoint.address)), timeout=5) as stranger:
        stranger.sendall(garbage)
        assert _ended(stranger)
    assert home.face().status().pid == pid


def _ended(wire: socket.socket) -> bool:
    try:
        return wire.recv(1) == b""
    except ConnectionResetError:  # it was cut with bytes of ours unread
        return True


def test_the_client_imports_nothing_heavy(home: Home) -> None:
    code = (
        "import sys; import lobes.engine.client as c; from pathlib import Path;"
        "from lobes.engine.endpoint import EnginePlace;"
        "c.connect(EnginePlace(Path('/nowhere/i'), Path('/nowhere/s')), build='1').status();"
        "print([m for m in ('asyncio', 'subprocess', 'lancedb', 'onnxruntime', 'numpy', 'pyarrow',"
        " 'tokenizers', 'watchfiles', 'sqlmodel', 'logging') if m in sys.modules])"
    )
    line = [sys.executable, "-c", code]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_greeting_gives_none_where_no_engine_ever_was(home: Home) -> None:
    assert greet(home.place, Caller(BUILD, "s")) is None
