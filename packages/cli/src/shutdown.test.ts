import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveForTest, temporaryFolder } from './testing/run-cli.ts';

type Service = Awaited<ReturnType<typeof serveForTest>>;

/** Generous time limit so that tests pass on a busy machine. */
const PATIENCE = { timeout: 20_000 };

const LOOKUP = { path: '/api/v1/tariff/hts/lookup', body: { codes: ['7318.15.2061'] } };
const GENERATE = {
  path: '/api/v1/entry/gcc/generate',
  body: {
    product_info: { name: 'Helmet', date_of_manufacture: '2026-09-14', place_of_manufacture: 'Shenzhen, China' },
    manufacturer: { name: 'Velo Safety', address: '88 Keyuan Road, Shenzhen', contact_email: 'desk@velo.example' },
    testing_lab: { name: 'Pacific Test Laboratories', test_date: '2026-08-30' },
    cpsc_rules_cited: ['16 CFR 1203'],
  },
};

const start = (drainDelay: number) =>
  serveForTest(['--data', temporaryFolder()], { COMPLIANCE_DRAIN_DELAY: `${drainDelay}` });

/** Returns the demo key that the service prints on its first start. */
const demoKey = (service: Service) => /cmpl_live_\w+/.exec(service.output().stdout)![0];

/** Opens a connection that records everything it receives and how it ends. */
async function open({ base }: Service) {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let received = '';
  let failure: string | null = null;
  socket.setEncoding('utf8').on('data', text => (received += text));
  socket.on('error', (error: NodeJS.ErrnoException) => (failure = error.code ?? error.message));
  const ended = once(socket, 'close').catch(() => undefined);
  await once(socket, 'connect');
  return { socket, ended, received: () => received, failure: () => failure };
}

/**
 * Sends a request's headers and the first half of its body. Returns a function that sends the other half of the body.
 */
function sendHalf(socket: Socket, key: string, { path, body }: { path: string; body: object }): () => void {
  const text = JSON.stringify(body);
  const [first, second] = [text.slice(0, text.length / 2), text.slice(text.length / 2)];
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${first}`,
  );
  return () => void socket.write(second);
}

/**
 * Requests `/readyz`. Returns the HTTP status, the readiness status, and the `Connection` header, or `refused` if the
 * request fails.
 */
async function readiness({ base }: Service) {
  try {
    const response = await fetch(`${base}/readyz`);
    const { status } = (await response.json()) as { status: string };
    return [response.status, status, response.headers.get('Connection')];
  } catch {
    return 'refused';
  }
}

describe('SIGTERM', () => {
  it('makes `/readyz` fail first, and lets the service finish every request that starts before the service stops listening', async () => {
    const service = await start(3);
    const key = demoKey(service);
    const [lookup, certificate, idle] = await Promise.all([open(service), open(service), open(service)]);
    const finish = [sendHalf(lookup.socket, key, LOOKUP), sendHalf(certificate.socket, key, GENERATE)];
    idle.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(idle.received, PATIENCE).toContain('{"status":"ok"}');
    expect(idle.received()).toContain('Connection: keep-alive');

    service.child.kill('SIGTERM');
    await expect.poll(() => readiness(service), PATIENCE).toEqual([503, 'stopping', 'close']);
    const late = await fetch(service.base + LOOKUP.path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(LOOKUP.body),
    });
    expect([late.status, late.headers.get('Connection')]).toEqual([200, 'close']);
    await late.text();

    await expect.poll(() => readiness(service), PATIENCE).toBe('refused');
    for (const send of finish) send();
    await Promise.all([lookup.ended, certificate.ended, idle.ended]);
    for (const { received } of [lookup, certificate]) {
      expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(received()).toContain('Connection: close');
    }
    expect(lookup.received()).toContain('"results"');
    expect(certificate.received()).toContain('"gcc_id"');
    expect([lookup, certificate, idle].map(({ failure }) => failure())).toEqual([null, null, null]);
    expect(await service.closed).toEqual([0, null]);
    expect(service.output()).toMatchObject({ stdout: expect.stringContaining('Stopped.\n'), stderr: '' });
  });

  it('stops the service immediately if the signal is received a second time', async () => {
    const service = await start(600);
    const { socket } = await open(service);
    sendHalf(socket, demoKey(service), LOOKUP);
    service.child.kill('SIGTERM');
    await expect.poll(() => readiness(service), PATIENCE).toEqual([503, 'stopping', 'close']);
    service.child.kill('SIGTERM');
    expect(await service.closed).toEqual([143, null]);
  });
});
