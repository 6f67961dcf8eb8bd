import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CERTIFICATE_TEMPLATES } from '../input/certificate-template.ts';
import { temporaryFolder } from '../testing/run-cli.ts';
import { certifyRows } from './certify-rows.ts';
import type { JournalEntry } from './journal.ts';
import { requestOfCells } from './row-request.ts';

const template = JSON.parse(CERTIFICATE_TEMPLATES.gcc.replace(/^\s*\/\/.*$/gm, ''));
const HEADER = 'product_info.sku,product_info.name,product_info.date_of_manufacture,cpsc_rules_cited';
const rowOf = (at: number) => `S-${at},"Helmet, size ${at}",2026-09-14,16 CFR 1203`;

/** Returns a folder with a CSV file, and a function that creates the rows' certificates. */
function setUp(...rows: readonly string[]) {
  const folder = temporaryFolder();
  const csv = join(folder, 'catalog.csv');
  const out = join(folder, 'out');
  writeFileSync(csv, `${[HEADER, ...rows].join('\n')}\n`);
  const run = () =>
    certifyRows({
      csv,
      template,
      folder: out,
      verificationUrl: 'https://shop.example/c/{id}',
      acceptedLabs: null,
      sign: null,
    });
  const journal = () =>
    readFileSync(join(out, 'journal.ndjson'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as JournalEntry);
  const pdfs = () => readdirSync(out).filter(name => name.endsWith('.pdf'));
  return { csv, out, run, journal, pdfs };
}

describe('certifyRows', () => {
  it('creates a certificate for each row, and skips existing certificates when run again', async () => {
    const { out, run, journal, pdfs } = setUp(rowOf(1), rowOf(2));
    expect(await run()).toEqual({ issued: { draft: 2 }, skipped: 0, bad: [] });
    expect(pdfs()).toEqual(['S-1.pdf', 'S-2.pdf']);
    const before = pdfs().map(name => readFileSync(join(out, name)));
    expect(await run()).toEqual({ issued: {}, skipped: 2, bad: [] });
    expect(pdfs().map(name => readFileSync(join(out, name)))).toEqual(before);
    expect(journal().map(({ key }) => key)).toEqual(['S-1', 'S-2']);
  });

  it('reports the line and column of each invalid row, and creates the other certificates', async () => {
    const { run, pdfs } = setUp(
      rowOf(1),
      'S-2,"Helmet\nin two lines",2026-02-30,16 CFR 1203',
      ',Helmet,2026-09-14,16 CFR 1203',
      's-1,Helmet,2026-09-14,16 CFR 1203',
      rowOf(5),
    );
    const { issued, bad } = await run();
    expect(issued).toEqual({ draft: 2 });
    expect(bad).toEqual([
      { line: 3, column: 'product_info.name', message: expect.stringContaining('control characters') },
      { line: 3, column: 'product_info.date_of_manufacture', message: expect.stringContaining('must be a date') },
      { line: 5, column: 'product_info.sku', message: expect.stringContaining('is empty') },
      { line: 6, column: 'product_info.sku', message: 'results in the same filename as line 2' },
    ]);
    expect(pdfs()).toEqual(['S-1.pdf', 'S-5.pdf']);
  });

  it('issues a certificate again with the same ID if the process was killed before the PDF was complete', async () => {
    const { out, run, journal } = setUp(rowOf(1), rowOf(2));
    await run();
    const first = readFileSync(join(out, 'S-2.pdf'));
    rmSync(join(out, 'S-2.pdf'));
    writeFileSync(join(out, 'S-2.pdf.part'), 'half a PDF');
    appendFileSync(join(out, 'journal.ndjson'), '{"key":"S-3","id":"half');
    expect(await run()).toEqual({ issued: { draft: 1 }, skipped: 1, bad: [] });
    expect(readFileSync(join(out, 'S-2.pdf'))).toEqual(first);
    expect(readdirSync(out).sort()).toEqual(['S-1.pdf', 'S-2.pdf', 'journal.ndjson']);
    expect(await run()).toEqual({ issued: {}, skipped: 2, bad: [] });
    expect(() => journal()).toThrow('JSON');
  });

  it('issues each certificate once if the process is killed halfway and started again', async () => {
    const count = 30;
    const { csv, out, run, journal, pdfs } = setUp(...Array.from({ length: count }, (_, at) => rowOf(at)));
    const family = join(out, '..', 'family.json');
    writeFileSync(family, JSON.stringify(template));
    const main = new URL('../main.ts', import.meta.url).pathname;
    const args = ['--conditions=@compliance/source', main, 'certify', '--csv', csv, '--template', family, '--out', out];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const ended = new Promise(resolve => child.once('exit', resolve));
    while (child.exitCode === null && (!existsSync(out) || pdfs().length < 3)) await new Promise(setImmediate);
    child.kill('SIGKILL');
    await ended;
    const before = new Map(pdfs().map(name => [name, readFileSync(join(out, name))]));
    const { issued, skipped, bad } = await run();
    expect([(issued.draft ?? 0) + skipped, bad]).toEqual([count, []]);
    expect(skipped).toBe(before.size);
    expect(pdfs()).toHaveLength(count);
    for (const [name, pdf] of before) expect(readFileSync(join(out, name))).toEqual(pdf);
    expect(new Set(journal().map(({ key }) => key)).size).toBe(journal().length);
  });

  it('reports a row that has changed since its certificate was created, and a PDF that wasn’t created by this command', async () => {
    const { csv, out, run } = setUp(rowOf(1));
    await run();
    writeFileSync(join(out, 'S-2.pdf'), 'another file');
    writeFileSync(csv, `${[HEADER, rowOf(1).replace('size', 'model'), rowOf(2)].join('\n')}\n`);
    const { bad } = await run();
    expect(bad.map(({ line, message }) => [line, message.replace(/[\da-f-]{36}/, 'ID')])).toEqual([
      [2, 'S-1 has changed since certificate ID was created for it'],
      [3, expect.stringContaining('S-2.pdf exists, but wasn’t created by this command')],
    ]);
  });

  it('rejects a file without a column that identifies the rows, and a folder that another process is using', async () => {
    const { csv, out, run } = setUp();
    await run();
    writeFileSync(join(out, '.lock'), `${process.ppid}`);
    await expect(run()).rejects.toThrow(`Process ${process.ppid} is writing to this folder`);
    writeFileSync(join(out, '.lock'), '');
    writeFileSync(csv, 'product_info.name\nHelmet\n');
    await expect(run()).rejects.toThrow('needs one of these columns to identify its rows');
  });
});

describe('requestOfCells', () => {
  it('converts lists, numbers, and booleans, and keeps the template’s values for empty cells', () => {
    const columns = [
      'key',
      'cpsc_rules_cited',
      'age_grading.ages.from_months',
      'childrens_product.surface_coating',
      'tests.0.rule',
      'manufacturer.name',
    ];
    const cells = ['A', '16 CFR 1250; 16 CFR 1303', '36', 'TRUE', '16 CFR 1250', ''];
    expect(requestOfCells({ manufacturer: { name: 'Oak' } }, columns, cells)).toEqual({
      manufacturer: { name: 'Oak' },
      cpsc_rules_cited: ['16 CFR 1250', '16 CFR 1303'],
      age_grading: { ages: { from_months: 36 } },
      childrens_product: { surface_coating: true },
      tests: [{ rule: '16 CFR 1250' }],
    });
  });

  it('never changes the prototype of an object', () => {
    requestOfCells({}, ['__proto__.polluted', 'constructor.prototype.polluted'], ['yes', 'yes']);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});
