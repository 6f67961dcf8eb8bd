import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { drainServers } from './shutdown.ts';
import { startServer } from './start-server.ts';

/** Sends a request through an agent. Returns the status, body, and `Connection` header, or the error code. */
async function ask(port: number, path: string, agent: Agent): Promise<string> {
  const sent = request({ port, path, agent });
  sent.end();
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = (await response.toArray()).join('');
    return `${response.statusCode} ${body} ${response.headers.connection}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? `${error}`;
  }
}

const startSlow = (ms: number) =>
  startServer(
    async ({ url }) => {
      if (url.endsWith('/slow')) await pause(ms);
      return new Response('done');
    },
    { port: 0, host: '127.0.0.1' },
  );

it('responds to requests in progress and to requests that arrive during the delay, without resetting any connection', async () => {
  const server = await startSlow(600);
  const agents = Array.from({ length: 12 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  // Each agent keeps one connection open.
  for (const agent of agents) expect(await ask(server.port, '/', agent)).toBe('200 done keep-alive');
  const slow = agents.slice(0, 6).map(agent => ask(server.port, '/slow', agent));
  await pause(50);
  const drained = drainServers([server], { delayMs: 200, timeoutMs: 10_000 });
  const late = agents.slice(6).map(agent => ask(server.port, '/slow', agent));
  const fresh = ask(server.port, '/', new Agent());
  expect(new Set([...(await Promise.all(slow)), ...(await Promise.all(late)), await fresh])).toEqual(
    new Set(['200 done close']),
  );
  expect(await drained).toBe(0);
  expect(await ask(server.port, '/', new Agent())).toBe('ECONNREFUSED');
});

it('closes an idle connection without resetting it', async () => {
  const server = await startSlow(0);
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.resume();
  const ended = once(socket, 'end');
  await drainServers([server], { delayMs: 0, timeoutMs: 10_000 });
  await ended;
});

it('drops the remaining requests after the time limit, and returns their number', async () => {
  const server = await startSlow(60_000);
  const answer = ask(server.port, '/slow', new Agent());
  await pause(50);
  expect(await drainServers([server], { delayMs: 0, timeoutMs: 100 })).toBe(1);
  expect(await answer).toBe('ECONNRESET');
});

it('fails to start a server on a port that is in use', async () => {
  const server = await startSlow(0);
  await expect(startServer(() => new Response(), { port: server.port, host: '127.0.0.1' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await server.close(0);
});
