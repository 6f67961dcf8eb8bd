import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assess } from '@compliance/core/tariff';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../testing/run-cli.ts';

const ARTICLE = ['tariff', 'assess', '7326.90.8688', '--origin', 'CN', '--as-of', '2026-05-01', '--value', '10,000'];
const FACTS = [
  ...['--fact', 'column1_rate_pct=2.9', '--fact', 'end_use=other', '--fact', 'certification=none'],
  ...['--fact', 'us_origin_pct.steel=0', '--other', '301=25'],
];

describe('compliance tariff assess', () => {
  it('shows the duty, the reasoning with citations, and the totals', async () => {
    const { stdout, exitCode } = await runCli([...ARTICLE, ...FACTS]);
    expect(exitCode).toBe(0);
    expect(
      stdout.replace(/version \S+, current through \S+/, 'version VERSION, current through DATE'),
    ).toMatchInlineSnapshot(`
      "7326.90.86.88 from CN, entered 2026-05-01

      Heading         Program           Rate                  Base                          Duty
      9903.82.02      steel             50%                   customs value $10,000.00      $5,000.00

      Why 9903.82.02
        7326.90.86.88 is on the steel-16c-iv list.
          Proclamation 11021 (91 FR 18201), Annex I-A; U.S. note 16(c)(iv), subchapter III, chapter 99, HTS
        9903.82.06 doesn't apply: it requires that at least 95% of the metal by weight was smelted and cast, or melted and poured, in the United States.
          Proclamation 11021 (91 FR 18201); U.S. note 16(e), subchapter III, chapter 99, HTS
        9903.82.02 has applied since 2026-04-06 (Proclamation 11021 (91 FR 18201)).
          Proclamation 11021 (91 FR 18201)
        50% of $10,000.00 is $5,000.00.
          Proclamation 11021 (91 FR 18201), Annex I-A; U.S. note 16(c)(iv), subchapter III, chapter 99, HTS

      Section 232                     $5,000.00
      With the column 1 duty          $5,290.00
      With declared duties (301 25%)  $7,790.00
      Total (% of customs value)      77.9%

      Not computed: Section 301 duties, Section 338 duties, Section 122 duties, antidumping and countervailing duties, merchandise processing and harbor maintenance fees.
      Section 232 lists, version VERSION, current through DATE
      Not legal or customs advice.
      "
    `);
  });

  it('shows every possible result, the duty range, and the missing facts with their possible values', async () => {
    const { stdout } = await runCli([...ARTICLE]);
    expect(stdout).toContain(
      'results are possible because some facts are missing. The Section 232 duty is $1,000.00 to $5,000.00.',
    );
    expect(stdout).toMatch(/^1\. 9903\.82\.06 \(steel\): 10% of the customs value \$10,000\.00: \$1,000\.00$/m);
    expect(stdout).toMatch(/^ {3}no {3}at least 95% of the metal by weight was smelted and cast/m);
    expect(stdout).toMatch(/These facts determine the result.*\n\nName +Value\nus_origin_pct\.steel +a percentage\n/);
    expect(stdout).toMatch(
      /These facts are needed for the remaining amounts.*\n\nName +Value\ncolumn1_rate_pct +a percentage\n/,
    );
  });

  it('shows the filing instructions from CBP and rephrases double negatives as positive statements', async () => {
    const car = ['tariff', 'assess', '8703.23.01', '--origin', 'JP', '--as-of', '2025-12-15', '--value', '30000'];
    const filed = await runCli([
      ...car,
      ...['column1_rate_pct=2.5', 'end_use=passenger_vehicle', 'model_year=2024'].flatMap(fact => ['--fact', fact]),
    ]);
    expect(filed.stdout).toContain(
      "Report a duty rate of 15% under 9903.94.41 and 0% under the article's HTS classification (chapters 1 to 97).\n    CSMS 66319804",
    );
    expect((await runCli(car)).stdout).toContain('yes  the article is a passenger vehicle or light truck\n');
  });

  it('asks for the full HTS number if the code is too short, and lists at most 12 possible numbers', async () => {
    const { stdout } = await runCli(['tariff', 'assess', '8708', '--origin', 'JP', '--as-of', '2026-10-01']);
    expect(stdout).toMatch(/^Use the full HTS number as the <code> argument: 8708\.10\.30, .*, or one of \d+ others$/m);
    expect(stdout).toMatch(/yes {2}the HTS number is one of 8708\.10\.30, .*, or one of \d+ others$/m);
  });

  it('prints the library’s result with --json and gives options precedence over the facts file', async () => {
    const file = join(temporaryFolder(), 'facts.json');
    writeFileSync(file, JSON.stringify({ end_use: 'motorcycle_part', steel_weight_pct: 80, quota: null }));
    const options = ['--fact', 'end_use=other', '--fact', 'melted_and_poured_in=CN,DE', '--fact', 'patented=false'];
    const { stdout } = await runCli([...ARTICLE, '--facts', file, ...options, '--other', 'AD=$12.50', '--json']);
    const facts = {
      customs_value: '10000',
      end_use: 'other',
      steel_weight_pct: 80,
      melted_and_poured_in: ['CN', 'DE'],
      patented: false,
      other_duties: [{ program: 'AD', amount: '12.50' }],
    };
    const article = { code: '7326.90.8688', origin: 'CN', as_of: '2026-05-01', facts };
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(assess(article))));
  });

  it('reads the column 1 rate from an HTS export', async () => {
    const file = join(temporaryFolder(), 'hts_2026_rev_6.json');
    writeFileSync(
      file,
      JSON.stringify([
        { htsno: '7326.90.86.88', indent: '0', description: 'Other', general: '2.9%', special: '', other: '45%' },
      ]),
    );
    const { stdout } = await runCli([...ARTICLE, ...FACTS.slice(2), '--hts', file]);
    expect(stdout).toMatch(/With the column 1 duty +\$5,290\.00/);
  });

  it.each([
    [['--fact', 'steel_weight_pct'], 'enter a name and a value, such as steel_weight_pct=80'],
    [['--fact', 'steel_weight_pct=120'], 'facts.steel_weight_pct: Use a percentage from 0 to 100.'],
    [['--fact', 'steel_weight=80'], 'facts.steel_weight: Unknown field.'],
    [['--fact', '__proto__.x=1'], 'facts.__proto__: Unknown field.'],
    [['--fact', 'quota.constructor=in_quota'], 'facts.quota.constructor: Unknown field.'],
    [
      ['--fact', 'melted_and_poured_in=US', '--fact', 'us_origin_pct.steel=0'],
      'contradicts facts.melted_and_poured_in',
    ],
    [['--other', '301'], 'enter a name and a value, such as 301=25'],
    [['--other', 'AD=$120%'], 'enter a percentage, such as 301=25, or an amount, such as AD=$120.50'],
    [['--other', '301=high'], 'enter a percentage, such as 301=25, or an amount, such as AD=$120.50'],
    [['--as-of', '2026-02-30'], '--as-of must be a calendar date'],
    [['--origin', 'EU'], '--origin must be an ISO 3166-1 alpha-2 country code'],
  ])('rejects %j and explains what to change', async (options, message) => {
    expect(await runCli([...ARTICLE, ...options])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
    });
  });

  it('rejects a facts file that is not a JSON object', async () => {
    const file = join(temporaryFolder(), 'facts.json');
    expect((await runCli([...ARTICLE, '--facts', file])).stderr).toContain("Can't read the facts in");
    writeFileSync(file, '[]');
    expect((await runCli([...ARTICLE, '--facts', file])).stderr).toContain('must contain a JSON object with facts');
  });
});
