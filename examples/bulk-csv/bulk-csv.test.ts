import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lookup } from '@compliance/core/tariff';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, it } from 'vitest';
import { compared, copyOf, shownIn } from '../testing/example.ts';

const CODES = ['7318.15.2061', '7601103000', '0101.21.00', '8302.41.60', 'bolt', '', '7318.15\n.2061'];

/** Product names that spreadsheets evaluate as formulas, that break naive CSV parsers, or that are very long. */
const NAMES = [
  '=1+1',
  '+cmd|calc',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1+1',
  'a "quoted", name',
  'two\nlines',
  '"',
  ',,,',
  '𝕏 é 你好 \u202eevil',
  "'",
  'x'.repeat(5000),
];

it('prints the output shown in the example’s README', async () => {
  const { run } = await copyOf('bulk-csv');
  for (const shown of await shownIn('bulk-csv')) {
    const { stdout, stderr } = await run(shown.command);
    const [got, wanted] = compared(stdout, shown);
    expect([got, stderr]).toEqual([wanted, '']);
  }
});

it('checks 5,000 catalog rows in order and neutralizes formulas', async () => {
  const { folder, run } = await copyOf('bulk-csv');
  const catalog = Array.from({ length: 5000 }, (_, i) => ({
    sku: i % 3 === 0 ? `=${i}` : `${i}`,
    name: NAMES[i % NAMES.length]!,
    hts: CODES[i % CODES.length]!,
    'not asked for': '=2+2',
  }));
  await writeFile(join(folder, 'catalog.csv'), stringify(catalog, { header: true, bom: true }));
  const { stdout, stderr, exitCode } = await run('node check-catalog.mjs catalog.csv checked.csv 2026-10-01');
  expect([stderr, exitCode]).toEqual(['', 0]);

  const text = await readFile(join(folder, 'checked.csv'), 'utf8');
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
  expect(rows).toHaveLength(5000);
  const { results } = lookup(
    catalog.map(({ hts }) => hts),
    { asOf: '2026-10-01' },
  );
  const harmless = (cell: string) => cell.replace(/^(?=[=+\-@\t\r＝])/, "'");
  for (const [i, row] of rows.entries()) {
    const { sku, name, hts } = catalog[i]!;
    const { status, message } = results[i]!;
    expect(row).toMatchObject({ sku: harmless(sku), name: harmless(name), hts, status, message });
    expect(Object.values(row).filter(cell => /^[=+\-@\t\r＝]/.test(cell))).toEqual([]);
  }
  const counted = results.filter(({ status }) => status === 'hit').length;
  expect(stdout).toContain(`hit      ${counted}\n`);
});

it('fails with an error if the catalog can’t be read', async () => {
  const { run } = await copyOf('bulk-csv');
  expect((await run('node check-catalog.mjs none.csv checked.csv')).exitCode).toBe(1);
});
