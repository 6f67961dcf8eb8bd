import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type Answer, type Case, PDF } from './case.ts';

/** A request as it arrived. `at` is seconds. */
export interface Received {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

/** The certificate of the server; drivers are told to trust it. */
export const CERTIFICATE = new URL('../../fixtures/localhost.crt.pem', import.meta.url).pathname;

/**
 * A server that plays the answers of cases and remembers the requests. Each case of each run has an address of its own, so
 * that all may be played at once.
 */
export async function startPlayServer() {
  const acts = new Map<string, { answers: Answer[]; base: string; received: Received[] }>();
  const open = new Set<Socket>();
  let runs = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const [, run, id, ...rest] = request.url!.split('/');
    const act = acts.get(`${run}/${id}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (!act) return void response.writeHead(404).end();
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    act.received.push({
      method: request.method!,
      path: `/${rest.join('/')}`,
      headers,
      body,
      at: performance.now() / 1000,
    });
    const answer = act.answers[Math.min(act.received.length, act.answers.length) - 1] ?? {};
    if (answer.delay) await new Promise(resolve => setTimeout(resolve, answer.delay! * 1000));
    play(answer, body, act.base, response);
  };
  const swallow = (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch(() => response.destroy());
  const fixture = (name: string) => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
  const servers = [
    createServer(swallow),
    createTlsServer({ key: fixture('localhost.key.pem'), cert: fixture('localhost.crt.pem') }, swallow),
  ];
  for (const server of servers) {
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => {});
    });
    await once(server.listen(0, '127.0.0.1', 2048), 'listening');
  }
  const [http, https] = servers.map(server => (server.address() as AddressInfo).port);

  return {
    /** Sets the stage for a run of cases; gives the address of each and what it received. */
    stage(cases: readonly Case[]) {
      const run = `run${runs++}`;
      const staged = cases.map(({ id, tls, answers = [] }) => {
        const base = `${tls ? `https://localhost:${https}` : `http://127.0.0.1:${http}`}/${run}/${id}`;
        const received: Received[] = [];
        acts.set(`${run}/${id}`, { answers, base, received });
        return { base, received };
      });
      return staged;
    },
    /** How many connections are open. */
    connections: () => open.size,
    async stop() {
      for (const socket of open) socket.destroy();
      await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
    },
  };
}

function play(answer: Answer, request: string, base: string, response: ServerResponse): void {
  const { status = 200, headers = {}, cut, never } = answer;
  const socket = response.socket!;
  const fill = (text: string) => text.replaceAll('{base}', base);
  if (cut === 'before') socket.resetAndDestroy();
  if (never === 'head') drip(response, 'HTTP/1.1 200 OK\r\nX-Slow: ', text => socket.write(text));
  if (never === 'body' || never === 'end') response.writeHead(status, { 'content-type': 'application/json' });
  if (never === 'body') drip(response, '{"results":"', text => response.write(text));
  if (never === 'end') flood(response);
  if (never || cut === 'before') return;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, fill(value));
  const body = bodyOf(answer, request, fill);
  if (answer.json !== undefined || answer.echo) response.setHeader('content-type', 'application/json');
  if (cut === 'within') {
    response.writeHead(status, { 'content-length': body.length + 100 });
    response.write(body, () => setTimeout(() => socket.resetAndDestroy(), 50));
  } else {
    response.writeHead(status).end(body);
  }
}

function bodyOf({ json, text, echo, pad, pdf }: Answer, request: string, fill: (text: string) => string): Buffer {
  if (pdf) return PDF;
  if (echo) return Buffer.from(JSON.stringify(echoOf(JSON.parse(request))));
  if (json === undefined) return Buffer.from(fill(text ?? ''));
  return Buffer.from(fill(JSON.stringify(pad ? { ...(json as object), pad: 'x'.repeat(pad) } : json)));
}

/** As a look-up that finds nothing. Sources differ from part to part, as they do in the service. */
function echoOf({ codes, as_of = '2026-11-21' }: { codes: string[]; as_of?: string }) {
  const empty = { adjacent_hits: [], normalized: null, coverage: null, exists: 'unknown', description: null };
  const results = codes.map(code => ({
    ...{ code, hit: false, in_scope: false, status: 'clear', ...empty },
    ...{ message: '', matches: [], other_programs: [] },
  }));
  const source = { title: `for ${codes[0]}`, address: '', reading: '' };
  const known = { version: '1', known_through: '2026-10-09', sha256: '', as_of, programs: [], origin: null };
  return { results, list: { ...known, nomenclature: null, sources: { [codes[0] ?? '']: source }, notice: null } };
}

/** A byte each 50 ms, for as long as the other side listens. */
function drip(response: ServerResponse, start: string, write: (text: string) => void): void {
  write(start);
  const timer = setInterval(() => write('x'), 50);
  response.on('close', () => clearInterval(timer));
  response.socket!.on('close', () => clearInterval(timer));
}

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(1 << 20, 'x');
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
}
