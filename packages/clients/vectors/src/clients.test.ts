import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOperations } from './models/document.ts';
import { canCancel, clientsAtHand, oneOfEachForm } from './play/at-hand.ts';
import { KEY, readCases } from './play/case.ts';
import { play } from './play/play.ts';
import { workshop } from './play/runtimes.ts';
import { startPlayServer } from './play/server.ts';

const { folder, close } = workshop();
const server = await startPlayServer();
const { runtimes, missing } = await clientsAtHand(folder);
const cases = readCases();
afterAll(async () => {
  await server.stop();
  close();
});

describe.each(missing)('$name', ({ missing: why }) => {
  it.skipIf(!process.env.CI)(`is not tested: ${why}`, () => expect.fail(why));
});

describe('the vectors', () => {
  it('are forty cases at least, each with a name of its own', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });
});

describe.each(runtimes)('$name', runtime => {
  const playable = cases.filter(each => canCancel(runtime) || each.options?.cancelAfter === undefined);
  let faults: Map<string, string[]>;
  beforeAll(async () => {
    faults = await play(runtime, playable, server);
  });

  it.each(playable)('plays $id', ({ id }) => {
    expect(faults.get(id)).toEqual([]);
  });

  it('has a method for each operation, and two helpers', async () => {
    const methods = (await runtime.run({ tree: true })) as string[];
    const plain = (name: string) => name.toLowerCase().replaceAll('_', '');
    const operations = readOperations().operations.map(({ id }) => plain(id));
    const helpers = ['downloadcertificate', ...(runtime.agent === 'go' ? ['close', 'ratelimit'] : [])];
    expect(methods.map(plain).sort()).toEqual([...operations, ...helpers].sort());
  });
});

describe.each(oneOfEachForm(runtimes))('$name', runtime => {
  it('loses and leaks nothing in a thousand calls at once', async () => {
    const answers = [{ echo: true, delay: 0.2 }];
    const [stage] = server.stage([{ id: 'soak', call: 'tariff.hts.lookup', args: {}, answers, expect: {} }]);
    const { wrong, ...counts } = (await runtime.run({
      soak: { key: KEY, baseURL: stage!.base, count: 1000 },
    })) as { wrong: number } & Record<string, { before: number; after: number }>;
    expect(wrong).toBe(0);
    expect(stage!.received).toHaveLength(1001);
    expect(Object.keys(counts)).toContain('handles');
    for (const [what, { before, after }] of Object.entries(counts))
      expect.soft(after, `${what} after, ${before} before`).toBeLessThanOrEqual(before);
    await expect.poll(() => server.connections()).toBe(0);
  });
});
