"""Who waits too long is told; who waits often is not."""

from __future__ import annotations

import asyncio

import pytest

from web.patience import Patience


def test_a_wait_that_lasts_too_long_is_ended_and_the_task_goes_on() -> None:
    async def evening() -> str:
        patience = Patience(0.01)
        with pytest.raises(TimeoutError), patience:
            await asyncio.Event().wait()
        patience.end()
        await asyncio.sleep(0)
        return "it goes on"

    assert asyncio.run(evening()) == "it goes on"


def test_what_happens_between_the_waits_takes_as_long_as_it_likes() -> None:
    async def evening() -> None:
        patience = Patience(0.01)
        for _ in range(3):
            with patience:
                await asyncio.sleep(0)
            await asyncio.sleep(0.03)
        patience.end()

    asyncio.run(evening())


def test_the_clock_begins_anew_with_each_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait that begins just before the clock of an earlier one runs out has its whole time."""

    async def evening() -> float:
        now = 0.0
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
        patience, waited = Patience(10), 0.0

        async def wait() -> None:
            nonlocal now, waited
            with patience:
                now = 18.5
                for _ in range(3):
                    await asyncio.sleep(0)
                waited = now - 9.0
                now = 19.5
                await asyncio.Event().wait()

        with patience:
            pass
        now = 9.0
        with pytest.raises(TimeoutError):
            await wait()
        return waited

    assert asyncio.run(evening()) == 9.5


def test_a_cancelled_task_is_cancelled_and_no_time_limit() -> None:
    async def waits() -> None:
        with Patience(60):
            await asyncio.Event().wait()

    async def evening() -> None:
        task = asyncio.create_task(waits())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(evening())
