import { DATASET, type Dataset } from '@compliance/core/tariff';
import { bundledDataset, hashOf, loadDataset } from '@compliance/core/tariff/dataset';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startService } from '../testing/service.ts';
import { evaluateWatches } from '../watches/evaluate-watches.ts';
import create from './tariff-watches-create.ts';
import remove from './tariff-watches-delete.ts';
import events from './tariff-watches-events.ts';
import rotate from './tariff-watches-rotate-secret.ts';

let dataset: Dataset = DATASET;
const service = await startService({ dataset: () => dataset });
let headers: Record<string, string>;
beforeEach(async () => {
  dataset = DATASET;
  service.time.now += 1;
  headers = { Authorization: `Bearer ${await service.issue('tariff')}` };
});
afterAll(() => service.stop());

const send = async (path: string, body?: object) => {
  const response = await (body ? service.post(path, body, headers) : service.get(path, { headers }));
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every operation
  return { status: response.status, body: (await response.json()) as any };
};
const watch = async (body: object) => await send(create.path, body);
const eventsOf = async (id: string, query = '') => (await send(`${create.path}/${id}/events${query}`)).body;
const evaluate = () => evaluateWatches({ store: service.store, clock: () => service.time.now, dataset: () => dataset });

/** Returns a data set in which the rate for steel derivative articles changes on a given date. */
function nextDataset(version: string, rate_pct: number, from: string, lastDay: string): Dataset {
  const next = structuredClone(bundledDataset());
  next.version = version;
  const { terms } = next.lists.find(({ id }) => id === 'steel-16c-iv')!;
  const last = terms.at(-1)!;
  last.effective_to = lastDay;
  terms.push({
    ...last,
    effective_from: from,
    effective_to: null,
    rate_pct,
    dated_by: { legal: 'Proclamation 12345' },
  });
  return loadDataset({ ...next, sha256: hashOf(next) });
}

const BOLT = { reference: 'BOLT', code: '7318.15.2061', origin: 'CN' };
const SOFA = { reference: 'SOFA', code: '9401.61.4011' };

describe('tariff.watches', () => {
  it('creates, lists, gets, and deletes the account’s watches', async () => {
    const { status, body } = await watch({ name: 'Catalog', codes: [BOLT, SOFA] });
    const { webhook_secret, ...details } = body;
    expect([status, webhook_secret]).toEqual([200, null]);
    expect(details).toMatchObject({ name: 'Catalog', code_count: 2, last_event: 0, data_set_sha256: DATASET.sha256 });
    expect((await send(create.path)).body).toEqual({ watches: [details] });
    expect((await send(`${create.path}/${body.id}`)).body).toEqual(details);
    const own = headers;
    headers = { Authorization: `Bearer ${await service.issue('tariff')}` };
    for (const suffix of ['', '/events']) expect((await send(`${create.path}/${body.id}${suffix}`)).status).toBe(404);
    expect((await send(remove.path, { id: body.id })).body.error).toBe('watch_not_found');
    headers = own;
    expect((await send(remove.path, { id: body.id })).body).toEqual({ deleted: body.id });
    expect((await send(`${create.path}/${body.id}`)).body.error).toBe('watch_not_found');
  });

  it('shows a webhook secret once and rotates it', async () => {
    const { body } = await watch({ codes: [BOLT], webhook_url: 'https://hooks.example/tariff' });
    expect(body).toMatchObject({
      webhook_url: 'https://hooks.example/tariff',
      webhook_secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    });
    expect(JSON.stringify((await send(create.path)).body)).not.toContain('whsec_');
    const rotated = await send(rotate.path, { id: body.id });
    expect(rotated.body.webhook_secret).toMatch(/^whsec_/);
    expect(rotated.body.webhook_secret).not.toBe(body.webhook_secret);
    const polled = await watch({ codes: [BOLT] });
    expect((await send(rotate.path, { id: polled.body.id })).body.error).toBe('webhook_missing');
    for (const webhook_url of [
      'http://hooks.example/',
      'https://hooks.example:8443/',
      'https://a:b@hooks.example/',
      'x',
    ])
      expect((await watch({ codes: [BOLT], webhook_url })).body.issues).toMatchObject([{ path: 'webhook_url' }]);
  });

  it('accepts up to 50,000 codes in JSON or in CSV', async () => {
    const codes = Array.from({ length: 50_000 }, (_, index) => ({ ...BOLT, reference: `SKU-${index}` }));
    expect((await watch({ codes })).body).toMatchObject({ code_count: 50_000 });
    const rows = codes.map(({ reference, code, origin }) => `"${reference}",${code},${origin}`);
    expect((await watch({ csv: `reference,code,origin\n${rows.join('\n')}` })).body).toMatchObject({
      code_count: 50_000,
    });
    expect((await watch({ codes: [...codes, BOLT] })).status).toBe(400);
    expect((await watch({ csv: `reference,code,origin\n${[...rows, rows[0]].join('\n')}` })).status).toBe(400);
  });

  it('reports each invalid code, reference, and origin with its position', async () => {
    const codes = [BOLT, { ...BOLT, code: 'bolts' }, { ...BOLT, origin: 'ZZ' }, { ...BOLT, reference: ' ' }];
    const paths = async (body: object) => (await watch(body)).body.issues.map(({ path }: { path: string }) => path);
    expect(await paths({ codes })).toEqual(['codes.1.code', 'codes.2.origin', 'codes.3.reference']);
    expect(await paths({ csv: 'Reference,Code,Origin\nA,7318.15,CN\nB,bolts,ZZ\n' })).toEqual([
      'csv.3.code',
      'csv.3.origin',
    ]);
    expect(await paths({ csv: 'sku,hts\nA,7318.15\n' })).toEqual(['csv']);
    expect(await paths({ csv: 'reference,code\n"A,7318.15\n' })).toEqual(['csv']);
    expect(await paths({ csv: '' })).toEqual(['csv']);
    expect(await paths({})).toEqual(['codes']);
    expect(await paths({ codes: [BOLT], csv: 'reference,code\nA,7318.15\n' })).toEqual(['codes']);
  });

  it('rejects a new watch if the account already has 20 watches', async () => {
    service.time.now += 86_400_000;
    for (let count = 0; count < 20; count++) {
      service.time.now += 6_000;
      expect((await watch({ codes: [BOLT] })).status).toBe(200);
    }
    service.time.now += 60_000;
    expect(await watch({ codes: [BOLT] })).toMatchObject({ status: 409, body: { error: 'watch_limit' } });
  });
});

