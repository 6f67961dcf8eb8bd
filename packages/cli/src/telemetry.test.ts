import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCollector } from './testing/collector.ts';
import { serveForTest, startService, temporaryFolder } from './testing/run-cli.ts';

const LOOKUP = '/api/v1/tariff/hts/lookup';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT_ID = 'b7ad6b7169203331';
const EMAIL = 'someone@example.com';
const PAGE_SECRET = 'page-secret';
const CERTIFICATE = {
  product_info: {
    ...{ name: 'Helmet', date_of_manufacture: '2026-09-14', place_of_manufacture: 'Shenzhen, China' },
  },
  manufacturer: { name: 'Velo', address: '88 Keyuan Road, Shenzhen, China', contact_email: EMAIL },
  testing_lab: { name: 'Pacific Test Laboratories', accreditation_id: 'ISO 17025 / 1234', test_date: '2026-08-30' },
  cpsc_rules_cited: ['16 CFR 1203'],
};

describe('compliance serve with a collector', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let service: Awaited<ReturnType<typeof startService>>;
  let key: string;
  let folder: string;
  const responses: Record<string, Response> = {};
  let link = '';

  const call = async (name: string, path: string, { body, headers }: { body?: object; headers?: object } = {}) => {
    const response = await fetch(service.base + path, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    responses[name] = response.clone() as Response;
    return response;
  };
  const traceOf = (name: string) => responses[name]!.headers.get('traceresponse')!.split('-')[1]!;
  const spansOf = (name: string) => collector.spans().filter(({ traceId }) => traceId === traceOf(name));
  const lines = () =>
    service
      .output()
      .stderr.trim()
      .split('\n')
      .map(line => JSON.parse(line));

  // One process serves all requests and then exports all telemetry when it stops.
  beforeAll(async () => {
    collector = await startCollector();
    folder = mkdtempSync(join(tmpdir(), 'compliance-telemetry-'));
    service = await startService(['--data', folder, '--log', 'info'], {
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' },
      ...{ OTEL_BSP_SCHEDULE_DELAY: '60000', COMPLIANCE_DRAIN_DELAY: '0' },
    });
    key = /cmpl_live_\w+/.exec(service.output().stdout)![0];
    const codes = { codes: ['7318.15.2061'] };
    const traceparent = (flags: string) => ({ traceparent: `00-${TRACE_ID}-${PARENT_ID}-${flags}` });
    await call('continued', LOOKUP, { body: codes, headers: traceparent('01') });
    await call('unsampled', LOOKUP, {
      body: codes,
      headers: { traceparent: `00-${TRACE_ID.replace('0', '1')}-${PARENT_ID}-00` },
    });
    await call('malformed', LOOKUP, { body: codes, headers: { traceparent: `00-${'0'.repeat(32)}-${PARENT_ID}-01` } });
    const otherKey = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
    await call('refused', LOOKUP, { body: codes, headers: { Authorization: `Bearer ${otherKey}` } });
    expect(responses.refused!.status).toBe(401);
    const issued = await call('certificate', '/api/v1/entry/gcc/generate', { body: CERTIFICATE });
    expect(issued.status, await issued.clone().text()).toBe(200);
    link = ((await issued.json()) as { gcc_pdf_url: string }).gcc_pdf_url;
    await call('pdf', link.slice(link.indexOf('/', 8)));
    await call('unknown', `/${EMAIL}/${key}?sig=${PAGE_SECRET}`);
    await call('v0', `/api/v0/hts/${PAGE_SECRET}`);
    await call('scan', '/api/v1/pixel/scan', { body: { url: `http://127.0.0.1/${PAGE_SECRET}?token=${PAGE_SECRET}` } });
    service.child.kill('SIGTERM');
    await service.closed;
  });
  afterAll(async () => {
    await service.stop();
    collector.stop();
    rmSync(folder, { recursive: true });
  });

  it('exports pending spans with the service’s resource attributes when it stops', () => {
    expect(service.output().stdout).toContain('Stopped.');
    expect(spansOf('continued').length).toBeGreaterThan(0);
    expect(collector.resource()).toMatchObject({
      'service.name': 'compliance',
      'service.version': expect.stringMatching(/^\d/),
      'deployment.environment.name': 'test',
    });
  });

  it('continues the trace from the request’s `traceparent` header, and includes the span ID in the response and the log', () => {
    const [, traceId, spanId, flags] = responses.continued!.headers.get('traceresponse')!.split('-');
    expect([traceId, flags]).toEqual([TRACE_ID, '01']);
    expect(spansOf('continued').find(span => span.spanId === spanId)).toMatchObject({
      parentSpanId: PARENT_ID,
      name: `POST ${LOOKUP}`,
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': LOOKUP,
        'http.response.status_code': 200,
        'url.path': LOOKUP,
        'url.scheme': 'http',
      },
    });
    const id = responses.continued!.headers.get('X-Request-Id');
    expect(lines().find(({ request_id }) => request_id === id)).toMatchObject({ trace_id: TRACE_ID, span_id: spanId });
  });

  it('doesn’t sample a trace that the caller didn’t sample, but logs the trace ID', () => {
    expect(responses.unsampled!.headers.get('traceresponse')).toBeNull();
    const unsampled = TRACE_ID.replace('0', '1');
    expect(collector.spans().filter(({ traceId }) => traceId === unsampled)).toEqual([]);
    expect(lines().filter(({ trace_id }) => trace_id === unsampled)).toHaveLength(1);
  });

  it('starts a new trace if the request’s `traceparent` header is malformed', () => {
    expect(responses.malformed!.status).toBe(200);
    expect(traceOf('malformed')).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    const [root] = spansOf('malformed').filter(({ kind }) => kind === 2);
    expect(root!.parentSpanId).toBe('');
  });

  it('records SQL statements, the queue wait, and the pool job as descendants of the request’s span', () => {
    const spans = spansOf('certificate');
    const named = (name: string) => spans.find(span => span.name === name)!;
    const root = named('POST /api/v1/entry/gcc/generate');
    const job = named('job drawRequest');
    expect(job).toMatchObject({
      parentSpanId: root.spanId,
      attributes: { 'compliance.pool.queue': 'jobs', 'compliance.pool.lane': 'keyed' },
    });
    const steps = spans.filter(({ parentSpanId }) => parentSpanId === job.spanId).map(({ name }) => name);
    expect(steps.sort()).toEqual(['run', 'wait']);
    for (const statement of ['SELECT keys', 'INSERT rate_limits', 'INSERT certificates', 'INSERT audit']) {
      expect(named(statement), statement).toMatchObject({
        parentSpanId: root.spanId,
        kind: 3,
        attributes: { 'db.system.name': 'sqlite' },
      });
    }
    const ids = new Set(spans.map(({ spanId }) => spanId));
    for (const span of spans) expect(span === root || ids.has(span.parentSpanId), span.name).toBe(true);
    for (const span of spans)
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name).toBe(true);
  });

  it('records refused requests and failed scans with their error codes', () => {
    const root = (name: string) => spansOf(name).find(({ kind }) => kind === 2);
    expect(root('refused')).toMatchObject({
      attributes: { 'http.response.status_code': 401, 'error.type': 'unauthorized' },
      status: {},
    });
    expect(root('scan')!.attributes['error.type']).toBe('scan_failed');
  });

  it('exports the same metrics as the Prometheus endpoint', () => {
    const metrics = Object.fromEntries(collector.metrics().map(metric => [metric.name, metric]));
    const [requests] = metrics.compliance_request_duration_seconds!.histogram!.dataPoints;
    expect(requests!.bucketCounts.reduce((sum, count) => sum + Number(count), 0)).toBe(Number(requests!.count));
    expect(metrics.compliance_requests_total!.sum!.dataPoints.length).toBeGreaterThan(3);
    expect(metrics.compliance_database_up!.gauge!.dataPoints[0]!.asDouble).toBe(1);
  });

  it('never exports a key, an email address, a signature, a file path, or a secret', () => {
    expect(new Set(collector.received.map(({ url }) => url))).toEqual(new Set(['/v1/traces', '/v1/metrics']));
    const exported = collector.received.map(({ body }) => body.toString()).join('\n');
    const signature = new URL(link).search;
    expect(signature.length).toBeGreaterThan(20);
    const secrets = [
      key,
      key.slice(-38),
      EMAIL,
      PAGE_SECRET,
      signature.slice(1),
      service.readSecret('operator-secret'),
    ];
    for (const secret of [...secrets, folder]) expect(exported).not.toContain(secret);
    for (const linkKey of service.readSecret('link-keys').split(/\s+/))
      expect(exported).not.toContain(linkKey.split(':')[1]);
    expect(exported).not.toMatch(/cmpl_live_|Bearer |[?&]sig=|[\w.+-]+@[\w-]+\.[a-z]{2,}/);
  });
});

describe('compliance serve without a working collector', () => {
  it('serves requests, logs one line per telemetry signal, and stops promptly if the collector is down', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as { port: number };
    closed.close();
    const service = await serveForTest(['--data', temporaryFolder()], {
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:secret@127.0.0.1:${port}`, OTEL_EXPORTER_OTLP_TIMEOUT: '200' },
      ...{ OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_METRIC_EXPORT_INTERVAL: '100' },
    });
    const output = () => service.output().stderr;
    await expect
      .poll(async () => {
        expect((await fetch(`${service.base}/healthz`)).status).toBe(200);
        return output().split('\n').length;
      })
      .toBeGreaterThan(2);
    await fetch(`${service.base}/healthz`);
    const begun = performance.now();
    service.child.kill('SIGINT');
    expect(await service.closed).toEqual([0, null]);
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(output()).not.toContain('secret');
    const failures = output()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(failures.map(({ signal, msg }) => `${signal}: ${msg}`).sort()).toEqual([
      'metrics: telemetry export failed',
      'traces: telemetry export failed',
    ]);
  });
});
