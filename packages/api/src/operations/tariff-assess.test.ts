import { assess, loadNomenclature } from '@compliance/core/tariff';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startService } from '../testing/service.ts';
import operation from './tariff-assess.ts';

const EXPORT = loadNomenclature(
  [
    {
      htsno: '8703.23.01',
      indent: '0',
      description: 'Automobiles',
      general: '2.5%',
      special: 'Free (A+,AU,KR)',
      other: '10%',
    },
  ],
  'HTS 2026 Revision 10',
);
const service = await startService();
const withExport = await startService({ nomenclature: EXPORT });
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('tariff')}` };
});
afterAll(async () => {
  await service.stop();
  await withExport.stop();
});

const call = async (body: unknown, raw = JSON.stringify(body)) => {
  const response = await service.post(operation.path, raw, { ...headers, 'Content-Type': 'application/json' });
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the fields it reads
  return { status: response.status, body: (await response.json()) as any };
};

const CAR = { code: '8703.23.01', as_of: '2025-12-15', origin: 'JP' };
const FACTS = { customs_value: 30000, column1_rate_pct: 2.5, end_use: 'passenger_vehicle', model_year: 2024 };

describe('tariff.assess', () => {
  it('returns the same assessment for an article as the core library', async () => {
    const { status, body } = await call({ ...CAR, facts: FACTS });
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(assess({ ...CAR, facts: FACTS }))));
    expect(body).toMatchObject({ duties: [{ heading: '9903.94.41', rate_pct: 15, amount: 4500 }], total_232: 4500 });
  });

  it('returns every possible result and lists the missing facts if the duty depends on an unknown fact', async () => {
    const { body } = await call({ code: '8708.99.8180', as_of: '2026-10-01', origin: 'JP' });
    expect(body).toMatchObject({ duties: null, total_232: null });
    expect(body.outcomes.length).toBeGreaterThan(1);
    expect(body.missing.map(({ fact }: { fact: string }) => fact)).toContain('certification');
  });

  it('treats a fact as unknown if the fact or the entire `facts` field is null', async () => {
    const { body } = await call(CAR);
    const nulls = Object.fromEntries(Object.keys(FACTS).map(name => [name, null]));
    expect((await call({ ...CAR, facts: null })).body).toEqual(body);
    expect((await call({ ...CAR, facts: nulls })).body).toEqual(body);
  });

  it('matches the response schema for all examples', async () => {
    for (const { request } of operation.examples) {
      const { status, body } = await call(request);
      expect(status).toBe(200);
      expect(operation.response.parse(body)).toEqual(body);
    }
  });

  it('uses the current date in US Eastern time by default', async () => {
    service.time.now = Date.UTC(2026, 11, 4, 4, 59);
    const { as_of, ...rest } = CAR;
    expect((await call(rest)).body.as_of).toBe('2026-12-03');
    expect((await call({ articles: [rest] })).body.results[0].as_of).toBe('2026-12-03');
  });

  it('uses the column 1 rate from the imported HTS export', async () => {
    const authorization = { Authorization: `Bearer ${await withExport.issue('tariff')}` };
    const respond = async (facts: object) => {
      const response = await withExport.post(operation.path, { ...CAR, origin: 'CN', facts }, authorization);
      return (await response.json()) as { combined_column1_and_232: number };
    };
    const { column1_rate_pct, ...facts } = FACTS;
    expect((await respond(facts)).combined_column1_and_232).toBe(30000 * 0.275);
    expect((await respond({ ...facts, column1_program: 'KR' })).combined_column1_and_232).toBe(30000 * 0.25);
    expect((await respond({ ...facts, column1_rate_pct: 1 })).combined_column1_and_232).toBe(30000 * 0.26);
  });

  describe('a request with several articles', () => {
    it('returns one result per article, in the same order, for 500 articles', async () => {
      const articles = Array.from({ length: 500 }, (_, i) => ({
        code: `0101.${`${i % 100}`.padStart(2, '0')}.${`${i}`.padStart(4, '0')}`,
        as_of: '2026-10-01',
        origin: 'DE',
      }));
      const { status, body } = await call({ articles });
      expect(status).toBe(200);
      expect(body.results.map(({ code }: { code: string }) => code)).toEqual(articles.map(({ code }) => code));
    });

    it('reports an invalid article’s issues in that article’s result without affecting the other results', async () => {
      const good = { ...CAR, facts: FACTS };
      const bad = [
        [null, ''],
        [[], ''],
        ['7318', ''],
        [{ ...CAR, code: 8703 }, '.code'],
        [{ ...CAR, code: 'abc' }, '.code'],
        [{ ...CAR, code: '7'.repeat(100_000) }, '.code'],
        [{ code: CAR.code }, '.origin'],
        [{ ...CAR, origin: 'EU' }, '.origin'],
        [{ ...CAR, as_of: '2026-02-30' }, '.as_of'],
        [{ ...CAR, as_of: null }, '.as_of'],
        [{ ...CAR, extra: 1 }, '.extra'],
        [{ ...CAR, facts: { custom_value: 1 } }, '.facts.custom_value'],
        [{ ...CAR, facts: [] }, '.facts'],
      ] as const;
      const { status, body } = await call({ articles: [...bad.map(([article]) => article), good] });
      expect(status).toBe(200);
      bad.forEach(([article, path], index) => {
        const { code } = (article ?? {}) as { code?: unknown };
        expect(body.results[index]).toEqual({
          code: typeof code === 'string' ? code : null,
          error: {
            message: 'The article has invalid fields. See `issues`.',
            issues: [{ path: `articles.${index}${path}`, code: expect.any(String), message: expect.any(String) }],
          },
        });
      });
      expect(body.results.at(-1)).toEqual((await call(good)).body);
    });

    it.each([
      ['501 articles', { articles: Array(501).fill(CAR) }, 'articles', 'TOO_MANY', /at most 500.*split/],
      ['no articles', { articles: [] }, 'articles', 'TOO_FEW', /1 to 500/],
      ['articles that aren’t a list', { articles: CAR }, 'articles', 'INVALID_TYPE', /1 to 500/],
      ['articles that are null', { articles: null }, 'articles', 'INVALID_TYPE', /1 to 500/],
      ['articles and a code', { articles: [CAR], code: '7318' }, 'code', 'UNKNOWN_FIELD', /Remove the field/],
    ])('returns 400 for %s', async (_, body, path, code, message) => {
      expect(await call(body)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', issues: [{ path, code, message: expect.stringMatching(message) }] },
      });
    });
  });

  it.each([
    ['a number as the code', { code: 8703 }, 'code', /leading zeros/],
    ['a text that isn’t an HTS code', { code: 'abc' }, 'code', /Not an HTS code/],
    ['a missing origin', { origin: undefined }, 'origin', /required/],
    ['the European Union as the origin', { origin: 'EU' }, 'origin', /country code/],
    ['an unknown field', { value: 1 }, 'value', /Unknown field/],
    ['an unknown fact', { facts: { value: 1 } }, 'facts.value', /Unknown field/],
    ['facts in a list', { facts: [] }, 'facts', /object with the known facts/],
    ['a negative value', { facts: { customs_value: -1 } }, 'facts.customs_value', /from 0 to/],
    ['a huge value', { facts: { customs_value: 1e300 } }, 'facts.customs_value', /from 0 to/],
    ['a value in words', { facts: { customs_value: 'ten' } }, 'facts.customs_value', /"1250.50"/],
    ['a share over 100%', { facts: { steel_weight_pct: 101 } }, 'facts.steel_weight_pct', /from 0 to 100/],
    ['an unknown metal', { facts: { us_origin_pct: { zinc: 1 } } }, 'facts.us_origin_pct.zinc', /Unknown field/],
    ['an unknown quota', { facts: { quota: { constructor: 'in_quota' } } }, 'facts.quota.constructor', /Unknown/],
    ['an unknown quota status', { facts: { quota: { uk_auto_trq: 'yes' } } }, 'facts.quota.uk_auto_trq', /over_quota/],
    ['a place that isn’t a country', { facts: { smelted_or_cast_in: 'Mars' } }, 'facts.smelted_or_cast_in', /ISO/],
    ['a very long string', { facts: { end_use: 'x'.repeat(101) } }, 'facts.end_use', /1 to 100/],
    ['a string for a flag', { facts: { patented: 'yes' } }, 'facts.patented', /true or false/],
  ])('returns 400 with the path and a suggested fix for %s', async (_, fields, path, message) => {
    expect(await call({ ...CAR, ...fields })).toMatchObject({
      status: 400,
      body: { issues: [{ path, message: expect.stringMatching(message) }] },
    });
  });

  it.each([
    [
      'a __proto__ key in the facts',
      '{"code":"7318","origin":"DE","facts":{"__proto__":{"customs_value":1}}}',
      'facts.__proto__',
    ],
    [
      'a __proto__ key in a quota',
      '{"code":"7318","origin":"DE","facts":{"quota":{"__proto__":"in_quota"}}}',
      'facts.quota.__proto__',
    ],
    ['a __proto__ key in the request', '{"code":"7318","origin":"DE","__proto__":{"facts":{}}}', '__proto__'],
    [
      'a number that is too large',
      '{"code":"7318","origin":"DE","facts":{"customs_value":1e999}}',
      'facts.customs_value',
    ],
  ])('returns 400 with the field’s path for %s', async (_, raw, path) => {
    expect(await call(null, raw)).toMatchObject({ status: 400, body: { issues: [{ path }] } });
  });
});
