import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-app-code': { ids: ['_shopify_y'], since: '2026-01-01', severity: 'warn' },
});
