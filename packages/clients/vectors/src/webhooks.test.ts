import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { availableClients } from './runner/available.ts';
import { buildFolder } from './runner/runtimes.ts';

/** A webhook, and whether the clients accept it. `now` is in seconds. */
interface WebhookCase {
  id: string;
  body: string;
  headers: Record<string, string>;
  secrets: string[];
  now: number;
  valid: boolean;
}

const file = new URL('../webhooks/verification.json', import.meta.url);
const cases: WebhookCase[] = JSON.parse(readFileSync(file, 'utf8'));
const { folder, close } = buildFolder();
const { runtimes } = await availableClients(folder);
afterAll(close);

describe.each(runtimes)('$name', runtime => {
  it('accepts only webhooks with a matching signature and a recent timestamp', async () => {
    const results = (await runtime.run({ webhooks: cases })) as unknown[];
    const expected = cases.map(({ id, valid, body }) => [id, valid ? JSON.parse(body) : null]);
    expect(cases.map(({ id }, index) => [id, results[index]])).toEqual(expected);
  });
});
