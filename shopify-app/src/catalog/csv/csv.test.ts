import { DATASET } from '@compliance/core/tariff';
import { hostileShop } from '@compliance/fake-shopify';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../../test/job-harness.ts';
import { CATALOG } from '../model/job-types.ts';
import { type ImportPreview, previewImport } from './read.ts';
import { exportCatalog } from './write.ts';

let harness: JobHarness;
const given = hostileShop('files');
const shopOf = () => harness.store.shop(given.domain);
beforeAll(async () => {
  harness = await createJobHarness();
  await harness.install(given);
  await shopOf().jobs.enqueue({ kind: CATALOG });
  await harness.work(given.domain);
});
afterAll(() => harness.close());

const bytes = (text: string) => new TextEncoder().encode(text);
const preview = async (text: string) => (await previewImport(shopOf(), bytes(text))) as ImportPreview;
const outcomes = async (text: string) => (await preview(text)).rows.map(({ outcome }) => outcome);
const [, , skillet] = given.products;
const id = skillet!.variants[0]!.id;

it('escapes spreadsheet formulas in an exported catalog, and finds no changes when the exported file is imported', async () => {
  const response = exportCatalog(shopOf(), {}, Date.now(), DATASET);
  const file = new Uint8Array(await response.arrayBuffer());
  expect([...file.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const text = new TextDecoder().decode(file);
  expect(text).toContain("'=HYPERLINK");
  expect(text).not.toMatch(/(^|,|\n)"?[=+@]/);
  const read = (await previewImport(shopOf(), file)) as ImportPreview;
  expect(read.changes).toEqual([]);
  expect(read.counts.change).toBeUndefined();
  // The catalog contains an invalid code, which the import doesn't save.
  expect(Object.keys(read.counts).sort()).toEqual(['bad_code', 'same']);
});

it('reports the outcome for each row of an imported file', async () => {
  const [first, second] = skillet!.variants;
  const read = await preview(
    `SKU,Variant ID,HTS code,Country of origin
,${first!.id},0101.21.0010,de
${second?.sku},,,
,${first!.id},0101.21.0010,
,12345,0101.21.0010,
,,0101.21.0010,
,${given.products[3]!.variants[0]!.id},abc,
,${given.products[4]!.variants[0]!.id},,XX
`,
  );
  expect(read.rows.map(({ line, outcome }) => [line, outcome])).toEqual([
    [2, 'change'],
    [3, 'same'],
    [4, 'duplicate'],
    [5, 'unknown'],
    [6, 'unknown'],
    [7, 'bad_code'],
    [8, 'bad_origin'],
  ]);
  expect(read.changes).toEqual([
    {
      variantId: first!.id,
      expected: { htsCode: '7323910010', origin: 'CN' },
      wanted: { htsCode: '0101210010', origin: 'DE' },
    },
  ]);
});

it('accepts semicolons, tabs, UTF-16, and numeric variant IDs in import files', async () => {
  const number = id.split('/').at(-1);
  expect(await outcomes(`\uFEFFVariant ID;HTS code\r\n${number};0101.21.0010\r\n`)).toEqual(['change']);
  expect(await outcomes(`variant_id\thts\n${id}\t0101210010`)).toEqual(['change']);
  const wide = Buffer.from(`\uFEFFVariant ID\tHTS code\n${id}\t0101.21.0010\n`, 'utf16le');
  expect(((await previewImport(shopOf(), wide)) as ImportPreview).counts).toEqual({ change: 1 });
});

it('doesn’t assign a code when several variants have the same SKU', async () => {
  const before = given.products[5]!.variants[0]!.sku;
  given.products[5]!.variants[0]!.sku = given.products[4]!.variants[0]!.sku;
  await shopOf().jobs.enqueue({ kind: CATALOG });
  await harness.work(given.domain);
  expect(await outcomes(`SKU,HTS\n${given.products[4]!.variants[0]!.sku},0101210010`)).toEqual(['ambiguous']);
  given.products[5]!.variants[0]!.sku = before;
});

it.each([
  ['empty', new Uint8Array()],
  ['empty', bytes(' \r\n')],
  ['empty', bytes(';;\n')],
  ['empty', bytes('SKU,HTS\n')],
  ['no_key', bytes('Code,HTS\n1,2')],
  ['no_value', bytes('SKU,Price\n1,2')],
  ['not_csv', bytes('SKU,HTS\n"1,2')],
  ['encoding', new Uint8Array([83, 75, 85, 44, 72, 84, 83, 10, 0xe4, 0xf6])],
  ['encoding', bytes('SKU,HTS\n\0,1')],
  ['too_large', new Uint8Array(2 * 1024 * 1024 + 1)],
  ['too_many_rows', bytes(`SKU,HTS\n${'a,1\n'.repeat(2_001)}`)],
])('reports %s for a file that can’t be imported', async (fault, file) => {
  expect(await previewImport(shopOf(), file)).toEqual({ fault });
});

it('previews any import file without throwing an error, even a file of random bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.string().map(text => bytes(`SKU,HTS\n${text}`)),
      ),
      async file => {
        const read = await previewImport(shopOf(), file);
        expect(
          'fault' in read || read.changes.every(({ wanted }) => /^\d{6,10}$/.test(wanted.htsCode ?? '000000')),
        ).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});
