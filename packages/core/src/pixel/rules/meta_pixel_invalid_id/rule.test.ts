import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-short': { severity: 'warn' },
  'fires-preferences': { severity: 'error', owner: 'shopify_admin', ids: ['45187'] },
});
