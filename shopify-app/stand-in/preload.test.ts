import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleShop } from './shop/samples.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn([sampleShop()]);
});
afterAll(() => standIn.close());

/** Runs a line in a process of its own that knows nothing of the stand-in. */
const run = async (line: string) => {
  const preload = ['--conditions=@compliance/source', '--import', join(import.meta.dirname, 'preload.ts')];
  const env = { ...process.env, STAND_IN_URL: standIn.url };
  const child = promisify(execFile)(process.execPath, [...preload, '--input-type=module', '-e', line], { env });
  return (await child).stdout.trim();
};

describe('a process with the preload', () => {
  it('reaches the stand-in by the addresses of Shopify', async () => {
    const address = 'https://sample-shop.myshopify.com/admin/api/2026-10/graphql.json';
    const status = await run(
      `const { status } = await fetch('${address}', { method: 'POST', body: '{}' }); console.log(status);`,
    );
    expect(status).toBe('401');
    expect(standIn.calls.at(-1)).toMatchObject({ host: 'sample-shop.myshopify.com', status: 401 });
  });

  it('reaches loopback, and nobody else', async () => {
    const tried =
      await run(`for (const url of ['${standIn.url}/', 'https://example.com/', 'https://myshopify.com.evil.example/'])
      console.log(await fetch(url).then(() => 'reached', error => error.message));`);
    expect(tried.split('\n')).toEqual([
      'reached',
      'The stand-in refuses example.com.',
      'The stand-in refuses myshopify.com.evil.example.',
    ]);
  });
});
