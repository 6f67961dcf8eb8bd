/**
 * The client for asyncio, made from the one for threads: the same tree, where a call is awaited.
 *
 * @throws Error when `client.py` has changed so that a piece to be exchanged is no longer in it
 */
export function asyncClient(client: string): string {
  const exchanged = EXCHANGES.reduce((text, [from, to]) => {
    const next = text.replaceAll(from, to);
    if (next === text) throw new Error(`client.py no longer has ${from}`);
    return next;
  }, client);
  return exchanged.replace(/^""".*"""/, '"""The client for asyncio. Written from client.py by `pnpm gen`."""');
}

const EXCHANGES: [from: RegExp | string, to: string][] = [
  [/\b(Hts|Tariff|Pixel|Gcc|Entry|Client|Transport)\b(?!\w)/g, 'Async$1'],
  [/( {4})def (?=lookup|lists|changes|scan|generate|download_certificate|_run)/g, '$1async def '],
  ['return client._run(', 'return await client._run('],
  ['return self._run(', 'return await self._run('],
  ['self._transport(step', 'await self._transport(step'],
  ['time.sleep(', 'await asyncio.sleep('],
  ['import time\n', 'import asyncio\n'],
  ['import Callable', 'import Awaitable, Callable'],
  ['float], Response]', 'float], Awaitable[Response]]'],
  ['Response, send\n', 'Response, send_async\n'],
  ['= send,', '= send_async,'],
  ['transport.send`', 'transport.send_async`'],
  [/>>> (client\.[\w.]+\([^)]*\)+)(?=\[)/g, '>>> (await $1)'],
  ['(client.download_certificate(result))', '(await client.download_certificate(result))'],
  ['It may be shared by threads.', 'It belongs to one event loop.'],
];
