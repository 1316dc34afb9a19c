"""Flask's threads: they do what they are given, hand on what fails, and never hold up the end of the program."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from web.workers import Workers

PATIENCE = 30.0
# A page that never comes back is being asked for when the server is stopped and the program ends.
HANGING = """
import http.client, threading
from companion.journal import Journal
from companion.table import Table
from web.server import Server

asked = threading.Event()
with Table(Journal.without_file()) as table, Server(table, host="127.0.0.1", port=0) as server:
    def hang(never=threading.Event()):
        asked.set()
        never.wait()
    server.web.app.pages.app.before_request_funcs.setdefault(None, []).insert(0, hang)
    line = http.client.HTTPConnection("127.0.0.1", server.port)
    line.request("GET", "/join")
    assert asked.wait(20)
print("ended")
"""


def test_work_is_done_on_other_threads_and_its_result_comes_back() -> None:
    workers = Workers(2)
    name = workers.submit(lambda: threading.current_thread().name).result(PATIENCE)
    assert name != threading.current_thread().name
    assert workers.submit(divmod, 7, 2).result(PATIENCE) == (3, 1)
    workers.shutdown()


def test_what_fails_is_heard_by_whoever_asked_and_the_thread_goes_on() -> None:
    workers = Workers(1)
    with pytest.raises(ZeroDivisionError):
        workers.submit(lambda: 1 / 0).result(PATIENCE)
    assert workers.submit(int, "7").result(PATIENCE) == 7
    workers.shutdown()


def test_what_was_handed_in_is_done_before_the_threads_end() -> None:
    workers = Workers(1)
    go_on = threading.Event()
    workers.submit(go_on.wait, PATIENCE)
    last = workers.submit(int, "7")
    workers.shutdown()
    go_on.set()
    assert last.result(PATIENCE) == 7


def test_a_page_that_never_comes_back_does_not_hold_up_the_end_of_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", HANGING], capture_output=True, text=True, timeout=PATIENCE * 2, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ended\n"
