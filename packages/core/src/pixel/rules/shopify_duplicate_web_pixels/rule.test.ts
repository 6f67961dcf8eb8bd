import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-two-apps': { severity: 'error', ids: ['2322352894887137'] },
  'fires-custom-pixels': { severity: 'info', variant: 'custom' },
});
