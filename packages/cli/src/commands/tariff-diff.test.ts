import { compare } from '@compliance/core/tariff';
import { describe, expect, it } from 'vitest';
import { compliance } from '../testing/compliance.ts';

describe('compliance tariff diff', () => {
  it('shows what changed, and counts it', async () => {
    const { stdout, exitCode } = await compliance(['tariff', 'diff', '2026-12-31', '2027-01-01']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "Charged differently (7)
      HTS             Program                 Listing
      9401.61.40.11   upholstered_furniture   +25 % of full value → +30 % of full value
      9401.61.40.31   upholstered_furniture   +25 % of full value → +30 % of full value
      9401.61.60.11   upholstered_furniture   +25 % of full value → +30 % of full value
      9401.61.60.31   upholstered_furniture   +25 % of full value → +30 % of full value
      9403.40.90.60   kitchen_cabinets        +25 % of full value → +50 % of full value
      9403.60.80.93   kitchen_cabinets        +25 % of full value → +50 % of full value
      9403.91.00.80   kitchen_cabinets        +25 % of full value → +50 % of full value

      2026-12-31 to 2027-01-01: 0 added, 0 removed, 0 moved, 7 charged differently. Lists of 2026-10-09.
      "
    `);
  });

  it('prints with --json what the library says', async () => {
    const { stdout } = await compliance([
      'tariff',
      'diff',
      '2026-06-07',
      '2026-06-08',
      '--programs',
      'steel',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(compare('2026-06-07', '2026-06-08', ['steel']))));
  });

  it('refuses what is no date', async () => {
    const { exitCode, stderr } = await compliance(['tariff', 'diff', 'yesterday', '2026-06-08']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('yesterday is not a calendar date')]);
  });
});
