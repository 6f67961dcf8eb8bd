import { listsInForce } from '@compliance/core/tariff';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../testing/run-cli.ts';

describe('compliance tariff lists', () => {
  it('shows the date through which the lists are current and the number of provisions by program', async () => {
    const { stdout } = await runCli(['tariff', 'lists', '--as-of', '2026-10-01']);
    const { version, known_through, programs } = listsInForce('2026-10-01');
    const steel = programs.find(({ program }) => program === 'steel')!;
    expect(stdout).toContain(
      `Section 232 lists, version ${version}, as of 2026-10-01; current through ${known_through}`,
    );
    expect(stdout).toMatch(new RegExp(`^steel +${steel.articles} +${steel.derivatives}$`, 'm'));
    const json = await runCli(['tariff', 'lists', '--as-of', '2026-10-01', '--json']);
    expect(JSON.parse(json.stdout)).toEqual(listsInForce('2026-10-01'));
  });

  it('rejects a nonexistent date', async () => {
    const refused = await runCli(['tariff', 'lists', '--as-of', '2026-02-29']);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('calendar date') });
  });
});
