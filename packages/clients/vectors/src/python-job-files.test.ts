import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { KEY } from './runner/case.ts';
import { CERTIFICATE } from './runner/case-server.ts';
import { PROXIED_HOST, PROXY_LOGIN, startProxy } from './runner/proxy-server.ts';
import { installedPythons, PYTHON_ENV } from './runner/runtimes.ts';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const [python] = await installedPythons();
const proxy = await startProxy();

/** A result that is larger than the client's buffers, in chunks of different sizes. */
const RESULT = Array.from({ length: 40 }, (_, i) => Buffer.alloc(i * 4_001 + 1, `${i}`));
const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest('hex');

const received: { method: string; headers: IncomingMessage['headers']; bytes: number }[] = [];
const respond = async (request: IncomingMessage, response: ServerResponse) => {
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  received.push({ method: request.method!, headers: request.headers, bytes });
  await answer(request, response);
};
let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
const server = createServer({ key: fixture('localhost.key.pem'), cert: fixture('localhost.crt.pem') }, respond);
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await proxy.stop();
});

beforeEach(() => {
  proxy.received.length = 0;
  received.length = 0;
  answer = async ({ method }, response) => {
    if (method === 'PUT') return void response.end('{"id":"blk_1"}');
    for (const part of RESULT) {
      response.write(part);
      await new Promise(resolve => setImmediate(resolve));
    }
    response.end();
  };
});

interface Outcome {
  id?: string;
  sha256?: string;
  certificates?: string;
  error?: string;
  code?: string | null;
}

/** Uploads and downloads job files through a proxy, with the sync and async clients. */
async function transfer({ lines = 200_000, timeout = 10 } = {}) {
  const setup = { base: `https://${PROXIED_HOST}:${port}`, key: KEY, lines, timeout };
  const url = proxy.url(PROXY_LOGIN);
  const env = { HTTPS_PROXY: url, https_proxy: url, NO_PROXY: '', no_proxy: '', SSL_CERT_FILE: CERTIFICATE };
  const { stdout } = await promisify(execFile)(
    python!.command,
    [path('../drivers/job_files.py'), JSON.stringify(setup)],
    { env: { ...process.env, ...env, ...PYTHON_ENV } },
  );
  return JSON.parse(stdout) as { sync: Outcome; async: Outcome; requests: [string, boolean, boolean][] };
}

describe.skipIf(!python)(`the Python client${python ? '' : ' (skipped: Python is not installed)'}`, () => {
  it('streams job files through a proxy and a custom transport without sending the API key', async () => {
    const { sync, async, requests } = await transfer();
    const expected = { id: 'blk_1', sha256: sha256(...RESULT), certificates: sha256(...RESULT) };
    expect([sync, async]).toEqual([expected, expected]);
    const both = [
      ['PUT', true, false],
      ['GET', false, true],
      ['GET', false, true],
    ];
    expect(requests).toEqual([...both, ...both]);
    expect(proxy.received).toHaveLength(2);
    expect(proxy.received).toMatchObject([{ method: 'CONNECT' }, { method: 'CONNECT' }]);
    expect(received.map(({ method, bytes }) => [method, bytes])).toEqual([
      ...[
        ['PUT', 2_600_000],
        ['GET', 0],
        ['GET', 0],
      ],
      ...[
        ['PUT', 2_600_000],
        ['GET', 0],
        ['GET', 0],
      ],
    ]);
    expect(received[0]!.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    expect(JSON.stringify(received)).not.toContain(KEY);
  });

  it('lets a file transfer take longer than the timeout, which applies to each read', async () => {
    answer = async ({ method }, response) => {
      for (const part of method === 'PUT' ? ['{"id":', '"blk_1"', '}'] : ['a', 'b', 'c']) {
        response.write(part);
        await new Promise(resolve => setTimeout(resolve, 300));
      }
      response.end();
    };
    const { sync, async } = await transfer({ lines: 1, timeout: 0.6 });
    const abc = sha256(Buffer.from('abc'));
    const expected = { id: 'blk_1', sha256: abc, certificates: abc };
    expect([sync, async]).toEqual([expected, expected]);
  });

  it('reports a rejected file, a lost connection, and an idle connection', async () => {
    answer = async (_, response) =>
      void response.writeHead(413).end('{"error":"body_too_large","message":"Too large."}');
    const rejected = await transfer({ lines: 1 });
    expect([rejected.sync, rejected.async]).toMatchObject([{ code: 'body_too_large' }, { code: 'body_too_large' }]);
    answer = async ({ method }, response) => {
      if (method === 'PUT') return void response.end('{"id":"blk_1"}');
      response.writeHead(200, { 'Content-Length': 10 }).write('abc', () => response.destroy());
    };
    const lost = await transfer({ lines: 1 });
    expect([lost.sync.error, lost.async.error]).toEqual(['ConnectionError', 'ConnectionError']);
    answer = async () => {};
    const idle = await transfer({ lines: 1, timeout: 0.3 });
    expect([idle.sync, idle.async]).toMatchObject([
      { error: 'TimeoutError', message: 'The connection was idle for 0.3 s.' },
      { error: 'TimeoutError', message: 'The connection was idle for 0.3 s.' },
    ]);
  });
});
