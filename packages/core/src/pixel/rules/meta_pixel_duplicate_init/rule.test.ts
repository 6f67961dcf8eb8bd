import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-two-base-codes': { severity: 'error', ids: ['1039134200000001'] },
  'fires-head-and-footer': { severity: 'warn' },
  'fires-loop': { confidence: 'possible' },
});
