import { testDriftRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testDriftRule(rule, import.meta.dirname, {
  'fires-purchase-gone': { severity: 'error' },
  'fires-lead-added': { severity: 'warn' },
});
