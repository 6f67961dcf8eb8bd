import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { certificate, openFonts, readCertificateFile, requestOfCells } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { describe, expect, it } from 'vitest';
import { openPromise as openZip } from 'yauzl';
import { CERTIFICATE_TEMPLATES } from '../input/certificate-template.ts';
import { temporaryFolder } from '../testing/run-cli.ts';
import { certifyRows, type RowsInput } from './certify-rows.ts';
import type { JournalEntry } from './journal.ts';
import { mergedFiles } from './merged-files.ts';

const template = JSON.parse(CERTIFICATE_TEMPLATES.gcc.replace(/^\s*\/\/.*$/gm, ''));
const HEADER = 'product_info.sku,product_info.name,product_info.date_of_manufacture,cpsc_rules_cited';
const rowOf = (at: number) => `S-${at},"Helmet, size ${at}",2026-09-14,16 CFR 1203`;

/** Writes a CSV file. Returns the file's path, and functions that create the rows' certificates and inspect them. */
function setUp(...rows: readonly string[]) {
  const folder = temporaryFolder();
  const csv = join(folder, 'catalog.csv');
  const out = join(folder, 'out');
  writeFileSync(csv, `${[HEADER, ...rows].join('\n')}\n`);
  const run = (more: Partial<RowsInput> = {}) =>
    certifyRows({
      csv,
      template,
      folder: out,
      verificationUrl: 'https://shop.example/c/{id}',
      acceptedLabs: null,
      attachments: [],
      attachFrom: null,
      sign: null,
      zip: null,
      merged: null,
      efiling: null,
      ...more,
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
  it('creates a certificate for each row and skips existing certificates when run again', async () => {
    const { out, run, journal, pdfs } = setUp(rowOf(1), rowOf(2));
    expect(await run()).toEqual({ issued: { draft: 2 }, skipped: 0, collections: [], bad: [] });
    expect(pdfs()).toEqual(['S-1.pdf', 'S-2.pdf']);
    const before = pdfs().map(name => readFileSync(join(out, name)));
    expect(await run()).toEqual({ issued: {}, skipped: 2, collections: [], bad: [] });
    expect(pdfs().map(name => readFileSync(join(out, name)))).toEqual(before);
    expect(journal().map(({ key }) => key)).toEqual(['S-1', 'S-2']);
  });

  it('reports the line and column of each invalid row and creates the other certificates', async () => {
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

  it('attaches the files named in each row, but only from the specified folder', async () => {
    const { csv, out, run } = setUp();
    const reports = join(out, '..', 'reports');
    mkdirSync(reports);
    const report = '%PDF-1.7\n%%EOF\n';
    for (const name of ['a.pdf', 'b.pdf']) writeFileSync(join(reports, name), `${report}% ${name}`);
    writeFileSync(join(reports, 'c.pdf'), 'not a PDF');
    writeFileSync(join(out, '..', 'secret.pdf'), report);
    const rows = ['', 'a.pdf', 'a.pdf; b.pdf', '../secret.pdf', 'missing.pdf', 'c.pdf', 'shared.pdf'];
    writeFileSync(csv, [`${HEADER},attach`, ...rows.map((names, at) => `${rowOf(at)},${names}`)].join('\n'));
    const attachments = [{ filename: 'shared.pdf', bytes: Buffer.from(report) }];
    writeFileSync(join(reports, 'shared.pdf'), report);
    const { issued, bad } = await run({ attachments, attachFrom: reports });
    expect(issued).toEqual({ draft: 3 });
    const attached = (name: string) =>
      readCertificateFile(readFileSync(join(out, name))).record?.attachments?.map(({ filename }) => filename);
    expect(['S-0.pdf', 'S-1.pdf', 'S-2.pdf'].map(attached)).toEqual([
      ['shared.pdf'],
      ['shared.pdf', 'a.pdf'],
      ['shared.pdf', 'a.pdf', 'b.pdf'],
    ]);
    expect(bad.map(({ line, column, message }) => [line, column, message])).toEqual([
      [5, 'attach', expect.stringContaining("isn't a filename")],
      [6, 'attach', expect.stringContaining("Can't read")],
      [7, 'attach', expect.stringContaining('must be a PDF, PNG, or JPEG file')],
      [8, 'attach', expect.stringContaining('must be unique among the attached files')],
    ]);

    writeFileSync(join(reports, 'a.pdf'), `${report}% changed`);
    expect((await run({ attachments, attachFrom: reports })).bad).toContainEqual(
      expect.objectContaining({ line: 3, message: expect.stringContaining('S-1 has changed') }),
    );
    await expect(run()).rejects.toThrow('--attach-from');
  });

  it('issues a certificate again with the same ID if the process was killed before the PDF was complete', async () => {
    const { out, run, journal } = setUp(rowOf(1), rowOf(2));
    await run();
    const first = readFileSync(join(out, 'S-2.pdf'));
    rmSync(join(out, 'S-2.pdf'));
    writeFileSync(join(out, 'S-2.pdf.part'), 'half a PDF');
    appendFileSync(join(out, 'journal.ndjson'), '{"key":"S-3","id":"half');
    expect(await run()).toEqual({ issued: { draft: 1 }, skipped: 1, collections: [], bad: [] });
    expect(readFileSync(join(out, 'S-2.pdf'))).toEqual(first);
    expect(readdirSync(out).sort()).toEqual(['S-1.pdf', 'S-2.pdf', 'journal.ndjson']);
    expect(await run()).toEqual({ issued: {}, skipped: 2, collections: [], bad: [] });
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
    expect(bad.map(({ line, column, message }) => [line, column, message.replace(/[\da-f-]{36}/, 'ID')])).toEqual([
      [
        2,
        'product_info.sku',
        expect.stringMatching(
          /^S-1 has changed since certificate ID was created for it\. Move or delete .*S-1\.pdf to create a new certificate$/,
        ),
      ],
      [3, 'product_info.sku', expect.stringContaining('S-2.pdf exists, but wasn’t created by this command')],
    ]);
  });

  it('rejects a file without a column that identifies the rows, and a folder that another process is using', async () => {
    const { csv, out, run } = setUp();
    await run();
    writeFileSync(join(out, '.lock'), `${process.ppid}`);
    await expect(run()).rejects.toThrow(`Process ${process.ppid} is writing to this folder`);
    rmSync(join(out, '.lock'));
    writeFileSync(csv, 'product_info.name\nHelmet\n');
    await expect(run()).rejects.toThrow('needs one of these columns to identify its rows');
  });
});

/** Returns the files in a ZIP file, by name. */
async function filesIn(zip: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const opened = await openZip(zip);
  for await (const entry of opened.eachEntry())
    files.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)));
  return files;
}

