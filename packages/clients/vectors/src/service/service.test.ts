import { randomUUID } from 'node:crypto';
import type { KeyScope } from '@compliance/store';
import { afterAll, describe, expect, it } from 'vitest';
import { type OperationShape, readOperations } from '../models/document.ts';
import { clientsAtHand, oneOfEachForm } from '../play/at-hand.ts';
import { workshop } from '../play/runtimes.ts';
import { call } from './call.ts';
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
const WANTING: Record<string, object> = {
  'tariff.hts.lookup': { codes: [] },
  'tariff.lists': { as_of: '2026-02-30' },
  'tariff.changes': { from: '2026-06-08', to: 'tomorrow' },
  'pixel.scan': { url: '' },
};

/** A call with no client. */
async function bare({ method, path }: OperationShape, key: string, args: object, idempotencyKey: string) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': idempotencyKey,
  };
  const response = await (method === 'get'
    ? fetch(`${service.base}${path}?${new URLSearchParams(args as Record<string, string>)}`, { headers })
    : fetch(service.base + path, { method: 'POST', headers, body: JSON.stringify(args) }));
  return { status: response.status, body: (await response.json()) as { error?: string } };
}

/** An answer without the link that is signed anew each time. */
function lasting(answer: unknown) {
  const { gcc_pdf_url: _, expires_at: __, ...rest } = answer as Record<string, unknown>;
  return rest;
}

describe.each(operations)('$id of the service', operation => {
  const { id, method } = operation;
  const { base } = service;
  const example = operation.examples[0]!;
  const area = id.split('.')[0] as KeyScope;

  describe.each(oneOfEachForm(runtimes))('called by $name', runtime => {
    it('answers a client what it answers a bare request', async () => {
      const key = await service.issue(area);
      for (const request of operation.examples) {
        const idempotencyKey = randomUUID();
        const { status, body } = await bare(operation, key, request, idempotencyKey);
        const { result, error, rateLimit } = await call(runtime, {
          ...{ id, base, key, args: request },
          ...(method === 'post' && { idempotencyKey }),
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
      const request = status === 400 ? (WANTING[id] ?? {}) : example;
      const { error } = await call(runtime, { id, base, key: await issue(), args: request });
      expect(error).toMatchObject({ status, code, requestId: expect.stringMatching(/^[\w-]{8,}$/) });
      expect(error!.kinds[0]).toBe(kind);
      if (status === 400) expect(error).toMatchObject({ issues: expect.arrayContaining([expect.anything()]) });
    });

    it('is refused with 429 after a hundred requests in a minute, and told when to come back', async () => {
      const key = await service.issue(area);
      // A request that is refused for its body counts, too, and costs the service little.
      for (let i = 0; i < 10; i++)
        await Promise.all(Array.from({ length: 10 }, () => bare(operation, key, {}, randomUUID())));
      const { error, rateLimit } = await call(runtime, { id, base, key, args: example });
      expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: expect.any(Number) });
      expect(error!.kinds).toEqual(['rate_limit']);
      expect((error as { retryAfter?: number }).retryAfter).toBeLessThanOrEqual(60);
      expect(rateLimit).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'minute', remaining: 0 })]));
    });

    it('is reached through a gateway, and with 502 when the service behind it is away', async () => {
      const key = await service.issue(area);
      const through = await call(runtime, { id, base: gateway.base, key, args: example });
      expect(through.error?.status).not.toBe(502);
      const { error } = await call(runtime, { id, base: orphan.base, key, args: example });
      expect(error).toMatchObject({ status: 502, kinds: ['upstream'] });
    });
  });
});
