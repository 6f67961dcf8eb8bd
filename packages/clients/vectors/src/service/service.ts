import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The service as its operator starts it: the command, with data in a folder of its own. */
export async function startService() {
  const main = join(dirname(createRequire(import.meta.url).resolve('@compliance/cli/package.json')), 'src/main.ts');
  const data = await mkdtemp(join(tmpdir(), 'compliance-service-'));
  const { DATABASE_URL: _, FORCE_COLOR: __, ...inherited } = process.env;
  const command = ['--conditions=@compliance/source', main];
  const options = { env: { ...inherited, NO_COLOR: '1' } };
  const child = spawn(process.execPath, [...command, 'serve', '--port', '0', '--data', data], options);
  const base = await addressOf(child);
  const closed = once(child, 'close');
  return {
    base,
    /** A new key of the operator's. */
    async issue(scope: string, note = 'delegate:on'): Promise<string> {
      const args = ['keys', 'issue', '--scope', scope, '--note', note, '--data', data, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, [...command, ...args], options);
      return JSON.parse(stdout).key;
    },
    async stop() {
      child.kill('SIGTERM');
      await closed;
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const text of child.stdout!.iterator({ destroyOnReturn: false })) {
    said += text;
    const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    if (base && said.includes('Ctrl-C')) {
      child.stdout!.resume();
      return base;
    }
  }
  throw new Error(`The service did not start: ${said}`);
}

/** A gateway before a service, as operators put one: it answers 502 with a page of its own when the service is away. */
export async function startGateway(base: string) {
  const server = createServer((request, response) => {
    const onward = send(base + request.url, { method: request.method, headers: request.headers }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>'));
    request.pipe(onward);
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
