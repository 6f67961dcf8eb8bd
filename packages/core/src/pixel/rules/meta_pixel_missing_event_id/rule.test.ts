import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-purchase': { severity: 'info' },
  'fires-with-server-events': { severity: 'warn' },
  'fires-options-unknown': { confidence: 'possible' },
});
