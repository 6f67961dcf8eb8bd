import { describe, expect, it } from 'vitest';
import { checkRules } from '../check.ts';
import type { Unit } from '../extract/unit.ts';
import { RULES } from './index.ts';

const unitOf = (text: string, kind: Unit['kind']): Unit => ({
  file: 'example.ts',
  kind,
  pool: 'comments',
  text,
  pieces: [{ at: 0, line: 1, column: 1 }],
});

describe.each(RULES)('house rule $id', ({ id, kinds, fails, passes }) => {
  const isFlagged = (text: string) => checkRules(unitOf(text, kinds?.[0] ?? 'comment')).some(({ rule }) => rule === id);

  it('includes at least one sentence that it flags and one sentence that it accepts', () => {
    expect(fails.length).toBeGreaterThan(0);
    expect(passes.length).toBeGreaterThan(0);
  });

  it.each(fails)('flags the sentence: %s', text => {
    expect(isFlagged(text)).toBe(true);
  });

  it.each(passes)('accepts the sentence: %s', text => {
    expect(isFlagged(text)).toBe(false);
  });
});

it('gives every house rule a unique ID', () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
});
