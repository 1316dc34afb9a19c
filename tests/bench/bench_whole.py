"""The whole service as a program: how soon its first page is there, what it holds in memory, what it costs while nobody plays,
and how long a roll takes from the die's line to a phone.

    python -m tests.bench.bench_whole
"""

from __future__ import annotations

import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.games import find_game
from tests.bench.rows import Row
from tests.dice.pty_die import PtyDie
from tests.web.phone import NAME, Phone

COMPANION = [sys.executable, "-c", "from companion.cli import main; main()"]
ROUNDS, ROLLS, IDLE = 7, 200, 10.0
MOST_MB, MOST_START = 350, 3.0
DEMONSTRATIONS = {"siege": 40, "fighting_marines": 60}  # lines that each prints before memory is measured; the latter's eye needs most
PATIENCE = 180.0


@contextmanager
def service(folder: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], int, list[str]]]:
    (folder / "settings.toml").write_text(
        f'[dice]\nports = ["{folder}/die"]\n[web]\nnames = ["{NAME}"]\n[voice]\nengine = "none"\n[gpio]\non = false\n', "utf-8"
    )
    port = 18_000 + os.getpid() % 2000
    environment = os.environ | {"HOME": str(folder), "XDG_STATE_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
    given = ["run", "--config", str(folder / "settings.toml"), "--journal", str(folder / "table.journal"), "--port", str(port), *more]
    process = subprocess.Popen(
        [*COMPANION, *given], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    said: list[str] = []

    def read_as_it_comes() -> None:
        assert process.stdout
        with process.stdout as lines:
            for line in lines:
                said.append(line)

    threading.Thread(target=read_as_it_comes, daemon=True).start()
    try:
        yield process, port, said
    finally:
        process.terminate()
        process.wait(PATIENCE)


def until(condition: object, what: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError, http.client.HTTPException):
            if condition():  # type: ignore[operator]
                return
        time.sleep(0.005)
    raise SystemExit(f"{what} did not come to be")


def first_page(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/join", headers={"Host": f"{NAME}:{port}"})
        return connection.getresponse().status == 200
    finally:
        connection.close()


def start_to_first_page() -> Row:
    """In turns with the peer, so that both meet the same machine."""
    ours, peer = [], []
    for _ in range(ROUNDS):
        began = time.monotonic()
        subprocess.run([sys.executable, "-c", "import flask, cv2"], check=True)
        peer.append(time.monotonic() - began)
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            with service(Path(folder)) as (_, port, _said):
                until(lambda port=port: first_page(port), "the first page")
                ours.append(time.monotonic() - began)
    ratio = statistics.median(a / b for a, b in zip(ours, peer, strict=True))
    told = f"{statistics.median(ours):.2f} s, {ratio:.2f} × `import flask, cv2` ({statistics.median(peer):.2f} s)"
    return Row("start to first page", told, f"at most {MOST_START:g} ×", ratio <= MOST_START)


def family(pid: int) -> list[int]:
    """The process and all that it started."""
    parents = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def megabytes(pid: int, field: str = "VmRSS") -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    return 0.0


def cpu_seconds(pids: list[int]) -> float:
    total = 0.0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def idle_and_memory() -> list[Row]:
    rows = []
    with tempfile.TemporaryDirectory() as folder, service(Path(folder)) as (process, port, _):
        until(lambda: first_page(port), "the first page")
        before = cpu_seconds(family(process.pid))
        time.sleep(IDLE)
        used = cpu_seconds(family(process.pid)) - before
        rows.append(Row("idle CPU, no camera", f"{100 * used / IDLE:.1f} % of one core", "", None))
        rows.append(Row("RSS without camera", f"{megabytes(process.pid):.0f} MB"))
    for game, lines in DEMONSTRATIONS.items():
        given = ("--demo", game, "--camera", "rendered", "--pace", "4")
        with tempfile.TemporaryDirectory() as folder, service(Path(folder), *given) as (process, _, said):
            until(lambda said=said, lines=lines: len(said) >= lines, "a demonstration")
            pids = family(process.pid)
            now, most = [megabytes(pid) for pid in pids], [megabytes(pid, "VmHWM") for pid in pids]
        told = f"{sum(now):.0f} MB ({' + '.join(f'{mb:.0f}' for mb in now)}), at most {sum(most):.0f} MB"
        what = f"RSS of all processes, playing {find_game(game).title}, with a rendered table (synthetic)"
        rows.append(Row(what, told, f"at most {MOST_MB} MB", sum(now) <= MOST_MB))
    return rows


def die_to_phone(rolls: int = ROLLS) -> list[Row]:
    """From the first byte that the die puts on its line to the snapshot on a phone's live stream; the table announces, no game."""
    with tempfile.TemporaryDirectory() as folder:
        die = PtyDie(Path(folder) / "die", speed=5)
        sent: list[float] = []

        def stamped(data: bytes) -> bytes:
            sent.append(time.monotonic())
            return data

        die.to_host = stamped
        with service(Path(folder)) as (_, port, said):
            until(lambda: "type the code" in "".join(said) and " is ready" in "".join(said), "the die")
            code = "".join(said).split("type the code ")[1].split()[0]
            phone = Phone(port)
            phone.post("/api/host", code=code, name="Greta")
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            connection.request("GET", "/events", headers=phone.headers())
            stream = connection.getresponse()
            times = []
            for _ in range(rolls):
                time.sleep(0.05)  # let the last one's acknowledgements pass
                before = len(sent)
                die.press("A")
                while True:
                    line = stream.readline()
                    if b'"last_roll":{' in line and len(sent) > before:
                        times.append(time.monotonic() - sent[before])
                        break
            connection.close()
        die.close()
    cuts = statistics.quantiles(times, n=100)
    return [
        Row("die → phone, end to end", f"p50 {cuts[49] * 1e3:.1f} ms, p99 {cuts[98] * 1e3:.1f} ms of {len(times)} rolls, real HTTP and disk"),
    ]


def rows() -> Iterator[Row]:
    yield start_to_first_page()
    yield from idle_and_memory()
    yield from die_to_phone()


def main() -> None:
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
