import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-loader-deleted': { severity: 'warn' },
  'fires-with-app': { severity: 'info' },
});
