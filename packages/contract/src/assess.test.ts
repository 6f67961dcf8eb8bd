import { FACT_KINDS, FACT_LIMITS, issueInFacts } from '@compliance/core/tariff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assessArticle } from './assess.ts';

const limits = Object.values(FACT_LIMITS).flat();
const scalar = fc.oneof(
  fc.constantFrom(...limits, ...limits.map(limit => limit - 1), ...limits.map(limit => limit + 0.5)),
  fc.constantFrom(
    null,
    true,
    '',
    'DE',
    'EU',
    'unknown',
    'in_quota',
    'x'.repeat(100),
    'x'.repeat(101),
    '😀'.repeat(100),
  ),
  fc.constantFrom('1000000000000', '1000000000000.1', '12.5', '-1', '1e3'),
  fc.double({ noInteger: false }),
);
const names = ['steel', 'uk_auto_trq', 'total_processing_performance', 'dram_bandwidth_gb_s', 'program', 'rate_pct'];
const object = fc.dictionary(fc.constantFrom(...names), scalar);
const value = fc.oneof(scalar, object, fc.array(scalar, { maxLength: 21 }), fc.array(object, { maxLength: 2 }));

it('accepts exactly the same article facts as the core library', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(FACT_KINDS)), value, (name, fact) => {
      const facts = { [name]: fact };
      const article = { code: '7318.15', as_of: '2026-10-01', origin: 'DE', facts };
      expect(assessArticle.safeParse(article).success).toBe(issueInFacts(facts) === null);
    }),
    { numRuns: 2000 },
  );
});
