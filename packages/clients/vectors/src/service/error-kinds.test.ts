import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { readOperations } from '../codegen/document.ts';
import { availableClients, newestOfEachVariant } from '../runner/available.ts';
import { buildFolder, type Runtime } from '../runner/runtimes.ts';
import { call } from './call.ts';
import { startWithStorefronts } from './storefronts.ts';

const { folder, close } = buildFolder();
const { base, issue, stop } = await startWithStorefronts();
const runtimes = newestOfEachVariant((await availableClients(folder)).runtimes);
const table = new Map<string, string[]>();
afterAll(async () => {
  const named = ['', ...runtimes.map(({ name }) => name)];
  const rows = [named, ...[...table].map(([situation, kinds]) => [situation, ...kinds])];
  const widths = named.map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0)));
  const lines = rows.map(row => row.map((cell, i) => cell.padEnd(widths[i]!)).join('  '));
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
  await stop();
  close();
});

const LOOKUP = { id: 'tariff.hts.lookup', args: { codes: ['7318.15.2061'] } };
const scanOf = (name: string) => ({ id: 'pixel.scan', args: { url: `http://${name}.example/` } });
const UNKNOWN_KEY = 'cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7';

/** Issues a key and uses up its per-minute rate limit. */
async function exhaustedKey(): Promise<string> {
  const key = await issue('all');
  const headers = { Authorization: `Bearer ${key}` };
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const response = await fetch(`${base}/api/v1/lists`, { headers });
      await response.arrayBuffer();
      return response.status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  return key;
}

/** Error cases, each with the service response and the error kind that every client must report. */
const SITUATIONS: [string, { id: string; args: object }, () => Promise<string>, number, string, string][] = [
  ['an unknown key', LOOKUP, async () => UNKNOWN_KEY, 401, 'unauthorized', 'authentication'],
  ['a key without delegate access', LOOKUP, () => issue('tariff', ''), 403, 'beta', 'beta_access'],
  ['a key for another product area', LOOKUP, () => issue('pixel'), 403, 'scope', 'permission'],
  ['the 101st request in a minute', LOOKUP, exhaustedKey, 429, 'rate_limited', 'rate_limit'],
  [
    'a request without codes',
    { ...LOOKUP, args: { codes: [] } },
    () => issue('all'),
    400,
    'invalid_request',
    'invalid_request',
  ],
  ['an unknown storefront', scanOf('nowhere'), () => issue('all'), 422, 'scan_failed', 'invalid_request'],
  ['a storefront that is down', scanOf('down'), () => issue('all'), 502, 'upstream', 'upstream'],
  ['a broken storefront', scanOf('broken'), () => issue('all'), 502, 'upstream', 'upstream'],
];

describe.each(SITUATIONS)('%s', (situation, { id, args }, keyFor, status, code, kind) => {
  it(`reports ${status} ${code} as ${kind} in every client`, async () => {
    const key = await keyFor();
    const outcomes = await Promise.all(runtimes.map(runtime => call(runtime, { id, base, key, args })));
    for (const { error } of outcomes) expect(error).toMatchObject({ status, code });
    const kinds = outcomes.map(({ error }) => error!.kinds[0]!);
    table.set(`${situation} (${status} ${code})`, kinds);
    expect(kinds).toEqual(runtimes.map(() => kind));
  });
});

describe('a successful call', () => {
  /** Calls an operation with every client and returns the results. */
  async function results(id: string, args: object): Promise<[Runtime, Record<string, unknown>][]> {
    const key = await issue('all');
    const outcomes = await Promise.all(runtimes.map(runtime => call(runtime, { id, base, key, args })));
    expect(outcomes.map(({ error }) => error)).toEqual(runtimes.map(() => undefined));
    table.set(
      `${id} (200)`,
      runtimes.map(() => 'result'),
    );
    return outcomes.map(({ result }, i) => [runtimes[i]!, result as Record<string, unknown>]);
  }

  it('returns a storefront scan in every client', async () => {
    for (const [, { score, findings, scanned }] of await results('pixel.scan', scanOf('shop').args)) {
      expect(score).toBeLessThan(100);
      expect(findings).toContainEqual(expect.objectContaining({ ids: ['UA-12345-1'] }));
      expect(scanned).toMatchObject({ url: 'http://shop.example/' });
    }
  });

  it('downloads a certificate that matches its SHA-256 hash, and rejects a certificate that doesn’t', async () => {
    const { examples } = readOperations().operations.find(({ id }) => id === 'entry.gcc.generate')!;
    for (const [runtime, issued] of await results('entry.gcc.generate', examples[0]!)) {
      const { result, error } = await call(runtime, { id: 'download', base, key: UNKNOWN_KEY, args: issued });
      expect(error).toBeUndefined();
      if (runtime.agent !== 'go')
        expect(
          createHash('sha256')
            .update(Buffer.from(result as string, 'latin1'))
            .digest('hex'),
        ).toBe(issued.sha256);
      // Change one digit of the hash.
      const pdf_sha256 = (issued.pdf_sha256 as string).replace(/^./, first => (first === '0' ? '1' : '0'));
      const wrong = await call(runtime, { id: 'download', base, key: UNKNOWN_KEY, args: { ...issued, pdf_sha256 } });
      expect(wrong.error?.kinds).toEqual(['decode']);
    }
    table.set(
      'its file (SHA-256 checked)',
      runtimes.map(() => 'result'),
    );
    table.set(
      'its file, with a different SHA-256',
      runtimes.map(() => 'decode'),
    );
  });
});
