import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createCrawler } from '../crawler.ts';
import { createPool } from '../pool/index.ts';
import { createScanner } from '../scan/scanner.ts';
import { createNetwork } from '../testing/network.ts';
import { unlimitedRate } from '../testing/unlimited-rate.ts';

const exporter = new InMemorySpanExporter();
const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 256, queue: 10 });
const network = createNetwork();
const requests: { url: string; headers: object }[] = [];

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  await network.site('shop.example', (request, response) => {
    requests.push({ url: request.url!, headers: request.headers });
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response.setHeader('content-type', request.url === '/theme.js' ? 'text/javascript' : 'text/html');
    if (request.url === '/theme.js') return void response.end('ga("create", "UA-12345-1", "auto")');
    response.end('<html><head><script src="/theme.js"></script></head><body>Shop</body></html>');
  });
});
afterEach(() => exporter.reset());
afterAll(async () => {
  await Promise.all([pool.close(), network.close()]);
  trace.disable();
  context.disable();
});

const scanner = createScanner(createCrawler(network.transport), {
  ...{ contact: 'https://scanner.example/about', pool, targetRate: unlimitedRate },
});
const scan = (url: string) => scanner(url, { asOf: '2026-11-21' });

it('records a traced scan’s fetches and pool jobs as descendant spans, with the host but no path or query', async () => {
  const root = trace.getTracer('test').startSpan('root');
  await context.with(trace.setSpan(context.active(), root), () =>
    scan('http://shop.example/secret-path?token=secret-token'),
  );
  root.end();
  const spans = exporter.getFinishedSpans();
  const named = (name: string) => spans.filter(span => span.name === name);
  expect(named('GET').map(({ attributes }) => attributes)).toEqual(
    Array(3).fill({
      ...{ 'http.request.method': 'GET', 'url.scheme': 'http', 'server.address': 'shop.example', 'server.port': 80 },
      'http.response.status_code': expect.any(Number),
    }),
  );
  expect(named('job scanCapture')).toHaveLength(1);
  const [job] = named('job scanCapture');
  const children = spans.filter(span => span.parentSpanContext?.spanId === job!.spanContext().spanId);
  expect(children.map(({ name }) => name)).toEqual(['wait', 'run']);
  const ids = new Set(spans.map(span => span.spanContext().spanId));
  for (const span of spans) {
    expect(span.spanContext().traceId).toBe(root.spanContext().traceId);
    if (span.name !== 'root') expect(ids.has(span.parentSpanContext!.spanId), span.name).toBe(true);
  }
  expect(
    JSON.stringify(spans.map(({ name, attributes, events, status }) => [name, attributes, events, status])),
  ).not.toMatch(/secret|theme|tenant/);
});

it('never sends the trace context to a scanned site', async () => {
  requests.length = 0;
  const root = trace.getTracer('test').startSpan('root');
  await context.with(trace.setSpan(context.active(), root), () => scan('http://shop.example/'));
  root.end();
  expect(requests.map(({ url }) => url)).toEqual(['/robots.txt', '/', '/theme.js']);
  for (const { headers } of requests) {
    expect(Object.keys(headers).filter(name => /trace|baggage|b3/.test(name))).toEqual([]);
    expect(JSON.stringify(headers)).not.toContain(root.spanContext().traceId);
  }
});

it('records the reason for a failed fetch', async () => {
  const root = trace.getTracer('test').startSpan('root');
  network.names.set('closed.example', ['93.184.216.99']);
  const failed = context.with(trace.setSpan(context.active(), root), () => scan('http://closed.example/'));
  await expect(failed).rejects.toThrow();
  const [fetched] = exporter.getFinishedSpans().filter(({ name }) => name === 'GET');
  expect(fetched).toMatchObject({ attributes: { 'error.type': 'unreachable' }, status: { code: 2 } });
  expect(fetched!.status.message).toBeUndefined();
});

it('records nothing for a scan that isn’t traced', async () => {
  await scan('http://shop.example/');
  expect(exporter.getFinishedSpans()).toEqual([]);
});
