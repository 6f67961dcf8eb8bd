import { describe, expect, it } from 'vitest';
import { compare } from './compare.ts';
import { effectiveChanges } from './effective-changes.ts';

describe('effectiveChanges', () => {
  const changes = effectiveChanges();

  it('returns each effective date once, newest first, with the same change counts as a comparison with the previous day', () => {
    const dates = changes.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
    const june = changes.find(({ date }) => date === '2026-06-08')!;
    const { added, removed, moved, rate_changed } = compare('2026-06-07', '2026-06-08');
    const sum = (kind: 'added' | 'removed' | 'moved' | 'rate_changed') =>
      june.programs.reduce((total, program) => total + program[kind], 0);
    expect([sum('added'), sum('removed'), sum('moved'), sum('rate_changed')]).toEqual(
      [added, removed, moved, rate_changed].map(found => found.length),
    );
  });

  it('includes scheduled rate changes and headings that are scheduled to end', () => {
    const scheduled = changes.find(({ date }) => date === '2027-01-01')!;
    expect(scheduled.programs).toMatchObject([
      { program: 'upholstered_furniture', rate_changed: 4 },
      { program: 'kitchen_cabinets', rate_changed: 3 },
    ]);
    expect(changes.find(({ date }) => date === '2028-01-01')!.headings_ended).toContain('9903.82.07');
  });

  it('cites a source for every change', () => {
    for (const { date, citations } of changes) expect([date, citations.length]).not.toEqual([date, 0]);
  });
});
