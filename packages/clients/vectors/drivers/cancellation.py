"""Cancels a call in the same iteration of the event loop in which the response arrives, and prints the outcome."""

import asyncio

from compliance.transport import AsyncPool, Request, Response


class ControlledPool(AsyncPool):
    def __init__(self, response):
        super().__init__()
        self._response = response

    async def _send(self, *_):
        return await self._response


async def main():
    response = asyncio.get_running_loop().create_future()
    call = asyncio.ensure_future(ControlledPool(response)(Request("GET", "https://compliance.example/", {}, b""), 5.0))
    await asyncio.sleep(0.01)
    response.set_result(Response(200, {}, b""))
    call.cancel()
    try:
        await call
        print("completed")
    except asyncio.CancelledError:
        print("canceled")


asyncio.run(main())
