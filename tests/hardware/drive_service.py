"""Runs inside a freshly installed root, as its root: starts the service as its unit says, asks it, and stops it.

Only the standard library: it runs with that root's own Python. It plays systemd: the account, the capability for port 80, no new
privileges, memory that is never both written and executed, the notify socket. Prints what it saw as JSON.
"""

import configparser
import ctypes
import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PR_SET_MDWE = 65  # Linux 6.3 and newer: what MemoryDenyWriteExecute asks for
SIOCSIFFLAGS, IFF_UP = 0x8914, 0x1


def unit(file):
    read = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    read.optionxform = str
    lines = Path(file).read_text("utf-8")
    read.read_string(lines)
    environment = dict(line.partition("=")[2].split("=", 1) for line in lines.splitlines() if line.startswith("Environment="))
    return dict(read["Service"]), environment


def raise_loopback():
    """A network namespace of one's own begins with its loopback down."""
    with socket.socket() as line:
        fcntl.ioctl(line, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def deny_write_execute():
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_MDWE, 1, 0, 0, 0)  # an older kernel refuses, and nothing is lost


def main():
    service, environment = unit("/etc/systemd/system/tabletop-companion.service")
    raise_loopback()
    state = "/var/lib/" + service["StateDirectory"]
    os.makedirs(state, exist_ok=True)
    subprocess.run(["chown", service["User"] + ":" + service["Group"], state], check=True)
    notify = "/tmp/notify"
    if os.path.exists(notify):
        os.unlink(notify)
    line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    line.bind(notify)
    os.chmod(notify, 0o777)
    line.settimeout(100)
    cap = "-all,+" + service["AmbientCapabilities"].removeprefix("CAP_").lower()
    account = ["setpriv", "--reuid", service["User"], "--regid", service["Group"], "--init-groups", "--inh-caps", cap,
               "--ambient-caps", cap, "--bounding-set", cap, "--no-new-privs"]  # fmt: skip
    process = subprocess.Popen(
        account + service["ExecStart"].split(), cwd=service["WorkingDirectory"].replace("%S", "/var/lib"),
        env={"PATH": "/usr/bin:/bin", "STATE_DIRECTORY": state, "NOTIFY_SOCKET": notify, "WATCHDOG_USEC": "2000000"} | environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=deny_write_execute, text=True,
    )  # fmt: skip
    saw = {}
    try:
        saw["ready"] = "READY=1" in line.recv(4096).decode()
        with urllib.request.urlopen("http://127.0.0.1/join", timeout=60) as page:
            saw["page"] = page.status
        with urllib.request.urlopen("http://127.0.0.1/guide/siege", timeout=60) as page:
            saw["guide"] = b"Commander" in page.read()
        while "WATCHDOG=1" not in (words := line.recv(4096).decode()):
            saw["trouble"] = words
        saw["watchdog"] = True
        status = Path(f"/proc/{process.pid}/status").read_text("utf-8")
        saw["user"] = subprocess.run(["id", "-nu", status.split("Uid:")[1].split()[0]], capture_output=True, text=True).stdout.strip()
        saw["capabilities"] = status.split("CapEff:")[1].split()[0]
        process.send_signal(signal.SIGTERM)
        while "STOPPING=1" not in line.recv(4096).decode():
            pass
        output, _ = process.communicate(timeout=60)
        saw["exit"] = process.returncode
        saw["output"] = output[-3000:]
        saw["journal"] = sorted(os.listdir(state))
    except (OSError, subprocess.TimeoutExpired) as error:
        process.kill()
        saw["error"] = f"{error!r}\n{process.communicate()[0][-3000:]}"
    print(json.dumps(saw))


if __name__ == "__main__":
    started = time.monotonic()
    main()
    print(f"{time.monotonic() - started:.1f} s", file=sys.stderr)
