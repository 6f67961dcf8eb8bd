import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { listsInForce, lookup } from '@compliance/core/tariff';
import { describe, expect, it } from 'vitest';
import { expectRefusal, runCli, temporaryFolder } from '../testing/run-cli.ts';

const DAY = ['--as-of', '2026-11-21'];
const codesOf = (stdout: string) => JSON.parse(stdout).results.map((result: { code: string }) => result.code);

describe('compliance lookup', () => {
  it('prints the same JSON as the API if --json is set, even if a code is invalid', async () => {
    const codes = ['7318.15.2061', '7208.10.15', '8302.41.60', '0101.21.00', '7303.00.00', '9403.20.0075', 'abc'];
    const { stdout, exitCode } = await runCli(['lookup', ...codes, ...DAY, '--json']);
    expect(stdout).toBe(`${JSON.stringify(lookup(codes, { asOf: '2026-11-21' }))}\n`);
    expect(exitCode).toBe(0);
  });

  it('prints the results as a table by default', async () => {
    const codes = ['7318.15.2061', '7208.10.15', '2203.00.0030', '0101.21.00', '101.21'];
    const { stdout } = await runCli(['lookup', ...codes, ...DAY]);
    const { version, notice } = listsInForce('2026-11-21');
    expect(stdout.replace(`${notice}\n`, '').replace(`version ${version}`, 'version VERSION')).toMatchInlineSnapshot(`
      "Code            Status    Result
      7318.15.2061    hit       On the steel derivative list (Annex I-A) since 2026-04-06: 50% additional duty on
                                the full customs value under 9903.82.02.
                                Different duties apply to some origins. To list these duties, specify --origin.
                                Proclamation 11021 (91 FR 18201), Annex I-A; U.S. note 16(c)(iv), subchapter III,
                                chapter 99, HTS
                                Effective 2026-04-06 according to Proclamation 11021 (91 FR 18201).
      7208.10.15      in scope  On the primary steel article list (Annex I-A) since 2026-04-06: 50% additional duty
                                on the full customs value under 9903.82.02.
                                Different duties apply to some origins. To list these duties, specify --origin.
                                Proclamation 9705 (83 FR 11625), Proclamation 11021 (91 FR 18201), Annex I-A; U.S.
                                note 16(c)(iii), subchapter III, chapter 99, HTS
                                Effective 2026-04-06 according to Proclamation 11021 (91 FR 18201).
      2203.00.0030    adjacent  Not on any Section 232 list. 2203.00.00 (aluminum derivative article) was listed
                                through 2026-04-05.
                                Department of Commerce notice, effective 2025-04-04, Proclamation 10947 (90 FR
                                24199); U.S. note 19(k), subchapter III, chapter 99, HTS
      0101.21.00      clear     Not on any Section 232 list.
      101.21          invalid   Not an HTS code: enter 4, 6, 8, or 10 digits. If a spreadsheet dropped a leading
                                zero, add it back, as in 0101.21.00. Did you mean 0101.21?

      5 codes: 1 hit, 1 in scope, 1 adjacent, 1 clear, 1 invalid. Section 232 lists, version VERSION (all programs), as of 2026-11-21.
      CPSC’s eFiling flags aren’t loaded, so this lookup doesn’t show whether a certificate might be needed. To load them, specify --flags.
      Not included: the column 1 or 2 duty, duties under Sections 301, 338, and 122, antidumping and countervailing duties, and fees.
      Not legal or customs advice.
      "
    `);
  });

  it('prints a warning if the lists aren’t current through the requested date', async () => {
    const { stdout } = await runCli(['lookup', '7318.15.2061', '--as-of', '9999-12-31']);
    expect(stdout).toContain(`${listsInForce('9999-12-31').notice}\n`);
  });

  it('shows the possible duties for a country of origin', async () => {
    const { stdout } = await runCli(['lookup', '7318.15.2061', ...DAY, '--origin', 'uk']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Or 25% additional duty on the full customs value (9903.82.04) if at least 95% of the metal',
    );
    expect(stdout).toContain('from GB');
    expect(stdout).not.toContain('specify --origin');
  });

  it('shows every possible heading and rate for a country of origin, along with the conditions', async () => {
    const { stdout } = await runCli(['lookup', '8708.99.8180', ...DAY, '--origin', 'JP']);
    const text = stdout.replace(/\s+/g, ' ');
    const [match] = lookup(['8708.99.8180'], { asOf: '2026-11-21', origin: 'JP' }).results[0]!.matches;
    expect(match!.outcomes.length).toBeGreaterThan(10);
    for (const { headings, when } of match!.outcomes) {
      expect(text).toContain(headings[0]);
      for (const condition of when) expect(text).toContain(condition.text);
    }
    expect(text).toContain(
      'Or 15% total duty on the full customs value, including the column 1 duty (9903.94.55) if the importer certifies that the part',
    );
  });

  it('shows how duties under several programs interact, with notes and the source of each date', async () => {
    const { stdout } = await runCli(['lookup', '8704.60.00', '7614.10.10', '--as-of', '2026-11-21', '--origin', 'KR']);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain(
      "Only one duty is owed: notes 33(c) and 38(e) exempt a vehicle that isn't of their own type.",
    );
    expect(text).toContain('U.S. note 33(c), subchapter III, chapter 99, HTS; U.S. note 38(e)');
    expect(text).toContain('Effective 2025-04-03 according to Proclamation 10908.');
    expect(text).toContain('Effective 2025-11-01 according to HTS 2025 Revision 32 change record.');
    expect(text.match(/Not included: the column 1 or 2 duty, duties under Sections 301, 338, and 122/g)).toHaveLength(
      1,
    );
    const printed = await runCli(['lookup', '2922.19.09.10', '--as-of', '2026-11-21']);
    expect(printed.stdout.replace(/\s+/g, ' ')).toContain(
      'Effective 2026-09-29 according to HTS 2026 Revision 20, the first edition that includes the provision. The legal effective date might be earlier.',
    );
  });

  it('checks every program by default, and only the metal programs with --programs metals', async () => {
    const sofa = await runCli(['lookup', '9401.61.4011', ...DAY]);
    expect(sofa.stdout).toMatch(/^9401\.61\.4011 +hit +On the upholstered furniture derivative list/m);
    expect(sofa.stdout).toContain('(all programs)');
    const metals = await runCli(['lookup', '9401.61.4011', ...DAY, '--programs', 'metals']);
    expect(metals.stdout.replace(/\s+/g, ' ')).toContain(
      'Other Section 232 programs also list this code, or will list it on a later date: upholstered furniture.',
    );
    expect(metals.stdout).toContain('(steel, aluminum, copper)');
  });

  it('accepts a list of programs and, after --, a list of codes', async () => {
    const { stdout } = await runCli(['lookup', ...DAY, '--json', '--programs', 'autos, trucks', '--', '8703.23.0140']);
    expect(JSON.parse(stdout)).toMatchObject({
      results: [{ in_scope: true }],
      list: { programs: ['autos', 'trucks'] },
    });
  });

  it('reads codes from standard input, one per line', async () => {
    const { stdout } = await runCli(['lookup', ...DAY, '--json'], { input: '7318.15.2061\r\n\n 0101.21.00\nabc' });
    expect(codesOf(stdout)).toEqual(['7318.15.2061', ' 0101.21.00', 'abc']);
    expect(codesOf((await runCli(['lookup', '-', '--json'], { input: '7318' })).stdout)).toEqual(['7318']);
  });

  it('reads codes from a CSV column with a common header or with the specified header', async () => {
    const file = join(temporaryFolder(), 'catalog.csv');
    writeFileSync(file, '\uFEFFSKU,"HTS Code",Old\nA-1,7318.15.2061,7318\n"B,2",0101.21.00,\nC-3\n');
    const found = await runCli(['lookup', '--csv', file, '--json']);
    expect(codesOf(found.stdout)).toEqual(['7318.15.2061', '0101.21.00', '']);
    const given = await runCli(['lookup', '--csv', file, '--column', 'old', '--json']);
    expect(codesOf(given.stdout)).toEqual(['7318', '', '']);
    const piped = await runCli(['lookup', '--csv', '-', '--json'], { input: 'hts\n7318\n' });
    expect(codesOf(piped.stdout)).toEqual(['7318']);
  });

  it('preserves the order of a long list of codes in the results', async () => {
    const codes = Array.from({ length: 25_000 }, (_, i) => `8481.${i % 90}`);
    const { stdout } = await runCli(['lookup', '--json'], { input: codes.join('\n') });
    expect(codesOf(stdout)).toEqual(codes);
  });

  it('uses an official HTS export to check whether codes exist', async () => {
    const file = join(temporaryFolder(), 'hts_2026_rev_10.json.gz');
    const rows = [{ htsno: '7318.15.20.61', indent: '0', description: 'Bolts' }];
    writeFileSync(file, gzipSync(JSON.stringify(rows)));
    const { stdout } = await runCli(['lookup', '7318.15.2061', '7318.15.2062', '--hts', file, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      list: { nomenclature: 'HTS 2026 Revision 10' },
      results: [{ exists: true, description: ['Bolts'] }, { exists: false }],
    });
  });

  it('strips control characters from codes', async () => {
    const { stdout } = await runCli(['lookup', '\u001b[2J7318\u0007']);
    expect(stdout).not.toMatch(/\p{Cc}(?<!\n)/u);
    expect(stdout).toContain('invalid');
  });

  it.each([
    ['a date that does not exist', ['lookup', '7318', '--as-of', '2026-02-30'], '--as-of must be a calendar date'],
    [
      'an unknown program',
      ['lookup', '7318', '--programs', 'gold'],
      '--programs must be "all", "metals", or one or more of: steel',
    ],
    ['an invalid country', ['lookup', '7318', '--origin', 'Germany'], '--origin must be an ISO 3166'],
    ['an unknown option', ['lookup', '7318', '--color'], "Unknown option '--color'"],
    ['an unknown command', ['look'], "Unknown command 'look'"],
    ['both codes and a file', ['lookup', '7318', '--csv', 'x.csv'], 'not both'],
    ['a column without a file', ['lookup', '--column', 'hts'], '--column requires --csv'],
  ])('exits with code 2 and a helpful message for %s', async (_, args, message) => {
    const { exitCode, stderr, stdout } = await runCli(args);
    expect(stderr).toContain(message);
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  it('exits with code 1 if a file cannot be read and with code 2 if a column is missing', async () => {
    expect(await runCli(['lookup', '--csv', '/no/such.csv'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("Can't read /no/such.csv as CSV"),
    });
    const file = join(temporaryFolder(), 'x.csv');
    writeFileSync(file, 'sku,price\n1,2\n');
    expect(await runCli(['lookup', '--csv', file])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('The file has these columns: sku, price'),
    });
    writeFileSync(file, 'hts\n"7318');
    expect((await runCli(['lookup', '--csv', file])).exitCode).toBe(1);
    writeFileSync(file, 'no json');
    expect(await runCli(['lookup', '7318', '--hts', file])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("isn't an official HTS export"),
    });
  });

  it('shows CPSC’s flag for each code in text, JSON, CSV, and NDJSON output if --flags is set', async () => {
    const folder = temporaryFolder();
    const flags = join(folder, 'flags.json');
    const groups = [{ name: 'Bicycle Helmets', codes: ['6506103045'] }];
    writeFileSync(flags, JSON.stringify({ as_of: '2026-09-14', source: 'CPSC list', groups }));
    const options = ['--flags', flags, '--as-of', '2026-11-21'];
    const codes = ['6506.10.3045', '0101.21.00', 'helmet'];
    const text = (await runCli(['lookup', ...codes, ...options])).stdout.replace(/\s+/g, ' ');
    expect(text).toContain(
      'CPSC flags this code (Bicycle Helmets; list dated 2026-09-14), so a certificate might be needed.',
    );
    expect(text).toContain('CPSC doesn’t flag this code'.replace('’', "'"));
    expect(text).toContain('CPSC’s eFiling flags: CPSC list, 2026-09-14.');
    const json = JSON.parse((await runCli(['lookup', ...codes, ...options, '--json'])).stdout);
    expect(json.efiling).toEqual({ as_of: '2026-09-14', source: 'CPSC list' });
    expect(json.results.map((result: { efiling: object | null }) => result.efiling)).toMatchObject([
      { status: 'flagged', likely_rules: [{ citation: '16 CFR 1203' }] },
      { status: 'not_listed' },
      null,
    ]);
    const csv = join(folder, 'codes.csv');
    writeFileSync(csv, `code,value\n${codes.map(code => `${code},100`).join('\n')}\n`);
    const table = ['lookup', '--csv', csv, '--column', 'code', '--value-column', 'value', '--out', '-', ...options];
    const [head, first] = (await runCli([...table, '--format', 'csv'])).stdout.split('\n');
    expect(head).toContain(',did_you_mean,efiling,efiling_rules,efiling_message,duty_usd,');
    expect(first).toContain(',flagged,16 CFR 1203,');
    const [row, , invalid] = (await runCli([...table, '--format', 'ndjson'])).stdout
      .split('\n')
      .map(line => line && JSON.parse(line));
    expect(row).toMatchObject({ efiling: 'flagged', efiling_rules: ['16 CFR 1203'] });
    expect(invalid).toMatchObject({ efiling: null, efiling_message: null });
  });

  it('explains why a list of flagged codes is invalid', async () => {
    const flags = join(temporaryFolder(), 'flags.json');
    writeFileSync(flags, '{"as_of":"2026-09-14","source":"CPSC","groups":[{"name":"A","codes":["6506.10"]}]}');
    await expectRefusal(['lookup', '6506', '--flags', flags], 'groups.0.codes.0: must have 4, 6, 8, or 10 digits');
  });
});
