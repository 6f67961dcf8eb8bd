import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-add-to-cart': { severity: 'warn' },
  'fires-with-event-id': { severity: 'info' },
});
