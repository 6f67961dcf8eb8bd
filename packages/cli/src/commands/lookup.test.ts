import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { lookup } from '@compliance/core/tariff';
import { describe, expect, it } from 'vitest';
import { compliance, temporaryFolder } from '../testing/compliance.ts';

const DAY = ['--as-of', '2026-11-21'];
const codesOf = (stdout: string) => JSON.parse(stdout).results.map((result: { code: string }) => result.code);

describe('compliance lookup', () => {
  it('prints with --json exactly what the API answers, and one bad code harms no other', async () => {
    const codes = ['7318.15.2061', '7208.10.15', '8302.41.60', '0101.21.00', '7303.00.00', '9403.20.0075', 'abc'];
    const { stdout, exitCode } = await compliance(['lookup', ...codes, ...DAY, '--json']);
    expect(stdout).toBe(`${JSON.stringify(lookup(codes, { asOf: '2026-11-21' }))}\n`);
    expect(exitCode).toBe(0);
  });

  it('prints a table for people', async () => {
    const codes = ['7318.15.2061', '7208.10.15', '2203.00.0030', '0101.21.00', '101.21'];
    const { stdout } = await compliance(['lookup', ...codes, ...DAY]);
    expect(stdout).toMatchInlineSnapshot(`
      "Code            Status    Answer
      7318.15.2061    hit       On the steel derivative list, Annex I-A, since 2026-04-06; +50 % of full value.
                                Proclamation 11021 (91 FR 18201), Annex I-A; U.S. note 16(c)(iv), subchapter III,
                                chapter 99, HTS
      7208.10.15      in scope  On the list of steel articles, Annex I-A, since 2026-04-06; +50 % of full value.
                                Proclamation 9705 (83 FR 11625), Proclamation 11021 (91 FR 18201), Annex I-A; U.S.
                                note 16(c)(iii), subchapter III, chapter 99, HTS
      2203.00.0030    adjacent  Not on the steel, aluminum or copper lists. 2203.00.00 (aluminum derivative) was
                                listed until 2026-04-05.
                                Department of Commerce notice, effective 2025-04-04, Proclamation 10947 (90 FR
                                24199); U.S. note 19(k), subchapter III, chapter 99, HTS
      0101.21.00      clear     Not on the steel, aluminum or copper lists.
      101.21          invalid   Not an HTS code: it needs 4, 6, 8 or 10 digits. If a spreadsheet dropped a leading
                                zero, put it back (0101.21.00).

      5 codes: 1 hit, 1 in scope, 1 adjacent, 1 clear, 1 invalid. Lists of 2026-10-09 (steel, aluminum, copper), as of 2026-11-21.
      The lists are known through 2026-10-09; a change after that day would not be in this answer.
      No legal or customs advice.
      "
    `);
  });

  it('lists the duties that are possible for an origin', async () => {
    const { stdout } = await compliance(['lookup', '7318.15.2061', ...DAY, '--origin', 'uk']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('Or +25 % of full value (9903.82.04) if at least 95 % of the metal');
    expect(stdout).toContain('from GB');
  });

  it('takes programs, and codes after --', async () => {
    const { stdout } = await compliance([
      'lookup',
      ...DAY,
      '--json',
      '--programs',
      'autos, trucks',
      '--',
      '8703.23.0140',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      results: [{ in_scope: true }],
      list: { programs: ['autos', 'trucks'] },
    });
  });

  it('reads codes from standard input, one a line', async () => {
    const { stdout } = await compliance(['lookup', ...DAY, '--json'], { input: '7318.15.2061\r\n\n 0101.21.00\nabc' });
    expect(codesOf(stdout)).toEqual(['7318.15.2061', ' 0101.21.00', 'abc']);
    expect(codesOf((await compliance(['lookup', '-', '--json'], { input: '7318' })).stdout)).toEqual(['7318']);
  });

  it('reads a column of a CSV file, found by its usual name or given', async () => {
    const file = join(temporaryFolder(), 'catalog.csv');
    writeFileSync(file, '\uFEFFSKU,"HTS Code",Old\nA-1,7318.15.2061,7318\n"B,2",0101.21.00,\nC-3\n');
    const found = await compliance(['lookup', '--csv', file, '--json']);
    expect(codesOf(found.stdout)).toEqual(['7318.15.2061', '0101.21.00', '']);
    const given = await compliance(['lookup', '--csv', file, '--column', 'old', '--json']);
    expect(codesOf(given.stdout)).toEqual(['7318', '', '']);
    const piped = await compliance(['lookup', '--csv', '-', '--json'], { input: 'hts\n7318\n' });
    expect(codesOf(piped.stdout)).toEqual(['7318']);
  });

  it('answers a long list whole and in order', async () => {
    const codes = Array.from({ length: 25_000 }, (_, i) => `8481.${i % 90}`);
    const { stdout } = await compliance(['lookup', '--json'], { input: codes.join('\n') });
    expect(codesOf(stdout)).toEqual(codes);
  });

  it('tells by an official export which codes exist', async () => {
    const file = join(temporaryFolder(), 'hts_2026_rev_10.json.gz');
    const rows = [{ htsno: '7318.15.20.61', indent: '0', description: 'Bolts' }];
    writeFileSync(file, gzipSync(JSON.stringify(rows)));
    const { stdout } = await compliance(['lookup', '7318.15.2061', '7318.15.2062', '--hts', file, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      list: { nomenclature: 'HTS 2026 Revision 10' },
      results: [{ exists: true, description: ['Bolts'] }, { exists: false }],
    });
  });

  it('shows nothing of a code that would steer the terminal', async () => {
    const { stdout } = await compliance(['lookup', '\u001b[2J7318\u0007']);
    expect(stdout).not.toMatch(/\p{Cc}(?<!\n)/u);
    expect(stdout).toContain('invalid');
  });

  it.each([
    ['a date that does not exist', ['lookup', '7318', '--as-of', '2026-02-30'], '--as-of must be a calendar date'],
    ['an unknown program', ['lookup', '7318', '--programs', 'gold'], '--programs must be "all" or some of: steel'],
    ['no country', ['lookup', '7318', '--origin', 'Germany'], '--origin must be an ISO 3166'],
    ['an unknown option', ['lookup', '7318', '--colour'], "unknown option '--colour'"],
    ['an unknown command', ['look'], "unknown command 'look'"],
    ['codes and a file at once', ['lookup', '7318', '--csv', 'x.csv'], 'not both'],
    ['a column without a file', ['lookup', '--column', 'hts'], '--column needs --csv'],
  ])('exits with 2 and says what to do on %s', async (_, args, message) => {
    const { exitCode, stderr, stdout } = await compliance(args);
    expect(stderr).toContain(message);
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  it('exits with 1 on a file that cannot be read, with 2 on a column that it does not have', async () => {
    expect(await compliance(['lookup', '--csv', '/no/such.csv'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('/no/such.csv cannot be read as CSV'),
    });
    const file = join(temporaryFolder(), 'x.csv');
    writeFileSync(file, 'sku,price\n1,2\n');
    expect(await compliance(['lookup', '--csv', file])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('The file has: sku, price'),
    });
    writeFileSync(file, 'hts\n"7318');
    expect((await compliance(['lookup', '--csv', file])).exitCode).toBe(1);
    writeFileSync(file, 'no json');
    expect(await compliance(['lookup', '7318', '--hts', file])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no official HTS export'),
    });
  });
});
