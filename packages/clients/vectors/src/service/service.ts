import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type KeyScope, openStore } from '@compliance/store';

/** Starts the service from the CLI, as an operator would, with a temporary data folder. */
export async function startService() {
  const main = join(dirname(createRequire(import.meta.url).resolve('@compliance/cli/package.json')), 'src/main.ts');
  const data = await mkdtemp(join(tmpdir(), 'compliance-service-'));
  const { DATABASE_URL: _, FORCE_COLOR: __, ...inherited } = process.env;
  const command = ['--conditions=@compliance/source', main];
  const options = { env: { ...inherited, NO_COLOR: '1' } };
  const child = spawn(process.execPath, [...command, 'serve', '--port', '0', '--data', data], options);
  const base = await baseUrlOf(child);
  const closed = once(child, 'close');
  // Open the store directly instead of running CLI commands, because starting the CLI would take longer.
  const store = await openStore({ dataDir: data, clock: Date.now });
  return {
    base,
    /** Issues an API key. */
    async issue(scope: KeyScope, note = 'delegate:on'): Promise<string> {
      return (await store.keys.issue({ scope, note, actor: 'test' })).key;
    },
    /** Issues an API key and uses up its rate limit for the current minute. */
    async issueExhausted(scope: KeyScope): Promise<string> {
      const { key, record } = await store.keys.issue({ scope, note: 'delegate:on', actor: 'test' });
      await Promise.all(Array.from({ length: 100 }, () => store.limits.take(record.family)));
      return key;
    },
    async stop() {
      await store.close();
      child.kill('SIGINT');
      await closed;
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function baseUrlOf(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const text of child.stdout!.iterator({ destroyOnReturn: false })) {
    output += text;
    const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
    if (base && output.includes('Ctrl-C')) {
      child.stdout!.resume();
      return base;
    }
  }
  throw new Error(`The service did not start: ${output}`);
}

/**
 * Starts a gateway in front of a service. The gateway responds with 502 and an HTML page if the service is unavailable.
 */
export async function startGateway(base: string) {
  const server = createServer((request, response) => {
    const forwarded = send(base + request.url, { method: request.method, headers: request.headers }, reply => {
      response.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(response);
    });
    forwarded.on('error', () =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>'),
    );
    request.pipe(forwarded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