describe('watch events', () => {
  it('reports a change in a new data set once, with the duties before and after, the date, and the citation', async () => {
    const { id } = (await watch({ codes: [BOLT, SOFA] })).body;
    await evaluate();
    dataset = nextDataset('2099.1.1', 60, '2027-03-01', '2027-02-28');
    await evaluate();
    await evaluate();
    const body = await eventsOf(id);
    expect(events.response.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      next_after: 1,
      events: [
        {
          seq: 1,
          reason: 'data_set',
          before: { version: DATASET.version },
          after: { version: '2099.1.1' },
          changes: [
            {
              ...BOLT,
              code: '7318.15.20.61',
              date: '2027-03-01',
              before: { duties: [{ rate_pct: 50 }] },
              after: { duties: [{ rate_pct: 60 }] },
              citations: [expect.stringContaining('Proclamation')],
            },
          ],
        },
      ],
    });
    expect(await eventsOf(id, '?after=1')).toEqual({ events: [], next_after: 1 });
  });

  it('reports a scheduled change once, when it takes effect', async () => {
    const { id } = (await watch({ codes: [SOFA] })).body;
    for (const day of ['2026-12-31', '2027-01-01', '2027-01-02']) {
      service.time.now = Date.parse(`${day}T17:00:00Z`);
      await evaluate();
      await evaluate();
    }
    const { events: found } = await eventsOf(id);
    expect(found).toMatchObject([
      { reason: 'effective_date', evaluated_on: '2027-01-01', changes: [{ reference: 'SOFA', date: '2027-01-01' }] },
    ]);
    expect(found).toHaveLength(1);
  });

  it('reports every affected code in exactly one event, even if thousands of codes are affected', async () => {
    const codes = Array.from({ length: 2_345 }, (_, index) => ({ ...BOLT, reference: `SKU-${index}` }));
    const { id } = (await watch({ codes })).body;
    dataset = nextDataset('2099.1.2', 61, '2027-04-01', '2027-03-31');
    await Promise.all(Array.from({ length: 3 }, evaluate));
    const references: string[] = [];
    for (let after = 0; ; ) {
      const page = await eventsOf(id, `?after=${after}&limit=20`);
      if (page.events.length === 0) break;
      for (const { changes } of page.events)
        references.push(...changes.map(({ reference }: { reference: string }) => reference));
      after = page.next_after;
    }
    expect(references).toEqual(codes.map(({ reference }) => reference));
  });
});
