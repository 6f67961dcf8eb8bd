import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { StoreLocation } from '@compliance/store';
import { describeWithPostgres } from '@compliance/store/testing';
import { expect, it, onTestFinished } from 'vitest';

const CHILD = fileURLToPath(new URL('./testing/scan-child.ts', import.meta.url));

/**
 * Starts a server that includes twenty scripts in every page. Returns the server's port and the time of each request.
 */
async function startTarget() {
  const times: number[] = [];
  const scripts = Array.from({ length: 20 }, (_, i) => `<script src="/${i}.js"></script>`).join('');
  const server = createServer((request, response) => {
    times.push(performance.now());
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(scripts);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, times };
}

async function startScans(location: StoreLocation, port: number) {
  const args = ['--conditions=@compliance/source', CHILD, JSON.stringify(location), `${port}`, '4'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout);
  const closed = once(child, 'close');
  await Promise.race([once(lines, 'line'), closed]);
  const outcomes: string[] = [];
  lines.on('line', line => outcomes.push(line));
  return {
    begin: () => child.stdin.write('\n'),
    ended: closed.then(([code]) => {
      expect(code).toBe(0);
      return outcomes;
    }),
  };
}

/**
 * Scans one site from two processes at the same time and checks the number of requests that the site's server
 * received.
 */
async function scanFromTwoProcesses(location: StoreLocation): Promise<void> {
  const { port, times } = await startTarget();
  const processes = await Promise.all([startScans(location, port), startScans(location, port)]);
  for (const { begin } of processes) begin();
  const outcomes = (await Promise.all(processes.map(({ ended }) => ended))).flat();
  expect(times.at(-1)! - times[0]!).toBeLessThan(60_000);
  expect(times).toHaveLength(60);
  expect(outcomes).toContain('complete');
  expect(outcomes.filter(outcome => outcome === 'target_busy').length).toBeGreaterThanOrEqual(3);
}

it('sends exactly 60 requests per minute in total if two processes that share a data folder scan the same site', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'compliance-rate-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  await scanFromTwoProcesses({ dataDir });
});

await describeWithPostgres('two processes on PostgreSQL', startFresh => {
  it('sends exactly 60 requests per minute in total to a site that both processes scan', async () => {
    const { url, stop } = await startFresh();
    onTestFinished(() => stop());
    await scanFromTwoProcesses({ databaseUrl: url });
  });
});
