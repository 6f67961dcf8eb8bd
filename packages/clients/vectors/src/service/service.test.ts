import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { type OperationShape, readOperations } from '../models/document.ts';
import { clientsAtHand, oneOfEachForm } from '../play/at-hand.ts';
import type { Outcome } from '../play/play.ts';
import { type Runtime, workshop } from '../play/runtimes.ts';
import { startGateway, startService } from './service.ts';

const { folder, close } = workshop();
const service = await startService();
const gateway = await startGateway(service.base);
const orphan = await startGateway('http://127.0.0.1:9');
const { runtimes } = await clientsAtHand(folder);
const { operations } = readOperations();
afterAll(async () => {
  await Promise.all([gateway.stop(), orphan.stop(), service.stop()]);
  close();
});

/** Requests that a client can send and the service finds wanting. */
const WANTING: Record<string, object> = { 'tariff.hts.lookup': { codes: [] }, 'pixel.scan': { url: '' } };

/** One call by a client. */
async function call(runtime: Runtime, { id }: OperationShape, key: string, args: unknown, more: object = {}) {
  const part = {
    id: 'call',
    call: id,
    args,
    key,
    baseURL: service.base,
    times: 1,
    maxRetries: 0,
    options: {},
    ...more,
  };
  const { call: outcomes } = (await runtime.run({ play: [part] })) as { call: Outcome[] };
  expect(outcomes[0]!.printed).not.toContain(key);
  return outcomes[0]!;
}

/** The same call with nothing between. */
async function bare({ path }: OperationShape, key: string, body: unknown, idempotencyKey: string = randomUUID()) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': idempotencyKey,
  };
  const response = await fetch(service.base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as { error?: string } };
}

/** An answer without the link that is signed anew each time. */
function lasting(answer: unknown) {
  const { gcc_pdf_url: _, expires_at: __, ...rest } = answer as Record<string, unknown>;
  return rest;
}

describe.each(oneOfEachForm(runtimes))('a certificate by $name', runtime => {
  it('is made, and its PDF fetched and checked', async () => {
    const operation = operations.find(({ id }) => id === 'entry.gcc.generate')!;
    const key = await service.issue('entry');
    const { result } = await call(runtime, operation, key, operation.examples[0]);
    const file = await call(runtime, { ...operation, id: 'download' }, key, result);
    expect(file.error).toBeUndefined();
    expect(file.result).toMatch(/^%PDF-1\.7/);
  });
});

describe.each(operations)('$id of the service', operation => {
  const [example] = operation.examples;
  const area = operation.id.split('.')[0]!;

  describe.each(oneOfEachForm(runtimes))('called by $name', runtime => {
    it('answers a client what it answers a bare request', async () => {
      const key = await service.issue(area);
      for (const request of operation.examples) {
        const idempotencyKey = randomUUID();
        const { status, body } = await bare(operation, key, request, idempotencyKey);
        const { result, error, rateLimit } = await call(runtime, operation, key, request, {
          options: { idempotencyKey },
        });
        if (status === 200) expect(lasting(result)).toEqual(lasting(body));
        else expect(error).toMatchObject({ status, code: body.error });
        expect(rateLimit).toEqual([
          expect.objectContaining({ name: 'minute', quota: 100, windowSeconds: 60 }),
          expect.objectContaining({ name: 'day', quota: 10_000, windowSeconds: 86_400 }),
        ]);
      }
    });

    it.each([
      ['400', 400, 'invalid_request', 'invalid_request', () => service.issue(area)],
      [
        '401',
        401,
        'authentication',
        'unauthorized',
        async () => 'cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7',
      ],
      ['403 beta', 403, 'beta_access', 'beta', () => service.issue(area, '')],
      ['403 scope', 403, 'permission', 'scope', () => service.issue(area === 'pixel' ? 'entry' : 'pixel')],
    ])('is refused with %s', async (_, status, kind, code, issue) => {
      const request = status === 400 ? (WANTING[operation.id] ?? {}) : example;
      const { error } = await call(runtime, operation, await issue(), request);
      expect(error).toMatchObject({ status, code, requestId: expect.stringMatching(/^[\w-]{8,}$/) });
      expect(error!.kinds[0]).toBe(kind);
      if (status === 400) expect(error).toMatchObject({ issues: expect.arrayContaining([expect.anything()]) });
    });

    it('is refused with 429 after a hundred requests in a minute, and told when to come back', async () => {
      const key = await service.issue(area);
      // A request that is refused for its body counts, too, and costs the service little.
      for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 10 }, () => bare(operation, key, {})));
      const { error, rateLimit } = await call(runtime, operation, key, example);
      expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: expect.any(Number) });
      expect(error!.kinds).toEqual(['rate_limit']);
      expect((error as { retryAfter?: number }).retryAfter).toBeLessThanOrEqual(60);
      expect(rateLimit).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'minute', remaining: 0 })]));
    });

    it('is reached through a gateway, and with 502 when the service behind it is away', async () => {
      const key = await service.issue(area);
      const through = await call(runtime, operation, key, example, { baseURL: gateway.base });
      expect(through.error?.status).not.toBe(502);
      const { error } = await call(runtime, operation, key, example, { baseURL: orphan.base });
      expect(error).toMatchObject({ status: 502, kinds: ['upstream'] });
    });
  });
});
