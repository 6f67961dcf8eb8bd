import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOperations, refName } from './codegen/document.ts';
import { availableClients, canRun, newestOfEachVariant } from './runner/available.ts';
import { type Case, KEY, readCases } from './runner/case.ts';
import { startCaseServer } from './runner/case-server.ts';
import { runCases } from './runner/run-cases.ts';
import { buildFolder } from './runner/runtimes.ts';

const { folder, close } = buildFolder();
const server = await startCaseServer();
const { runtimes, missing } = await availableClients(folder);
const cases = readCases();
afterAll(async () => {
  await server.stop();
  close();
});

describe.each(missing)('$name', ({ missing: why }) => {
  it.skipIf(!process.env.CI)(`is required in CI: ${why}`, () => expect.fail(why));
});

describe('the set of client test cases', () => {
  it('uses unique IDs and includes an example of every operation', () => {
    expect(cases.map(({ id }) => id)).toEqual(
      expect.arrayContaining(readOperations().operations.map(({ id }) => `example-of-${id}`)),
    );
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });
});

describe.each(runtimes)('$name', runtime => {
  const supported = cases.filter(each => canRun(runtime, each));
  let failures: Map<string, string[]>;
  beforeAll(async () => {
    failures = await runCases(runtime, supported, server);
  });

  it.each(supported)('passes the test case $id', ({ id }) => {
    expect(failures.get(id)).toEqual([]);
  });

  it('has exactly one method for each operation, plus the helper methods', async () => {
    const methods = (await runtime.run({ methods: true })) as string[];
    const normalize = (name: string) => name.toLowerCase().replaceAll('_', '');
    const { operations: all, schemas } = readOperations();
    const operations = all.map(({ id }) => normalize(id));
    const paged = all.filter(({ parameters, response }) => {
      const { properties = {} } = schemas.get(refName(response.$ref!))!;
      return parameters.some(({ name }) => `next_${name}` in properties);
    });
    const iterations = paged.map(({ id }) => `${normalize(id)}all`);
    const files = ['uploadjobfile', 'waitforjob', 'downloadjobresult', 'downloadjobcertificates'];
    const own = { node: [], python: ['close'], go: ['close', 'ratelimit'] }[runtime.agent];
    const expected = [...operations, ...iterations, ...files, 'downloadcertificate', ...own];
    expect(methods.map(normalize).sort()).toEqual(expected.sort());
  });
});

describe.each(newestOfEachVariant(runtimes))('$name', runtime => {
  it('reuses connections for consecutive requests', async () => {
    const page = (next_cursor: string | null) => ({ json: { certificates: [{ gcc_id: 'a' }], next_cursor } });
    const pages: Case = {
      id: 'reuse',
      call: 'entry.gcc.list_all',
      args: {},
      answers: [page('c1'), page('c2'), page('c3'), page(null)],
      expect: {
        ids: ['a', 'a', 'a', 'a'],
        requests: 4,
        pages: [{}, { cursor: 'c1' }, { cursor: 'c2' }, { cursor: 'c3' }],
      },
    };
    const before = server.accepted();
    expect(await runCases(runtime, [pages], server)).toEqual(new Map([['reuse', []]]));
    // Node might open a second connection before the first one is available again.
    expect(server.accepted() - before).toBeLessThanOrEqual(2);
  });

  it('completes 1,000 concurrent calls without leaking connections or handles', async () => {
    const answers = [{ echo: true, delay: 0.2 }];
    const [lookup] = server.serve([{ id: 'load', call: 'tariff.hts.lookup', args: {}, answers, expect: {} }]);
    const { wrong, ...counts } = (await runtime.run({
      load: { key: KEY, baseURL: lookup!.base, count: 1000 },
    })) as { wrong: number } & Record<string, { before: number; after: number }>;
    expect(wrong).toBe(0);
    expect(lookup!.received).toHaveLength(1001);
    expect(Object.keys(counts)).toContain('handles');
    for (const [what, { before, after }] of Object.entries(counts))
      expect.soft(after, `${what} after, ${before} before`).toBeLessThanOrEqual(before);
    await expect.poll(() => server.connections()).toBe(0);
  });
});