describe('a collection of certificates', () => {
  it('contains the certificates for all rows, including those from an earlier run', async () => {
    const { csv, out, run, pdfs } = setUp(rowOf(1));
    await run();
    appendFileSync(csv, `${rowOf(2)}\n${rowOf(1)}\n`);
    const [zip, merged] = ['all.zip', 'all.pdf'].map(name => join(out, '..', name)) as [string, string];
    const { issued, skipped, collections, bad } = await run({ zip, merged });
    expect([issued, skipped, collections, bad.length]).toEqual([{ draft: 1 }, 1, [merged, zip], 1]);
    const files = await filesIn(zip);
    expect([...files.keys()]).toEqual(pdfs());
    for (const [name, pdf] of files) expect(pdf.equals(readFileSync(join(out, name)))).toBe(true);
    const bookmarks = readFileSync(merged)
      .toString('latin1')
      .match(/\/Parent \d+ 0 R\n\/Dest/g);
    expect(bookmarks).toHaveLength(2);
    await expect(run({ zip: join(out, 'missing', 'all.zip') })).rejects.toThrow("Can't write");
  });

  it('is split into numbered PDF files if one file would be too large', async () => {
    const folder = temporaryFolder();
    const fonts = openFonts(loadFace);
    const make = (at: number) =>
      certificate(requestOfCells(template, ['product_info.sku'], [`S-${at}`]), {
        ...{ id: randomUUID(), issuedAt: '2026-11-21T09:00:00Z', today: '2026-11-21', verificationUrl: null },
      });
    const single = mergedFiles(join(folder, 'few.pdf'), fonts, 2);
    for (const at of [1, 2]) await single.add(make(at));
    expect(await single.close()).toEqual([join(folder, 'few.pdf')]);
    const several = mergedFiles(join(folder, 'all.pdf'), fonts, 2);
    for (const at of [1, 2, 3, 4, 5]) await several.add(make(at));
    expect(await several.close()).toEqual([1, 2, 3].map(at => join(folder, `all-${at}.pdf`)));
    expect(readdirSync(folder).sort()).toEqual(['all-1.pdf', 'all-2.pdf', 'all-3.pdf', 'few.pdf']);
  });
});
