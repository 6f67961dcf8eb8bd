import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-left-behind': { severity: 'error', state: 'later' },
  'fires-guarded': { severity: 'info' },
});
