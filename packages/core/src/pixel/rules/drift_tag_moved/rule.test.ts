import { testDriftRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testDriftRule(rule, import.meta.dirname, {
  'fires-gated': { severity: 'warn' },
  'fires-to-an-app': { severity: 'info' },
});
