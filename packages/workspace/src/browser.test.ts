import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { lookup } from '@compliance/core/tariff';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** The library as one script for a browser. */
async function bundle(area: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../core/src/${area}/index.ts`, import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'compliance',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]!.text;
}

describe('core in a place with nothing but the language', () => {
  it('looks codes up as it does in Node', async () => {
    const place = createContext({});
    runInContext(await bundle('tariff'), place);
    const codes = ['7318.15.2061', '8429.11.00', 'abc'];
    const answer = runInContext(
      `JSON.stringify(compliance.lookup(${JSON.stringify(codes)}, { asOf: '2026-10-01', origin: 'DE' }))`,
      place,
    );
    expect(answer).toBe(JSON.stringify(lookup(codes, { asOf: '2026-10-01', origin: 'DE' })));
  });
});
