import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithBrowser } from '@compliance/browser';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { buildDataset } from '../../../../scripts/gen-dataset.ts';
import { lookup } from '../../lookup/lookup.ts';
import { hashOf } from '../format/hash.ts';
import { loadDataset } from '../format/load-dataset.ts';

const CODES = ['7318.15.2061', '8429.11.00', '9403.20.0075', 'abc'];
const OPTIONS = { asOf: '2026-12-24', origin: 'JP' };

const folder = mkdtempSync(join(tmpdir(), 'compliance-dataset-'));
const file = join(folder, 'dataset.json');
const newer = { ...buildDataset(), version: '2026.12.7', known_through: '2026-12-31' };
writeFileSync(file, JSON.stringify({ ...newer, sha256: hashOf(newer) }));

/** The text of a data set file. */
const text = readFileSync(file, 'utf8');
const expected = JSON.stringify(lookup(CODES, { ...OPTIONS, dataset: loadDataset(text) }));

/** Bundles a program with an `answer` function, which looks up codes in a given data set. */
async function bundle(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { loadDataset } from '@compliance/core/tariff/dataset';
        import { lookup } from '@compliance/core/tariff';
        const answer = text => {
          try {
            const result = lookup(${JSON.stringify(CODES)}, { ...${JSON.stringify(OPTIONS)}, dataset: loadDataset(text) });
            return JSON.stringify(result);
          } catch (error) {
            return error.name + ': ' + error.message;
          }
        };
        ${program}`,
      resolveDir: join(import.meta.dirname, '../../../..'),
    },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    conditions: ['@compliance/source'],
    write: false,
  });
  return outputFiles[0]!.text;
}

const newerFormat = JSON.stringify({ format: '2.0' });
const UPGRADE = /^DatasetError: The data set has format 2\.0.* Upgrade @compliance\/core\.$/;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('loads a data set from a file in Node', () => {
  expect(JSON.parse(expected).list).toMatchObject({ version: '2026.12.7', known_through: '2026-12-31', notice: null });
  expect(() => loadDataset(newerFormat)).toThrow('Upgrade @compliance/core.');
});

await describeWithBrowser('loadDataset in a browser', browser => {
  it('loads a data set on a page', async () => {
    const page = await browser.newPage();
    await page.addScriptTag({ content: await bundle('globalThis.answer = answer;') });
    const answer = (json: string) => page.evaluate(`answer(${JSON.stringify(json)})`);
    expect(await answer(text)).toBe(expected);
    expect(await answer(newerFormat)).toMatch(UPGRADE);
    await page.close();
  });

  it('loads a data set in a worker', async () => {
    const page = await browser.newPage();
    const program = await bundle('onmessage = ({ data }) => postMessage(answer(data));');
    const answer = (json: string) =>
      page.evaluate(
        `new Promise((resolve, reject) => {
          const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(program)}])));
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage(${JSON.stringify(json)});
        })`,
      );
    expect(await answer(text)).toBe(expected);
    expect(await answer(newerFormat)).toMatch(UPGRADE);
    await page.close();
  });

  it('loads a data set on a page whose content security policy forbids eval', async () => {
    const page = await browser.newPage();
    const policy = "default-src 'none'; script-src 'unsafe-inline'";
    const program = await bundle(`document.title = answer(${JSON.stringify(text)});`);
    await page.setContent(
      `<meta http-equiv="Content-Security-Policy" content="${policy}"><script>${program.replaceAll('</script', '<\\/script')}</script>`,
    );
    expect(await page.title()).toBe(expected);
    await page.close();
  });
});
