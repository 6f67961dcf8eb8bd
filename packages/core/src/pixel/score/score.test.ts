import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Scored, scoreOf } from './score.ts';

const SEVERITIES = ['info', 'warn', 'error'] as const;
const CONFIDENCES = ['possible', 'likely', 'certain'] as const;
const RULES = [
  'ga_js_legacy',
  'ga4_app_duplicate',
  'meta_capi_token_exposed',
  'gtm_not_in_head',
  'ga_universal_id',
  'meta_pixel_invalid_id',
];

const finding: fc.Arbitrary<Scored> = fc.record({
  rule_id: fc.constantFrom(...RULES),
  severity: fc.constantFrom(...SEVERITIES),
  confidence: fc.constantFrom(...CONFIDENCES),
  ids: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 2 }),
  mitigated: fc.boolean(),
});
const findings = fc.array(finding, { maxLength: 24 });
const score = (list: readonly Scored[]): number => scoreOf(list).score;
const holds = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => unknown): void =>
  fc.assert(
    fc.property(arbitrary, value => {
      check(value);
    }),
    { numRuns: 2_000 },
  );

describe('score', () => {
  it('never increases the score when a finding is added', () => {
    holds(fc.tuple(findings, finding), ([list, more]) =>
      expect(score([...list, more])).toBeLessThanOrEqual(score(list)),
    );
  });

  it('never increases the score when a finding becomes more severe or more certain', () => {
    const nudge = fc.tuple(fc.array(finding, { minLength: 1, maxLength: 24 }), fc.nat());
    holds(nudge, ([list, n]) => {
      const at = n % list.length;
      const old = list[at]!;
      const moreSevere = SEVERITIES[SEVERITIES.indexOf(old.severity) + 1];
      const moreCertain = CONFIDENCES[CONFIDENCES.indexOf(old.confidence) + 1];
      for (const next of [
        moreSevere && { ...old, severity: moreSevere },
        moreCertain && { ...old, confidence: moreCertain },
      ]) {
        if (next) expect(score(list.with(at, next))).toBeLessThanOrEqual(score(list));
      }
    });
  });

  it('returns the same score regardless of the order of findings', () => {
    const shuffled = findings.chain(list =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    holds(shuffled, ([list, other]) => expect(scoreOf(other)).toEqual(scoreOf(list)));
  });

  it('returns a score that equals 100 minus the points in its breakdown', () => {
    holds(fc.tuple(findings, fc.boolean()), ([list, whole]) => {
      const { score: value, breakdown } = scoreOf(list, whole);
      expect(breakdown.reduce((sum, line) => sum + line.points, 0)).toBe(100 - value);
      expect(breakdown.filter(line => line.points === 0)).toEqual([]);
    });
  });

  it('never deducts points for info findings', () => {
    holds(findings, list => expect(score(list.map(f => ({ ...f, severity: 'info' as const })))).toBe(100));
  });

  it('keeps the score below 80 for errors from one rule and below 70 for errors from two rules, ignoring `possible` errors', () => {
    holds(findings, list => {
      const sure = new Set(list.filter(f => f.severity === 'error' && f.confidence !== 'possible').map(f => f.rule_id));
      if (sure.size >= 1) expect(score(list)).toBeLessThanOrEqual(79);
      if (sure.size >= 2) expect(score(list)).toBeLessThanOrEqual(69);
    });
  });

  it('returns a whole number from 0 to 100', () => {
    holds(findings, list => {
      expect(Number.isInteger(score(list))).toBe(true);
      expect(score(list)).toBeGreaterThanOrEqual(0);
      expect(score(list)).toBeLessThanOrEqual(100);
    });
  });

  it('never decreases the score when all findings for a rule are fixed', () => {
    holds(fc.tuple(findings, fc.constantFrom(...RULES)), ([list, rule]) => {
      expect(score(list.filter(f => f.rule_id !== rule))).toBeGreaterThanOrEqual(score(list));
    });
  });

  const one = (rule_id: string, severity: Scored['severity'], ids: string[] = []): Scored => ({
    rule_id,
    severity,
    ids,
    confidence: 'certain',
    mitigated: false,
  });

  it('lists a cap in the breakdown only if the cap lowers the score, and raises a negative score to zero', () => {
    const below80 = [
      { ...one('a', 'error'), mitigated: true },
      one('b', 'warn'),
      { ...one('c', 'warn'), mitigated: true },
    ];
    expect(scoreOf(below80)).toEqual({
      score: 79,
      breakdown: expect.not.arrayContaining([expect.objectContaining({ cap: 'one_error' })]),
    });
    const errors = ['a', 'b', 'c', 'd', 'e'].map(rule => one(rule, 'error'));
    expect(scoreOf(errors).breakdown.filter(line => 'floor' in line || 'cap' in line)).toEqual([]);
    expect(scoreOf([...errors, one('f', 'error')])).toEqual({
      score: 0,
      breakdown: expect.arrayContaining([{ floor: 'zero', points: -20 }]),
    });
  });

  it('deducts the documented number of points', () => {
    expect(score([one('ga4_app_duplicate', 'error')])).toBe(75);
    expect(score([one('a', 'error'), one('b', 'warn'), one('c', 'warn')])).toBe(68);
    expect(
      score([one('a', 'error', ['1']), one('a', 'error', ['2']), one('a', 'error', ['3']), one('a', 'error', ['4'])]),
    ).toBe(65);
    expect(score([{ ...one('a', 'error'), mitigated: true }])).toBe(79);
    expect(score([{ ...one('a', 'error'), confidence: 'possible' }])).toBe(90);
    expect(score([{ ...one('a', 'warn'), confidence: 'possible' }])).toBe(97);
    expect(scoreOf([], false).score).toBe(99);
  });
});
