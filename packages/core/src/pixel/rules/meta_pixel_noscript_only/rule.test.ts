import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-alone': { severity: 'warn', ids: ['1717000000000001'] },
  'fires-amp': { severity: 'info' },
});
