import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { serveForTest, startCli, temporaryFolder } from '../testing/run-cli.ts';

it('runs an egress proxy that refuses private addresses, and reports scans as unavailable while the proxy isn’t running', async () => {
  const proxy = startCli(['egress', '--port', '0']);
  onTestFinished(() => void proxy.kill('SIGKILL'));
  const [line] = await once(createInterface(proxy.stdout!), 'line');
  const port = Number(/^The egress proxy is running on 127\.0\.0\.1 port (\d+)\./.exec(line)![1]);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(204);
  const tunnel = request({ port, method: 'CONNECT', path: `127.0.0.1:${port}`, agent: false }).end();
  const [{ statusCode }] = await once(tunnel, 'connect');
  expect(statusCode).toBe(403);

  const { base } = await serveForTest(['--data', temporaryFolder(), '--egress', `http://127.0.0.1:${port}`]);
  const scan = async () => await (await fetch(`${base}/api/v0/scan?url=https://shop.invalid.example`)).json();
  expect(await scan()).toMatchObject({ error: 'scan_failed', reason: 'unreachable' });
  proxy.kill('SIGTERM');
  expect(await once(proxy, 'exit')).toEqual([0, null]);
  expect(await scan()).toMatchObject({ error: 'unavailable' });
});
