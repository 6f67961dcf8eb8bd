import { listsInForce } from '@compliance/core/tariff';
import { describe, expect, it } from 'vitest';
import { compliance } from '../testing/compliance.ts';

describe('compliance tariff lists', () => {
  it('shows how far the lists are known, and the counts by program', async () => {
    const { stdout } = await compliance(['tariff', 'lists', '--as-of', '2026-10-09']);
    const { version, programs } = listsInForce('2026-10-09');
    const steel = programs.find(({ program }) => program === 'steel')!;
    expect(stdout).toContain(`Lists of ${version}, as of 2026-10-09; known through 2026-10-09`);
    expect(stdout).toMatch(new RegExp(`^steel +${steel.articles} +${steel.derivatives}$`, 'm'));
    const json = await compliance(['tariff', 'lists', '--as-of', '2026-10-09', '--json']);
    expect(JSON.parse(json.stdout)).toEqual(listsInForce('2026-10-09'));
  });

  it('needs a calendar date', async () => {
    const refused = await compliance(['tariff', 'lists', '--as-of', '2026-02-29']);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('calendar date') });
  });
});
