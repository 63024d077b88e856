"""What may be wrong around an engine: stale files, lost sockets, other builds, hung processes."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest
from engine_home import BUILD, Home, add_document, call_under_way, make_store, ready, until

from lobes.domain.errors import Unavailable
from lobes.engine.endpoint import Endpoint, read_endpoint, write_endpoint
from lobes.engine.frames import receive
from lobes.engine.link import HELLO_SECONDS
from lobes.engine.locking import is_held
from lobes.engine.protocol import SearchRequest
from lobes.engine.spawn import command


def _garbage(home: Home) -> None:
    home.place.endpoint.write_bytes(b"\xff{not json")


def _stale_socket(home: Home) -> None:
    pid = home.started()
    os.kill(pid, signal.SIGKILL)
    until(lambda: not psutil.pid_exists(pid))
    assert home.place.endpoint.exists()


def _other_port(home: Home) -> None:
    write_endpoint(home.place.endpoint, Endpoint("tcp", "1", "t", 1, BUILD))


def _bad_port(home: Home) -> None:
    write_endpoint(home.place.endpoint, Endpoint("tcp", "many", "t", 1, BUILD))


def _file_at_the_socket(home: Home) -> None:
    _stale_socket(home)
    endpoint = read_endpoint(home.place.endpoint)
    assert endpoint is not None
    os.unlink(endpoint.address)
    Path(endpoint.address).write_text("a file", encoding="utf-8")


def _folder_at_the_socket(home: Home) -> None:
    _stale_socket(home)
    endpoint = read_endpoint(home.place.endpoint)
    assert endpoint is not None
    os.unlink(endpoint.address)
    os.mkdir(endpoint.address)


@pytest.mark.parametrize(
    "spoil",
    [
        _garbage,
        _stale_socket,
        _other_port,
        _bad_port,
        _file_at_the_socket,
        _folder_at_the_socket,
    ],
)
def test_stale_and_garbled_endpoints_do_no_harm(home: Home, spoil: Callable[[Home], None]) -> None:
    home.place.folder.mkdir(parents=True)
    spoil(home)
    pid = home.started()
    assert [one.pid for one in home.engines()] == [pid]
    assert home.face().status().pid == pid


def test_an_engine_that_cannot_start_is_tried_twice_and_named(home: Home) -> None:
    home.place.endpoint.mkdir(parents=True)
    face = home.face()
    with pytest.raises(Unavailable) as caught:
        ready(face)
    assert caught.value.reason == "engine_start"
    assert "engine.log" in caught.value.hint
    assert "Everything but search works" in caught.value.hint
    assert home.place.log.read_text().count("IsADirectoryError") == 2
    started = time.monotonic()
    with pytest.raises(Unavailable):
        ready(face)
    assert time.monotonic() - started < 0.1
    assert face.status().state == "off"


def test_a_folder_that_cannot_be_written_is_said_at_once(home: Home) -> None:
    home.place.folder.parent.mkdir()
    home.place.folder.write_text("a file where the folder should be", encoding="utf-8")
    started = time.monotonic()
    with pytest.raises(Unavailable) as caught:
        ready(home.face())
    assert caught.value.reason == "index_read_only"
    assert time.monotonic() - started < 0.2


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become a user without rights here")
def test_a_read_only_home_is_said_at_once(home: Home) -> None:
    home.place.folder.mkdir(parents=True)
    for folder in (home.place.folder, *home.place.folder.parents):
        if folder.is_relative_to(tempfile.gettempdir()) and str(folder) != tempfile.gettempdir():
            folder.chmod(stat.S_IMODE(folder.stat().st_mode) | 0o055)
    home.place.store.chmod(0o644)
    pid = os.fork()
    if not pid:
        code = 1
        try:
            os.setuid(65534)
            ready(home.face())
        except Unavailable as error:
            code = 0 if error.reason == "index_read_only" else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_without_a_store_nothing_is_started_or_made(home: Home) -> None:
    home.place.store.unlink()
    with pytest.raises(Unavailable) as caught:
        ready(home.face())
    assert caught.value.reason == "store"
    assert not home.place.folder.exists()


def test_home_removed_under_a_live_engine_ends_it_and_stays_removed(home: Home) -> None:
    face = home.face()
    add_document(home.place.store, "bridge", "The suspension bridge sways.")
    assert face.wait_vectors(seconds=30).reached
    pid = face.status().pid
    shutil.rmtree(home.folder)
    until(lambda: not psutil.pid_exists(pid), seconds=5)
    assert not home.folder.exists()
    with pytest.raises(Unavailable):
        ready(face)


def test_index_folder_deleted_under_a_live_engine_is_built_again(home: Home) -> None:
    """DU-08: index directory deleted; rebuilt, the answers are equal."""
    face = home.face()
    seq = add_document(home.place.store, "bridge", "The suspension bridge sways.")
    assert face.wait_words(seq, seconds=20).reached
    request = SearchRequest("suspension", ("space/prj_one",))
    assert face.wait_vectors(seconds=30).reached
    before = face.search(request)
    pid = face.status().pid
    shutil.rmtree(home.place.folder)
    until(lambda: not psutil.pid_exists(pid), seconds=5)
    assert face.wait_words(seq, seconds=20).reached
    assert face.wait_vectors(seconds=30).reached
    assert face.search(request) == before


def test_socket_deleted_under_a_live_engine_blocks_nobody(home: Home) -> None:
    face = home.face()
    first = ready(face)
    endpoint = read_endpoint(home.place.endpoint)
    assert endpoint is not None
    os.unlink(endpoint.address)
    second = ready(home.face())
    assert second != first
    until(lambda: not psutil.pid_exists(first))
    assert ready(face) == second


def test_a_replaced_store_gets_a_fresh_engine(home: Home) -> None:
    face = home.face()
    first = ready(face)
    other = home.folder / "restored.db"
    make_store(other)
    os.replace(other, home.place.store)
    until(lambda: not psutil.pid_exists(first))
    assert ready(face) != first


def test_only_a_newer_build_retires_an_engine(home: Home) -> None:
    old = home.face()
    first = ready(old)
    home.with_settings(build="10.0")
    new = home.face(build="10.0")
    second = ready(new)
    assert second != first
    until(lambda: not psutil.pid_exists(first))
    with pytest.raises(Unavailable) as caught:
        ready(old)
    assert caught.value.reason == "engine_newer"
    assert "Restart Lobes" in caught.value.hint
    old.notify()
    assert new.status().pid == second


def test_a_newer_face_lets_the_calls_of_an_old_one_be_answered(home: Home) -> None:
    first = home.started()
    with call_under_way(home, "wait_words", {"seq": 10**9, "seconds": 60}) as wire:
        home.with_settings(build="10.0")
        assert ready(home.face(build="10.0")) != first
        reply = receive(wire, until=time.monotonic() + 10)
    assert reply["result"]["reached"] is False


def test_a_hung_engine_is_given_up_by_its_deadline_and_kept(home: Home) -> None:
    pid = home.started()
    os.kill(pid, signal.SIGSTOP)
    try:
        started = time.monotonic()
        with pytest.raises(Unavailable) as caught:
            home.face().status()
        took = time.monotonic() - started
        assert caught.value.reason == "engine_hung"
        assert HELLO_SECONDS <= took < HELLO_SECONDS + 1.5
        started = time.monotonic()
        home.face().notify()
        assert time.monotonic() - started < 1.5
    finally:
        os.kill(pid, signal.SIGCONT)
    assert home.face().status().pid == pid


@pytest.mark.slow
def test_a_hung_engine_is_ended_by_stop(home: Home) -> None:
    """What every face names as the way out: a process that is stopped hears no request."""
    pid = home.started()
    os.kill(pid, signal.SIGSTOP)
    assert home.face().stop() is True
    until(lambda: not psutil.pid_exists(pid))
    assert ready(home.face()) != pid


def test_a_process_that_only_an_old_endpoint_names_is_left_alone(home: Home) -> None:
    """No lock, no signal: its number may belong to anybody by now."""
    home.started()
    home.face().stop()
    with (
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger,
        socket.socket(socket.AF_UNIX) as silent,
    ):
        address = str(home.folder / "s")
        silent.bind(address)
        silent.listen()
        write_endpoint(home.place.endpoint, Endpoint("unix", address, "t", stranger.pid, BUILD))
        assert home.face().stop() is False
        assert stranger.poll() is None
        stranger.kill()
    home.place.endpoint.unlink()


def test_one_home_by_a_link_has_one_engine(home: Home) -> None:
    pid = home.started()
    link = home.folder.parent / "link"
    link.symlink_to(home.folder)
    place = replace(home.place, folder=link / "state" / "index", store=link / "lobes.db")
    assert ready(home.face(place=place)) == pid


def test_no_runtime_folder_falls_to_the_next_and_then_to_a_port(home: Home) -> None:
    open_to_all = home.folder / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    linked = home.folder / "linked"
    linked.symlink_to(home.folder.parent)
    missing = home.folder / "missing" / "deep"
    long = home.folder / ("x" * 120)
    bad = (open_to_all, linked, missing, long)
    assert home.place.runtime is not None
    good = home.place.runtime[0]
    home.place = replace(home.place, runtime=(*bad, good))
    face = home.face()
    ready(face)
    endpoint = read_endpoint(home.place.endpoint)
    assert endpoint is not None
    assert os.path.dirname(endpoint.address) == str(good)
    assert face.stop()
    home.place = replace(home.place, runtime=bad)
    ready(home.face())
    endpoint = read_endpoint(home.place.endpoint)
    assert endpoint is not None
    assert endpoint.kind == "tcp"


def test_a_second_engine_on_a_held_lock_ends_with_its_own_code(home: Home) -> None:
    pid = home.started()
    started = time.monotonic()
    done = subprocess.run(command(home.place), capture_output=True, check=False)
    assert done.returncode == 3
    assert time.monotonic() - started < 2
    assert home.face().status().pid == pid


@pytest.mark.slow
def test_idle_exits_under_a_hammer_lose_no_call(home: Home) -> None:
    home.with_settings(idle_seconds=0.05)
    pids: set[int] = set()
    asked: list[int] = []

    def leaving(pid: int, stage: int) -> bool:
        """The engine that answered is still there, has withdrawn, or lets go of its lock."""
        if stage == 0 or home.pid() != pid:
            return True
        return stage == 2 and not is_held(home.place.lock)

    def hammer(seed: int) -> None:
        face = home.face()
        for turn in range(15):
            pid = ready(face)
            pids.add(pid)
            asked.append(turn)
            until(partial(leaving, pid, (turn + seed) % 3))

    threads = [threading.Thread(target=hammer, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(asked) == 45
    assert len(pids) > 2


@pytest.mark.slow
def test_eight_processes_at_once_start_one_engine(home: Home) -> None:
    code = (
        "import sys; from pathlib import Path; from lobes.engine.client import connect;"
        "from lobes.engine.endpoint import EnginePlace, EngineSettings;"
        "p = EnginePlace(Path(sys.argv[1]), Path(sys.argv[2]), (Path(sys.argv[3]),),"
        "EngineSettings(30.0, build=sys.argv[4])); c = connect(p, build=sys.argv[4]);"
        "c.wait_words(0, seconds=10); print(c.status().pid)"
    )
    assert home.place.runtime is not None
    rest = (home.place.folder, home.place.store, home.place.runtime[0], BUILD)
    line = [sys.executable, "-c", code, *map(str, rest)]
    for _ in range(3):
        faces = [subprocess.Popen(line, stdout=subprocess.PIPE) for _ in range(8)]
        pids = {int(face.communicate(timeout=60)[0]) for face in faces}
        assert len(pids) == 1
        assert [one.pid for one in home.engines()] == list(pids)
        assert home.face().stop()
    assert home.place.log.read_text().count("serving") == 3


@pytest.mark.slow
def test_twelve_kills_in_a_row_lose_nothing(home: Home) -> None:
    """DU-01: kill -9 at any moment; acknowledged rows are there after the next start."""
    face = home.face()
    seq = 0
    for turn in range(12):
        seq = add_document(home.place.store, f"n{turn}", f"Passage number{turn} of the kills.")
        face.notify()
        pid = ready(face)
        os.kill(pid, signal.SIGKILL)
    assert face.wait_words(seq, seconds=30).reached
    for turn in range(12):
        found = face.search(SearchRequest(f"number{turn}", ("space/prj_one",)))
        assert f"pas_n{turn}" in [one.id for one in found.candidates]
    assert is_held(home.place.lock)
