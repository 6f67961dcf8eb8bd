import type { OperationShape } from './document.ts';
import { allGroups, groupName, methodTree } from './methods.ts';
import type { Named } from './types.ts';

/**
 * Derives the async client and its operations from the sync modules. The async classes have the same methods as the
 * sync classes, but as coroutines or async iterators.
 *
 * @throws `Error` if a replacement no longer applies because a sync module changed
 */
export function asyncModules(
  { client, methods }: { client: string; methods: string },
  operations: readonly OperationShape[],
  types: readonly Named[],
): { client: string; methods: string } {
  const root = methodTree(operations, types);
  const classes = allGroups(root).map(group => groupName(group, root, types));
  const names = new RegExp(`\\b(${[...classes, 'Operations', 'Client', 'Transport'].join('|')})\\b(?!\\w)`, 'g');
  const common: Replacement[] = [[names, 'Async$1']];
  return {
    client: replaced(client, [...common, ...CLIENT]).replace(
      /^""".*"""/,
      '"""Async client. Generated from client.py by `pnpm gen`."""',
    ),
    methods: replaced(methods, [...common, ...METHODS]),
  };
}

type Replacement = [from: RegExp | string, to: string];

const CLIENT: Replacement[] = [
  [/( {4})def (?=(?:download_certificate|\w+_job\w*|_run|_pages|close)\()/g, '$1async def '],
  ['self._run(', 'await self._run('],
  ['self._transport(*step', 'await self._transport(*step'],
  [/^ {8}weakref\.finalize.*\n/gm, ''],
  ['import weakref\n', ''],
  ['def __enter__', 'async def __aenter__'],
  ['def __exit__', 'async def __aexit__'],
  ['        self.close()', '        await self.close()'],
  ['        self._pool.close()', '        await self._pool.close()'],
  ['Pool()', 'AsyncPool()'],
  ['import Pool, Request', 'import AsyncPool, Request'],
  ['transport.Pool`', 'transport.AsyncPool`'],
  ['Iterator[', 'AsyncIterator['],
  ['Any, BinaryIO, Callable, Dict, Iterator,', 'Any, AsyncIterator, Awaitable, BinaryIO, Callable, Dict,'],
  ['>>> with ', '>>> async with '],
  ['...     lists = ', '...     lists = await '],
  ['time.sleep(', 'await asyncio.sleep('],
  ['import time\n', 'import asyncio\n'],
  ['float], Response]', 'float], Awaitable[Response]]'],
  ['from ._operations', 'from ._aio_operations'],
  ['(client.download_certificate(result))', '(await client.download_certificate(result))'],
  [/>>> (job = )?client\.(?=\w+_job)/g, '>>> $1await client.'],
  ['Threads can share a client.', 'Use each client in only one event loop.'],
];

const METHODS: Replacement[] = [
  [/( {4})def (?!_|\w+_all\()/g, '$1async def '],
  ['return client._run(', 'return await client._run('],
  ['Iterator[', 'AsyncIterator['],
  [', Iterator', ', AsyncIterator'],
  ['>>> for item', '>>> async for item'],
  ['from .client', 'from .aio'],
  ['>>> response = client.', '>>> response = await client.'],
];

function replaced(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((current, [from, to]) => {
    const next = current.replaceAll(from, to);
    if (next === current) throw new Error(`The sync client no longer contains ${from}.`);
    return next;
  }, text);
}
