import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type Case, type ServerResponse as CaseResponse, PDF } from './case.ts';

/** Request received by the server. `at` is the time of arrival in seconds. */
export interface Received {
  method: string;
  /** Path, including the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

/** Server certificate that the drivers trust. */
export const CERTIFICATE = new URL('../../fixtures/localhost.crt.pem', import.meta.url).pathname;

/**
 * Starts a server that sends the responses from the test cases and records the requests. Each case in each run has a
 * separate URL so that all cases can run at the same time.
 */
export async function startCaseServer() {
  const exchanges = new Map<string, { responses: CaseResponse[]; base: string; received: Received[] }>();
  const open = new Set<Socket>();
  let accepted = 0;
  let runs = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const [, run, id, ...rest] = request.url!.split('/');
    const exchange = exchanges.get(`${run}/${id}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (!exchange) return void response.writeHead(404).end();
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    exchange.received.push({
      method: request.method!,
      path: `/${rest.join('/')}`,
      headers,
      body,
      at: performance.now() / 1000,
    });
    const { responses, received, base } = exchange;
    const scripted = responses[Math.min(received.length, responses.length) - 1] ?? {};
    if (scripted.delay) await new Promise(resolve => setTimeout(resolve, scripted.delay! * 1000));
    respond(scripted, body, base, response);
  };
  const handleSafely = (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch(() => response.destroy());
  const fixture = (name: string) => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
  const servers = [
    createServer(handleSafely),
    createTlsServer({ key: fixture('localhost.key.pem'), cert: fixture('localhost.crt.pem') }, handleSafely),
  ];
  for (const server of servers) {
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      accepted++;
      socket.on('close', () => open.delete(socket)).on('error', () => {});
    });
    await once(server.listen(0, '127.0.0.1', 2048), 'listening');
  }
  const [http, https] = servers.map(server => (server.address() as AddressInfo).port);

  return {
    /**
     * Prepares a run of test cases. For each case, returns the URL and a list of received requests, which grows as the
     * requests arrive.
     */
    serve(cases: readonly Case[]) {
      const run = `run${runs++}`;
      return cases.map(({ id, tls, answers: responses = [] }) => {
        const base = `${tls ? `https://localhost:${https}` : `http://127.0.0.1:${http}`}/${run}/${id}`;
        const received: Received[] = [];
        exchanges.set(`${run}/${id}`, { responses, base, received });
        return { base, received };
      });
    },
    /** Returns the number of open connections. */
    connections: () => open.size,
    /** Returns the number of connections that clients have opened since the server started. */
    accepted: () => accepted,
    async stop() {
      for (const socket of open) socket.destroy();
      await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
    },
  };
}

function respond(scripted: CaseResponse, request: string, base: string, response: ServerResponse): void {
  const { status = 200, headers = {}, cut, never } = scripted;
  const socket = response.socket!;
  const fill = (text: string) => text.replaceAll('{base}', base);
  if (cut === 'before') socket.resetAndDestroy();
  if (never === 'head') drip(response, 'HTTP/1.1 200 OK\r\nX-Slow: ', text => socket.write(text));
  if (never === 'body' || never === 'end') response.writeHead(status, { 'content-type': 'application/json' });
  if (never === 'body') drip(response, '{"results":"', text => response.write(text));
  if (never === 'end') flood(response);
  if (never || cut === 'before') return;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, fill(value));
  const body = bodyOf(scripted, request, fill);
  if (scripted.json !== undefined || scripted.echo) response.setHeader('content-type', 'application/json');
  if (cut === 'within') {
    response.writeHead(status, { 'content-length': body.length + 100 });
    response.write(body, () => setTimeout(() => socket.resetAndDestroy(), 50));
  } else {
    response.writeHead(status).end(body, () => {
      if (cut === 'after') socket.destroy();
    });
  }
}

function bodyOf({ json, text, echo, pad, pdf }: CaseResponse, request: string, fill: (text: string) => string): Buffer {
  if (pdf) return PDF;
  if (echo) return Buffer.from(JSON.stringify(echoOf(JSON.parse(request))));
  if (json === undefined) return Buffer.from(fill(text ?? ''));
  return Buffer.from(fill(JSON.stringify(pad ? { ...(json as object), pad: 'x'.repeat(pad) } : json)));
}

/** Returns a lookup response without matches. As in the real service, the sources differ between responses. */
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

/** Sends a byte every 50 ms until the client disconnects. */
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
