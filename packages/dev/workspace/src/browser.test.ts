import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { lookup } from '@compliance/core/tariff';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** Bundles an area of the library into a single browser script. */
async function bundle(area: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../../core/src/${area}/index.ts`, import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'compliance',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]!.text;
}

/** Maximum size of a bundle that contains only `lookup`, in KB after gzip compression. */
const MAX_LOOKUP_KB = 35;

describe('core in a bare JavaScript environment', () => {
  it('returns the same lookup results as core in Node', async () => {
    const place = createContext({});
    runInContext(await bundle('tariff'), place);
    const codes = ['7318.15.2061', '8429.11.00', 'abc'];
    const answer = runInContext(
      `JSON.stringify(compliance.lookup(${JSON.stringify(codes)}, { asOf: '2026-10-01', origin: 'DE' }))`,
      place,
    );
    expect(answer).toBe(JSON.stringify(lookup(codes, { asOf: '2026-10-01', origin: 'DE' })));
  });

  it(`bundles lookup in at most ${MAX_LOOKUP_KB} KB without assess or third-party libraries`, async () => {
    const { outputFiles, metafile } = await build({
      stdin: {
        contents: "export { lookup } from '@compliance/core/tariff';",
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['@compliance/source'],
      metafile: true,
      write: false,
    });
    const [output] = Object.values(metafile.outputs);
    const included = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    expect(included.map(([path]) => path).filter(path => /node_modules|\/assess\//.test(path))).toEqual([]);
    expect(gzipSync(outputFiles[0]!.contents).length / 1024).toBeLessThanOrEqual(MAX_LOOKUP_KB);
  });
});
