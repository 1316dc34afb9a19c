"""64 pages that are opened and dropped without end: `python -m tests.web.churn PORT ADDRESS=COOKIE …` until its input ends."""

from __future__ import annotations

import contextlib
import sys
import threading

from tests.web.phone import Phone


def main() -> None:
    port, *guests = sys.argv[1:]
    phones = []
    for guest in guests:
        address, _, cookie = guest.partition("=")
        phone = Phone(int(port), address)
        phone.cookie = cookie
        phones.append(phone)
    stop = threading.Event()
    opened, refused = [0] * 64, [0] * 64

    def churn(number: int) -> None:
        while not stop.is_set():
            with contextlib.suppress(OSError, ValueError), phones[number % len(phones)].stream() as page:
                if page.status == 200:
                    page.event()
                    opened[number] += 1
                else:
                    refused[number] += 1

    threads = [threading.Thread(target=churn, args=(number,)) for number in range(64)]
    for thread in threads:
        thread.start()
    print("churning", flush=True)
    sys.stdin.read()
    stop.set()
    for thread in threads:
        thread.join()
    print(sum(opened), sum(refused))


if __name__ == "__main__":
    main()
