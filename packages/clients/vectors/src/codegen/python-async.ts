import type { OperationShape } from './document.ts';
import { allGroups, groupName, methodTree } from './methods.ts';
import type { Named } from './types.ts';

/**
 * Derives the async client and its operations from the sync modules. The async classes have the same methods as the sync
 * classes, but as coroutines.
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
  [/( {4})def (?=(?:download_certificate|\w+_job\w*|_transfer|_run)\()/g, '$1async def '],
  [/return self\.(_run|_transfer)\(/g, 'return await self.$1('],
  [
    'return transfer(job, file, seconds)',
    'return await asyncio.get_running_loop().run_in_executor(None, transfer, job, file, seconds)',
  ],
  ['self._transport(step', 'await self._transport(step'],
  ['time.sleep(', 'await asyncio.sleep('],
  ['import time\n', 'import asyncio\n'],
  ['import Any, BinaryIO, Callable', 'import Any, Awaitable, BinaryIO, Callable'],
  ['float], Response]', 'float], Awaitable[Response]]'],
  ['Response, send\n', 'Response, send_async\n'],
  ['= send,', '= send_async,'],
  ['transport.send`', 'transport.send_async`'],
  ['from ._operations', 'from ._aio_operations'],
  ['(client.download_certificate(result))', '(await client.download_certificate(result))'],
  [/>>> (job = )?client\.(?=\w+_job)/g, '>>> $1await client.'],
  ['Threads can share a client.', 'Use each client in only one event loop.'],
];

const METHODS: Replacement[] = [
  [/( {4})def (?!_)/g, '$1async def '],
  ['return client._run(', 'return await client._run('],
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
