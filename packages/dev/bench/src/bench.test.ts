import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponentOf, growth } from './growth.ts';
import { inTurn, median, ratio, show } from './measure.ts';
import { pageOf } from './page.ts';
import { type BenchRow, verdictOf } from './row.ts';
import { tableOf } from './table.ts';

const row = (part: Partial<BenchRow>): BenchRow => ({ what: 'w', value: 1, unit: '×', details: 'b', ...part });

describe('exponentOf', () => {
  it('returns the exponent of any power law, regardless of its constant factor', () => {
    const power = fc.double({ min: -2, max: 3, noNaN: true });
    const factor = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(power, factor, (power, factor) => {
        const points = [1, 10, 300, 5_000].map(size => [size, factor * size ** power] as const);
        expect(exponentOf(points)).toBeCloseTo(power, 6);
      }),
    );
  });

  it('returns nearly 0 if the fixed cost outweighs the size-dependent cost', () => {
    expect(exponentOf([1, 10, 100].map(size => [size, 1000 + size] as const))).toBeLessThan(0.03);
  });
});

describe('the growth measurement', () => {
  it('prepares the work once for each size, then interleaves the measurements', async () => {
    const steps: string[] = [];
    const make = (size: number) => {
      steps.push(`make ${size}`);
      return () => steps.push(`do ${size}`);
    };
    await growth('g', 'constant', [1, 2], make);
    expect(steps.slice(0, 6)).toEqual(['make 1', 'make 2', 'do 1', 'do 1', 'do 2', 'do 2']);
  });

  it('sets a lower growth limit for constant costs than for linear costs', async () => {
    const burn = () => () => Array.from({ length: 20_000 }, (_, i) => i);
    const limits = (['constant', 'linear'] as const).map(async kind => (await growth('g', kind, [1, 2], burn)).limit);
    expect(await Promise.all(limits)).toEqual([{ atMost: 0.2 }, { atMost: 1.1 }]);
  });
});

describe('a measurement', () => {
  it('measures each piece of work once per round, after an unmeasured run, and discards the warm-up rounds', async () => {
    const order: string[] = [];
    const work = { a: () => order.push('a'), b: async () => order.push('b') };
    const times = await inTurn(work, { rounds: 2, warmUp: 1 });
    expect(order.join('')).toBe('aabb'.repeat(3));
    expect([times.a.length, times.b.length]).toEqual([2, 2]);
  });

  it('compares values from the same round, so a slow round doesn’t affect the result', () => {
    expect(ratio([2, 200, 2], [1, 100, 1])).toBe(2);
  });

  it('returns the median of a list and rejects an empty list', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(() => median([])).toThrow(RangeError);
  });

  it('formats a number below 100 with three significant digits, and a larger number as a whole number', () => {
    expect([1234.5, 12.345, 0.012345].map(show)).toEqual(['1,235', '12.3', '0.0123']);
  });
});

describe('the table', () => {
  it('includes every row and lists the ratios first, in their original order', () => {
    const rows = [
      row({ what: 'time', unit: 'ms' }),
      row({ what: 'r1' }),
      row({ what: 'g', unit: 'exponent' }),
      row({ what: 'r2' }),
    ];
    const names = tableOf(rows)
      .split('\n')
      .slice(2)
      .map(line => line.split('|')[1]!.trim());
    expect(names).toEqual(['r1', 'r2', 'g', 'time']);
  });

  it('pads every line to the same width and escapes pipes in cells', () => {
    const text = tableOf([row({ what: 'a | b' }), row({ what: 'long '.repeat(9) })]);
    expect(new Set(text.split('\n').map(line => line.length)).size).toBe(1);
    expect(text).toContain('a \\| b');
  });

  it('shows whether each row is within its limit, exceeds its limit, has no limit, or wasn’t measured', () => {
    expect(verdictOf(row({ value: 6, limit: { atMost: 6 } }))).toBe('within');
    expect(verdictOf(row({ value: 6.01, limit: { atMost: 6 } }))).toBe('OVER');
    expect(verdictOf(row({ value: 3.9, limit: { atLeast: 4 } }))).toBe('OVER');
    expect(verdictOf(row({}))).toBe('');
    expect(verdictOf(row({ value: null, limit: { atMost: 6 } }))).toBe('not measured');
  });
});

describe('the page', () => {
  const machine = { date: '2026-11-21', hardware: '2 cores', version: '24.21.0' };

  it('replaces the benchmark table and keeps handwritten sections', () => {
    const byHand = '## What dominates\n\nA table.\n\n## More\n\nWords.\n';
    const first = pageOf('| old |', machine, '');
    expect(first).not.toContain('## ');
    expect(pageOf('| new |', machine, `${first}\n${byHand}`)).toBe(`${first.replace('| old |', '| new |')}\n${byHand}`);
  });
});
