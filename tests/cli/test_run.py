"""companion run where things are not as usual: no keyboard at all, somebody else at the port, a library that is only needed now and then."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from companion.cli.draughtsman import find_draughtsman
from companion.events import BadInput

PATIENCE = 90


@pytest.mark.slow
def test_without_a_keyboard_and_with_its_port_taken_it_says_where_its_pages_are(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("", 0))
        other.listen()
        port = other.getsockname()[1]
        process = subprocess.Popen(
            ["bash", "-c", f'exec "{sys.executable}" -c "from companion.cli import main; main()" run --port {port} <&-'],
            env=os.environ | {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        try:
            assert process.stdout
            said = ""
            while "'help' for more" not in said and (line := process.stdout.readline()):
                said += line
            found = re.search(rf"Port {port} is not to be had.* at port (\d+)\.", said)
            assert found, said
            with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/join", timeout=PATIENCE) as page:
                assert page.status == 200
            process.terminate()
            rest, _ = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, rest
            assert "Traceback" not in rest
        finally:
            process.kill()
            process.communicate()


def test_whoever_reads_pictures_of_boards_comes_when_asked() -> None:
    with pytest.raises(BadInput, match="picture"):
        find_draughtsman().accept(b"no picture at all")
