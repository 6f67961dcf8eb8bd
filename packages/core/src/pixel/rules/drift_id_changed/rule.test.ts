import { testDriftRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testDriftRule(rule, import.meta.dirname, {
  'fires-other-id': { severity: 'error', ids: ['111000000000001', '222000000000002'] },
  'fires-placeholder-filled': { severity: 'info' },
});
