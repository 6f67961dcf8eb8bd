import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-two-ids': { severity: 'warn', ids: ['1691000000000001', '3850000000000001'] },
  'fires-track-single': { severity: 'info' },
});
